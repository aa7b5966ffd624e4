package center

import (
	"contend/allocation"
	"contend/netsim/topology"
)

// exchanges are those of MM+Inc [Bender et al., WADS 2005, sec. 5]: an allocated processor for
// a free one as long as that reduces the sum of pairwise distances. Each time it makes the
// exchange that gains most, and among equals the first by the processor that leaves and then
// by the one that joins. The paper does not say which.
type exchanges struct {
	geometry
	taken  []topology.Node
	listed []topology.Node // free processors
	spare  []topology.Node // those of them that may join
	totals []int           // for each spare, the sum of the distances to all allocated
	near   []int32         // spares that an exchange may be worth
}

func newExchanges(g geometry, nodes int) *exchanges {
	return &exchanges{geometry: g, spare: make([]topology.Node, 0, nodes),
		listed: make([]topology.Node, 0, nodes), totals: make([]int, 0, nodes)}
}

// improve makes the exchanges in an allocation, a list of nodes in their order. It returns the
// list and what the exchanges gain.
func (a *exchanges) improve(taken []topology.Node,
	free *allocation.FreeSet) (improved []topology.Node, gained int64) {
	a.taken = taken
	a.sumTo(taken)
	room := -1 // by which sums may still change until the list of spares is out of date
	for {
		if room < 0 {
			room = 8 * a.diameter()
			a.listSpares(free, room)
		}
		gain, from, to := a.best()
		if gain == 0 {
			return a.taken, gained
		}
		gained += int64(gain)
		room -= 2 * a.apart(from, to)
		a.swap(from, to)
	}
}

// listSpares lists the free processors that an exchange may be worth. The processors that leave
// and join lie at most a diameter apart, so nothing gains that is farther from all than any
// allocated one by more than that. It remains so while room lasts: an exchange changes the sum
// of a processor, and the greatest of an allocated one, by the distance of the two at most.
func (a *exchanges) listSpares(free *allocation.FreeSet, room int) {
	limit := 0
	for _, n := range a.taken {
		limit = max(limit, a.total(n))
	}
	limit += a.diameter() + room
	a.spare = a.spare[:0]
	a.listed = free.AppendTo(a.listed[:0])
	left := a.taken
	for _, n := range a.listed {
		if len(left) > 0 && left[0] == n {
			left = left[1:]
			continue
		}
		if a.total(n) < limit {
			a.spare = append(a.spare, n)
		}
	}
}

// best returns the exchange that gains most, as indices into taken and spare. The gain is 0 if
// no exchange gains. The exchange of the processor farthest from all others for the nearest
// free one shows what can be gained. Most others cannot gain as much, however far apart the
// two processors lie.
func (a *exchanges) best() (gain, from, to int) {
	a.totals, a.near = a.totals[:0], a.near[:0]
	nearest, farthest := 0, 0
	for j, n := range a.spare {
		a.totals = append(a.totals, a.total(n))
		if a.totals[j] < a.totals[nearest] {
			nearest = j
		}
	}
	if len(a.spare) == 0 {
		return 0, 0, 0
	}
	most := 0
	for i, n := range a.taken {
		if total := a.total(n); total > most {
			farthest, most = i, total
		}
	}
	least, diameter := a.totals[nearest], a.diameter()
	gain = max(0, most-least+a.apart(farthest, nearest)-1) // the first exchange beyond it is the best
	for j, reached := range a.totals {
		if most-reached+diameter > gain {
			a.near = append(a.near, int32(j))
		}
	}
	start := gain
	for i, leaves := range a.taken {
		total := a.total(leaves)
		if total-least+diameter <= gain {
			continue
		}
		a.from(leaves)
		for _, j := range a.near {
			reached := a.totals[j]
			if total-reached+diameter <= gain {
				continue
			}
			// The joining processor has no distance to the one that leaves.
			if g := total - reached + a.to(a.spare[j]); g > gain {
				gain, from, to = g, i, int(j)
			}
		}
	}
	if gain == start {
		return 0, 0, 0
	}
	return gain, from, to
}

// apart returns the distance of taken[i] and spare[j].
func (a *exchanges) apart(i, j int) int {
	a.from(a.taken[i])
	return a.to(a.spare[j])
}

// swap exchanges taken[from] for spare[to]. Both lists remain in node order.
func (a *exchanges) swap(from, to int) {
	leaves, comes := a.taken[from], a.spare[to]
	a.add(leaves, -1)
	a.add(comes, 1)
	resort(a.taken, from, comes)
	resort(a.spare, to, leaves)
}

// resort replaces nodes[i] by n and moves n to its place in the order.
func resort(nodes []topology.Node, i int, n topology.Node) {
	for ; i > 0 && nodes[i-1] > n; i-- {
		nodes[i] = nodes[i-1]
	}
	for ; i+1 < len(nodes) && nodes[i+1] < n; i++ {
		nodes[i] = nodes[i+1]
	}
	nodes[i] = n
}

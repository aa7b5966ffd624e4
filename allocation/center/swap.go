package center

import (
	"contend/allocation"
	"contend/netsim/topology"
)

// MedianSwap is MM+Inc [Bender et al., WADS 2005, sec. 5]. It starts with the
// allocation of MM. Then it exchanges an allocated processor for a free one as long as
// that reduces the sum of pairwise distances. Each time it makes the exchange that
// gains most, and among equals the first by the processor that leaves and then by the
// one that joins. The paper does not say which. Ties are those of MM. Most of the time is
// that of MM.
type MedianSwap struct {
	median
	listed   []topology.Node // free processors
	spare    []topology.Node // those of them that may join
	totals   []int           // for each spare, the sum of the distances to all allocated
	near     []int32         // spares that an exchange may be worth
	sums     distanceSums    // distances to all allocated
	diameter int
}

// NewLatticeSwap returns MM+Inc [Bender et al. 2005, sec. 5] by coordinates.
func NewLatticeSwap(machine topology.Topology, last string) (*MedianSwap, error) {
	m, err := newLatticeMedian("mm-inc", machine, last)
	if err != nil {
		return nil, err
	}
	n := machine.Nodes()
	a := &MedianSwap{median: *m, spare: make([]topology.Node, 0, n),
		listed: make([]topology.Node, 0, n), totals: make([]int, 0, n)}
	a.sums = newDistanceSums(&a.Lattice)
	for d, n := range a.Dims {
		if a.Wrap[d] {
			a.diameter += n / 2
		} else {
			a.diameter += n - 1
		}
	}
	return a, nil
}

// NewSwap returns MM+Inc for a machine, by coordinates where it has them, else by hops.
func NewSwap(s allocation.Site, last string) (allocation.Allocator, error) {
	if !hasPlaces(s.Machine) {
		return NewHopSwap(s, last)
	}
	return NewLatticeSwap(s.Machine, last)
}

// Allocate implements Allocator.
func (a *MedianSwap) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.Search(free, req.Size)
	return append(dst, a.Winner...), true
}

// Search is the search of MM followed by the exchanges.
func (a *MedianSwap) Search(free *allocation.FreeSet, size int) int64 {
	score := a.median.search(free, size)
	a.addUp()
	room := -1 // by which sums may still change until the list of spares is out of date
	for {
		if room < 0 {
			room = 8 * a.diameter
			a.listSpares(free, room)
		}
		gain, from, to := a.exchange()
		if gain == 0 {
			return score
		}
		score -= int64(gain)
		room -= 2 * a.apart(from, to)
		a.swap(from, to)
	}
}

// listSpares lists the free processors that an exchange may be worth. The processors that leave
// and join lie at most a diameter apart, so nothing gains that is farther from all than any
// allocated one by more than that. It remains so while room lasts: an exchange changes the sum
// of a processor, and the greatest of an allocated one, by the distance of the two at most.
func (a *MedianSwap) listSpares(free *allocation.FreeSet, room int) {
	limit := 0
	for _, n := range a.Winner {
		limit = max(limit, a.sums.of(a.home(n)))
	}
	limit += a.diameter + room
	a.spare = a.spare[:0]
	for _, n := range without(free.AppendTo(a.listed[:0]), a.Winner) {
		if a.sums.of(a.home(n)) < limit {
			a.spare = append(a.spare, n)
		}
	}
}

// without returns a list of nodes without those of a sorted list.
func without(nodes, remove []topology.Node) []topology.Node {
	kept := nodes[:0]
	for _, n := range nodes {
		if len(remove) > 0 && remove[0] == n {
			remove = remove[1:]
			continue
		}
		kept = append(kept, n)
	}
	return kept
}

// home returns the coordinates of a node.
func (a *MedianSwap) home(n topology.Node) [3]int { return a.Coordinates(a.place(n)) }

func (a *MedianSwap) addUp() {
	a.census.Clear()
	for _, n := range a.Winner {
		a.census.Add(a.home(n))
	}
	a.sums.load(&a.Lattice, &a.census)
}

// exchange returns the exchange that gains most, as indices into winner and spare. The
// gain is 0 if no exchange gains. The exchange of the processor farthest from all others for
// the nearest free one shows what can be gained. Most others cannot gain as much, however far
// apart the two processors lie.
func (a *MedianSwap) exchange() (gain, from, to int) {
	a.totals, a.near = a.totals[:0], a.near[:0]
	nearest, farthest := 0, 0
	for j, n := range a.spare {
		a.totals = append(a.totals, a.sums.of(a.home(n)))
		if a.totals[j] < a.totals[nearest] {
			nearest = j
		}
	}
	if len(a.spare) == 0 {
		return 0, 0, 0
	}
	most := 0
	for i, n := range a.Winner {
		if total := a.sums.of(a.home(n)); total > most {
			farthest, most = i, total
		}
	}
	least := a.totals[nearest]
	gain = max(0, most-least+a.apart(farthest, nearest)-1) // the first exchange beyond it is the best
	for j, reached := range a.totals {
		if most-reached+a.diameter > gain {
			a.near = append(a.near, int32(j))
		}
	}
	start := gain
	for i, leaves := range a.Winner {
		total := a.sums.of(a.home(leaves))
		if total-least+a.diameter <= gain {
			continue
		}
		for _, j := range a.near {
			reached := a.totals[j]
			if total-reached+a.diameter <= gain {
				continue
			}
			// The joining processor has no distance to the one that leaves.
			if g := total - reached + a.apart(i, int(j)); g > gain {
				gain, from, to = g, i, int(j)
			}
		}
	}
	if gain == start {
		return 0, 0, 0
	}
	return gain, from, to
}

// apart returns the distance of winner[i] and spare[j].
func (a *MedianSwap) apart(i, j int) int {
	return a.Distance(a.home(a.Winner[i]), a.home(a.spare[j]))
}

// swap exchanges winner[from] for spare[to]. Both lists remain in node order.
func (a *MedianSwap) swap(from, to int) {
	leaves, comes := a.Winner[from], a.spare[to]
	a.sums.add(&a.Lattice, a.home(leaves), -1)
	a.sums.add(&a.Lattice, a.home(comes), 1)
	a.Winner = resorted(a.Winner, from, comes)
	a.spare = resorted(a.spare, to, leaves)
}

// resorted replaces nodes[i] by n and moves n to its place in the order.
func resorted(nodes []topology.Node, i int, n topology.Node) []topology.Node {
	for ; i > 0 && nodes[i-1] > n; i-- {
		nodes[i] = nodes[i-1]
	}
	for ; i+1 < len(nodes) && nodes[i+1] < n; i++ {
		nodes[i] = nodes[i+1]
	}
	nodes[i] = n
	return nodes
}

// CountDecides implements Counting.
func (a *MedianSwap) CountDecides() bool { return true }

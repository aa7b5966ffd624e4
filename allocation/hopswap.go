package allocation

import "contend/netsim/topology"

// hopSwap is medianSwap (MM+Inc) on any machine, with hops in place of L1 distances.
type hopSwap struct {
	hopMedian
	spare []topology.Node // free processors that are not allocated
	near  []int32         // spares that an exchange may be worth
}

func newHopSwap(s Site, last string) (*hopSwap, error) {
	m, err := newHopMedian("mm-inc", s, last)
	if err != nil {
		return nil, err
	}
	return &hopSwap{hopMedian: *m}, nil
}

// Allocate implements Allocator.
func (a *hopSwap) Allocate(dst []topology.Node, free *FreeSet,
	req Request) ([]topology.Node, bool) {
	req.mustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.search(free, req.Size)
	return append(dst, a.winner...), true
}

// search is the search of MM followed by the exchanges.
func (a *hopSwap) search(free *FreeSet, size int) int64 {
	score := a.hopMedian.search(free, size)
	a.spare = without(free.AppendTo(a.spare[:0]), a.winner)
	a.addUp()
	for {
		gain, from, to := a.exchange()
		if gain == 0 {
			return score
		}
		score -= gain
		leaves, comes := a.winner[from], a.spare[to]
		a.addHops(a.home[leaves], -1)
		a.addHops(a.home[comes], 1)
		a.winner = resorted(a.winner, from, comes)
		a.spare = resorted(a.spare, to, leaves)
	}
}

// addUp sets sums to the hops of all homes to the allocated processors.
func (a *hopSwap) addUp() {
	if a.tree != nil {
		a.tree.hops(a.winner, a.sums)
		return
	}
	clear(a.sums)
	for i := 0; i < len(a.winner); { // nodes that follow each other have most homes in common
		home, from := a.home[a.winner[i]], i
		for i < len(a.winner) && a.home[a.winner[i]] == home {
			i++
		}
		a.addHops(home, int64(i-from))
	}
}

// exchange returns the exchange that gains most, as indices into winner and spare. The
// gain is 0 if no exchange gains. It leaves out exchanges as medianSwap does.
func (a *hopSwap) exchange() (gain int64, from, to int) {
	if len(a.spare) == 0 {
		return 0, 0, 0
	}
	farthest, nearest, diameter := 0, 0, int64(len(a.at)-1)
	for i := range a.winner {
		if a.total(a.winner[i]) > a.total(a.winner[farthest]) {
			farthest = i
		}
	}
	for j := range a.spare {
		if a.total(a.spare[j]) < a.total(a.spare[nearest]) {
			nearest = j
		}
	}
	most, least := a.total(a.winner[farthest]), a.total(a.spare[nearest])
	apart := a.row(a.home[a.winner[farthest]])[a.home[a.spare[nearest]]]
	gain = max(0, most-least+int64(apart)-1)
	a.near = a.near[:0]
	for j, n := range a.spare {
		if most-a.total(n)+diameter > gain {
			a.near = append(a.near, int32(j))
		}
	}
	start := gain
	for i, leaves := range a.winner {
		total := a.total(leaves)
		if total-least+diameter <= gain {
			continue
		}
		row := a.row(a.home[leaves])
		for _, j := range a.near {
			// The joining processor has no distance to the one that leaves.
			home := a.home[a.spare[j]]
			if g := total - a.sums[home] + int64(row[home]); g > gain {
				gain, from, to = g, i, int(j)
			}
		}
	}
	if gain == start {
		return 0, 0, 0
	}
	return gain, from, to
}

// total returns the hops from a node to all that are allocated.
func (a *hopSwap) total(n topology.Node) int64 { return a.sums[a.home[n]] }

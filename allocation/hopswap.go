package allocation

import "contend/netsim/topology"

// hopSwap is medianSwap (MM+Inc) on any machine, with hops in place of L1 distances.
type hopSwap struct {
	hopMedian
	spare []topology.Node // free processors that are not allocated
}

func newHopSwap(machine topology.Topology, last string) (*hopSwap, error) {
	m, err := newHopMedian("mm-inc", machine, last)
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
	clear(a.sums)
	for _, n := range a.winner {
		a.addHops(n, 1)
	}
	for {
		gain, from, to := a.exchange()
		if gain == 0 {
			return score
		}
		score -= gain
		leaves, comes := a.winner[from], a.spare[to]
		a.addHops(leaves, -1)
		a.addHops(comes, 1)
		a.winner = resorted(a.winner, from, comes)
		a.spare = resorted(a.spare, to, leaves)
	}
}

// exchange returns the exchange that gains most, as indices into winner and spare. The
// gain is 0 if no exchange gains.
func (a *hopSwap) exchange() (gain int64, from, to int) {
	for i, leaves := range a.winner {
		total, row := a.sums[a.home[leaves]], a.row(a.home[leaves])
		for j, comes := range a.spare {
			// The joining processor has no distance to the one that leaves.
			home := a.home[comes]
			if g := total - a.sums[home] + int64(row[home]); g > gain {
				gain, from, to = g, i, j
			}
		}
	}
	return gain, from, to
}

package center

import (
	"contend/allocation"
	"contend/netsim/topology"
)

// HopSwap is medianSwap (MM+Inc) on any machine, with hops in place of L1 distances.
type HopSwap struct {
	hopMedian
	spare []topology.Node // free processors that are not allocated
	near  []int32         // spares that an exchange may be worth
}

// NewHopSwap returns MM+Inc [Bender et al. 2005, sec. 5] by hops.
func NewHopSwap(s allocation.Site, last string) (*HopSwap, error) {
	m, err := newHopMedian("mm-inc", s, last)
	if err != nil {
		return nil, err
	}
	return &HopSwap{hopMedian: *m}, nil
}

// Allocate implements Allocator.
func (a *HopSwap) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.Search(free, req.Size)
	return append(dst, a.Winner...), true
}

// Search is the search of MM followed by the exchanges.
func (a *HopSwap) Search(free *allocation.FreeSet, size int) int64 {
	score := a.hopMedian.search(free, size)
	a.spare = without(free.AppendTo(a.spare[:0]), a.Winner)
	a.addUp()
	for {
		gain, from, to := a.exchange()
		if gain == 0 {
			return score
		}
		score -= gain
		leaves, comes := a.Winner[from], a.spare[to]
		a.addHops(a.Home[leaves], -1)
		a.addHops(a.Home[comes], 1)
		a.Winner = resorted(a.Winner, from, comes)
		a.spare = resorted(a.spare, to, leaves)
	}
}

// addUp sets sums to the hops of all homes to the allocated processors.
func (a *HopSwap) addUp() {
	if a.tree != nil {
		a.tree.hops(a.Winner, a.sums)
		return
	}
	clear(a.sums)
	for i := 0; i < len(a.Winner); { // nodes that follow each other have most homes in common
		home, from := a.Home[a.Winner[i]], i
		for i < len(a.Winner) && a.Home[a.Winner[i]] == home {
			i++
		}
		a.addHops(home, int64(i-from))
	}
}

// exchange returns the exchange that gains most, as indices into winner and spare. The
// gain is 0 if no exchange gains. It leaves out exchanges as medianSwap does.
func (a *HopSwap) exchange() (gain int64, from, to int) {
	if len(a.spare) == 0 {
		return 0, 0, 0
	}
	farthest, nearest, diameter := 0, 0, int64(len(a.at)-1)
	for i := range a.Winner {
		if a.total(a.Winner[i]) > a.total(a.Winner[farthest]) {
			farthest = i
		}
	}
	for j := range a.spare {
		if a.total(a.spare[j]) < a.total(a.spare[nearest]) {
			nearest = j
		}
	}
	most, least := a.total(a.Winner[farthest]), a.total(a.spare[nearest])
	apart := a.Row(a.Home[a.Winner[farthest]])[a.Home[a.spare[nearest]]]
	gain = max(0, most-least+int64(apart)-1)
	a.near = a.near[:0]
	for j, n := range a.spare {
		if most-a.total(n)+diameter > gain {
			a.near = append(a.near, int32(j))
		}
	}
	start := gain
	for i, leaves := range a.Winner {
		total := a.total(leaves)
		if total-least+diameter <= gain {
			continue
		}
		row := a.Row(a.Home[leaves])
		for _, j := range a.near {
			// The joining processor has no distance to the one that leaves.
			home := a.Home[a.spare[j]]
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
func (a *HopSwap) total(n topology.Node) int64 { return a.sums[a.Home[n]] }

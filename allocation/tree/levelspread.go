package tree

import (
	"contend/allocation"
	"contend/router/topology"
)

// levelSpread spreads a job within the smallest level of a machine of groups that it fits
// in when it starts [Zhang, Tuncer, Kaplan, Olcoz, Leung and Coskun, "Level-Spread: A New
// Job Allocation Policy for Dragonfly Networks", IPDPS 2018].
//
// A job that fits in the free nodes of one router gets the router with most. A job that
// fits in one group gets the group with most free nodes, and there the routers in turn, a
// node each. Any other job gets the groups in turn, a node each. The first of equals is
// taken, turns begin at the first router or group, and each gives its first free node.
//
// The text of the paper was not available. Its authors' code in the scheduler of SST, and
// the abstract, settle these rules.
type levelSpread struct {
	*division
	places []int // memory of dealInTurn: the next place of each unit
}

// NewLevelSpread returns level-spread [Zhang et al. 2018].
func NewLevelSpread(machine topology.Topology) (*levelSpread, error) {
	d, err := byGroups("level-spread", machine)
	if err != nil {
		return nil, err
	}
	return &levelSpread{division: d}, nil
}

// Allocate implements Allocator.
func (a *levelSpread) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	if !a.count(free, req) {
		return dst, false
	}
	if r := fullest(a.free); a.free[r] >= req.Size {
		return a.appendFree(dst, free, r, r+1, req.Size), true
	}
	if g := fullest(a.inGroup); a.inGroup[g] >= req.Size {
		starts := a.routers[a.groups[g] : a.groups[g+1]+1]
		return a.dealInTurn(dst, free, len(starts)-1, func(i int) int { return starts[i] },
			req.Size), true
	}
	return a.dealInTurn(dst, free, len(a.inGroup), func(i int) int { return a.routers[a.groups[i]] },
		req.Size), true
}

// dealInTurn appends size free nodes, one of each unit in turn. start returns the place of the
// first node of a unit, and the end of the last unit.
func (a *levelSpread) dealInTurn(dst []topology.Node, free *allocation.FreeSet, units int,
	start func(unit int) int, size int) []topology.Node {
	a.places = a.places[:0]
	for i := range units {
		a.places = append(a.places, start(i))
	}
	for i := 0; size > 0; i = (i + 1) % units {
		end := start(i + 1)
		place := a.nextFree(free, a.places[i], end)
		a.places[i] = min(place+1, end)
		if place < end {
			dst = append(dst, a.nodes[place])
			size--
		}
	}
	return dst
}

// fullest returns the unit with most free nodes, the first of equals.
func fullest(free []int) int {
	best := 0
	for i, n := range free {
		if n > free[best] {
			best = i
		}
	}
	return best
}

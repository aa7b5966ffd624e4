package manager

import (
	"contend/allocation"
	"contend/router/topology"
)

// oneSwitch keeps a job below one switch: one of the lowest level that has a switch with as many
// nodes as the job. Of the switches of that level with enough free nodes it gets the one with the
// fewest, the first of equals, and there its leaf switches as slurm-tree does; if none has enough,
// it waits. So it is what a job of Slurm gets with --switches=1 and no limit to its wait, where
// one leaf switch can hold it. Larger jobs wait for a part of the tree. The rule is ours.
type oneSwitch struct {
	*slurmTree
	size []int // number of nodes below each switch
}

// NewOneSwitch returns one-switch.
func NewOneSwitch(machine topology.Topology) (*oneSwitch, error) {
	s, err := newSlurmTree("one-switch", machine)
	if err != nil {
		return nil, err
	}
	return &oneSwitch{s, s.sizes()}, nil
}

// CountDecides implements Counting: jobs wait for a place.
func (a *oneSwitch) CountDecides() bool { return false }

// Allocate implements Allocator. Ranks are in node order.
func (a *oneSwitch) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	if !a.count(free, req) {
		return dst, false
	}
	best, level := -1, 0
	for i, nodes := range a.size {
		if nodes < req.Size || best >= 0 && a.level[i] > level {
			continue
		}
		if best < 0 || a.level[i] < level || a.better(i, best, req.Size) {
			best, level = i, a.level[i]
		}
	}
	if a.free[best] < req.Size {
		return dst, false
	}
	a.keepFreeBelow(best)
	return a.fill(dst, free, req), true
}

// better reports whether switch i is to be taken before an earlier one of its level.
func (a *oneSwitch) better(i, j, size int) bool {
	return a.free[i] >= size && (a.free[j] < size || a.free[i] < a.free[j])
}

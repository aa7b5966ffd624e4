package tree

import (
	"math/rand/v2"

	"contend/allocation"
	"contend/router/topology"
)

// randomUnits gives a job all free nodes of routers, or of groups, drawn uniformly from
// those that have any: random-routers and random-groups [Yang et al., "Watch Out for the
// Bully!", SC 2016; Kaplan et al., CCGrid 2017]. The nodes of the last one drawn are taken
// in their order. The allocator random draws single nodes.
//
// A placement takes one word of the stream for each router or group drawn, and a refusal
// takes none.
type randomUnits struct {
	*division
	stream *rand.Rand
	groups bool  // groups are drawn, not routers
	units  []int // memory: routers or groups not drawn yet
}

// NewRandomRouters returns random-routers [Yang et al. 2016].
func NewRandomRouters(machine topology.Topology, stream *rand.Rand) (*randomUnits, error) {
	mustDraw("random-routers", stream)
	return &randomUnits{division: ungrouped(machine), stream: stream}, nil
}

// NewRandomGroups returns random-groups [Yang et al. 2016].
func NewRandomGroups(machine topology.Topology, stream *rand.Rand) (*randomUnits, error) {
	d, err := byGroups("random-groups", machine)
	if err != nil {
		return nil, err
	}
	mustDraw("random-groups", stream)
	return &randomUnits{division: d, stream: stream, groups: true}, nil
}

// Allocate implements Allocator.
func (a *randomUnits) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	if !a.count(free, req) {
		return dst, false
	}
	counts := a.free
	if a.groups {
		counts = a.inGroup
	}
	a.units = a.units[:0]
	for unit, n := range counts {
		if n > 0 {
			a.units = append(a.units, unit)
		}
	}
	left := a.units
	for size := req.Size; size > 0; {
		var from int
		from, left = drawOne(a.stream, left)
		before, to := len(dst), from+1
		if a.groups {
			from, to = a.division.groups[from], a.division.groups[to]
		}
		dst = a.appendFree(dst, free, from, to, size)
		size -= len(dst) - before
	}
	return dst, true
}

package tree

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"contend/allocation"
	"contend/router/topology"
)

// random gives a job processors drawn uniformly from the free ones, wherever they are.
// Ranks are in the order of drawing [Lo et al. 1994, sec. 3.1]. It is the baseline,
// works on any machine and refuses only if too few processors are free.
//
// A placement consumes exactly one word of the stream for each processor, and a refusal none. So
// the position in the stream depends only on the jobs placed.
type random struct {
	nodes  int
	stream *rand.Rand
	free   []topology.Node
}

// NewRandom returns random [Lo et al. 1994, sec. 3.1].
func NewRandom(machine topology.Topology, stream *rand.Rand) *random {
	mustDraw("random", stream)
	return &random{machine.Nodes(), stream, make([]topology.Node, 0, machine.Nodes())}
}

// Check implements Allocator.
func (a *random) Check(req allocation.Request) error { return req.Check(a.nodes) }

// CountDecides implements Counting.
func (a *random) CountDecides() bool { return true }

// Allocate implements Allocator: the first steps of a Fisher-Yates shuffle.
func (a *random) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.free = free.AppendTo(a.free[:0])
	left := a.free
	for range req.Size {
		var n topology.Node
		n, left = drawOne(a.stream, left)
		dst = append(dst, n)
	}
	return dst, true
}

// drawOne draws an entry of a list. It returns the entry and the other entries, in another order.
func drawOne[T any](stream *rand.Rand, list []T) (drawn T, left []T) {
	i := drawNumber(stream, len(list))
	drawn, list[i] = list[i], list[0]
	return drawn, list[1:]
}

// drawNumber draws a number from 0 to n-1. Multiplication instead of rejection keeps the
// number of draws fixed. The bias is below n/2^64.
func drawNumber(stream *rand.Rand, n int) int {
	drawn, _ := bits.Mul64(stream.Uint64(), uint64(n))
	return int(drawn)
}

// mustDraw panics unless an allocator that draws has a stream.
func mustDraw(allocator string, stream *rand.Rand) {
	if stream == nil {
		panic("allocation: " + allocator + " needs a random stream")
	}
}

// randomUnits gives a job all free nodes of routers, or of groups, drawn uniformly from those with
// free nodes: random-routers and random-groups [Yang et al., "Watch Out for the Bully!", SC 2016;
// Kaplan et al., CCGrid 2017]. From the last one drawn the job gets the first free nodes. The
// allocator random draws single nodes.
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

// levelSpread spreads a job within the smallest level of a machine of groups that has enough free
// nodes for it [Zhang, Tuncer, Kaplan, Olcoz, Leung and Coskun, "Level-Spread: A New Job Allocation
// Policy for Dragonfly Networks", IPDPS 2018].
//
// A job that fits in the free nodes of one router gets nodes of the router with the most free
// nodes. A job that fits in one group gets the group with the most free nodes, and there one node
// of each router in turn. Any other job gets one node of each group in turn. Among equals the first
// is taken; turns begin at the first router or group, and each gives its first free node.
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

// fullest returns the unit with the most free nodes, the first of equals.
func fullest(free []int) int {
	best := 0
	for i, n := range free {
		if n > free[best] {
			best = i
		}
	}
	return best
}

// NewHyperRows returns the allocator rows: fewest with the rows of a HyperX as groups. A row is the
// routers that differ in the first coordinate alone. Two routers of one row are one hop apart.
//
// [Cano et al., "Resource Allocation in HyperX Networks", arXiv:2605.28205, 2026] compare linear,
// geometric and random placements on a HyperX, and find a diagonal placement best in most cases.
// Only the abstract was available. The definitions of rows, diagonals and subcubes are ours.
func NewHyperRows(machine topology.Topology) (*fewest, error) {
	h, err := hyperX("rows", machine)
	if err != nil {
		return nil, err
	}
	side := h.Dims()[0]
	return newFewest(newDivision(h, func(r topology.Router) int { return int(r) / side }), true), nil
}

// NewDiagonal returns the allocator diagonal: fewest with the diagonals of a HyperX as groups. A
// diagonal has one router for each coordinate of the dimension with the fewest routers, the first
// of equals. From one router to the next all coordinates grow by one, modulo the side of each
// dimension. No two routers of a diagonal have a coordinate in common. So with two or more
// dimensions dimension order leads every packet between them over a router outside, and the number
// of shortest paths of a pair is the number of orders of the dimensions.
func NewDiagonal(machine topology.Topology) (*fewest, error) {
	h, err := hyperX("diagonal", machine)
	if err != nil {
		return nil, err
	}
	dims, along := h.Dims(), 0
	for d, n := range dims {
		if n < dims[along] {
			along = d
		}
	}
	// A diagonal is known by how far its other coordinates are ahead.
	return newFewest(newDivision(h, func(r topology.Router) int {
		number, at := 0, h.Coordinate(r, along)
		for d := len(dims) - 1; d >= 0; d-- {
			if d != along {
				number = number*dims[d] + (h.Coordinate(r, d)-at+dims[d])%dims[d]
			}
		}
		return number
	}), true), nil
}

// hyperX returns the machine as a HyperX, or an error that names the allocator.
func hyperX(allocator string, machine topology.Topology) (*topology.HyperX, error) {
	h, ok := machine.(*topology.HyperX)
	if !ok {
		return nil, fmt.Errorf("allocator %s needs a HyperX; this machine is none", allocator)
	}
	return h, nil
}

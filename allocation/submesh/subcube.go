package submesh

import (
	"fmt"

	"contend/allocation"
	"contend/router/topology"
)

// subcube gives a job a box of routers of a HyperX, all of whose nodes are free. Dimension
// order and every minimal routing keep the packets of a job in its box, so no two jobs
// share a link. Nodes of the box that the job does not need are reserved with it. A
// request for which no box is free has to wait.
//
// The box has room for the job, the least sum of sides, of these the fewest routers, and of
// these the longest sides in the first dimensions. It begins at the first router where it
// fits, and does not wrap around the ends. In a HyperX any coordinates would do, not
// neighbouring ones alone. Boxes of neighbours keep the search short. Shapes of requests
// do not matter. The definition is ours (see tree.NewHyperRows).
type subcube struct {
	machine *topology.HyperX
	grid    *grid         // of the nodes: first those of a router, then along the dimensions
	boxes   map[int][]int // sides of the box in the grid by its least number of routers
	corners *rows         // memory for the first routers of free boxes
}

// NewSubcube returns subcube (after Cano et al. 2026).
func NewSubcube(machine topology.Topology) (*subcube, error) {
	h, ok := machine.(*topology.HyperX)
	if !ok {
		return nil, fmt.Errorf("allocator subcube needs a HyperX; this machine is none")
	}
	g := gridOf(append([]int{h.Nodes() / h.Routers()}, h.Dims()...)...)
	return &subcube{h, g, map[int][]int{}, newRows(h.Dims())}, nil
}

// Check implements Allocator. The whole machine is a box too.
func (a *subcube) Check(req allocation.Request) error { return req.Check(a.machine.Nodes()) }

// Allocate implements Allocator.
func (a *subcube) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	nodes := a.grid.sides[0]
	box := a.box((req.Size + nodes - 1) / nodes)
	a.load(free, nodes)
	a.corners.keepCorners(box[1:], a.grid.wraps[1:])
	router, ok := a.corners.first()
	if !ok {
		return dst, false
	}
	return a.grid.appendFrame(dst, router*topology.Node(nodes), box), true
}

// load sets corners to the routers all of whose nodes are free: the boxes of one router.
func (a *subcube) load(free *allocation.FreeSet, nodes int) {
	if nodes == 1 {
		a.corners.load(free, 0)
		return
	}
	clear(a.corners.words)
	for n, ok := free.Next(0); ok; {
		r := int(n) / nodes
		if free.All(topology.Node(r*nodes), nodes) {
			word, bit := a.corners.find(topology.Node(r))
			a.corners.words[word] |= bit
		}
		n, ok = free.Next(topology.Node((r + 1) * nodes))
	}
}

// box returns the sides in the grid of the box for that many routers.
func (a *subcube) box(routers int) []int {
	best, ok := a.boxes[routers]
	if !ok {
		search := boxSearch{dims: a.machine.Dims(), routers: routers}
		search.extend(nil, 1, 0)
		best = append([]int{a.grid.sides[0]}, search.best...)
		a.boxes[routers] = best
	}
	return best
}

// boxSearch finds the box with room for some routers.
type boxSearch struct {
	dims         []int // of the machine
	best         []int // sides of the best box so far
	routers      int   // for which the box must have room
	sum, product int   // of the sides of best
}

// extend tries all sides, long ones first, of the dimensions from len(box) on. product and sum are
// those of the sides in box.
func (s *boxSearch) extend(box []int, product, sum int) {
	d := len(box)
	if d == len(s.dims) {
		if product >= s.routers && (s.best == nil || sum < s.sum ||
			sum == s.sum && product < s.product) {
			s.best, s.sum, s.product = append([]int(nil), box...), sum, product
		}
		return
	}
	first := min(s.dims[d], s.routers)
	if d == len(s.dims)-1 { // the least side that suffices
		first = min(first, (s.routers+product-1)/product)
	}
	for side := first; side > 0; side-- {
		if s.best != nil && sum+side+len(s.dims)-d-1 > s.sum {
			continue
		}
		s.extend(append(box, side), product*side, sum+side)
		if d == len(s.dims)-1 {
			return
		}
	}
}

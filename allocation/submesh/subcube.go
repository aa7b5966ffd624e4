package submesh

import (
	"fmt"
	"math/bits"

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
	nodes   int           // of a router
	boxes   map[int][]int // sides of the box by its least number of routers
	corners []uint64      // a bit for each router: it is the first router of a free box
}

// NewSubcube returns subcube (after Cano et al. 2026).
func NewSubcube(machine topology.Topology) (*subcube, error) {
	h, ok := machine.(*topology.HyperX)
	if !ok {
		return nil, fmt.Errorf("allocator subcube needs a HyperX; this machine is none")
	}
	return &subcube{h, h.Nodes() / h.Routers(), map[int][]int{},
		make([]uint64, (h.Routers()+63)/64)}, nil
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
	box := a.box((req.Size + a.nodes - 1) / a.nodes)
	a.load(free)
	a.keepCorners(box)
	for w, word := range a.corners {
		if word != 0 {
			return a.appendBox(dst, w<<6+bits.TrailingZeros64(word), box), true
		}
	}
	return dst, false
}

// load sets corners to the routers all of whose nodes are free: the boxes of one router.
func (a *subcube) load(free *allocation.FreeSet) {
	if a.nodes == 1 {
		copy(a.corners, free.Words())
		return
	}
	clear(a.corners)
	for n, ok := free.Next(0); ok; {
		r := int(n) / a.nodes
		if free.All(topology.Node(r*a.nodes), a.nodes) {
			a.corners[r>>6] |= 1 << (r & 63)
		}
		n, ok = free.Next(topology.Node((r + 1) * a.nodes))
	}
}

// keepCorners reduces corners to those of boxes, one dimension after the other. Runs of
// boxes grow by doubling, 64 places at a time. A run must not go on behind the end of its
// row.
func (a *subcube) keepCorners(box []int) {
	stride := 1
	for d, n := range a.machine.Dims() {
		for run := 1; run < box[d]; {
			step := min(run, box[d]-run)
			keepShifted(a.corners, step*stride)
			run += step
		}
		if past := box[d] - 1; past > 0 {
			for end := stride * n; end <= a.machine.Routers(); end += stride * n {
				for r := end - past*stride; r < end; r++ {
					a.corners[r>>6] &^= 1 << (r & 63)
				}
			}
		}
		stride *= n
	}
}

// appendBox appends the nodes of a box in their order, given its first router.
func (a *subcube) appendBox(dst []topology.Node, first int, box []int) []topology.Node {
	d := len(box) - 1
	if d < 0 {
		for i := range a.nodes {
			dst = append(dst, topology.Node(first*a.nodes+i))
		}
		return dst
	}
	stride := 1
	for _, n := range a.machine.Dims()[:d] {
		stride *= n
	}
	for i := range box[d] {
		dst = a.appendBox(dst, first+i*stride, box[:d])
	}
	return dst
}

// box returns the sides of the box for that many routers.
func (a *subcube) box(routers int) []int {
	best, ok := a.boxes[routers]
	if !ok {
		search := boxSearch{dims: a.machine.Dims(), routers: routers}
		search.extend(nil, 1, 0)
		best = search.best
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

package allocation

import (
	"contend/netsim/topology"
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
// do not matter. The definition is ours (see newHyperRows).
type subcube struct {
	machine *topology.HyperX
	nodes   int // of a router
	boxes   map[int][]int
	run     []int // free routers in a row, or free boxes, that end at each router
}

func newSubcube(machine topology.Topology) (*subcube, error) {
	h, err := hyperX("subcube", machine)
	if err != nil {
		return nil, err
	}
	return &subcube{h, h.Nodes() / h.Routers(), map[int][]int{}, make([]int, h.Routers())}, nil
}

// Check implements Allocator. The whole machine is a box too.
func (a *subcube) Check(req Request) error { return req.check(a.machine.Nodes()) }

// Allocate implements Allocator.
func (a *subcube) Allocate(dst []topology.Node, free *FreeSet,
	req Request) ([]topology.Node, bool) {
	req.mustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	box := a.box((req.Size + a.nodes - 1) / a.nodes)
	last, ok := a.last(free, box)
	if !ok {
		return dst, false
	}
	return a.appendBox(dst, last, box, len(box)-1), true
}

// last returns the last router of the first box that is free. A box ends where as many
// boxes of one dimension less end in a row as its side is long.
func (a *subcube) last(free *FreeSet, box []int) (topology.Router, bool) {
	clear(a.run)
	for n, ok := free.Next(0); ok; {
		r := int(n) / a.nodes
		if free.All(topology.Node(r*a.nodes), a.nodes) {
			a.run[r] = 1
		}
		n, ok = free.Next(topology.Node((r + 1) * a.nodes))
	}
	stride := 1
	for d, n := range a.machine.Dims() {
		if d > 0 { // what the dimension before has found is what to count
			for r, length := range a.run {
				a.run[r] = 0
				if length >= box[d-1] {
					a.run[r] = 1
				}
			}
		}
		for first := 0; first < len(a.run); first += stride * n {
			for r := first + stride; r < first+stride*n; r++ {
				if a.run[r] > 0 {
					a.run[r] += a.run[r-stride]
				}
			}
		}
		stride *= n
	}
	for r, length := range a.run {
		if length >= box[len(box)-1] {
			return topology.Router(r), true
		}
	}
	return 0, false
}

// appendBox appends the nodes of a box in their order, given its last router.
func (a *subcube) appendBox(dst []topology.Node, last topology.Router, box []int,
	d int) []topology.Node {
	if d < 0 {
		for i := range a.nodes {
			dst = append(dst, topology.Node(int(last)*a.nodes+i))
		}
		return dst
	}
	stride := 1
	for _, n := range a.machine.Dims()[:d] {
		stride *= n
	}
	for i := box[d] - 1; i >= 0; i-- {
		dst = a.appendBox(dst, last-topology.Router(i*stride), box, d-1)
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
	dims, best   []int
	routers      int
	sum, product int // of the best
}

// extend tries all sides of the dimensions that a box does not have yet, long ones first.
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

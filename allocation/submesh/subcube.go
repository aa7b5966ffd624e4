package submesh

import (
	"cmp"
	"fmt"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// subcube gives a job a box of routers of a HyperX, all of whose nodes are free. Dimension
// order and every minimal routing keep the packets of a job in its box, so no two jobs
// share a link. Nodes of the box that the job does not need are reserved with it. A
// request for which no box is free has to wait.
//
// The box has room for the job. Its sum of sides is the smallest; among equals it has the fewest
// routers, and then the longest sides in the first dimensions. It begins at the first router where
// it fits, and does not wrap around the ends. In a HyperX boxes of any coordinates have this
// property; boxes of neighbouring coordinates keep the search short. Shapes of requests have no
// effect. The definition is ours (see tree.NewHyperRows).
type subcube struct {
	machine *topology.HyperX
	grid    *grid         // of the nodes: first the nodes of a router, then along the dimensions
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

// load sets corners to the routers whose nodes are all free: the boxes of one router.
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

// box returns the sides in the grid of the box for the given number of routers.
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
	routers      int   // number of routers for which the box must have room
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

// sdsc is the allocator of the San Diego Supercomputer Center for its Intel Paragon, a modified 2-D
// buddy system [Lo et al. 1994, sec. 2]. The machine is cut into node sets, which are examined in
// order. From each a job takes blocks of side 2^i, the largest first. Its first block is the anchor
// block. Each later block is the free block of its size closest to the anchor: the one with the
// smallest sum of distances between corresponding corners. A job gets exactly the processors that
// it requests and waits only if too few are free.
//
// The paper is one paragraph. These readings are ours:
//
//   - Node sets are slabs of whole rows, as equal as possible. A job may take processors from all
//     of them.
//   - The sizes of blocks are those of the multiple buddy strategy, which the paper calls similar:
//     the largest free block of a set with no more processors than the job still lacks.
//   - The anchor is the block that 2-D buddy would grant: the lower-left corner of the smallest
//     free block with room for it, the first of equals.
//   - A later block may be part of a larger free block.
//   - Distances are hops. Among equally close blocks the first in row-major order is taken.
//
// Ranks are row-major in each block, block by block in the order of granting. On machines of n
// dimensions blocks have side 2^i in each dimension.
type sdsc struct {
	cube    *topology.Cube
	sets    []*freeBlocks // parts of the machine, from which processors are taken in blocks
	anchor  topology.Node // the lowest corner of the anchor block
	side    int           // of the anchor block, 0 before the job has one
	closest []candidate   // memory of rank
}

// candidate is a free block, by its place in its level, at a distance from the anchor.
type candidate struct {
	at       topology.Node
	distance int
}

// NewSDSC returns sdsc with a number of node sets [Lo et al. 1994, sec. 2].
func NewSDSC(machine topology.Topology, sets int) (*sdsc, error) {
	if _, err := newGrid("sdsc", machine, false); err != nil {
		return nil, err
	}
	cube := machine.(*topology.Cube)
	dims := slices.Clone(cube.Dims())
	last := len(dims) - 1
	rows := dims[last]
	if sets > rows {
		return nil, fmt.Errorf("allocator sdsc cuts the last dimension, of %d rows, into node sets: "+
			"sets=%d is more", rows, sets)
	}
	a := &sdsc{cube: cube}
	for i := range sets {
		first := i * rows / sets
		dims[last] = (i+1)*rows/sets - first
		a.sets = append(a.sets, newFreeBlocks(gridOf(dims...), topology.Node(first*cube.Nodes()/rows)))
	}
	return a, nil
}

// Check implements Allocator.
func (a *sdsc) Check(req allocation.Request) error { return req.Check(a.cube.Nodes()) }

// CountDecides implements Counting.
func (a *sdsc) CountDecides() bool { return true }

// Allocate implements Allocator.
func (a *sdsc) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.side = 0
	end := len(dst) + req.Size
	for _, s := range a.sets {
		if len(dst) < end {
			dst = a.takeFrom(s, dst, free, end)
		}
	}
	return dst, true
}

// takeFrom appends the processors that a job gets from a node set, until dst has end processors.
func (a *sdsc) takeFrom(s *freeBlocks, dst []topology.Node, free *allocation.FreeSet,
	end int) []topology.Node {
	s.derive(free)
	for i := len(s.levels) - 1; i >= 0; i-- {
		want := (end - len(dst)) >> (i * len(a.cube.Dims()))
		if want == 0 {
			continue
		}
		a.rank(s, i)
		for _, c := range a.closest[:min(want, len(a.closest))] {
			dst = s.appendBlock(dst, s.takeAt(i, c.at))
		}
	}
	return dst
}

// rank sets closest to the free blocks of level i, the closest to the anchor first. A job without
// an anchor gets one, which then comes first.
func (a *sdsc) rank(s *freeBlocks, i int) {
	if a.side == 0 {
		a.dropAnchor(s, i)
	}
	s.splitDown(i)
	a.closest = a.closest[:0]
	for at := range s.levels[i].all {
		a.closest = append(a.closest, candidate{at, a.closeness(s.corner(i, at), 1<<i)})
	}
	slices.SortFunc(a.closest, func(c, d candidate) int {
		return cmp.Or(c.distance-d.distance, int(c.at-d.at))
	})
}

// dropAnchor makes the block of level i that 2-D buddy would grant the anchor, if there is one.
func (a *sdsc) dropAnchor(s *freeBlocks, i int) {
	for j := i; j < len(s.levels); j++ {
		if at, ok := s.levels[j].first(); ok {
			a.anchor, a.side = s.corner(j, at), 1<<i
			return
		}
	}
}

// closeness returns the sum of the distances between the corners of the anchor and the
// corresponding corners of a block, divided by the number of corners that share an end in a
// dimension, which is the same for all dimensions.
func (a *sdsc) closeness(corner topology.Node, side int) (sum int) {
	to, from := int(corner), int(a.anchor)
	for d, n := range a.cube.Dims() {
		x, y := to%n, from%n
		to, from = to/n, from/n
		for _, gap := range [2]int{x - y, x + side - y - a.side} {
			gap = max(gap, -gap)
			if a.cube.Wrap()[d] {
				gap = min(gap, n-gap)
			}
			sum += gap
		}
	}
	return sum
}

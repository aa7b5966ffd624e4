package submesh

import (
	"cmp"
	"fmt"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// sdsc is the allocator of the San Diego Supercomputer Center for its Intel Paragon, a modified
// 2-D buddy system [Lo et al. 1994, sec. 2]. The machine is cut into node sets, which are
// examined in order. From each a job takes blocks of side 2^i, the largest first. Its first
// block is the anchor block. Each later block is, of the free ones of its size, the closest to
// the anchor: the sum of the distances between corresponding corners of the two is least. A job
// gets exactly the processors it asks for and waits only if too few are free.
//
// The paper is one paragraph. These readings are ours:
//
//   - Node sets are slabs of whole rows, as equal as can be. A job may take processors of all.
//   - The sizes of blocks are those of the multiple buddy strategy, which the paper calls similar:
//     the largest free block of a set with no more processors than the job still lacks.
//   - The anchor is the block that 2-D buddy would grant: of the smallest free block that has
//     room for it, the first of equals, the lower-left corner.
//   - A later block may be part of a larger free block.
//   - Distances are hops. Of equally close blocks the first in row-major order is taken.
//
// Ranks are row-major in each block, block by block in the order of granting. On machines of n
// dimensions blocks have side 2^i in each.
type sdsc struct {
	cube    *topology.Cube
	sets    []nodeSet
	anchor  topology.Node // the lowest corner of the anchor block
	side    int           // of the anchor block, 0 before the job has one
	closest []candidate   // memory of rank
}

// nodeSet is a part of the machine, from which processors are taken in blocks. Its i-th level has
// the blocks of side 2^i whose corners are at multiples of 2^i from that of the set.
type nodeSet struct{ levels []buddies }

// buddies are the blocks of one size in row-major order.
type buddies struct {
	corner []topology.Node // the lowest corner of each
	parent []int32         // the block of twice the side around each, -1 without one
	free   []bool          // all processors are free in the FreeSet
	taken  []bool          // the job has it
}

// candidate is a free block at a distance from the anchor.
type candidate struct{ block, distance int }

// NewSDSC returns sdsc with a number of node sets [Lo et al. 1994, sec. 2].
func NewSDSC(machine topology.Topology, sets int) (*sdsc, error) {
	cube, ok := machine.(*topology.Cube)
	if !ok {
		return nil, fmt.Errorf("allocator sdsc needs a mesh or torus; this machine is neither")
	}
	if !cube.OneNodePerRouter() {
		return nil, fmt.Errorf("allocator sdsc needs one node on every router; this machine has %d "+
			"nodes on %d routers", cube.Nodes(), cube.Routers())
	}
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
		a.sets = append(a.sets, newNodeSet(topology.Node(first*cube.Nodes()/rows), dims))
	}
	return a, nil
}

// newNodeSet returns the set of the given sides whose lowest node is the first.
func newNodeSet(first topology.Node, dims []int) (s nodeSet) {
	for side := 1; side <= slices.Min(dims); side *= 2 {
		count := 1
		for _, n := range dims {
			count *= n / side
		}
		level := buddies{make([]topology.Node, count), make([]int32, count), make([]bool, count),
			make([]bool, count)}
		for b := range count {
			node, parent := locate(b, side, dims)
			level.corner[b], level.parent[b] = first+topology.Node(node), int32(parent)
		}
		s.levels = append(s.levels, level)
	}
	return s
}

// locate returns the lowest corner of a block, and the block of twice the side around it.
func locate(b, side int, dims []int) (node, parent int) {
	stride, above := side, 1
	for _, n := range dims {
		at := b % (n / side)
		b /= n / side
		node += at * stride
		if parent < 0 || at/2 >= n/(2*side) {
			parent = -1
		} else {
			parent += at / 2 * above
		}
		stride *= n
		above *= n / (2 * side)
	}
	return node, parent
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
	for i := range a.sets {
		if len(dst) < end {
			dst = a.takeFrom(&a.sets[i], dst, free, end)
		}
	}
	return dst, true
}

// takeFrom appends the processors that a job gets from a set, as long as it has fewer than end.
func (a *sdsc) takeFrom(s *nodeSet, dst []topology.Node, free *allocation.FreeSet,
	end int) []topology.Node {
	s.load(free)
	for i := len(s.levels) - 1; i >= 0; i-- {
		s.inherit(i)
		want := (end - len(dst)) >> (i * len(a.cube.Dims()))
		if want == 0 {
			continue
		}
		a.rank(s, i)
		for _, c := range a.closest[:min(want, len(a.closest))] {
			s.levels[i].taken[c.block] = true
			dst = a.appendBlock(dst, s.levels[i].corner[c.block], 1<<i, len(a.cube.Dims())-1)
		}
	}
	return dst
}

// load finds the free blocks of all levels.
func (s *nodeSet) load(free *allocation.FreeSet) {
	for i := range s.levels {
		for b := range s.levels[i].free {
			s.levels[i].free[b], s.levels[i].taken[b] = true, false
		}
	}
	for i, level := range s.levels {
		for b, parent := range level.parent {
			level.free[b] = level.free[b] && (i > 0 || free.Free(level.corner[b]))
			if !level.free[b] && parent >= 0 {
				s.levels[i+1].free[parent] = false
			}
		}
	}
}

// inherit marks the blocks of level i that lie in blocks which the job has.
func (s *nodeSet) inherit(i int) {
	if i+1 == len(s.levels) {
		return
	}
	for b, parent := range s.levels[i].parent {
		s.levels[i].taken[b] = parent >= 0 && s.levels[i+1].taken[parent]
	}
}

// rank sets closest to the free blocks of level i, the closest to the anchor first. A job without
// an anchor gets it, so that it comes first.
func (a *sdsc) rank(s *nodeSet, i int) {
	if a.side == 0 {
		a.dropAnchor(s, i)
	}
	a.closest = a.closest[:0]
	level := &s.levels[i]
	for b, isFree := range level.free {
		if isFree && !level.taken[b] {
			a.closest = append(a.closest, candidate{b, a.closeness(level.corner[b], 1<<i)})
		}
	}
	slices.SortFunc(a.closest, func(c, d candidate) int {
		return cmp.Or(c.distance-d.distance, c.block-d.block)
	})
}

// dropAnchor makes the block of level i that 2-D buddy would grant the anchor, if there is one.
func (a *sdsc) dropAnchor(s *nodeSet, i int) {
	for j := i; j < len(s.levels); j++ {
		for b, parent := range s.levels[j].parent {
			if s.levels[j].free[b] && (parent < 0 || !s.levels[j+1].free[parent]) {
				a.anchor, a.side = s.levels[j].corner[b], 1<<i
				return
			}
		}
	}
}

// closeness returns the sum of the distances between the corners of the anchor and those of a
// block, over the number of corners that share an end in a dimension, which is the same for all.
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

// appendBlock appends the nodes of a block in its first d+1 dimensions, row-major.
func (a *sdsc) appendBlock(dst []topology.Node, corner topology.Node, side,
	d int) []topology.Node {
	if d < 0 {
		return append(dst, corner)
	}
	stride := topology.Node(1)
	for _, n := range a.cube.Dims()[:d] {
		stride *= topology.Node(n)
	}
	for i := range topology.Node(side) {
		dst = a.appendBlock(dst, corner+i*stride, side, d-1)
	}
	return dst
}

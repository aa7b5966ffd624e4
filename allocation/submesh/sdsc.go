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

// takeFrom appends the processors that a job gets from a set, as long as it has fewer than end.
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
// an anchor gets it, so that it comes first.
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

// Package exact has the allocator that finds the least sum of pairwise distances.
package exact

import (
	"cmp"

	"contend/allocation"
	"contend/allocation/center"
	"contend/router/topology"
)

// DefaultLimit is the default limit of optimal on the nodes of its search tree.
const DefaultLimit = 1_000_000

// optimal gives a job the free processors with the least sum of pairwise distances, in L1 on
// a lattice with a node at each place and in hops on any other machine: the "greedy" of
// [Bender et al., WADS 2005, sec. 6]. Ranks are in node order. Ties are those of the MM+Inc it
// starts with.
//
// It starts with MM+Inc, which usually finds the optimum. For up to three processors of
// a mesh MM+Inc is proven to find it: the sum is then twice that of the distances to
// the median, and MM tries all medians [sec. 2.3]. A window solves a line or a ring. In
// all other cases branch and bound searches for a smaller sum: over counts of rows and
// columns in two dimensions (margins), over processors in three and by hops (subsets).
//
// On a large machine the time is that of the limit: on a mesh of 256x256 nodes, of which 20%
// are free, a decision takes 14 s with a limit of 1000 nodes (see docs/BENCHMARKS.md).
type optimal struct {
	start *center.Median // MM+Inc
	sure  int            // the largest request for which MM+Inc finds the optimum
	limit int
	flat  bool     // a line or a ring
	ring  int      // its length, 0 for a line
	line  window   // of a line or ring
	plane *margins // nil unless the lattice extends in two dimensions
	space *subsets // in three dimensions and by hops

	tally  bound           // of the last decision
	proven bool            // the last decision is the optimum
	at     []int           // positions of the free nodes of a line
	found  []topology.Node // memory of plane and space
}

// bound holds the least sum found so far and the number of nodes explored.
type bound struct {
	minSum          int64
	explored, limit int
}

// step counts a node of the search tree and reports whether the search continues.
func (b *bound) step() bool {
	b.explored++
	return b.explored <= b.limit
}

// NewOptimal returns optimal for a machine. The limit 0 means DefaultLimit.
func NewOptimal(s allocation.Site, limit int) (allocation.Allocator, error) {
	start, err := center.NewMedian("mm-inc", s, center.LastShellNodeOrder)
	if err != nil {
		return nil, err
	}
	a := &optimal{start: start, limit: cmp.Or(limit, DefaultLimit)}
	if l, err := center.NewLattice("optimal", s.Machine); err == nil {
		a.onLattice(&l)
		return a, nil
	}
	// MM finds the nearest pair, as each free processor is a center.
	a.sure = 2
	hops, err := s.Rows()
	if err != nil {
		return nil, err
	}
	a.space = newSubsets(start, hopStar(hops))
	return a, nil
}

// onLattice chooses the search by the dimensions of a lattice.
func (a *optimal) onLattice(l *center.Lattice) {
	var axes []int // dimensions longer than 1
	for d, n := range l.Dims {
		if n > 1 {
			axes = append(axes, d)
		}
	}
	if l.Wrap == [3]bool{} {
		a.sure = 3
	}
	switch len(axes) {
	case 2:
		a.plane = newMargins(l, axes[0], axes[1])
	case 3:
		a.space = newSubsets(a.start, latticeStar(l.Nodes()))
	default:
		a.flat, a.line, a.at = true, newWindow(l.Nodes()), make([]int, 0, l.Nodes())
		if len(axes) == 1 && l.Wrap[axes[0]] {
			a.ring = l.Dims[axes[0]]
		}
	}
}

// Check implements Allocator.
func (a *optimal) Check(req allocation.Request) error { return a.start.Check(req) }

// CountDecides implements Counting.
func (a *optimal) CountDecides() bool { return true }

// Explored implements Explorer.
func (a *optimal) Explored() (nodes int, proven bool) { return a.tally.explored, a.proven }

// Allocate implements Allocator.
func (a *optimal) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.tally, a.proven = bound{limit: a.limit}, true
	if a.flat {
		return a.allocateLine(dst, free, req.Size), true
	}
	start := a.start.Search(free, req.Size)
	if req.Size == free.Count() || req.Size <= a.sure {
		return append(dst, a.start.Winner...), true
	}
	a.tally.minSum = start
	if a.plane != nil {
		a.found = a.plane.search(a.found[:0], free, req.Size, &a.tally)
	} else {
		a.found = a.space.search(a.found[:0], free, req.Size, &a.tally)
	}
	a.proven = a.tally.explored <= a.limit
	if a.tally.minSum == start {
		return append(dst, a.start.Winner...), true
	}
	return append(dst, a.found...), true
}

// allocateLine appends the optimum of a line or a ring, where node numbers are
// positions.
func (a *optimal) allocateLine(dst []topology.Node, free *allocation.FreeSet,
	size int) []topology.Node {
	a.at = a.at[:0]
	for n, ok := free.Next(0); ok; n, ok = free.Next(n + 1) {
		a.at = append(a.at, int(n))
	}
	first, _ := a.line.cluster(a.at, size, a.ring)
	around := max(0, first+size-len(a.at)) // number of nodes behind the end of the ring
	for _, x := range a.at[:around] {
		dst = append(dst, topology.Node(x))
	}
	for _, x := range a.at[first : first+size-around] {
		dst = append(dst, topology.Node(x))
	}
	return dst
}

package allocation

import "contend/netsim/topology"

// Explorer is an allocator that searches for an optimum.
type Explorer interface {
	// Explored returns the number of nodes of the search tree in the last decision. It
	// also reports whether the result is proven to be the optimum, which is false if
	// the search stopped at the limit.
	Explored() (nodes int, proven bool)
}

// DefaultLimit is the default limit of optimal on the nodes of its search tree.
const DefaultLimit = 1_000_000

// optimal gives a job the free processors with the least sum of pairwise L1 distances:
// the "greedy" of [Bender et al., WADS 2005, sec. 6]. Ranks are in node order. Ties are
// those of the MM+Inc it starts with.
//
// It starts with MM+Inc, which usually finds the optimum. For up to three processors of
// a mesh MM+Inc is proven to find it: the sum is then twice that of the distances to
// the median, and MM tries all medians [sec. 2.3]. Cluster solves a line or a ring. In
// all other cases branch and bound searches for a smaller sum: over counts of rows and
// columns in two dimensions (margins), over processors in three (subsets).
//
// On a large machine the time is that of the limit: on a mesh of 256x256 nodes, of which 20%
// are free, a decision takes 14 s with a limit of 1000 nodes (see docs/BENCHMARKS.md).
type optimal struct {
	lattice
	start *medianSwap
	axes  []int // dimensions longer than 1
	limit int
	line  window
	plane *margins
	space *subsets

	tally  bound
	proven bool
	at     []int // positions of the free nodes of a line
	found  []topology.Node
}

// bound holds the least sum found so far and the number of nodes explored.
type bound struct {
	least           int64
	explored, limit int
}

// step counts a node of the search tree and reports whether the search continues.
func (b *bound) step() bool {
	b.explored++
	return b.explored <= b.limit
}

func newOptimal(machine topology.Topology, limit int) (*optimal, error) {
	l, err := newLattice("optimal", machine)
	if err != nil {
		return nil, err
	}
	start, err := newMedianSwap(machine, LastShellNodeOrder)
	if err != nil {
		return nil, err
	}
	n := l.nodes()
	a := &optimal{lattice: l, start: start, limit: limit, line: newWindow(n), at: make([]int, 0, n),
		found: make([]topology.Node, 0, n)}
	for d, n := range l.dims {
		if n > 1 {
			a.axes = append(a.axes, d)
		}
	}
	switch len(a.axes) {
	case 2:
		a.plane = newMargins(&a.lattice, a.axes[0], a.axes[1])
	case 3:
		a.space = newSubsets(&a.lattice)
	}
	return a, nil
}

// Check implements Allocator.
func (a *optimal) Check(req Request) error { return req.check(a.nodes()) }

// Explored implements Explorer.
func (a *optimal) Explored() (nodes int, proven bool) { return a.tally.explored, a.proven }

// Allocate implements Allocator.
func (a *optimal) Allocate(dst []topology.Node, free *FreeSet,
	req Request) ([]topology.Node, bool) {
	req.mustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.tally, a.proven = bound{limit: a.limit}, true
	if len(a.axes) < 2 {
		return a.allocateLine(dst, free, req.Size), true
	}
	least := a.start.search(free, req.Size)
	if req.Size == free.Count() || req.Size <= 3 && a.wrap == [3]bool{} {
		return append(dst, a.start.winner...), true
	}
	a.tally.least = least
	if a.plane != nil {
		a.found = a.plane.search(a.found[:0], free, req.Size, &a.tally)
	} else {
		a.found = a.space.search(a.found[:0], free, req.Size, &a.tally)
	}
	a.proven = a.tally.explored <= a.limit
	if a.tally.least == least {
		return append(dst, a.start.winner...), true
	}
	return append(dst, a.found...), true
}

// allocateLine appends the optimum of a line or a ring, where node numbers are
// positions.
func (a *optimal) allocateLine(dst []topology.Node, free *FreeSet, size int) []topology.Node {
	a.at = a.at[:0]
	for n, ok := free.Next(0); ok; n, ok = free.Next(n + 1) {
		a.at = append(a.at, int(n))
	}
	ring := 0
	for _, d := range a.axes {
		if a.wrap[d] {
			ring = a.dims[d]
		}
	}
	first, _ := a.line.cluster(a.at, size, ring)
	around := max(0, first+size-len(a.at)) // number of nodes behind the end of the ring
	for _, x := range a.at[:around] {
		dst = append(dst, topology.Node(x))
	}
	for _, x := range a.at[first : first+size-around] {
		dst = append(dst, topology.Node(x))
	}
	return dst
}

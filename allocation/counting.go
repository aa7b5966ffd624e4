package allocation

// Counting is an Allocator that reports whether it places every request for which
// enough nodes are free, wherever they are, and reserves no nodes beyond it. A policy
// that looks ahead need not run such an allocator on future machines, because counting
// nodes is enough.
type Counting interface {
	CountDecides() bool
}

// CountDecides reports whether the number of free nodes alone decides what an allocator
// can place. An allocator that does not implement Counting is assumed to depend on the
// places of free nodes, which is always correct but slower.
func CountDecides(a Allocator) bool {
	c, ok := a.(Counting)
	return ok && c.CountDecides()
}

// TieCounter is an allocator that chooses among candidates by a score.
type TieCounter interface {
	// CountTies switches the counting of ties on or off. Counting costs time, so it is
	// off by default.
	CountTies(on bool)
	// Ties returns the number of different sets of processors with the best score in
	// the last decision that placed a job [Johnson et al. 2010, Fig. 4]. It is 1
	// without a tie and 0 if ties were not counted.
	Ties() int
}

// Explorer is an allocator that searches for an optimum.
type Explorer interface {
	// Explored returns the number of nodes of the search tree in the last decision. It
	// also reports whether the result is proven to be the optimum, which is false if
	// the search stopped at the limit.
	Explored() (nodes int, proven bool)
}

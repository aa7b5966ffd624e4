// Package allocation decides which nodes of a machine a job gets.
//
// An Allocator is asked with the set of free nodes and a request; it returns
// nodes in rank order and changes nothing. Taking and releasing is the
// caller's business, through FreeSet. Each allocator's documentation names the
// paper and section that defines it.
package allocation

import "contend/netsim/topology"

// Request is what a job asks for.
type Request struct {
	// Size is the number of processors, at least 1.
	Size int
	// Shape is the submesh asked for, width first (x, then y, then z), whose
	// product is Size; nil for a job that only has a size. Allocators that
	// need a shape give such a job the most nearly square shape that fits the
	// machine (see NearSquare).
	Shape []int
}

// Allocator places jobs. It may keep working memory but no state from which a
// later answer depends, except a random stream where its name says so.
type Allocator interface {
	// Allocate appends nodes for the request to dst, in rank order, and
	// reports false, with dst as it was, when the request has to wait. The
	// first req.Size nodes appended are for use; any further ones are
	// reserved with them (internal fragmentation). All of them are free.
	Allocate(dst []topology.Node, free *FreeSet, req Request) ([]topology.Node, bool)
	// Check returns an error that says what would be right for a request
	// that could not be placed even on an empty machine.
	Check(req Request) error
}

// Package allocation decides which nodes of a machine a job gets.
//
// An Allocator receives the set of free nodes and a Request. It returns nodes in rank
// order and changes nothing. The caller takes and releases nodes through FreeSet. The
// documentation of each allocator cites the paper and section that define it.
//
// The typical use has four steps. Named makes the allocator of a call for a machine. Check refuses
// a request that the machine can never serve. Allocate returns the nodes of a request, or reports
// that it has to wait. FreeSet.Take and FreeSet.Release record the decision and the end of the job.
//
// The families of allocators have packages of their own, which declare their entries: submesh,
// order, center, exact, tree and manager. Meter and TreeMeter measure how compact an allocation is.
package allocation

import "contend/router/topology"

// Request is a job's request for processors.
type Request struct {
	// Size is the number of processors, at least 1.
	Size int
	// Shape is the requested submesh, width first (x, then y, then z). Each side is at
	// least 1, and their product is Size. Shape is nil for a job that only has a size.
	// An allocator that needs a shape gives such a job the most nearly square shape
	// that fits the machine (see NearSquare).
	Shape []int
}

// Allocator places jobs. It may keep working memory. Its answers depend on no state
// except the random stream of an allocator that draws.
type Allocator interface {
	// Allocate appends nodes for the request to dst, in rank order. It reports false
	// and leaves dst unchanged if the request has to wait. The job uses the first
	// req.Size nodes appended; the others are reserved with them (internal
	// fragmentation). All of them are free.
	Allocate(dst []topology.Node, free *FreeSet, req Request) ([]topology.Node, bool)
	// Check returns an error for a request that does not fit even an empty machine. The
	// error says what would be right.
	Check(req Request) error
}

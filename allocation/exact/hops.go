package exact

import (
	"contend/allocation"
	"contend/allocation/center"
	"contend/netsim/topology"
)

// hopOptimal is optimal on any machine, with hops in place of L1 distances. It starts
// with MM+Inc, and branch and bound over processors searches for a smaller sum.
type hopOptimal struct {
	start  *center.HopSwap
	space  *subsets
	limit  int
	tally  bound
	proven bool
	found  []topology.Node
}

func newHopOptimal(s allocation.Site, limit int) (*hopOptimal, error) {
	start, err := center.NewHopSwap(s, center.LastShellNodeOrder)
	if err != nil {
		return nil, err
	}
	return &hopOptimal{start: start, space: newHopSubsets(start.Rows), limit: limit}, nil
}

// Check implements Allocator.
func (a *hopOptimal) Check(req allocation.Request) error { return a.start.Check(req) }

// CountDecides implements Counting.
func (a *hopOptimal) CountDecides() bool { return true }

// Explored implements Explorer.
func (a *hopOptimal) Explored() (nodes int, proven bool) { return a.tally.explored, a.proven }

// Allocate implements Allocator.
func (a *hopOptimal) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.tally, a.proven = bound{limit: a.limit}, true
	least := a.start.Search(free, req.Size)
	// MM finds the nearest pair, as each free processor is a center.
	if req.Size == free.Count() || req.Size <= 2 {
		return append(dst, a.start.Winner...), true
	}
	a.tally.least = least
	a.found = a.space.search(a.found[:0], free, req.Size, &a.tally)
	a.proven = a.tally.explored <= a.limit
	if a.tally.least == least {
		return append(dst, a.start.Winner...), true
	}
	return append(dst, a.found...), true
}

//go:build !invariants

package scheduler

// checks holds the costly invariant checks. It is empty without the build tag
// invariants.
type checks struct{}

// The checks do nothing.

func (checks) begin(*Sim)                     {}
func (checks) reserved(*State, *Entry, Cycle) {}
func (checks) started(*State, *Entry)         {}
func (checks) scheduled(*State)               {}
func (checks) changed()                       {}

//go:build !invariants

package scheduler

// checks are the costly invariants: nothing, without the build tag invariants.
type checks struct{}

func (checks) begin(*Sim)                     {}
func (checks) reserved(*State, *Entry, Cycle) {}
func (checks) started(*State, *Entry)         {}
func (checks) scheduled(*State)               {}

// Package lifetime ends what a run holds beyond memory, such as the process of another program,
// and keeps the failure of what it holds.
package lifetime

import "context"

// Run is the life of one run. Only the goroutine of the run may use it.
type Run struct {
	// Context ends when the run is to stop.
	Context context.Context

	ends []func()
	err  error
}

// New returns the life of a run that stops with a context.
func New(ctx context.Context) *Run { return &Run{Context: ctx} }

// OnEnd has End call a function. Functions are called in reverse order.
func (r *Run) OnEnd(end func()) { r.ends = append(r.ends, end) }

// Fail states that the run cannot go on. The first error counts.
func (r *Run) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Err returns the error of the run, nil while there is none. The receiver may be nil.
func (r *Run) Err() error {
	if r == nil {
		return nil
	}
	return r.err
}

// End ends what the run holds.
func (r *Run) End() {
	for i := len(r.ends) - 1; i >= 0; i-- {
		r.ends[i]()
	}
	r.ends = nil
}

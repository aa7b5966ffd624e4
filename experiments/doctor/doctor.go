// Package doctor answers whether this program, on this machine, computes what it
// claims: simulations against closed forms and plain models, a published table,
// and the same bytes at any number of workers. It writes nothing, and everything
// it draws has fixed seeds, so that only times differ from one run to the next.
package doctor

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Check is one comparison.
type Check struct {
	Name string
	Run  func(ctx context.Context) (Finding, error)
}

// Finding is what a check found.
type Finding struct {
	// Compared says what was compared with what.
	Compared string
	// Cases is how many comparisons were made, and Unit what of.
	Cases int
	Unit  string
	// Worst is the largest difference that was seen, or how many cases differ.
	Worst string
	// Problem is the first case that is not as claimed, "" where all are.
	Problem string
}

// blame keeps the first problem.
func (f *Finding) blame(format string, args ...any) {
	if f.Problem == "" {
		f.Problem = fmt.Sprintf(format, args...)
	}
}

// Outcome is a check that was made.
type Outcome struct {
	Check string
	Finding
	Seconds float64
}

// OK tells whether all is as claimed.
func (o Outcome) OK() bool { return o.Problem == "" }

// Examine makes the checks, so many at a time, and tells of each outcome in the
// order of the checks, as soon as those before it are known. It returns how many
// failed; the error is the context's.
func Examine(ctx context.Context, checks []Check, workers int, told func(Outcome)) (int, error) {
	outcomes := make([]chan Outcome, len(checks))
	for i := range outcomes {
		outcomes[i] = make(chan Outcome, 1)
	}
	next := make(chan int, len(checks))
	for i := range checks {
		next <- i
	}
	close(next)
	var group sync.WaitGroup
	defer group.Wait()
	for range max(1, workers) {
		group.Go(func() {
			for i := range next {
				outcomes[i] <- checks[i].make(ctx)
			}
		})
	}
	failed := 0
	for _, c := range outcomes {
		o := <-c
		if ctx.Err() != nil {
			return failed, ctx.Err()
		}
		told(o)
		if !o.OK() {
			failed++
		}
	}
	return failed, nil
}

// make runs a check. An error or a panic is a failure of this check alone.
func (c Check) make(ctx context.Context) (o Outcome) {
	start := time.Now()
	o.Check = c.Name
	defer func() {
		if p := recover(); p != nil {
			o.blame("panic: %v", p)
		}
		o.Seconds = time.Since(start).Seconds()
	}()
	if ctx.Err() != nil {
		return o
	}
	f, err := c.Run(ctx)
	o.Finding = f
	switch {
	case err != nil:
		o.blame("%v", err)
	case f.Cases == 0:
		o.blame("nothing was compared")
	}
	return o
}

// Package doctor tests whether this program computes correct results on this
// machine, as contend doctor does.
//
// Parts.Checks lists the checks: simulations against closed forms and plain
// models, tables that papers printed, and equal bytes with any number of workers.
// Examine makes them. The package writes no files. All random draws have fixed
// seeds, so only times differ from one examination to the next.
package doctor

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Check is one comparison.
type Check struct {
	Name string                                     // a few words
	Run  func(ctx context.Context) (Finding, error) // makes the comparison
}

// Finding is the result of a check.
type Finding struct {
	Compared string // what was compared with what
	Cases    int    // number of comparisons, from 1
	Unit     string // what Cases counts
	Worst    string // the largest difference, or the number of different cases
	Problem  string // the first wrong case, "" if there is none
}

// blame keeps the first problem.
func (f *Finding) blame(format string, args ...any) {
	if f.Problem == "" {
		f.Problem = fmt.Sprintf(format, args...)
	}
}

// Outcome is a check that was made.
type Outcome struct {
	Check   string  // name of the check
	Finding         // its result
	Seconds float64 // time that the check took
}

// OK reports whether the check found no problem.
func (o Outcome) OK() bool { return o.Problem == "" }

// Examine makes the checks with the given number of workers. It passes each
// outcome to told in the order of the checks, as soon as the earlier ones are
// known, and returns the number of failures. The error is the context's.
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

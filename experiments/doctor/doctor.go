// Package doctor tests whether this program computes on this machine what it
// computes elsewhere, as contend doctor does.
//
// A case is a small study and the metrics of its runs, which hold on every
// processor. Examine makes the runs on the ordinary path of a study and compares
// every digit. The package writes no files; only times differ from one
// examination to the next.
package doctor

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"contend/experiments"
	"contend/experiments/spec/input"
)

// Outcome is the result of a case.
type Outcome struct {
	Case    string  // name of the case
	Title   string  // what its study simulates
	Runs    int     // number of compared runs
	Differ  int     // number of runs that differ
	Problem string  // the first difference or the error, "" if there is none
	Seconds float64 // time that the case took
}

// OK reports whether all runs are as recorded.
func (o Outcome) OK() bool { return o.Problem == "" }

// String returns one line, and a second one if the case failed.
func (o Outcome) String() string {
	word, problem := "ok    ", ""
	if !o.OK() {
		word, problem = "FAILED", "        "+input.Printable(o.Problem)+"\n"
	}
	return fmt.Sprintf("%s  %-12s  %s, %d differ, %.1f s: %s\n%s", word, o.Case,
		input.Plural(o.Runs, "run"), o.Differ, o.Seconds, cmp.Or(o.Title, "not read"), problem)
}

// Examine makes the runs of each case with the given number of workers and passes
// each outcome to told. It returns the number of failed cases. The error is the
// context's.
func Examine(ctx context.Context, cases []Case, run experiments.RunFunc, workers int,
	told func(Outcome)) (failed int, err error) {
	for _, c := range cases {
		start := time.Now()
		o := c.examine(ctx, run, workers)
		if ctx.Err() != nil {
			return failed, ctx.Err()
		}
		o.Seconds = time.Since(start).Seconds()
		told(o)
		if !o.OK() {
			failed++
		}
	}
	return failed, nil
}

// examine compares the runs of a case with the recorded ones.
func (c Case) examine(ctx context.Context, run experiments.RunFunc, workers int) Outcome {
	o := Outcome{Case: c.Name}
	results, err := c.results(ctx, run, workers)
	if err != nil {
		o.Problem = err.Error()
		return o
	}
	o.Title = results.Study.Title
	got, want := linesOf(results), c.recorded()
	o.Runs = max(len(got), len(want))
	for i := range o.Runs {
		d := difference(at(got, i), at(want, i))
		if d != "" {
			o.Differ++
			o.Problem = cmp.Or(o.Problem, d)
		}
	}
	if o.Runs == 0 {
		o.Problem = "nothing was compared"
	}
	return o
}

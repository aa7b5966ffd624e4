package experiments

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"contend/experiments/cosim"
	"contend/experiments/spec"
)

// RunFunc makes one run: everything it draws comes from streams seeded by
// s.StreamSeed, so that equal arguments give equal results. It gives up with
// ctx.Err() when the context ends. Simulator.Run is one.
type RunFunc func(ctx context.Context, s spec.Spec, replication int, extra *cosim.Extra) (cosim.Result, error)

// Runner runs studies. Its workers are the only goroutines of the program.
type Runner struct {
	Names   spec.Names
	Run     RunFunc
	Workers int
	// Folder keeps what is finished.
	Folder *Folder
	// Traces are the folders to look for logs in.
	Traces []string
	// Jobs and Links ask for jobs.csv and links.csv.
	Jobs, Links bool
	// Progress, if not nil, shows how far the study is.
	Progress *Progress
	// Foretold, if not nil, is told what the study is expected to cost. That
	// takes probes, which are kept as runs where they end.
	Foretold func(*Forecast)
	// Simulator, if not nil, is asked for a forecast what runs share.
	Simulator *cosim.Simulator
	Log       *slog.Logger

	costs map[string]float64 // seconds a run, by the hash of its point, as forecast
}

// task is one run to make.
type task struct {
	point       Point
	replication int
	extra       *cosim.Extra
}

type outcome struct {
	task   task
	result cosim.Result
	err    error
}

// RunError is a run that failed. The others are kept.
type RunError struct {
	Point       Point
	Replication int
	Err         error
	// Stack is where it panicked, "" if it did not.
	Stack string
}

func (e *RunError) Error() string {
	return fmt.Sprintf("the run %s, replication %d of %v, failed: %v", e.Point.Hash, e.Replication, e.Point.Labels, e.Err)
}

// Unwrap returns the cause.
func (e *RunError) Unwrap() error { return e.Err }

// Study makes all runs of the study that the folder does not hold yet, in
// rounds: first the replications of every point, then more of those that are
// not precise enough. What is run in a round depends on results only, not on
// who computed them when. The results hold whatever is finished, also when an
// error comes with them: that of the first run that failed, in the order of
// the study, a missing log, or the context's.
func (r *Runner) Study(ctx context.Context, st *Study) (*Results, error) {
	results, err := r.Folder.Results(st, r.Names)
	if err != nil {
		return nil, err
	}
	failed := map[RunKey]error{}
	missing := error(nil)
	for n := 0; ctx.Err() == nil; n++ {
		tasks, err := r.round(results, failed)
		if missing == nil {
			missing = err
		}
		if len(tasks) == 0 {
			break
		}
		if n == 0 && r.Foretold != nil {
			tasks = r.foretell(ctx, results, tasks)
		}
		r.execute(ctx, r.longestFirst(tasks), failed)
		if err := r.Folder.err; err != nil {
			return results, err
		}
		if Cause(firstFailure(results, failed)) != nil {
			break
		}
	}
	results.refresh()
	if err := firstFailure(results, failed); err != nil {
		return results, err
	}
	if ctx.Err() != nil {
		return results, ctx.Err()
	}
	return results, missing
}

// round lists the runs that are wanted, not there, and have not failed.
func (r *Runner) round(results *Results, failed map[RunKey]error) ([]task, error) {
	var tasks []task
	var missing *spec.MissingError
	listed, extra := map[RunKey]bool{}, cosim.Extra{Jobs: r.Jobs || results.Study.drawsJobs(), Links: r.Links, Sizes: results.Study.bySize()}
	for _, p := range results.Points {
		if p.Spec.Workload.Source == "swf" {
			if _, err := spec.FindTrace(p.Spec.Workload.Trace, r.Traces); err != nil {
				if !r.Folder.complete(&p, results.Study, extra) {
					missing = missing.With(err)
				}
				continue
			}
		}
		for rep := range r.Folder.wanted(&p, results.Study) {
			key := RunKey{p.Hash, rep}
			if listed[key] || failed[key] != nil || r.Folder.has(key, extra) {
				continue
			}
			listed[key] = true
			x := extra
			tasks = append(tasks, task{p, rep, &x})
		}
	}
	if missing == nil {
		return tasks, nil
	}
	return tasks, missing
}

// execute makes the runs and stores each as it ends.
func (r *Runner) execute(ctx context.Context, tasks []task, failed map[RunKey]error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r.Progress.plan(tasks)
	make := func(ctx context.Context, t task) outcome {
		r.Progress.begin(t)
		return r.one(ctx, t)
	}
	Pool(ctx, r.Workers, tasks, make, func(o outcome) {
		key := RunKey{o.task.point.Hash, o.task.replication}
		switch {
		case o.err == nil:
			if r.Folder.add(key, o) != nil {
				stop()
			}
		case ctx.Err() == nil:
			failed[key] = o.err
			if Cause(o.err) != nil { // every run would fail like that
				stop()
			} else {
				r.Log.Error("a run failed", "hash", key.Hash, "replication", key.Replication, "point", o.task.point.Labels, "error", o.err)
			}
		}
		r.Progress.end(o.task, o.err != nil)
		*o.task.extra = cosim.Extra{} // stored; the list of tasks need not hold it
	})
}

// one makes one run; a panic becomes an error, so that it does not take the
// other runs with it.
func (r *Runner) one(ctx context.Context, t task) (o outcome) {
	o.task = t
	defer func() {
		if p := recover(); p != nil {
			o.err = &RunError{t.point, t.replication, fmt.Errorf("panic: %v", p), string(debug.Stack())}
		}
	}()
	result, err := r.Run(ctx, t.point.Spec, t.replication, t.extra)
	if err != nil {
		o.err = &RunError{Point: t.point, Replication: t.replication, Err: err}
		return o
	}
	result.Check()
	o.result = result
	return o
}

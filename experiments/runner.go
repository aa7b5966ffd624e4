package experiments

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"
)

// RunFunc makes one run. It draws from streams that plan.StreamSeed seeds, so equal arguments give
// equal results. It returns ctx.Err() when the context ends. Simulator.Run of package sim is one.
type RunFunc func(
	ctx context.Context, plan *config.Plan, replication int, extra *sim.Extra,
) (metrics.Result, error)

// Runner runs studies.
type Runner struct {
	// Names has the names that specs may use: allocators, patterns, policies.
	Names *config.Registry
	// Run makes one run.
	Run RunFunc
	// Workers is the number of runs under way at a time; values below 1 mean 1.
	Workers int
	// Folder stores finished runs.
	Folder *Folder
	// Traces lists the folders in which logs are searched.
	Traces []string
	// Tables selects the tables of rows that the runs write.
	Tables Tables
	// Progress, if not nil, follows the study.
	Progress *Progress
	// OnForecast, if not nil, receives the forecast of the study's cost once the first runs have
	// simulated enough.
	OnForecast func(*Forecast)
	// Log receives the runs that fail.
	Log *slog.Logger
	// Calibrations, if not nil, are those that the runs need. Forecasts count their time.
	Calibrations *sim.Calibrations

	costs map[string]float64 // seconds per run as forecast, by the hash of the point
}

// task is one run to make.
type task struct {
	point       *study.Point // of the study
	replication int
	// extra has the records of the run beside its metrics. Runs of a round share it until they begin;
	// see execute.
	extra *sim.Extra
	held  *heldRun // the run, if it has begun; or nil
}

// begin gives a task that begins records and a gauge of its own, and shows it.
func (t *task) begin(p *Progress) {
	extra := *t.extra
	extra.Gauge = sim.NewGauge()
	t.extra = &extra
	p.begin(*t)
}

// key returns the key of the run.
func (t *task) key() RunKey { return RunKey{t.point.Hash, t.replication} }

// outcome is the result of a run or its error.
type outcome struct {
	task   task
	result metrics.Result
	err    error
}

// RunError reports a run that failed. Other runs of the study are kept.
type RunError struct {
	Point       study.Point // the point of the run
	Replication int         // from 0
	Err         error       // the cause
	Stack       string      // the stack of a panic, "" if the run did not panic
}

// Error names the run and the cause.
func (e *RunError) Error() string {
	return fmt.Sprintf("the run %s, replication %d of %v, failed: %v", e.Point.Hash, e.Replication,
		e.Point.Labels, e.Err)
}

// Unwrap returns the cause.
func (e *RunError) Unwrap() error { return e.Err }

// Study makes all runs of the study that the folder does not hold yet. The first
// round makes the replications of every point, later rounds add replications to
// points that are not precise enough. A round depends on results only, not on
// which worker computed them or when.
//
// Study returns the finished runs even with an error. The error is bad input, else the first other
// failure in the order of the study, else that of the context or of a missing log; a store that
// fails ends the study with its own error.
func (r *Runner) Study(ctx context.Context, st *study.Study) (*Results, error) {
	results, err := r.Folder.Results(st, r.Names)
	if err != nil {
		return nil, err
	}
	failed := map[RunKey]error{}
	missing := error(nil)
	for n := 0; ctx.Err() == nil; n++ {
		tasks, err := r.nextRuns(results, failed)
		if missing == nil {
			missing = err
		}
		if len(tasks) == 0 {
			break
		}
		var f *Forecast
		if n == 0 && r.OnForecast != nil {
			f = r.countRuns(results, tasks)
		}
		r.execute(ctx, tasks, f, failed)
		if err := r.Folder.err; err != nil {
			return results, err
		}
		if InputCause(firstFailure(results, failed)) != nil {
			break
		}
	}
	results.reload()
	if err := firstFailure(results, failed); err != nil {
		return results, err
	}
	if ctx.Err() != nil {
		return results, ctx.Err()
	}
	return results, missing
}

// nextRuns lists the runs to make next: those that are wanted, neither stored nor failed, and whose
// log exists. Its error names missing logs.
func (r *Runner) nextRuns(results *Results, failed map[RunKey]error) ([]task, error) {
	results.findCurveEnds()
	var tasks []task
	var missing *input.MissingError
	st, extra := results.Study, r.recordOptions(results.Study)
	listed := map[string]int{} // replications listed, by hash
	for i := range results.Points {
		p := &results.Points[i]
		if err := r.findLog(p); err != nil {
			if !r.Folder.holdsAll(p, st, extra) {
				missing = missing.With(err)
			}
			continue
		}
		wanted := r.Folder.wantedRuns(p, st)
		for rep := listed[p.Hash]; rep < wanted; rep++ {
			if key := (RunKey{p.Hash, rep}); failed[key] == nil && !r.Folder.holds(key, extra) {
				tasks = append(tasks, task{point: p, replication: rep, extra: &extra})
			}
		}
		listed[p.Hash] = max(listed[p.Hash], wanted)
	}
	if missing == nil {
		return tasks, nil
	}
	return tasks, missing
}

// findLog returns an error if the log of a point is not found.
func (r *Runner) findLog(p *study.Point) error {
	if !p.Spec.Workload.HasTrace() {
		return nil
	}
	_, err := input.FindTrace(p.Spec.Workload.Trace, r.Traces)
	return err
}

// recordOptions returns what the runs of a study record and measure, for its tables, figures and
// rules.
func (r *Runner) recordOptions(st *study.Study) sim.Extra {
	x := r.Tables.Union(tablesOfStudy(st)).recordOptions()
	x.Slowdown = st.NamesMetric(metrics.OfSlowdown)
	x.Sizes = slices.ContainsFunc(st.Figures, func(f study.Figure) bool {
		return slices.Contains(f.Tables(), "sizes")
	}) || slices.ContainsFunc(st.Landmarks, func(l study.Landmark) bool { return l.BySize() })
	return x
}

// execute makes the runs and stores each when it ends. Failures go into failed.
// Bad input and a failed store stop the remaining runs. If f is not nil, execute completes this
// forecast from the first runs and passes it to OnForecast.
func (r *Runner) execute(
	ctx context.Context, tasks []task, f *Forecast, failed map[RunKey]error,
) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r.Progress.plan(len(tasks))
	make := func(ctx context.Context, t task) outcome {
		if t.held != nil {
			return t.held.resume()
		}
		t.begin(r.Progress)
		return r.runOne(ctx, t)
	}
	ended := func(o outcome) {
		key := o.task.key()
		switch {
		case o.err == nil:
			if r.Folder.store(key, o) != nil {
				stop()
			}
		case ctx.Err() == nil:
			failed[key] = o.err
			if InputCause(o.err) != nil { // every run would fail like that
				stop()
			} else {
				r.Log.Error("a run failed", "hash", key.Hash, "replication", key.Replication,
					"point", o.task.point.Labels, "error", o.err)
			}
		}
		r.Progress.end(o.task, o.err != nil)
	}
	if f != nil {
		tasks = r.beginRuns(ctx, f, tasks, ended)
	}
	Pool(ctx, r.Workers, r.longestFirst(tasks), make, ended)
	stop()
	for _, t := range tasks { // an interrupted study resumes none
		if t.held != nil {
			<-t.held.ended
		}
	}
}

// runOne makes one run. It returns a panic as an error, so that the other runs continue.
func (r *Runner) runOne(ctx context.Context, t task) (o outcome) {
	o.task = t
	defer func() {
		if p := recover(); p != nil {
			err := input.NewPanicError(p)
			o.err = &RunError{*t.point, t.replication, err, err.Stack}
		}
	}()
	plan, err := t.point.Spec.Plan()
	if err == nil {
		o.result, err = r.Run(ctx, plan, t.replication, t.extra)
	}
	if err != nil {
		o.err = &RunError{Point: *t.point, Replication: t.replication, Err: err}
		return o
	}
	o.result.Check(r.Names)
	return o
}

// Pool calls do for each task in a number of workers, at least one, and passes each result to got
// in the goroutine of the caller. When the context ends it begins no further task and waits for
// those under way.
func Pool[T, R any](ctx context.Context, workers int, tasks []T, do func(context.Context, T) R,
	got func(R)) {
	queue, results := make(chan T), make(chan R)
	var group sync.WaitGroup
	for range min(max(1, workers), len(tasks)) {
		group.Go(func() {
			for t := range queue {
				results <- do(ctx, t)
			}
		})
	}
	go func() {
		defer close(results)
		defer group.Wait()
		defer close(queue)
		for _, t := range tasks {
			if ctx.Err() != nil {
				return
			}
			select {
			case queue <- t:
			case <-ctx.Done():
				return
			}
		}
	}()
	for r := range results {
		got(r)
	}
}

// Progress counts the runs of a study that have ended, and the parts of those under way. A Runner
// updates it; any goroutine may call Status. A nil Progress records nothing.
type Progress struct {
	mu            sync.Mutex
	running       map[*sim.Gauge]bool
	done, planned int
}

// Status returns the number of runs that have ended, plus the fractions of those under way, and the
// number of planned runs, which a later round may increase.
func (p *Progress) Status() (runs float64, planned int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	runs = float64(p.done)
	for g := range p.running {
		runs += g.Fraction()
	}
	return runs, p.planned
}

// update changes the counts under the lock, if there is a Progress.
func (p *Progress) update(change func()) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

// plan adds a number of runs to the planned ones.
func (p *Progress) plan(runs int) { p.update(func() { p.planned += runs }) }

// begin follows a run.
func (p *Progress) begin(t task) {
	p.update(func() {
		if p.running == nil {
			p.running = map[*sim.Gauge]bool{}
		}
		p.running[t.extra.Gauge] = true
	})
}

// end counts a run that has ended or failed.
func (p *Progress) end(t task, failed bool) {
	p.update(func() {
		delete(p.running, t.extra.Gauge)
		if !failed {
			p.done++
		}
	})
}

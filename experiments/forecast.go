package experiments

import (
	"context"
	"slices"
	"time"

	"contend/experiments/spec"
)

// Forecast is what a study is expected to cost.
type Forecast struct {
	Study string `json:"study"`
	// Points is how many the study has, Runs how many they need; points of
	// equal hash share theirs. Done of these are in the folder, New are not.
	Points int `json:"points"`
	Runs   int `json:"runs"`
	Done   int `json:"done"`
	New    int `json:"new"`
	// Most is how many runs there can be where precision decides; otherwise
	// it is Runs.
	Most int `json:"most_runs"`
	// Blocked is how many points wait for logs that are not there. Their runs
	// are not counted.
	Blocked int `json:"points_without_log"`
	// Seconds is how long the new runs take on so many Workers, between Low
	// and High; all are 0 where there are none, or nothing could be learnt.
	Seconds float64 `json:"seconds"`
	Low     float64 `json:"seconds_low"`
	High    float64 `json:"seconds_high"`
	Workers int     `json:"workers"`
	// Probed is how many points were probed, Ended how many of their probes
	// were whole runs.
	Probed int `json:"probed"`
	Ended  int `json:"probes_that_ended"`

	tasks  []task
	probes []probe
	cost   map[string]float64 // seconds a run, by hash
}

// Dry returns what the study would cost, and makes no run to keep. The error is
// that of missing logs, beside the forecast of the rest, or another.
func (r *Runner) Dry(ctx context.Context, st *Study) (*Forecast, error) {
	results, err := r.Folder.Results(st, r.Names)
	if err != nil {
		return nil, err
	}
	tasks, missing := r.round(results, nil)
	f := r.count(results, tasks)
	n := min(dryPoints, len(firstOfEach(tasks)))
	if n > 0 {
		each := dryTime * time.Duration(max(1, r.Workers)) / time.Duration(2*n)
		f.probes = r.probeAll(ctx, sampleOf(tasks, n, nil), min(each, dryTime/8))
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	f.conclude(r.Simulator)
	return f, missing
}

// How much is probed: before a study is run, where a probe is lost time, and
// where the forecast is all that is wanted.
const (
	dryPoints   = 48
	dryTime     = 8 * time.Second
	earlyPoints = 4
	runPoints   = 24
	runTime     = 100 * time.Millisecond
)

// Worthwhile is how many seconds a study takes at least for which a forecast is
// made in full, and said.
const Worthwhile = 5

// foretell probes some of the runs that are to be made, keeps the results of
// those that ended, tells what is expected, and returns the other runs. A few
// probes come first: if the whole takes seconds, there are no more.
func (r *Runner) foretell(ctx context.Context, results *Results, tasks []task) []task {
	if len(tasks) == 0 {
		return tasks
	}
	f := r.count(results, tasks)
	first := sampleOf(tasks, earlyPoints, nil)
	f.probes = r.probeAll(ctx, first, runTime)
	f.conclude(r.Simulator)
	if f.High > Worthwhile || f.Seconds == 0 {
		more := sampleOf(tasks, runPoints-earlyPoints, first)
		f.probes = append(f.probes, r.probeAll(ctx, more, runTime)...)
		f.conclude(r.Simulator)
	}
	if ctx.Err() != nil {
		return tasks
	}
	r.Progress.expect(f)
	r.costs = f.cost
	r.Foretold(f)
	return r.keep(f, tasks)
}

// keep stores the results of probes that ended and returns the runs that are
// still to be made.
func (r *Runner) keep(f *Forecast, tasks []task) []task {
	kept := map[RunKey]bool{}
	for _, p := range f.probes {
		key := RunKey{p.task.point.Hash, p.task.replication}
		if !p.ended {
			continue
		}
		r.Progress.plan([]task{p.task})
		if r.Folder.add(key, p.outcome) != nil {
			return nil
		}
		r.Progress.end(p.task, false)
		kept[key] = true
	}
	return slices.DeleteFunc(slices.Clone(tasks), func(t task) bool {
		return kept[RunKey{t.point.Hash, t.replication}]
	})
}

// count counts points and runs.
func (r *Runner) count(results *Results, tasks []task) *Forecast {
	st := results.Study
	f := &Forecast{Study: st.Name, Points: len(results.Points), New: len(tasks)}
	f.Workers, f.tasks = max(1, r.Workers), tasks
	fresh := map[RunKey]bool{}
	for _, t := range tasks {
		fresh[RunKey{t.point.Hash, t.replication}] = true
	}
	seen := map[string]bool{}
	for _, p := range results.Points {
		if p.Spec.Workload.Source == "swf" {
			if _, err := spec.FindTrace(p.Spec.Workload.Trace, r.Traces); err != nil {
				f.Blocked++
				continue
			}
		}
		if seen[p.Hash] {
			continue
		}
		seen[p.Hash] = true
		wanted := r.Folder.wanted(&p, st)
		f.Runs += wanted
		f.Most += r.most(&p, st, wanted)
		for rep := range wanted {
			if !fresh[RunKey{p.Hash, rep}] {
				f.Done++
			}
		}
	}
	return f
}

// most returns how many runs a point can come to need.
func (r *Runner) most(p *Point, st *Study, wanted int) int {
	runs := r.Folder.runsOf(p.Hash, wanted)
	if p.Once || st.Runs.MaxRelativeError == 0 || len(runs) == wanted && st.precise(runs) {
		return wanted
	}
	if st.Runs.MaxReplications > 0 {
		return max(wanted, st.Runs.MaxReplications)
	}
	return max(wanted, 10*st.Runs.Replications)
}

package experiments

import (
	"context"
	"slices"
	"time"

	"contend/experiments/spec"
)

// Forecast is the expected cost of a study.
type Forecast struct {
	Study  string `json:"study"`  // name of the study
	Points int    `json:"points"` // points of the study
	Runs   int    `json:"runs"`   // runs of all points; points of equal hash share theirs
	Done   int    `json:"done"`   // runs that the folder holds
	New    int    `json:"new"`    // runs to make
	// Most is the largest number of runs that the rule of precision can ask for.
	// Without such a rule it equals Runs.
	Most int `json:"most_runs"`
	// Blocked counts the points whose log is missing. Their runs do not count.
	Blocked int `json:"points_without_log"`
	// Seconds is the expected time of the new runs; it lies between Low and High.
	// All three are 0 if there are no new runs or no probe got far enough.
	Seconds float64 `json:"seconds"`
	Low     float64 `json:"seconds_low"`       // least expected seconds
	High    float64 `json:"seconds_high"`      // largest expected seconds
	Workers int     `json:"workers"`           // workers that make the runs, from 1
	Probed  int     `json:"probed"`            // points that were probed
	Ended   int     `json:"probes_that_ended"` // probes that were whole runs

	tasks  []task
	firsts []task // the first run of each point
	probes []probe
	cost   map[string]float64 // seconds a run, by hash

	seedAxis int // the place of the axis runs.seed, -1 if there is none
}

// Dry returns the expected cost of the study and stores no run. If logs are
// missing, it returns their error beside the forecast of the other points.
func (r *Runner) Dry(ctx context.Context, st *Study) (*Forecast, error) {
	results, err := r.Folder.Results(st, r.Names)
	if err != nil {
		return nil, err
	}
	tasks, missing := r.round(results, nil)
	f := r.count(results, tasks)
	n := min(dryPoints, len(f.firsts))
	if n > 0 {
		each := dryTime * time.Duration(max(1, r.Workers)) / time.Duration(2*n)
		f.probes = r.probeAll(ctx, sampleOf(f.firsts, n, nil), min(each, dryTime/8))
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	f.conclude(r.Simulator)
	return f, missing
}

// Numbers of probed points and times of probes. A dry run (dry) wants the forecast
// alone; before a study (early, run) probes that do not end are lost time.
const (
	dryPoints   = 48
	dryTime     = 8 * time.Second
	earlyPoints = 4
	runPoints   = 24
	runTime     = 100 * time.Millisecond
)

// Worthwhile is the expected time in seconds from which a study gets a full
// forecast, and from which a command prints it.
const Worthwhile = 5

// foretell probes some of the runs to make, stores those that end, passes the
// forecast to Foretold, and returns the remaining runs. It makes a few probes
// first, and more only if the study takes longer than Worthwhile.
func (r *Runner) foretell(ctx context.Context, results *Results, tasks []task) []task {
	if len(tasks) == 0 {
		return tasks
	}
	f := r.count(results, tasks)
	first := sampleOf(f.firsts, earlyPoints, nil)
	f.probes = r.probeAll(ctx, first, runTime)
	f.conclude(r.Simulator)
	if f.High > Worthwhile || f.Seconds == 0 {
		more := sampleOf(f.firsts, runPoints-earlyPoints, first)
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

// keep stores the results of probes that ended and returns the remaining runs.
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

// count returns a forecast with the numbers of points and runs.
func (r *Runner) count(results *Results, tasks []task) *Forecast {
	st := results.Study
	f := &Forecast{Study: st.Name, Points: len(results.Points), New: len(tasks)}
	f.seedAxis = slices.Index(results.AxisKeys(), "runs.seed")
	f.Workers, f.tasks, f.firsts = max(1, r.Workers), tasks, firstOfEach(tasks)
	fresh := map[RunKey]bool{}
	for _, t := range tasks {
		fresh[RunKey{t.point.Hash, t.replication}] = true
	}
	seen := map[string]bool{}
	for i := range results.Points {
		p := &results.Points[i]
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
		wanted := r.Folder.wanted(p, st)
		f.Runs += wanted
		f.Most += r.most(p, st, wanted)
		for rep := range wanted {
			if !fresh[RunKey{p.Hash, rep}] {
				f.Done++
			}
		}
	}
	return f
}

// most returns the largest number of runs that a point can need.
func (r *Runner) most(p *Point, st *Study, wanted int) int {
	adds := st.Runs.MaxRelativeError > 0 || len(st.contrasts[p.Hash]) > 0
	if p.Once || !adds || r.Folder.settled(p, st) {
		return wanted
	}
	if st.Runs.MaxReplications > 0 {
		return max(wanted, st.Runs.MaxReplications)
	}
	return max(wanted, 10*st.Runs.Replications)
}

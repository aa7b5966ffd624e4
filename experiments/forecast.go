package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
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
	r.Foretold(f)
	return r.keep(f, tasks)
}

// keep stores the results of probes that ended and returns the runs that are
// still to be made.
func (r *Runner) keep(f *Forecast, tasks []task) []task {
	kept := map[runKey]bool{}
	for _, p := range f.probes {
		key := runKey{p.task.point.Hash, p.task.replication}
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
		return kept[runKey{t.point.Hash, t.replication}]
	})
}

// count counts points and runs.
func (r *Runner) count(results *Results, tasks []task) *Forecast {
	st := results.Study
	f := &Forecast{Study: st.Name, Points: len(results.Points), New: len(tasks), Workers: max(1, r.Workers), tasks: tasks}
	fresh := map[runKey]bool{}
	for _, t := range tasks {
		fresh[runKey{t.point.Hash, t.replication}] = true
	}
	seen := map[string]bool{}
	for _, p := range results.Points {
		if p.Spec.Workload.Source == "swf" {
			if _, err := FindTrace(p.Spec.Workload.Trace, r.Traces); err != nil {
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
			if !fresh[runKey{p.Hash, rep}] {
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

// conclude turns what the probes showed into a forecast. s, which may be nil,
// knows what runs share and has to be computed once.
func (f *Forecast) conclude(s *Simulator) {
	known := map[string]float64{}
	f.Probed, f.Ended = 0, 0
	for _, p := range f.probes {
		f.Probed++
		if p.ended {
			f.Ended++
		}
		if p.seconds > 0 {
			known[p.task.point.Hash] = p.seconds
		}
	}
	if len(known) == 0 {
		return
	}
	f.cost = fitCosts(firstOfEach(f.tasks), known)
	once := s.sharedAhead(f.tasks)
	durations := make([]float64, 0, len(f.tasks))
	for i, t := range f.tasks {
		durations = append(durations, f.cost[t.point.Hash]+once[i])
	}
	seconds, doubt := makespan(durations, f.Workers), f.doubt()
	whole := func(x float64) float64 { return math.Ceil(x*1000) / 1000 }
	f.Seconds, f.Low, f.High = whole(seconds), whole(seconds/doubt), whole(seconds*doubt)
}

// doubt is the factor within which a forecast is to be taken: the replications
// of a point differ, the beginning of a run is not like the rest of it, and a
// point need not cost what its neighbours suggest. The factors are from
// comparing forecasts with what studies took.
func (f *Forecast) doubt() float64 {
	switch points := len(firstOfEach(f.tasks)); {
	case f.Probed < points:
		return 2
	case f.Ended < points:
		return 1.5
	}
	return 1.25
}

// fitCosts returns the cost of a run of every point, by hash: that of its probe
// where it has one, otherwise what the probed points say of the values it has
// on each axis. The logarithm of the cost is a sum over the axes, fitted by
// taking the mean residual of each value in turn: an axis that multiplies the
// cost, such as the pattern, is so told from one that hardly matters.
func fitCosts(points []task, known map[string]float64) map[string]float64 {
	var probed []task
	middle := 0.0
	for _, t := range points {
		if known[t.point.Hash] > 0 {
			probed = append(probed, t)
			middle += math.Log(known[t.point.Hash])
		}
	}
	middle /= float64(max(1, len(probed)))
	effects := make([]map[string]float64, len(points[0].point.Labels))
	fitted := func(labels []string) float64 {
		sum := middle
		for a, label := range labels {
			sum += effects[a][label]
		}
		return sum
	}
	const rounds = 20
	for range rounds {
		for a := range effects {
			residuals := map[string]mean{}
			for _, t := range probed {
				label := t.point.Labels[a]
				m := residuals[label]
				m.add(math.Log(known[t.point.Hash]) - fitted(t.point.Labels) + effects[a][label])
				residuals[label] = m
			}
			effects[a] = map[string]float64{}
			for label, m := range residuals {
				effects[a][label] = m.value()
			}
		}
	}
	costs := map[string]float64{}
	for _, t := range points {
		if c := known[t.point.Hash]; c > 0 {
			costs[t.point.Hash] = c
		} else {
			costs[t.point.Hash] = math.Exp(fitted(t.point.Labels))
		}
	}
	return costs
}

// makespan returns when so many workers are through with tasks of the durations
// given, each of which the first worker that is free takes on.
func makespan(durations []float64, workers int) float64 {
	free := make([]float64, max(1, min(workers, len(durations))))
	for _, d := range durations {
		first := 0
		for i := range free {
			if free[i] < free[first] {
				first = i
			}
		}
		free[first] += d
	}
	return slices.Max(free)
}

// String says how long the new runs take, in words.
func (f *Forecast) String() string {
	runs := plural(f.New, "run")
	if f.Most > f.Runs {
		runs = "at least " + runs
	}
	on := fmt.Sprintf("on %s, %s", plural(f.Workers, "worker"), runs)
	if f.Seconds == 0 {
		return "no telling how long it takes " + on + ": no probe got far enough"
	}
	probes := fmt.Sprintf("from probes of %d of %s", f.Probed, plural(len(firstOfEach(f.tasks)), "point"))
	if f.Seconds < aSecond {
		return fmt.Sprintf("%s %s (%s)", roundTime(f.Seconds), on, probes)
	}
	return fmt.Sprintf("about %s %s (%s to %s, %s)", roundTime(f.Seconds), on,
		roundTime(f.Low), roundTime(f.High), probes)
}

// Text is the forecast as a dry run prints it. dir is the output folder.
func (f *Forecast) Text(dir string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s, of which %d in %s already and %d new\n",
		f.Study, plural(f.Points, "point"), plural(f.Runs, "run"), f.Done, dir, f.New)
	if f.Blocked > 0 {
		fmt.Fprintf(&b, "%s not counted: a log is missing\n", plural(f.Blocked, "point"))
	}
	if f.Most > f.Runs {
		fmt.Fprintf(&b, "at most %s, as many as runs.max_relative_error asks for\n", plural(f.Most, "run"))
	}
	if f.New > 0 {
		b.WriteString(f.String() + "\n")
	}
	return b.String()
}

// plural writes a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// aSecond is what roundTime writes as a second at least.
const aSecond = 0.95

// roundTime writes seconds as people say them.
func roundTime(seconds float64) string {
	whole := func(x float64) float64 {
		if x < 10 {
			return math.Round(2*x) / 2
		}
		return math.Round(x)
	}
	switch {
	case seconds < aSecond:
		return "less than a second"
	case seconds < 59.5:
		return fmt.Sprintf("%g s", math.Round(seconds))
	case seconds < 59.5*60:
		return fmt.Sprintf("%g min", whole(seconds/60))
	case seconds < 47.5*3600:
		return fmt.Sprintf("%g h", whole(seconds/3600))
	}
	return fmt.Sprintf("%g days", whole(seconds/86400))
}

package experiments

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/processortime"
)

// Forecast is the expected cost of a study. A dry run prints it, the costliest runs begin first,
// and job arrays are divided into tasks by it.
type Forecast struct {
	Study  string `json:"study"`  // name of the study
	Points int    `json:"points"` // number of its points
	Runs   int    `json:"runs"`   // runs of all points; points of equal hash share theirs
	Done   int    `json:"done"`   // runs that the folder holds
	New    int    `json:"new"`    // runs to make
	// MaxRuns is the largest number of runs that the rule of precision can ask for.
	// Without such a rule it equals Runs.
	MaxRuns int `json:"most_runs"`
	// Blocked counts the points whose log is missing. Their runs do not count.
	Blocked int `json:"points_without_log"`
	// Seconds is the expected time of the new runs on idle processors, which 90% of studies take
	// ForecastLow to ForecastHigh times; 0 if there are no new runs or no probe got far enough.
	Seconds float64 `json:"seconds"`
	// Calibrating is the part of Seconds in which jobs are measured alone, before the runs that need
	// their times.
	Calibrating float64 `json:"calibrating,omitempty"`
	Workers     int     `json:"workers"` // workers that make the runs, from 1
	Probed      int     `json:"probed"`  // points that were probed
	// Seen is the share of the work of the probed runs that the probes simulated, by expected time.
	Seen float64 `json:"seen"`
	// Tasks is the number of tasks of a job array that make the new runs. Seconds is then the time
	// of all tasks. 0 where the workers make the runs.
	Tasks int `json:"tasks,omitempty"`

	firstRuns []task             // the first run of each point
	nextRuns  []task             // its next runs, the second ones of all points before the third
	cost      map[string]float64 // seconds a run, by hash
	total     float64            // seconds of all runs
}

const (
	// maxProbes bounds the points that are probed.
	maxProbes = 24
	// probesOfPoint bounds the replications of a point that are probed. A probe sees only the first
	// jobs of a run, which differ between replications.
	probesOfPoint = 3
	// dryProbe and runProbe are the least times of a probe in a dry run and before a study, where
	// probes that do not end are lost time.
	dryProbe, runProbe = time.Second / 2, time.Second / 10
	// A probe lasts longer, up to longProbe, until it has simulated the share enoughSeen of its run.
	longProbe, enoughSeen = 2 * time.Second, 0.02
)

// ForecastLow and ForecastHigh bound the processor time of 90% of studies over their forecast, as
// go test -tags long ./experiments/study -run TestLongForecasts -sixty measures it over sixty
// built-in studies in small and drawn ones, of a tenth of a second and more. Studies that
// fast-forward, or of whose work probes see less than MinSeen, are left out: their pace says little
// about the remaining time. Probes see an empty machine fill, and jams come later.
const ForecastLow, ForecastHigh, MinSeen = 0.5, 2, 0.1

// MinShownSeconds is the expected time in seconds from which a command prints a forecast.
const MinShownSeconds = 5

// ForecastStudy returns the expected cost of a study and stores no run. If logs are missing, it
// returns their error with the forecast of the other points.
func (r *Runner) ForecastStudy(ctx context.Context, st *study.Study) (*Forecast, error) {
	results, err := r.Folder.Results(st, r.Names)
	if err != nil {
		return nil, err
	}
	tasks, missing := r.nextRuns(results, nil)
	f := r.countRuns(results, tasks)
	probes := r.probeAll(ctx, f.sample(), dryProbe, func(*probe) {})
	f.estimateTime(tasks, probes)
	for _, p := range probes {
		f.add(p.shared)
	}
	if r.Calibrations != nil {
		f.Calibrating = math.Round(1000*r.Calibrations.Seconds()) / 1000
		f.add(f.Calibrating)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return f, missing
}

// storeProbes probes some of the runs to make, stores each probe that ends as it ends, passes the
// forecast to OnForecast unless it is interrupted, and returns the remaining runs.
func (r *Runner) storeProbes(ctx context.Context, results *Results, tasks []task) []task {
	if len(tasks) == 0 {
		return tasks
	}
	f := r.countRuns(results, tasks)
	kept := map[RunKey]bool{}
	probes := r.probeAll(ctx, f.sample(), runProbe, func(p *probe) {
		if p.err != nil || r.Folder.store(p.task.key(), p.outcome) != nil {
			return
		}
		r.Progress.plan(1)
		r.Progress.end(p.task, false)
		kept[p.task.key()] = true
	})
	if r.Folder.err != nil {
		return nil
	}
	if ctx.Err() == nil {
		f.estimateTime(tasks, probes)
		r.costs = f.cost
		r.OnForecast(f)
	}
	return slices.DeleteFunc(slices.Clone(tasks), func(t task) bool { return kept[t.key()] })
}

// longestFirst sorts runs by decreasing expected cost, so that no long run begins last and keeps
// one worker busy while the others wait. Without a forecast it keeps the order of the study.
func (r *Runner) longestFirst(tasks []task) []task {
	return slices.SortedStableFunc(slices.Values(tasks), func(a, b task) int {
		return cmp.Compare(r.costs[b.point.Hash], r.costs[a.point.Hash])
	})
}

// countRuns returns a forecast with the numbers of points and runs, and no time.
func (r *Runner) countRuns(results *Results, tasks []task) *Forecast {
	st := results.Study
	f := &Forecast{Study: st.Name, Points: len(results.Points), New: len(tasks),
		Workers: max(1, r.Workers)}
	rounds := make([][]task, probesOfPoint)
	runs := map[string]int{}
	for _, t := range tasks {
		if n := runs[t.point.Hash]; n < probesOfPoint {
			rounds[n] = append(rounds[n], t)
			runs[t.point.Hash]++
		}
	}
	f.firstRuns, f.nextRuns = rounds[0], slices.Concat(rounds[1:]...)
	seen := map[string]bool{}
	for i := range results.Points {
		p := &results.Points[i]
		if r.findLog(p) != nil {
			f.Blocked++
		} else if !seen[p.Hash] {
			seen[p.Hash] = true
			wanted := r.Folder.wantedRuns(p, st)
			f.Runs += wanted
			f.MaxRuns += r.maxRuns(p, st, wanted)
		}
	}
	f.Done = f.Runs - f.New
	return f
}

// sample returns the runs to probe: of many points some, of few points several replications.
func (f *Forecast) sample() []task {
	sample := sampleOf(f.firstRuns, maxProbes)
	return append(sample, f.nextRuns[:min(max(0, maxProbes-len(f.firstRuns)), len(f.nextRuns))]...)
}

// maxRuns returns the largest number of runs that the study can ask for at a point.
func (r *Runner) maxRuns(p *study.Point, st *study.Study, wanted int) int {
	adds := st.Runs.MaxRelativeError > 0 || len(r.Folder.contrasts[p.Hash]) > 0
	if p.Once || !adds || r.Folder.hasFinalRuns(p, st) {
		return wanted
	}
	return max(wanted, cmp.Or(max(0, st.Runs.MaxReplications), 10*st.Runs.Replications))
}

// estimateTime computes the time of all tasks from probes. A costModel
// expects the time of a run of a point without a measured probe.
func (f *Forecast) estimateTime(tasks []task, probes []probe) {
	known, count := map[string]float64{}, map[string]float64{}
	for _, p := range probes {
		known[p.task.point.Hash] = 0
	}
	f.Probed = len(known)
	probes = slices.DeleteFunc(probes, func(p probe) bool { return p.seconds <= 0 })
	if len(probes) == 0 {
		return
	}
	expected, simulated := 0.0, 0.0
	for _, p := range probes {
		hash := p.task.point.Hash
		count[hash]++
		known[hash] += (p.seconds - known[hash]) / count[hash]
		expected, simulated = expected+p.seconds, simulated+p.seconds*p.share
	}
	f.Seen = simulated / expected
	model := newCostModel(probes)
	f.cost = map[string]float64{}
	longest := 0.0
	for _, t := range tasks {
		c := known[t.point.Hash]
		if c == 0 {
			c = model.seconds(t.point.Labels)
		}
		f.cost[t.point.Hash] = c
		f.total, longest = f.total+c, max(longest, c)
	}
	perWorker := f.total / float64(min(f.Workers, runtime.NumCPU()))
	f.Seconds = math.Ceil(1000*max(perWorker, longest)) / 1000
}

// add adds seconds of work that runs share to a forecast of runs.
func (f *Forecast) add(seconds float64) {
	if f.total > 0 {
		f.total += seconds
		f.Seconds = math.Ceil(1000*(f.Seconds+seconds)) / 1000
	}
}

// Divide turns the forecast into that of a job array with tasks of the given seconds, at most
// maxTasks of them; 0 means no limit. Runs of unknown time get a task each.
func (f *Forecast) Divide(seconds float64, maxTasks int) {
	f.Tasks, f.Seconds = f.New, f.total
	if f.total > 0 {
		f.Tasks = min(f.New, int(math.Ceil(f.total/seconds)))
	}
	if maxTasks > 0 {
		f.Tasks = min(f.Tasks, maxTasks)
	}
}

// String returns the expected time of the new runs in words.
func (f *Forecast) String() string {
	runs := input.Plural(f.New, "run")
	if f.MaxRuns > f.Runs {
		runs = "at least " + runs
	}
	on := fmt.Sprintf("on %s, %s", input.Plural(f.Workers, "worker"), runs)
	if f.Tasks > 0 {
		on = fmt.Sprintf("in %s, %s", input.Plural(f.Tasks, "task"), runs)
	}
	if f.Seconds == 0 {
		return "unknown time " + on + ": no probe got far enough"
	}
	within := fmt.Sprintf("90%% of studies take %g to %g times that", ForecastLow,
		float64(ForecastHigh))
	switch {
	case slices.ContainsFunc(f.firstRuns, func(t task) bool { return t.point.Spec.FastForward > 0 }):
		within = "a guess, as runs fast-forward"
	case f.Seen < MinSeen:
		within = fmt.Sprintf("a guess, as they saw %.2g%% of their work", 100*f.Seen)
	}
	all := roundTime(f.total) + " of processor time"
	if f.Calibrating >= 1 {
		all += fmt.Sprintf(" (%s to measure jobs alone before)", roundTime(f.Calibrating))
	}
	if clock := roundTime(f.Seconds); f.Tasks == 0 && clock != roundTime(f.total) {
		all += ", " + clock
	}
	return fmt.Sprintf("%s %s (probes of %d of %s, %s)", all, on, f.Probed,
		input.Plural(len(f.firstRuns), "point"), within)
}

// Text returns the forecast as a dry run prints it.
func (f *Forecast) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s to do (%d already done)\n",
		f.Study, input.Plural(f.Points, "point"), input.Plural(f.New, "run"), f.Done)
	if f.Blocked > 0 {
		fmt.Fprintf(&b, "%s not counted: a log is missing\n", input.Plural(f.Blocked, "point"))
	}
	if f.MaxRuns > f.Runs {
		fmt.Fprintf(&b, "at most %s, as many as runs.max_relative_error asks for\n",
			input.Plural(f.MaxRuns, "run"))
	}
	if f.New > 0 {
		b.WriteString(f.String() + "\n")
	}
	return b.String()
}

// roundTime returns seconds in words, in the largest unit of which they are at least two.
func roundTime(seconds float64) string {
	if seconds < 1 {
		return "less than a second"
	}
	text := fmt.Sprintf("about %.0f s", seconds)
	for _, u := range []struct {
		name    string
		seconds float64
	}{{"min", 60}, {"h", 3600}, {"days", 86400}} {
		if seconds >= 2*u.seconds {
			text = fmt.Sprintf("about %.0f %s", seconds/u.seconds, u.name)
		}
	}
	return text
}

// probe is a run that is stopped early, from whose time and progress the time of the whole run is
// estimated. A probe that ends by itself is a complete run.
type probe struct {
	outcome
	// seconds is the expected processor time of the whole run, without work that runs share; 0 if the
	// probe made no progress.
	seconds float64
	share   float64 // of the run's work that the probe has simulated
	// shared is the processor time of work that runs share, in seconds.
	shared float64
	// lasted and thread are the time of the clock and the processor time of the thread.
	lasted, thread time.Duration
}

// coarse is the processor time below which that of a thread says little: systems count it in ticks.
const coarse = 50 * time.Millisecond

// probeAll probes runs for the time each with all workers, so that they slow each other down as the
// runs of the study will. It passes each probe to ended when that ends. Time for which other
// programs have the processors does not count: by the thread of a probe, with what the collection
// of garbage takes beside the threads, or for a short probe by all of them.
func (r *Runner) probeAll(ctx context.Context, tasks []task, each time.Duration,
	ended func(*probe)) []probe {
	var probes []probe
	var lasted, threads time.Duration
	before := processortime.Used()
	Pool(ctx, r.Workers, tasks, func(ctx context.Context, t task) probe {
		return r.probe(ctx, t, each)
	}, func(p probe) {
		probes, lasted, threads = append(probes, p), lasted+p.lasted, threads+p.thread
		ended(&p)
	})
	used := float64(processortime.Used() - before)
	for i := range probes {
		p := &probes[i]
		worked := min(1, used/float64(max(1, lasted)))
		if p.thread >= coarse {
			worked = min(1, float64(p.thread)/float64(p.lasted)) * max(1, used/float64(threads))
		}
		p.seconds *= worked
		p.shared *= worked
	}
	return probes
}

// probe makes a run and stops it when it has simulated for the time each.
func (r *Runner) probe(ctx context.Context, t task, each time.Duration) probe {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	extra := *t.extra
	extra.Gauge = sim.NewGauge()
	go stopAfter(ctx, stop, extra.Gauge, each)
	began, before := time.Now(), processortime.Thread()
	p := probe{outcome: r.runOne(ctx, task{t.point, t.replication, &extra})}
	p.lasted, p.thread = time.Since(began), processortime.Thread()-before
	if p.err == nil {
		extra.Gauge.Show(1, 1)
	}
	p.seconds, p.shared = extra.Gauge.Whole().Seconds(), extra.Gauge.Paused().Seconds()
	p.share = extra.Gauge.Fraction()
	return p
}

// patience is the factor by which a probe may exceed its time until it makes progress, for its
// setup and for work that runs share.
const patience = 5

// stopAfter calls stop when the run of a gauge has simulated for the time each and enough of its
// work, or for longProbe.
func stopAfter(ctx context.Context, stop func(), g *sim.Gauge, each time.Duration) {
	tick := time.NewTicker(each / 4)
	defer tick.Stop()
	for n := 1; ctx.Err() == nil; n++ {
		_, simulated := g.Spent()
		switch share := g.Fraction(); {
		case n > 4*patience && (share == 0 || simulated < each), simulated >= longProbe,
			simulated >= each && share >= enoughSeen:
			stop()
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

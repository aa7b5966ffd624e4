package experiments

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"contend/experiments/config"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/processortime"
	"contend/netsim"
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

	curves    bool               // points are run only if others do not saturate the network
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
	// leastProbe and longProbe bound the time that a probe simulates. In between it ends when it has
	// simulated the share enoughSeen of its run.
	leastProbe, longProbe, enoughSeen = time.Second / 2, 2 * time.Second, 0.02
	// Probes that go on as runs lose no time. All of them last for about allHeld, each for up to
	// longHeld or until it has simulated the share MinSeen.
	allHeld, longHeld = 20 * time.Second, 10 * time.Second
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
	probes := r.probeAll(ctx, f.sample(), false, func(*probe) {})
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

// beginRuns begins some of the runs to make, holds each that lasts longer than its probe, passes
// the forecast to OnForecast unless it is interrupted, and returns the runs that have not ended. It
// passes the others to ended.
func (r *Runner) beginRuns(ctx context.Context, f *Forecast, tasks []task,
	ended func(outcome)) []task {
	done, held := map[RunKey]bool{}, map[RunKey]*heldRun{}
	r.forecast(ctx, f, tasks, true, func(p *probe) {
		if key := p.task.key(); p.held != nil {
			held[key] = p.held
		} else {
			done[key] = true
			ended(p.outcome)
		}
	})
	left := slices.DeleteFunc(slices.Clone(tasks), func(t task) bool { return done[t.key()] })
	for i := range left {
		left[i].held = held[left[i].key()]
	}
	return left
}

// storeProbes probes some of the runs that other processes are to make, stores each probe that
// ends, passes the forecast to OnForecast unless it is interrupted, and returns the remaining runs.
func (r *Runner) storeProbes(ctx context.Context, f *Forecast, tasks []task) []task {
	kept := map[RunKey]bool{}
	r.forecast(ctx, f, tasks, false, func(p *probe) {
		kept[p.task.key()] = p.err == nil && r.Folder.store(p.task.key(), p.outcome) == nil
	})
	return slices.DeleteFunc(slices.Clone(tasks), func(t task) bool { return kept[t.key()] })
}

// forecast probes some of the runs to make, with keep and ended as probeAll has them, and passes
// the forecast to OnForecast unless it is interrupted.
func (r *Runner) forecast(ctx context.Context, f *Forecast, tasks []task, keep bool,
	ended func(*probe)) {
	probes := r.probeAll(ctx, f.sample(), keep, ended)
	if ctx.Err() == nil && r.Folder.err == nil {
		f.estimateTime(tasks, probes)
		r.costs = f.cost
		r.OnForecast(f)
	}
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
		f.curves = f.curves || results.BeyondCurve(i)
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
	f.Probed, f.cost = len(known), map[string]float64{}
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
	if f.MaxRuns > f.Runs || f.curves {
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
	some := func(is func(s *config.Spec) bool) bool {
		return slices.ContainsFunc(f.firstRuns, func(t task) bool { return is(&t.point.Spec) })
	}
	switch {
	case f.curves:
		within = "of the first loads of curves, which go on until they saturate the network"
	case some(func(s *config.Spec) bool { return s.FastForward > 0 }):
		within = "a guess, as runs fast-forward"
	case some(func(s *config.Spec) bool { return s.Network.Congestion != netsim.NoControl }):
		within = "a guess, as rates of congestion control fall later"
	case some(func(s *config.Spec) bool { return len(s.Failures) > 0 }):
		within = "a guess, as queues of a network with failures grow later"
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

// probe is the beginning of a run, from whose time and progress the time of the whole run is
// estimated. A probe that ends by itself is a complete run.
type probe struct {
	outcome
	held *heldRun // the run that waits in the middle; nil if it has ended
	// seconds is the expected processor time of the whole run, without work that runs share; 0 if the
	// probe made no progress.
	seconds float64
	share   float64 // of the run's work that the probe has simulated
	// shared is the processor time of work that runs share, in seconds.
	shared float64
	// lasted and thread are the time of the clock and the processor time of the thread.
	lasted, thread time.Duration
}

// heldRun is a run that waits in the middle.
type heldRun struct {
	resumed chan struct{} // closed when the run may go on
	ended   chan struct{} // closed when it has ended
	outcome outcome       // of the run that has ended
}

// resume lets the run go on and returns its outcome.
func (h *heldRun) resume() outcome {
	close(h.resumed)
	<-h.ended
	return h.outcome
}

// coarse is the processor time below which that of a thread says little: systems count it in ticks.
const coarse = 50 * time.Millisecond

// probeAll probes runs with all workers, so that they slow each other down as the runs of the study
// will, and passes each probe to ended when that ends. With keep it holds runs, at least one for
// each worker and no further ones where memory is short; otherwise it stops them. Time for which
// other programs have the processors does not count: by the thread of a probe, with what the
// collection of garbage takes beside the threads, or for a short probe by all of them.
func (r *Runner) probeAll(ctx context.Context, tasks []task, keep bool,
	ended func(*probe)) []probe {
	workers, long := max(1, r.Workers), longProbe
	if n := max(1, len(tasks)); keep {
		long = min(max(leastProbe, allHeld*time.Duration(workers)/time.Duration(n)), longHeld)
	}
	var probes []probe
	var lasted, threads time.Duration
	var running atomic.Int64 // runs that are held or may be
	before := processortime.Used()
	Pool(ctx, workers, tasks, func(ctx context.Context, t task) *probe {
		if int(running.Add(1)) > workers && keep && !roomToHold() {
			running.Add(-1)
			return nil
		}
		p := r.probe(ctx, t, long, keep)
		if p.held == nil {
			running.Add(-1)
		}
		return p
	}, func(p *probe) {
		if p != nil {
			probes, lasted, threads = append(probes, *p), lasted+p.lasted, threads+p.thread
			ended(p)
		}
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

// roomToHold reports whether the memory in use is a small part of what is available.
func roomToHold() bool {
	const smallPart = 0.25
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(heap)
	have := sim.AvailableMemory()
	return have == 0 || float64(heap[0].Value.Uint64()) < smallPart*float64(have)
}

// probe begins a run. If that has not ended when it has simulated enough, for at most the time
// long, probe holds it with keep, and otherwise stops it.
func (r *Runner) probe(ctx context.Context, t task, long time.Duration, keep bool) *probe {
	t.begin(r.Progress)
	gauge, held := t.extra.Gauge, &heldRun{resumed: make(chan struct{}), ended: make(chan struct{})}
	probing, end := context.WithCancel(ctx)
	defer end()
	running, enough, stop := probing, enoughSeen, end
	var hold atomic.Bool
	if keep {
		running, enough, stop = ctx, MinSeen, func() { hold.Store(true) }
	}
	seen := make(chan *probe, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		began, before, isHeld := time.Now(), processortime.Thread(), false
		report := func(p probe) {
			p.lasted, p.thread = time.Since(began), processortime.Thread()-before
			p.seconds, p.shared = gauge.Whole().Seconds(), gauge.Paused().Seconds()
			p.share = gauge.Fraction()
			seen <- &p
		}
		gauge.Updated = func() {
			if isHeld || !hold.Load() {
				return
			}
			isHeld = true
			report(probe{outcome: outcome{task: t}, held: held})
			select {
			case <-held.resumed:
			case <-ctx.Done():
			}
		}
		o := r.runOne(running, t)
		if isHeld {
			held.outcome = o
			close(held.ended)
			return
		}
		if o.err == nil {
			gauge.Show(1, 1)
		}
		report(probe{outcome: o})
	}()
	go stopAfter(probing, gauge, long, enough, !keep, stop)
	return <-seen
}

// patience is the factor by which a probe that is to be stopped may exceed its least time until it
// makes progress, for its setup and for work that runs share.
const patience = 5

// stopAfter calls stop when the run of a gauge has simulated for leastProbe and enough of its work,
// or for the time long, or if it has to make progress and does not.
func stopAfter(ctx context.Context, g *sim.Gauge, long time.Duration, enough float64, progress bool,
	stop func()) {
	tick := time.NewTicker(leastProbe / 8)
	defer tick.Stop()
	for began := time.Now(); ctx.Err() == nil; {
		_, simulated := g.Spent()
		switch share := g.Fraction(); {
		case progress && time.Since(began) > patience*leastProbe &&
			(share == 0 || simulated < leastProbe),
			simulated >= long, simulated >= leastProbe && share >= enough:
			stop()
			return
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

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

	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/input"
)

// Forecast is the expected cost of a study. The dry run prints it, runs begin in its order, and
// job arrays are divided by it.
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
	// Seconds is the expected time of the new runs on idle processors, right within a factor of
	// two or so; 0 if there are no new runs or no probe got far enough.
	Seconds float64 `json:"seconds"`
	Workers int     `json:"workers"` // workers that make the runs, from 1
	Probed  int     `json:"probed"`  // points that were probed
	// RecordBytes is about how much room the tables of rows of the new runs take on disk, such as
	// jobs.csv; 0 if none are kept.
	RecordBytes int64 `json:"record_bytes,omitempty"`
	// Tasks is the number of tasks of a job array that make the new runs. Seconds is then the time
	// of all tasks. 0 where the workers make the runs.
	Tasks int `json:"tasks,omitempty"`

	firsts []task             // the first run of each point
	cost   map[string]float64 // seconds a run, by hash
	total  float64            // seconds of all runs
}

// Numbers of probed points and times of probes. A dry run wants the forecast alone; before a
// study, probes that do not end are lost time.
const (
	dryPoints = 48
	dryTime   = 8 * time.Second // of all probes
	dryProbe  = time.Second     // of one
	runPoints = 24
	runProbe  = 100 * time.Millisecond
)

// Worthwhile is the expected time in seconds from which a command prints a forecast.
const Worthwhile = 5

// LargeRecords is the size in bytes from which a command says how large records get.
const LargeRecords = 50 << 20

// Dry returns the expected cost of the study and stores no run. If logs are
// missing, it returns their error beside the forecast of the other points.
func (r *Runner) Dry(ctx context.Context, st *study.Study) (*Forecast, error) {
	results, err := r.Folder.Results(st, r.Names)
	if err != nil {
		return nil, err
	}
	tasks, missing := r.round(results, nil)
	f := r.count(results, tasks)
	n := max(1, min(dryPoints, len(f.firsts)))
	f.conclude(tasks, r.probeAll(ctx, sampleOf(f.firsts, n),
		min(dryProbe, dryTime*time.Duration(f.Workers)/time.Duration(2*n))))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return f, missing
}

// foretell probes some of the runs to make, stores those that end, passes the
// forecast to Foretold, and returns the remaining runs.
func (r *Runner) foretell(ctx context.Context, results *Results, tasks []task) []task {
	if len(tasks) == 0 {
		return tasks
	}
	f := r.count(results, tasks)
	probes := r.probeAll(ctx, sampleOf(f.firsts, runPoints), runProbe)
	f.conclude(tasks, probes)
	if ctx.Err() != nil {
		return tasks
	}
	r.costs = f.cost
	r.Foretold(f)
	kept := map[RunKey]bool{}
	for _, p := range probes {
		if p.err != nil {
			continue
		}
		r.Progress.plan(1)
		if r.Folder.add(p.task.key(), p.outcome) != nil {
			return nil
		}
		r.Progress.end(p.task, false)
		kept[p.task.key()] = true
	}
	return slices.DeleteFunc(slices.Clone(tasks), func(t task) bool { return kept[t.key()] })
}

// longestFirst orders runs by what they are expected to cost, so that no long
// one begins last and keeps a single worker busy while the others wait. Without
// a forecast the order stays that of the study. Stored results do not depend on
// it: Finish writes them in the order of the study.
func (r *Runner) longestFirst(tasks []task) []task {
	return slices.SortedStableFunc(slices.Values(tasks), func(a, b task) int {
		return cmp.Compare(r.costs[b.point.Hash], r.costs[a.point.Hash])
	})
}

// count returns a forecast with the numbers of points and runs.
func (r *Runner) count(results *Results, tasks []task) *Forecast {
	st := results.Study
	f := &Forecast{Study: st.Name, Points: len(results.Points), New: len(tasks),
		Workers: max(1, r.Workers)}
	seen := map[string]bool{}
	for _, t := range tasks {
		if !seen[t.point.Hash] {
			seen[t.point.Hash], f.firsts = true, append(f.firsts, t)
		}
	}
	clear(seen)
	for i := range results.Points {
		p := &results.Points[i]
		if r.findLog(p) != nil {
			f.Blocked++
		} else if !seen[p.Hash] {
			seen[p.Hash] = true
			wanted := r.Folder.wanted(p, st)
			f.Runs += wanted
			f.Most += r.most(p, st, wanted)
		}
	}
	f.Done = f.Runs - f.New
	f.RecordBytes = r.recordBytes(tasks)
	return f
}

// most returns the largest number of runs that a point can need.
func (r *Runner) most(p *study.Point, st *study.Study, wanted int) int {
	adds := st.Runs.MaxRelativeError > 0 || len(r.Folder.contrasts[p.Hash]) > 0
	if p.Once || !adds || r.Folder.settled(p, st) {
		return wanted
	}
	return max(wanted, cmp.Or(max(0, st.Runs.MaxReplications), 10*st.Runs.Replications))
}

// conclude computes the time of all tasks from probes.
func (f *Forecast) conclude(tasks []task, probes []probe) {
	known := map[string]float64{}
	for _, p := range probes {
		if f.Probed++; p.seconds > 0 {
			known[p.task.point.Hash] = p.seconds
		}
	}
	if len(known) == 0 {
		return
	}
	f.cost = costsOf(f.firsts, known)
	sum, longest := 0.0, 0.0
	for _, t := range tasks {
		c := f.cost[t.point.Hash]
		sum, longest = sum+c, max(longest, c)
	}
	f.total = sum
	f.Seconds = math.Ceil(1000*max(sum/float64(min(f.Workers, runtime.NumCPU())), longest)) / 1000
}

// costsOf returns the seconds that a run of each point takes, by hash, from those that are known.
// The logarithm of the others is that of the mean and, for every label, by how much points with it
// exceed what their other labels explain. The fit takes one axis after the other, some times.
func costsOf(points []task, known map[string]float64) map[string]float64 {
	effects := make([]map[string]float64, len(points[0].point.Labels)+1) // the last is the mean
	labels := func(t task) []string { return append(slices.Clip(t.point.Labels), "") }
	fitted := func(t task) (sum float64) {
		for a, label := range labels(t) {
			sum += effects[a][label]
		}
		return sum
	}
	const rounds = 20
	for round := range rounds * len(effects) {
		a := len(effects) - 1 - round%len(effects)
		effects[a] = nil
		residuals := map[string]metrics.Mean{}
		for _, t := range points {
			if c := known[t.point.Hash]; c > 0 {
				m := residuals[labels(t)[a]]
				m.Add(math.Log(c) - fitted(t))
				residuals[labels(t)[a]] = m
			}
		}
		effects[a] = map[string]float64{}
		for label, m := range residuals {
			effects[a][label] = m.Value()
		}
	}
	costs := map[string]float64{}
	for _, t := range points {
		costs[t.point.Hash] = cmp.Or(known[t.point.Hash], math.Exp(fitted(t)))
	}
	return costs
}

// Divide makes the forecast one for tasks of about so many seconds each, at most so many; 0 for no
// limit. Runs of unknown time have a task each.
func (f *Forecast) Divide(seconds float64, most int) {
	f.Tasks, f.Seconds = f.New, f.total
	if f.total > 0 {
		f.Tasks = min(f.New, int(math.Ceil(f.total/seconds)))
	}
	if most > 0 {
		f.Tasks = min(f.Tasks, most)
	}
}

// String returns the expected time of the new runs in words.
func (f *Forecast) String() string {
	runs := input.Plural(f.New, "run")
	if f.Most > f.Runs {
		runs = "at least " + runs
	}
	on := fmt.Sprintf("on %s, %s", input.Plural(f.Workers, "worker"), runs)
	if f.Tasks > 0 {
		on = fmt.Sprintf("in %s, %s", input.Plural(f.Tasks, "task"), runs)
	}
	if f.Seconds == 0 {
		return "unknown time " + on + ": no probe got far enough"
	}
	return fmt.Sprintf("%s of processor time %s (from probes of %d of %s)", roundTime(f.Seconds),
		on, f.Probed, input.Plural(len(f.firsts), "point"))
}

// Text returns the forecast as a dry run prints it.
func (f *Forecast) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s to do (%d already done)\n",
		f.Study, input.Plural(f.Points, "point"), input.Plural(f.New, "run"), f.Done)
	if f.Blocked > 0 {
		fmt.Fprintf(&b, "%s not counted: a log is missing\n", input.Plural(f.Blocked, "point"))
	}
	if f.Most > f.Runs {
		fmt.Fprintf(&b, "at most %s, as many as runs.max_relative_error asks for\n",
			input.Plural(f.Most, "run"))
	}
	if f.New > 0 {
		b.WriteString(f.String() + "\n")
	}
	if f.RecordBytes > 0 {
		b.WriteString(f.RecordText() + "\n")
	}
	return b.String()
}

// RecordText says how large the tables of rows get.
func (f *Forecast) RecordText() string {
	return fmt.Sprintf("about %s of records on disk (jobs, channels and what else is kept by time)",
		input.SizeText(f.RecordBytes))
}

// roundTime returns seconds in words, in the largest unit of which there are at least two.
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

package experiments

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/must"
	"contend/internal/written"
)

// gridTasks returns n runs of n points.
func gridTasks(n int) (tasks []task) {
	for i := range n {
		p := &study.Point{Hash: fmt.Sprint(i)}
		tasks = append(tasks, task{point: p, extra: &sim.Extra{}})
	}
	return tasks
}

// Probes are of different points. A point without one takes the mean of the others.
func TestForecastIsTheMeanOfProbes(t *testing.T) {
	tasks := gridTasks(40)
	f := Forecast{Workers: 1, firstRuns: tasks}
	met := map[string]bool{}
	var probes []probe
	for i, x := range sampleOf(tasks, 24) {
		met[x.point.Hash] = true
		probes = append(probes, probe{outcome: outcome{task: x}, seconds: float64(2 * (i % 2))})
	}
	if len(met) != 24 {
		t.Fatalf("%d points of 24", len(met))
	}
	// Twelve probes took 2 s; of the other twelve and of 16 points nothing is known.
	if f.estimateTime(tasks, probes); f.Seconds != 80 || f.Probed != 24 {
		t.Errorf("%v s from %d probes, want 80 from 24", f.Seconds, f.Probed)
	}
	if got := len(sampleOf(tasks[:5], 24)); got != 5 {
		t.Errorf("%d probes of 5 points", got)
	}
}

// Where each value of an axis makes runs longer by a factor, points without a probe have the time
// that their values give them, whichever few of them are probed. Without axes it is the mean.
func TestCostModel(t *testing.T) {
	var tasks []task
	factor := map[string]float64{"a": 1, "b": 5, "c": 60, "x": 2, "y": 3, "z": 0.5}
	for _, first := range []string{"a", "b", "c"} {
		for _, second := range []string{"x", "y", "z"} {
			tasks = append(tasks, task{point: &study.Point{Hash: first + second,
				Labels: []string{first, second}}, extra: &sim.Extra{}})
		}
	}
	seconds := func(x task) float64 {
		return factor[x.point.Labels[0]] * factor[x.point.Labels[1]]
	}
	var probes []probe
	for _, x := range sampleOf(tasks, 6) {
		probes = append(probes, probe{outcome: outcome{task: x}, seconds: seconds(x)})
	}
	f, want := Forecast{Workers: 1, firstRuns: tasks}, 0.0
	for _, x := range tasks {
		want += seconds(x)
	}
	if f.estimateTime(tasks, probes); f.Seconds < want/1.5 || f.Seconds > want*1.5 {
		t.Errorf("%v s, want %v", f.Seconds, want)
	}
	count := map[string]int{}
	for _, p := range probes {
		for _, label := range p.task.point.Labels {
			count[label]++
		}
	}
	for label := range factor {
		if count[label] != 2 {
			t.Errorf("%d of 6 probes have the value %s", count[label], label)
		}
	}
	m := newCostModel([]probe{{outcome: outcome{task: gridTasks(1)[0]}, seconds: 1},
		{outcome: outcome{task: gridTasks(1)[0]}, seconds: 9}})
	if got := m.seconds(nil); got < 4.999 || got > 5.001 {
		t.Errorf("%v s, want 5", got)
	}
}

// Several replications of a point are probed where points are few, and their mean counts: each
// begins with other jobs.
func TestForecastProbesReplications(t *testing.T) {
	var tasks []task
	for _, x := range gridTasks(2) {
		for n := range 5 {
			tasks = append(tasks, task{point: x.point, replication: n, extra: &sim.Extra{}})
		}
	}
	r := Runner{Workers: 1, Folder: &Folder{}}
	f := r.countRuns(&Results{Study: &study.Study{}}, tasks)
	var probes []probe
	for _, x := range f.sample() {
		if x.replication > 2 {
			t.Errorf("replication %d is probed", x.replication)
		}
		probes = append(probes, probe{outcome: outcome{task: x}, share: 0.5,
			seconds: float64(1 + x.replication)})
	}
	if len(probes) != 6 {
		t.Fatalf("%d probes, want 3 of each of 2 points", len(probes))
	}
	if f.estimateTime(tasks, probes); f.Seconds != 20 || f.Probed != 2 || f.Seen != 0.5 {
		t.Errorf("%+v, want 10 runs of 2 s from probes of 1, 2 and 3 s", f)
	}
}

// steady makes runs that take a known time, and more at greater loads, after
// a setup, and notes which began and which ended.
type steady struct {
	mu          sync.Mutex
	begun, made map[string]int
	soon        bool // runs take no time
}

// newSteady returns a steady that has made no run.
func newSteady() *steady { return &steady{begun: map[string]int{}, made: map[string]int{}} }

// count counts a run in some map.
func (s *steady) count(in map[string]int, run string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	in[run]++
}

// run is a RunFunc: 100 steps of 10 ms times the load, of which a quarter is work.
func (s *steady) run(
	ctx context.Context, plan *config.Plan, replication int, x *sim.Extra,
) (metrics.Result, error) {
	const steps = 100
	load := 1 / plan.Workload.Synthetic.Interarrival.Mean // of a service mean of 1
	each := time.Duration(load * float64(10*time.Millisecond))
	run := fmt.Sprint(load, plan.Allocator, replication)
	s.count(s.begun, run)
	x.Gauge.Begin()
	for i := range steps {
		if s.soon {
			break
		}
		if x.Gauge.Update(ctx, int64(i), steps) {
			return metrics.Result{}, ctx.Err()
		}
		for began := time.Now(); time.Since(began) < each/40; {
		}
		time.Sleep(each * 3 / 40) // as where other programs have the processors
	}
	s.count(s.made, run)
	return metrics.Result{Metrics: []metrics.Metric{{Name: "wait_time", Value: load}}}, nil
}

// steadyStudy has two loads, of 0.05 s and 0.8 s a run, and two allocators.
const steadyStudy = `
name = "steady"
primary = ["wait_time"]
[job]
run = "fixed"
[runs]
replications = 4
[[axes]]
key = "workload.system_load"
values = [0.5, 8]
[[axes]]
key = "allocator"
values = ["mbs", "random"]
`

// 2 allocators, 4 replications: 8 runs of 0.05 s and 8 of 0.8 s, a quarter of which is work: 1.7 s
// of processor time, and 6.8 s by the clock.
func TestDryRunForetells(t *testing.T) {
	st, s := mustParseSmall(t, steadyStudy), newSteady()
	dir := t.TempDir() + "/none"
	folder := must.Have(PeekFolder(dir, st, "test", config.Builtin()))
	r := Runner{Names: config.Builtin(), Run: s.run, Workers: 4, Folder: folder,
		Log: slog.New(slog.DiscardHandler)}
	f := must.Have(r.ForecastStudy(t.Context(), st))
	if f.Points != 4 || f.Runs != 16 || f.New != 16 || f.Done != 0 || f.MaxRuns != 16 ||
		f.Probed != 4 {
		t.Errorf("%+v", f)
	}
	if all := f.Seconds * float64(min(4, runtime.NumCPU())); all < 0.4 || all > 3.4 {
		t.Errorf("%v s of processor time, want 1.7 within a factor of 2, less on a busy machine", all)
	}
	if input.Exists(dir) {
		t.Error("the folder was made")
	}
}

// Each run begins once, also those from which the forecast is made, and the results are those of a
// study without a forecast, which comes before the runs that are longer than a probe have ended.
func TestForecastTakesNoRunTwice(t *testing.T) {
	var texts []string
	for _, probes := range []bool{false, true} {
		st, s := mustParseSmall(t, steadyStudy), newSteady()
		s.soon = !probes
		dir := t.TempDir()
		folder := must.Have(OpenFolder(written.In(dir), st, "test", config.Builtin()))
		var forecasts []*Forecast
		r := Runner{Names: config.Builtin(), Run: s.run, Workers: 4, Folder: folder,
			Progress: &Progress{}, Log: slog.New(slog.DiscardHandler)}
		if probes {
			r.OnForecast = func(f *Forecast) {
				if forecasts = append(forecasts, f); len(s.begun) < 12 || len(s.made) >= 12 {
					t.Errorf("the forecast comes when %d runs have begun and %d ended", len(s.begun),
						len(s.made))
				}
			}
		}
		results := must.Have(r.Study(t.Context(), st))
		must.Have(0, folder.Finish(results))
		for key, n := range s.begun {
			if n != 1 {
				t.Errorf("%s was begun %d times", key, n)
			}
		}
		if len(s.made) != 16 || probes != (len(forecasts) == 1) || probes &&
			forecasts[0].Probed != 4 {
			t.Errorf("%d runs, forecasts %+v", len(s.made), forecasts)
		}
		if runs, planned := r.Progress.Status(); runs != 16 || planned != 16 {
			t.Errorf("%v of %d runs", runs, planned)
		}
		texts = append(texts, configtest.ReadTree(t, dir)["/"+RunsFile])
	}
	if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
		t.Error(diff)
	}
}

// A study that is interrupted while runs are held ends them, and keeps those that have ended.
func TestInterruptedStudyEndsHeldRuns(t *testing.T) {
	st, s := mustParseSmall(t, steadyStudy), newSteady()
	ctx, stop := context.WithCancel(t.Context())
	r := Runner{Names: config.Builtin(), Run: s.run, Workers: 4, Folder: NewMemory("test"),
		Log: slog.New(slog.DiscardHandler), OnForecast: func(*Forecast) { stop() }}
	results, err := r.Study(ctx, st)
	if err != context.Canceled {
		t.Errorf("the error is %v", err)
	}
	done, all := results.Wanted()
	if done != len(s.made) || done == 0 || len(s.begun) == done || len(s.begun) == all {
		t.Errorf("%d of %d runs are kept, %d have begun and %d ended", done, all, len(s.begun),
			len(s.made))
	}
}

// Where the memory in use is no small part of what is available, no more runs are held than there
// are workers.
func TestFewRunsAreHeldWithLittleMemory(t *testing.T) {
	used := make([]byte, 64<<20)
	defer runtime.KeepAlive(used)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(128 << 20))
	st, s := mustParseSmall(t, steadyStudy), newSteady()
	ctx, stop := context.WithCancel(t.Context())
	r := Runner{Names: config.Builtin(), Run: s.run, Workers: 2, Folder: NewMemory("test"),
		Log: slog.New(slog.DiscardHandler), OnForecast: func(*Forecast) {
			if held := len(s.begun) - len(s.made); held > 2 || len(s.begun) < 2 {
				t.Errorf("%d of %d runs are held", held, len(s.begun))
			}
			stop()
		}}
	if _, err := r.Study(ctx, st); err != context.Canceled {
		t.Error(err)
	}
}

func TestProgressCountsInsideOfRuns(t *testing.T) {
	tasks := gridTasks(4)
	p := &Progress{}
	p.plan(len(tasks))
	for i := range tasks[:2] {
		tasks[i].begin(p)
	}
	tasks[1].extra.Gauge.Show(1, 2)
	p.end(tasks[0], false)
	if runs, planned := p.Status(); runs != 1.5 || planned != 4 {
		t.Errorf("%v of %d runs", runs, planned)
	}
}

func TestForecastInWords(t *testing.T) {
	f := Forecast{Study: "s", Points: 40, Runs: 400, Done: 50, New: 350, MaxRuns: 400, Workers: 2,
		Seconds: 240, total: 470, Probed: 24, Seen: 0.3, firstRuns: gridTasks(35)}
	for i := range f.firstRuns {
		f.firstRuns[i].point.Spec = config.DefaultSpec()
	}
	if got, want := f.String(),
		"about 8 min of processor time, about 4 min on 2 workers, 350 runs "+
			"(probes of 24 of 35 points, 90% of studies take 0.5 to 2 times that)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	f.Seen = 0.014
	if got, want := f.String(), "about 8 min of processor time, about 4 min on 2 workers, 350 runs "+
		"(probes of 24 of 35 points, a guess, as they saw 1.4% of their work)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	spec := &f.firstRuns[34].point.Spec
	spec.Failures = make([]config.Failure, 1)
	if got := f.String(); !strings.Contains(got, "a guess, as queues of a network with failures") {
		t.Error(got)
	}
	spec.Network.Congestion = "dcqcn"
	if got := f.String(); !strings.Contains(got, "a guess, as rates of congestion control") {
		t.Error(got)
	}
	f.curves = true
	if got := f.String(); !strings.Contains(got, "at least 350 runs (probes of 24 of 35 points, of the first") {
		t.Error(got)
	}
	f.MaxRuns, f.Workers, f.Seconds = 2000, 1, 0
	if got, want := f.String(),
		"unknown time on 1 worker, at least 350 runs: no probe got far enough"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for seconds, want := range map[float64]string{0.5: "less than a second", 1.4: "about 1 s",
		100: "about 100 s", 1e4: "about 3 h", 3e5: "about 3 days"} {
		if got := roundTime(seconds); got != want {
			t.Errorf("%v s: %q, want %q", seconds, got, want)
		}
	}
}

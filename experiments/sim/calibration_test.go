package sim

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/input"
	"contend/internal/must"
	"contend/patterns"
	"contend/scheduler"
)

// nanoseconds is the rate of a clock of which a cycle is one.
const nanoseconds = 1e9

// iterationSpec is a log of one job that iterates, at nanoseconds a cycle.
func iterationSpec(
	t *testing.T, pattern string, iteration float64, seconds, size string,
) config.Spec {
	t.Helper()
	s := treeLog(t, configtest.SWFLine("1", "0", seconds, size))
	s.Job.Pattern, s.Job.Scale = configtest.Mix(pattern), 0.01
	s.Job.Iteration, s.Job.CyclesPerSecond = iteration, nanoseconds
	return s
}

// countIterations runs a job alone, and returns its time in seconds and its iterations.
func countIterations(t *testing.T, s config.Spec, size int) (seconds, iterations float64) {
	t.Helper()
	r, p := runOf(t, s), configtest.Plan(t, s).Job.Patterns[0].Config
	each := must.Have(patterns.MessagesPerIteration(p, size, nil))
	return r["service_time"], r["messages"] / float64(each)
}

// A job alone on the machine takes its run time within an iteration, and does as many iterations
// as have room in it, at the time scale of networks. Of a pattern that draws its partners only the
// mean iteration is known.
func TestIterationsFillTheRunTime(t *testing.T) {
	const iteration = 0.0004
	for _, pattern := range []string{"all-to-all", "near-neighbour", "n-body", "multigrid", "ring",
		"npb-ft:S", "npb-is:S", "npb-cg:S", "npb-mg:S", "npb-lu:S", "npb-bt:S", "all-reduce-tree"} {
		for _, size := range []int{4, 16} {
			s := iterationSpec(t, pattern, iteration, "0.1", fmt.Sprint(size))
			seconds, iterations := countIterations(t, s, size)
			if math.Abs(seconds-0.1) > iteration || math.Abs(iterations-250) > 1 {
				t.Errorf("%s, %d processes: runs %v s with %v iterations, want 0.1 and 250", pattern, size,
					seconds, iterations)
			}
		}
	}
	for _, pattern := range []string{"random", "one-to-all", "all-to-one", "broadcast-tree"} {
		s := iterationSpec(t, pattern, 2e-6, "0.001", "16")
		if seconds, _ := countIterations(t, s, 16); math.Abs(seconds/0.001-1) > 0.02 {
			t.Errorf("%s: runs %v s, want 0.001", pattern, seconds)
		}
	}
}

// Where messages alone take longer than an iteration should, nobody computes, and the job still
// takes its run time. The notes count such jobs and those that only compute.
func TestIterationsAsLongAsTheirMessages(t *testing.T) {
	s := iterationSpec(t, "all-to-all", 1e-7, "0.0001", "16")
	seconds, iterations := countIterations(t, s, 16)
	if math.Abs(seconds-0.0001) > 0.000003 || iterations < 2 || iterations >= 1000 {
		t.Errorf("runs %v s, want 0.0001, with %v iterations, want fewer than 1000", seconds, iterations)
	}
	checkNotes(t, s, "take longer than 1e-07 s in 1 of them", "0 of these 1 jobs only compute")

	s = iterationSpec(t, "all-to-all", 0.5, "0.25", "16")
	if seconds, iterations = countIterations(t, s, 16); seconds != 0.25 || iterations != 0 {
		t.Errorf("shorter than an iteration: runs %v s with %v iterations", seconds, iterations)
	}
	checkNotes(t, s, "1 of these 1 jobs only compute")

	s = iterationSpec(t, "npb-bt:S", 0.01, "0.25", "6")
	if seconds = runOf(t, s)["service_time"]; seconds != 0.25 {
		t.Errorf("a size that the pattern does not support: runs %v s", seconds)
	}
	checkNotes(t, s, "1 of these 1 jobs only compute, 1 because npb-bt:S does not run on that number")
}

// Years of nanoseconds do not overflow: iterations, quota and computing times add up to the run.
func TestIterationsOfYears(t *testing.T) {
	for _, c := range []struct {
		k   pacedKind
		run scheduler.Cycle
	}{
		{pacedKind{messages: 240, first: 417, further: 5e6 + 0.25, compute: 4_999_583}, 1e17},
		{pacedKind{messages: 1 << 20, first: 1e6, further: 1e6}, 3e15},
		{pacedKind{messages: 2, first: 19, further: 1000, compute: 981}, 1e14 + 1},
	} {
		var j scheduler.Job
		times, ok := c.k.fill(&j, c.run, 0)
		if !ok || times < 1e8 || j.Quota != times*c.k.messages {
			t.Errorf("%+v: %d iterations, quota %d", c, times, j.Quota)
		}
		rest := c.run - j.Lead - scheduler.Cycle(float64(times-1)*c.k.further+c.k.first)
		if j.Lead < 0 || float64(j.Lead) > c.k.further+16 || rest < -16 || rest > 16 {
			t.Errorf("%+v: lead %d, and %d cycles too few", c, j.Lead, rest)
		}
	}
	k := pacedKind{messages: 1 << 40, first: 1, further: 1}
	if _, ok := k.fill(&scheduler.Job{}, 1<<40, 0); ok {
		t.Error("2^80 messages are accepted")
	}
}

func TestIterationsThatAreNoCycles(t *testing.T) {
	for _, c := range []struct {
		iteration float64
		rate      input.Auto
		want      string
	}{
		{0.005, input.Automatic, "job.iteration is 0.005, less than a cycle at 1 cycle a second"},
		{1e-10, nanoseconds, "less than a cycle at 1000000000 cycles a second"},
		{1e6, nanoseconds, "1e+15 cycles at"},
	} {
		s := iterationSpec(t, "ring", c.iteration, "100", "4")
		s.Job.CyclesPerSecond = c.rate
		mustRefuse(t, s, c.want)
	}
}

// Three years of nanoseconds after the beginning of the log the network moves flits as it does at
// the beginning, in every engine.
func TestIterationsAfterYears(t *testing.T) {
	for _, engine := range []string{"cycle", "worm", "auto"} {
		for _, pattern := range []string{"all-to-all", "npb-lu:S"} {
			var times [2]float64
			for i, submit := range []string{"0", "100000000"} {
				s := treeLog(t, configtest.SWFLine("1", submit, "0.001", "3"),
					configtest.SWFLine("2", submit, "0.001", "16"), configtest.SWFLine("3", submit, "0.001", "16"))
				s.Allocator, s.Job.Pattern, s.Network.Engine = "sequential", configtest.Mix(pattern), engine
				s.Job.Iteration, s.Job.CyclesPerSecond = 5e-5, nanoseconds
				times[i] = runOf(t, s)["service_time"]
			}
			if times[0] != times[1] || times[0] < 0.001 {
				t.Errorf("%s, %s: jobs run %v s, after three years %v s", engine, pattern, times[0],
					times[1])
			}
		}
	}
}

// Jobs of several sizes and patterns each have their own computing times.
func TestIterationsOfSeveralKinds(t *testing.T) {
	s := treeLog(t, configtest.SWFLine("1", "0", "0.002", "4"),
		configtest.SWFLine("2", "1", "0.002", "16"), configtest.SWFLine("3", "2", "0.004", "4"),
		configtest.SWFLine("4", "3", "0.002", "1"))
	s.Job.Pattern, s.Job.Rules = configtest.Mix("n-body"), configtest.Rules("size 16: npb-cg:S")
	s.Job.Iteration, s.Job.CyclesPerSecond, s.Job.Scale = 1e-4, nanoseconds, 0.01
	_, x := rowsOf(t, s, withJobs)
	got := jobColumn(t, x, "service_time")
	for i, want := range []float64{0.002, 0.002, 0.004, 0.002} {
		if math.Abs(got[i]-want) > 1e-4 {
			t.Errorf("job %d runs %v s, want %v", i+1, got[i], want)
		}
	}
}

// One job alone: behind a barrier all iterations of a ring are alike, and without one the times of
// the iterations sum up to that of the job.
func TestTimesOfIterations(t *testing.T) {
	s := configtest.Net(4, 4, 8)
	s.Workload.Jobs, s.Workload.Processors, s.Job.Pattern = 1, 16, configtest.Mix("ring")
	s.Job.Quota.Iterations, s.Iterations = 7, true
	got := runOf(t, s)
	each := got["service_time"] / 7
	wantMetrics(t, got, map[string]float64{"iteration_time": each, "iteration_time_p50": each,
		"iteration_time_p99": each})
	s.Job.Pattern, s.Job.Bytes = configtest.Mix("ring-exchange"), 64
	got = runOf(t, s)
	wantMetrics(t, got, map[string]float64{"iteration_time": got["service_time"] / 7})
	if got["iteration_time_p99"] < got["iteration_time"] {
		t.Errorf("99%% of iterations take at most %v cycles, the mean %v", got["iteration_time_p99"],
			got["iteration_time"])
	}
	s.Iterations = false
	if _, ok := runOf(t, s)["iteration_time"]; ok {
		t.Error("iterations are measured unasked")
	}
}

// The jobs that continue until the first is done are not among the iterations.
func TestIterationsAreThoseOfJobsThatCount(t *testing.T) {
	s := configtest.Net(4, 4, 8)
	s.Workload.Source, s.Workload.Processes, s.Workload.Jobs = "together", 4, 4
	s.Job.Pattern, s.Workload.Background = configtest.Mix("ring"), configtest.Mix("incast")
	s.Job.Quota.Iterations, s.Iterations = 5, true
	got := runOf(t, s)
	wantMetrics(t, got, map[string]float64{"iteration_time": got["service_time"] / 5})
}

// A full run of a benchmark has the messages of all its iterations, whatever the source of jobs.
func TestFullRunsOfBenchmarks(t *testing.T) {
	together := togetherSpec("npb-ft", "contiguous")
	together.Workload.Background = configtest.Mix("idle")
	log := treeLog(t, configtest.SWFLine("1", "0", "20000", "16"))
	synthetic := configtest.Tree()
	synthetic.Workload.Processors, synthetic.Workload.Jobs = 16, 1
	for source, s := range map[string]config.Spec{"together": together, "swf": log,
		"synthetic": synthetic} {
		s.Job.Pattern, s.Job.Scale = configtest.Mix("npb-ft:W"), 0.001
		if source == "synthetic" {
			s.Job.Quota.Processes = 16
		}
		s.Job.Quota = config.QuotaSpec{Distribution: "fixed", Benchmarks: 2,
			Processes: s.Job.Quota.Processes}
		c := patterns.Config{Name: "npb-ft", Class: "W"}
		each := must.Have(patterns.MessagesPerIteration(c, 16, nil))
		// Six iterations and the FFT before them, twice.
		if messages := runOf(t, s)["messages"]; messages != float64(2*7*each) {
			t.Errorf("%s: %v messages, want %d", source, messages, 2*7*each)
		}
	}
}

// With operations that take much longer than messages, a full run takes their time. More processes
// divide them.
func TestBenchmarksTakeTheTimeOfTheirOperations(t *testing.T) {
	const rate = 1e9 // flop/s, and cycles a second
	for _, name := range []string{"npb-ft", "npb-is", "npb-cg", "npb-lu", "npb-bt"} {
		for _, n := range []int{4, 16} {
			s := togetherSpec(name+":S", "contiguous")
			s.Workload.Background, s.Workload.Processes = configtest.Mix("idle"), n
			s.Job.Scale = 1e-9 // messages of a flit
			s.Job.Quota = config.QuotaSpec{Distribution: "fixed", Benchmarks: 1}
			s.Job.CyclesPerSecond = rate
			silent := runOf(t, s)["service_time"]
			s.Job.FlopRate = rate / 1000
			seconds := runOf(t, s)["service_time"]
			operations, _ := patterns.Operations(name, "S")
			want := operations / float64(n) / s.Job.FlopRate
			if name == "npb-lu" { // the wavefront crosses 10 planes and the grid of processes
				side := math.Sqrt(float64(n))
				want *= (10 + 2*(side-1)) / 10
			}
			// Nobody waits for the computation after the last message.
			if got := seconds - silent; got < 0.998*want || got > 1.001*want {
				t.Errorf("%s, %d processes: operations take %v s, want %v", name, n, got, want)
			}
		}
	}
}

// Jobs of a log whose iterations are those of a benchmark at a rate take their run times: the run
// time says how often they iterate.
func TestBenchmarksFillRunTimes(t *testing.T) {
	s := treeLog(t, configtest.SWFLine("1", "0", "0.1", "16"))
	s.Job.Pattern, s.Job.Scale = configtest.Mix("npb-cg:W"), 0.01
	s.Job.CyclesPerSecond, s.Job.FlopRate = 1e9, 1e9
	operations, _ := patterns.Operations("npb-cg", "W")
	iteration := operations / 15 / 16 / 1e9
	seconds, iterations := countIterations(t, s, 16)
	if math.Abs(seconds-0.1) > 1.5*iteration {
		t.Errorf("runs %v s, want 0.1 within an iteration of %v s", seconds, iteration)
	}
	if most := 0.1 / iteration; iterations > most+1 || iterations < most/2 {
		t.Errorf("%v iterations, and computing alone has room for %v", iterations, most)
	}
}

// A job alone on the machine and placed contiguously runs as long as in the log, to a cycle, for
// any share of communication. Codes, which compute between iterations, do as well: iterations that
// no longer overlap take a little more or less, at most 0.5% here. Jobs whose size the code does
// not support only compute.
func TestJobsAloneRunAsLongAsTheLogSays(t *testing.T) {
	for _, pattern := range []string{"all-to-all", "near-neighbour", "n-body", "multigrid", "npb-ft:S",
		"npb-is:S", "npb-cg:S", "npb-mg:S", "npb-lu:S", "npb-bt:S"} {
		code := strings.HasPrefix(pattern, "npb")
		logged, off, sizes := 20000.0, 2.0, []string{"2", "6", "16", "30"}
		if code {
			logged, off, sizes = 100000, 500, []string{"4", "16", "6"}
		}
		for _, share := range []float64{0, 0.1, 0.5, 0.9} {
			for _, size := range sizes {
				s := treeLog(t, configtest.SWFLine("1", "0", fmt.Sprint(logged), size))
				s.Job.Pattern, s.Job.Share = configtest.Mix(pattern), share
				if code {
					s.Job.Scale = 0.01
				}
				r := runOf(t, s)
				runs := !code || size != "6" || pattern == "npb-lu:S"
				if math.Abs(r["service_time"]-logged) > off || (share > 0 && runs) != (r["messages"] > 0) {
					t.Errorf("%s, %s processes, share %g: runs %v with %v messages", pattern, size, share,
						r["service_time"], r["messages"])
				}
				if !runs {
					checkNotes(t, s, "1 because "+pattern+" does not run on that number")
				}
			}
		}
	}
}

func TestSplitTime(t *testing.T) {
	for _, c := range []struct {
		run            scheduler.Cycle
		share, cycles  float64
		phases         int64
		times          int64
		quota          int64
		lead, computes scheduler.Cycle
	}{
		{1000, 0.5, 100, 2, 5, 30, 50, 50},
		{1000, 0.5, 90, 2, 6, 36, 42, 38},   // 460 over 12 phases: 38 each, 4 more at first
		{1000, 1, 300, 1, 3, 18, 34, 33},    // 3.3 iterations
		{1000, 0.9, 700, 1, 1, 6, 300, 300}, // as near as there is
		{50, 1, 100, 1, 0, 0, 50, 0},
		{0, 1, 100, 1, 0, 0, 1, 0},
		{1000, 0, 100, 3, 0, 0, 1000, 0},
	} {
		var j scheduler.Job
		k := pacedKind{messages: 6, communicating: c.cycles, phases: c.phases}
		times, _ := k.fill(&j, c.run, c.share)
		if times != c.times || j.Quota != c.quota || j.Lead != c.lead || j.Compute != c.computes {
			t.Errorf("%+v: %d iterations, quota %d, lead %d, compute %d", c, times, j.Quota, j.Lead,
				j.Compute)
		}
	}
}

// Replications are windows of the log.
func TestWindowsOfALog(t *testing.T) {
	s := treeLog(t, configtest.SWFLine("1", "0", "100", "1"),
		configtest.SWFLine("2", "5", "200", "1"), configtest.SWFLine("3", "9", "300", "1"),
		configtest.SWFLine("4", "10", "400", "1"),
		configtest.SWFLine("5", "11", "500", "1"))
	s.Job = config.DefaultSpec().Job
	s.Job.Run, s.Workload.Start, s.Workload.Window, s.Workload.Jobs = "fixed", 1, 2, 1
	for replication, want := range []float64{200, 400} {
		if service, _ := mustRun(t, s, replication).Value("service_time"); service != want {
			t.Errorf("replication %d: a run time of %v, want %v", replication, service, want)
		}
	}
}

// The assumed speedup applies to contiguous placement.
func TestSpeedupIsThatOfContiguousPlacement(t *testing.T) {
	s := treeLog(t, configtest.SWFLine("1", "0", "100", "4"),
		configtest.SWFLine("2", "0", "100", "1"))
	s.Job = config.DefaultSpec().Job
	s.Job.Run, s.Job.AssumedSpeedup = "fixed", 40
	for allocator, want := range map[string]float64{"sequential": 100, "random": 100, "contiguous": 80,
		"quasi-contiguous": 80} {
		s.Allocator = allocator
		if service := runOf(t, s)["service_time"]; service != want {
			t.Errorf("%s: mean run time %v, want %v", allocator, service, want)
		}
	}
}

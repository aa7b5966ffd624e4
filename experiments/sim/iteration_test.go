package sim

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/internal/input"
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
	s := shareSpec(t, configtest.SWFLine("1", "0", seconds, size))
	s.Job.Pattern, s.Job.Scale = configtest.Mix(pattern), 0.01
	s.Job.Iteration, s.Job.CyclesPerSecond = iteration, nanoseconds
	return s
}

// countIterations runs a job alone, and returns its time in seconds and its iterations.
func countIterations(t *testing.T, s config.Spec, size int) (seconds, iterations float64) {
	t.Helper()
	r := mustRun(t, s, 0)
	plan := configtest.Plan(t, s)
	each, err := patterns.MessagesPerIteration(plan.Job.Patterns[0].Config, size, nil)
	if err != nil {
		t.Fatal(err)
	}
	seconds, _ = r.Value("service_time")
	messages, _ := r.Value("messages")
	return seconds, messages / float64(each)
}

// A job alone on the machine takes its run time within an iteration, and does as many iterations
// as have room in it, at the time scale of networks.
func TestIterationsFillTheRunTime(t *testing.T) {
	const iteration = 0.0004
	for _, pattern := range []string{"all-to-all", "near-neighbour", "n-body", "multigrid", "ring",
		"npb-ft:S", "npb-is:S", "npb-cg:S", "npb-mg:S", "npb-lu:S", "npb-bt:S", "all-reduce-tree"} {
		for _, size := range []int{4, 16} {
			s := iterationSpec(t, pattern, iteration, "0.1", fmt.Sprint(size))
			seconds, iterations := countIterations(t, s, size)
			if math.Abs(seconds-0.1) > iteration {
				t.Errorf("%s, %d processes: runs %v s", pattern, size, seconds)
			}
			if math.Abs(iterations-250) > 1 {
				t.Errorf("%s, %d processes: %v iterations, want 250", pattern, size, iterations)
			}
		}
	}
}

// Of a pattern that draws its partners only the mean iteration is known.
func TestDrawnIterationsFillTheRunTime(t *testing.T) {
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
	if math.Abs(seconds-0.0001) > 0.000003 {
		t.Errorf("runs %v s, want 0.0001", seconds)
	}
	if iterations < 2 || iterations >= 1000 {
		t.Errorf("%v iterations, want fewer than there would be of 100 ns", iterations)
	}
	checkNotes(t, s, "take longer than 1e-07 s in 1 of them", "0 of these 1 jobs only compute")

	s = iterationSpec(t, "all-to-all", 0.5, "0.25", "16")
	if seconds, iterations = countIterations(t, s, 16); seconds != 0.25 || iterations != 0 {
		t.Errorf("shorter than an iteration: runs %v s with %v iterations", seconds, iterations)
	}
	checkNotes(t, s, "1 of these 1 jobs only compute")

	s = iterationSpec(t, "npb-bt:S", 0.01, "0.25", "6")
	if seconds, _ = mustRun(t, s, 0).Value("service_time"); seconds != 0.25 {
		t.Errorf("a size that the pattern does not support: runs %v s", seconds)
	}
	checkNotes(t, s, "1 of these 1 jobs only compute, 1 because npb-bt:S does not run on that number")
}

// checkNotes looks for texts in the notes of a run.
func checkNotes(t *testing.T, s config.Spec, want ...string) {
	t.Helper()
	var sim Simulator
	notes, err := sim.Notes(configtest.Plan(t, s))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range want {
		if all := strings.Join(notes, "\n"); !strings.Contains(all, w) {
			t.Errorf("the notes lack %q:\n%s", w, all)
		}
	}
}

// The share of communication that the notes report is that of the time of the messages.
func TestShareOfIterations(t *testing.T) {
	s := iterationSpec(t, "ring", 1e-5, "0.1", "2")
	plan := configtest.Plan(t, s)
	sim := &Simulator{}
	w := &Work{}
	w.addPattern(plan.Job.Patterns[0].Config)
	cycles, _, err := sim.newAlone(plan, w).iteration(&scheduler.Job{Size: 2})
	if err != nil {
		t.Fatal(err)
	}
	checkNotes(t, s, fmt.Sprintf("communicate in %g of their processor time, in 10000 to 10000 "+
		"iterations", cycles/1e4))
}

// Years of nanoseconds do not overflow: iterations, quota and computing times add up to the run.
func TestIterationsOfYears(t *testing.T) {
	for _, c := range []struct {
		k   paced
		run scheduler.Cycle
	}{
		{paced{messages: 240, first: 417, further: 5e6 + 0.25, compute: 4_999_583}, 1e17},
		{paced{messages: 1 << 20, first: 1e6, further: 1e6}, 3e15},
		{paced{messages: 2, first: 19, further: 1000, compute: 981}, 1e14 + 1},
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
	k := paced{messages: 1 << 40, first: 1, further: 1}
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
		if err := configtest.Check(new(Simulator), s); !contains(err, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Jobs that meet take longer, those that compute for most of an iteration hardly.
func TestIterationsMeet(t *testing.T) {
	slower := func(iteration float64) float64 {
		s := shareSpec(t, configtest.SWFLine("1", "0", "0.0005", "3"),
			configtest.SWFLine("2", "0", "0.0005", "30"), configtest.SWFLine("3", "0", "0.0005", "30"))
		s.Allocator, s.Job.Pattern = "random", configtest.Mix("all-to-all")
		s.Job.Iteration, s.Job.CyclesPerSecond = iteration, nanoseconds
		v, _ := mustRun(t, s, 0).Value("service_time")
		return v / 0.0005
	}
	much, little := slower(5e-6), slower(2.5e-4)
	if !(little > 1 && much-1 > 3*(little-1)) {
		t.Errorf("iterations of 5 us: %v times as long as alone; of 250 us: %v times", much, little)
	}
}

// Three years of nanoseconds after the beginning of the log the network moves flits as it does at
// the beginning, in every engine.
func TestIterationsAfterYears(t *testing.T) {
	for _, engine := range []string{"cycle", "worm", "auto"} {
		for _, pattern := range []string{"all-to-all", "npb-lu:S"} {
			var times [2]float64
			for i, submit := range []string{"0", "100000000"} {
				s := shareSpec(t, configtest.SWFLine("1", submit, "0.001", "3"),
					configtest.SWFLine("2", submit, "0.001", "16"), configtest.SWFLine("3", submit, "0.001", "16"))
				s.Allocator, s.Job.Pattern, s.Network.Engine = "sequential", configtest.Mix(pattern), engine
				s.Job.Iteration, s.Job.CyclesPerSecond = 5e-5, nanoseconds
				times[i], _ = mustRun(t, s, 0).Value("service_time")
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
	s := shareSpec(t, configtest.SWFLine("1", "0", "0.002", "4"),
		configtest.SWFLine("2", "1", "0.002", "16"), configtest.SWFLine("3", "2", "0.004", "4"),
		configtest.SWFLine("4", "3", "0.002", "1"))
	s.Job.Pattern, s.Job.Rules = configtest.Mix("n-body"), configtest.Rules("size 16: npb-cg:S")
	s.Job.Iteration, s.Job.CyclesPerSecond, s.Job.Scale = 1e-4, nanoseconds, 0.01
	extra := &Extra{Records: metrics.Records{Jobs: true}}
	runOf(t, s, extra)
	at := slices.Index(metrics.JobTable.Names(), "service_time")
	for i, want := range []float64{0.002, 0.002, 0.004, 0.002} {
		got, err := strconv.ParseFloat(extra.JobRows[i][at], 64)
		if err != nil || math.Abs(got-want) > 1e-4 {
			t.Errorf("job %d runs %v s, %v, want %v", i+1, got, err, want)
		}
	}
}

package sim

import (
	"fmt"
	"math"
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

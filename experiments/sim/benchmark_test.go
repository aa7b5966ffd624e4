package sim

import (
	"math"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/must"
	"contend/patterns"
)

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

package sim

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/must"
	"contend/scheduler"
)

// fixedLog is the spec of a log that is run without a network on 8x8 nodes.
func fixedLog(t *testing.T, jobs [][3]float64) config.Spec {
	s := logSpec(writeLog(t, jobs), "all-to-all")
	s.Job.Run, s.Job.Quota, s.Allocator = "fixed", config.DefaultSpec().Job.Quota, "random"
	return s
}

// Every policy is known by its name. The waits of the jobs tell the policies apart.
func TestPolicies(t *testing.T) {
	// 60 of 64 nodes until 100; a job of 64, one of 8 and one of 4 that ends
	// after, one of 2 that ends before; then one of 30 that is longer.
	s := fixedLog(t, fiveJobs)
	for policy, want := range map[string][]float64{
		"fcfs":         {0, 99, 148, 147, 146},
		"easy":         {0, 99, 148, 0, 146},
		"conservative": {0, 99, 148, 0, 146},
		"sjf":          {0, 109, 158, 0, 96},   // the 8 at 100, the 64 at 110, the 4 at 160
		"cplant":       {0, 151, 0, 97, 96},    // the 64 last, once the 4 is done
		"cplant, 60 s": {0, 299, 118, 57, 116}, // at 60 the 2, at 120 the 4 and the 8
	} {
		s.Scheduler = config.DefaultSpec().Scheduler
		s.Scheduler.Policy = strings.TrimSuffix(policy, ", 60 s")
		if policy == "cplant" {
			s.Scheduler.PollSeconds = 0
		}
		_, x := rowsOf(t, s, withJobs)
		var waits []float64
		for _, l := range x.Lines {
			waits = append(waits, l.Fields[2])
		}
		if d := cmp.Diff(want, waits); d != "" {
			t.Errorf("%s: waits, -want +got:\n%s", policy, d)
		}
	}
}

// A killed job leaves a status and counts in a metric, and its run time ends.
func TestOnOverrunKill(t *testing.T) {
	var sim Simulator
	s := fixedLog(t, [][3]float64{{0, 100, 60}, {1, 50, 64}})
	l := must.Have(sim.readLog(&configtest.Plan(t, s).Workload))
	l.Lines[0].Fields[8] = 70
	s.Workload.Trace = t.TempDir() + "/short.swf"
	must.Have(0, scheduler.CreateSWF(s.Workload.Trace, nil, l.Lines))
	for action, want := range map[config.Overrun][2]float64{"extend": {100, 1}, "kill": {70, 5}} {
		s.Scheduler.OnOverrun = action
		r, x := rowsOf(t, s, withJobs)
		got := x.Lines
		if got[0].Fields[3] != want[0] || got[0].Fields[10] != want[1] || got[1].Fields[2] != want[0]-1 {
			t.Errorf("%s: %v", action, got)
		}
		if killed, ok := r["jobs_killed"]; ok != (action == "kill") || ok && killed != 1 {
			t.Errorf("%s: %v jobs killed, %v", action, killed, ok)
		}
	}
	s.Job.Run, s.Scheduler.OnOverrun = "messages", "kill"
	mustRefuse(t, s, "scheduler.on_overrun is kill with job.run = messages")
}

// Conservative backfilling plans with numbers of nodes, so it refuses contiguous allocators.
func TestConservativeNeedsCounts(t *testing.T) {
	for allocator, fits := range map[string]bool{"mbs": true, "random": true, "first-fit": false,
		"paging:1": false, "paging:0": true} {
		s := fixedLog(t, [][3]float64{{0, 100, 60}})
		s.Scheduler.Policy = "conservative"
		s.Allocator = allocatorOf(allocator)
		if err := configtest.Check(&Simulator{}, s); (err == nil) != fits {
			t.Errorf("%s: %v", allocator, err)
		}
	}
}

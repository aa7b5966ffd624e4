package sim

import (
	"math"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
)

// A job alone is slowed by nobody, and at its contiguous place by nothing. At nodes of a subtree of
// their own, jobs are not slowed by each other. Scattered ones are, and by their places; the
// product of both is service time over that of the contiguous place.
func TestSlowdownsOfJobsAlone(t *testing.T) {
	lone := togetherSpec("fft", "contiguous")
	lone.Workload.Background = configtest.Mix("idle")
	var contiguous float64
	apart := togetherSpec("fft", "contiguous")
	for name, s := range map[string]config.Spec{"lone": lone, "apart": apart} {
		if _, ok := runOf(t, s)["slowdown_by_others"]; ok {
			t.Errorf("%s: slowdowns are measured unasked", name)
		}
		s.Alone = true
		r := runOf(t, s)
		if r["slowdown_by_others"] != 1 || r["slowdown_by_placement"] != 1 {
			t.Errorf("%s: slowed %v times by others and %v times by the place", name,
				r["slowdown_by_others"], r["slowdown_by_placement"])
		}
		contiguous = r["service_time"]
	}
	s := togetherSpec("fft", "scattered")
	s.Alone = true
	r, x := rowsOf(t, s, withJobs)
	if r["slowdown_by_others"] < 1.1 || r["slowdown_by_placement"] < 1.1 {
		t.Errorf("scattered: slowed %v times by others and %v times by the place",
			r["slowdown_by_others"], r["slowdown_by_placement"])
	}
	byOthers := jobColumn(t, x, "slowdown_by_others")
	byPlace := jobColumn(t, x, "slowdown_by_placement")
	for i, service := range jobColumn(t, x, "service_time") {
		if got := byOthers[i] * byPlace[i]; math.Abs(got*contiguous/service-1) > 1e-5 {
			t.Errorf("job %d takes %v and %v alone at a contiguous place; its slowdowns make %v", i,
				service, contiguous, got)
		}
	}
}

// jumpedSpec is six jobs of some hundred iterations at random nodes of a mesh, which are submitted
// within few cycles, so that schedules do not depend on service times.
func jumpedSpec(pattern string, seed int64, fastForward float64) config.Spec {
	s := config.DefaultSpec()
	s.Machine.Dims, s.Network.BufferFlits, s.Workload.Jobs = []int{10, 10}, 4, 6
	s.Workload.Side = config.SideSpec{Distribution: "uniform", Min: 2, Max: 4}
	s.Workload.Interarrival = config.InterarrivalSpec{Distribution: "exponential", Mean: 500}
	s.Job.Pattern, s.Job.Flits, s.Job.ComputeCycles = configtest.Mix(pattern), 16, 100
	s.Job.Quota = config.QuotaSpec{Distribution: "exponential", Iterations: 400}
	s.Scheduler.Policy, s.Allocator = "fcfs", "random"
	s.Seed, s.FastForward = seed, fastForward
	return s
}

// A job that meets no other takes as long as alone, also under a routing that draws for each
// packet: its draws are the same. Links have one virtual channel, so that no arbiter remembers
// earlier jobs.
func TestAJobThatMeetsNobodyDrawsAsAlone(t *testing.T) {
	s := jumpedSpec("all-to-all", 3, 0)
	s.Machine, s.Workload.Processors = configtest.Tree().Machine, 8
	s.Network.Routing, s.Workload.Jobs, s.Job.Quota.Iterations = "random", 5, 4
	s.Workload.Interarrival.Mean, s.Alone = 1e6, true
	_, x := rowsOf(t, s, withJobs)
	for _, v := range jobColumn(t, x, "slowdown_by_others") {
		if v != 1 {
			t.Errorf("%v times as long as alone, want 1", v)
		}
	}
}

// Slowdowns of jobs that jump over time are within their intervals of those of the full simulation,
// in 95 of 100 jobs if the intervals are right, and equal where nothing is an estimate.
func TestSlowdownsOfJobsThatJump(t *testing.T) {
	all, holds, means := 0, 0, 0
	for i, pattern := range []string{"ring", "n-body", "near-neighbour", "random", "one-to-all"} {
		s := jumpedSpec(pattern, int64(100+i), 0)
		s.Alone = true
		full, inFull := rowsOf(t, s, withJobs)
		s.FastForward = 0.02
		jumped, x := rowsOf(t, s, withJobs)
		for _, name := range []string{"slowdown_by_others", "slowdown_by_placement"} {
			got, half := jobColumn(t, x, name), jobColumn(t, x, name+"_error")
			none := jobColumn(t, inFull, name+"_error")
			for j, want := range jobColumn(t, inFull, name) {
				off := math.Abs(got[j] - want)
				if half[j] == 0 && off > 0 {
					t.Errorf("%s: %s of job %d is off by %v without an interval", pattern, name, j+1, off)
				}
				if half[j] > 0 {
					all++
				}
				if half[j] > 0 && off <= half[j] {
					holds++
				}
				if !math.IsNaN(none[j]) {
					t.Errorf("%s: job %d that is simulated in full has an interval", pattern, j+1)
				}
			}
			if math.Abs(jumped[name]-full[name]) <= jumped[name]*jumped[name+"_error"]/100+1e-6 {
				means++
			}
		}
	}
	if all < 8 || holds < all*9/10 || means < 9 {
		t.Errorf("%d of %d slowdowns of jobs and %d of 10 means are within their intervals", holds, all,
			means)
	}
}

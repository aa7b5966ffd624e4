package sim

import (
	"context"
	"math"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/router/topology"
	"contend/scheduler"
)

// slowdownsOf returns the slowdowns of a run and its jobs.
func slowdownsOf(t *testing.T, s config.Spec) (others, place float64, x *Extra) {
	t.Helper()
	s.Alone = true
	x = &Extra{Records: metrics.Records{Jobs: true}}
	r := runOf(t, s, x)
	return r["slowdown_by_others"], r["slowdown_by_placement"], x
}

// A job alone is slowed by nobody, and at its contiguous place by nothing. At nodes of a subtree of
// their own, jobs are not slowed by each other. Scattered ones are, and by their places; the
// product of both is service time over that of the contiguous place.
func TestSlowdownsOfJobsAlone(t *testing.T) {
	lone := togetherSpec("fft", "contiguous")
	lone.Workload.Background = configtest.Mix("idle")
	apart := togetherSpec("fft", "contiguous")
	for name, s := range map[string]config.Spec{"lone": lone, "apart": apart} {
		if others, place, _ := slowdownsOf(t, s); others != 1 || place != 1 {
			t.Errorf("%s: slowed %v times by others and %v times by the place", name, others, place)
		}
	}
	contiguous := column(t, metrics.JobTable.Names(), func() [][]string {
		_, _, x := slowdownsOf(t, lone)
		return x.JobRows
	}(), "service_time")[0]
	others, place, x := slowdownsOf(t, togetherSpec("fft", "scattered"))
	if others < 1.1 || place < 1.1 {
		t.Errorf("scattered: slowed %v times by others and %v times by the place", others, place)
	}
	of := func(name string) []float64 { return column(t, metrics.JobTable.Names(), x.JobRows, name) }
	service, byOthers, byPlace := of("service_time"), of("slowdown_by_others"),
		of("slowdown_by_placement")
	for i := range service {
		if got := byOthers[i] * byPlace[i]; math.Abs(got*contiguous/service[i]-1) > 1e-5 {
			t.Errorf("job %d takes %v and %v alone at a contiguous place; its slowdowns make %v", i,
				service[i],
				contiguous, got)
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

// A job that meets no other takes as long as alone, also under a routing that draws for each packet:
// its draws are the same. Links have one virtual channel, so that no arbiter remembers earlier jobs.
func TestAJobThatMeetsNobodyDrawsAsAlone(t *testing.T) {
	s := jumpedSpec("all-to-all", 3, 0)
	s.Machine, s.Workload.Processors = configtest.Tree().Machine, 8
	s.Network.Routing, s.Workload.Jobs, s.Job.Quota.Iterations = "random", 5, 4
	s.Workload.Interarrival.Mean, s.Alone = 1e6, true
	x := &Extra{Records: metrics.Records{Jobs: true}}
	runOf(t, s, x)
	for _, v := range column(t, metrics.JobTable.Names(), x.JobRows, "slowdown_by_others") {
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
		var jobs, runs [2]map[string][]float64
		for k, fastForward := range []float64{0, 0.02} {
			x := &Extra{Records: metrics.Records{Jobs: true}}
			s := jumpedSpec(pattern, int64(100+i), fastForward)
			s.Alone = true
			jobs[k], runs[k] = map[string][]float64{}, map[string][]float64{}
			for name, v := range runOf(t, s, x) {
				runs[k][name] = []float64{v}
			}
			for _, name := range metrics.JobTable.Names() {
				if strings.HasPrefix(name, "slowdown") || strings.HasPrefix(name, "service") {
					jobs[k][name] = column(t, metrics.JobTable.Names(), x.JobRows, name)
				}
			}
		}
		for _, name := range []string{"slowdown_by_others", "slowdown_by_placement"} {
			for j, want := range jobs[0][name] {
				off, half := math.Abs(jobs[1][name][j]-want), jobs[1][name+"_error"][j]
				if half == 0 && off > 0 {
					t.Errorf("%s: %s of job %d is off by %v without an interval", pattern, name, j+1, off)
				}
				if half > 0 {
					all++
				}
				if half > 0 && off <= half {
					holds++
				}
				if !math.IsNaN(jobs[0][name+"_error"][j]) {
					t.Errorf("%s: job %d that is simulated in full has an interval", pattern, j+1)
				}
			}
			want, got, half := runs[0][name][0], runs[1][name][0], runs[1][name+"_error"][0]
			if math.Abs(got-want) <= got*half/100+1e-6 {
				means++
			}
			t.Logf("%s: %s %v, in full %v, off by %.3g%% of %.3g%%", pattern, name, got, want,
				100*math.Abs(got/want-1), half)
		}
	}
	if all < 8 || holds < all*9/10 || means < 9 {
		t.Errorf("%d of %d slowdowns of jobs and %d of 10 means are within their intervals", holds, all,
			means)
	}
}

// A run that is stopped while it measures a job alone, such as one that forecasts, leaves other runs
// of the simulator what they need.
func TestSlowdownsAfterARunThatIsStopped(t *testing.T) {
	s := jumpedSpec("ring", 1, 0.02)
	s.Alone = true
	var sim Simulator
	if err := configtest.Check(&sim, s); err != nil {
		t.Fatal(err)
	}
	plan := configtest.Plan(t, s)
	u, err := sim.Prepare(plan, 0)
	if err != nil {
		t.Fatal(err)
	}
	job := &scheduler.Job{ID: 1, Size: 4, Quota: 1000}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := sim.timeOn(stopped, plan, u.Work, 0, job, []topology.Node{0, 1, 2, 3}); err == nil {
		t.Error("it is not stopped")
	}
	got, err := sim.timeOn(t.Context(), plan, u.Work, 0, job, []topology.Node{0, 1, 2, 3})
	if err != nil || got.Value == 0 {
		t.Errorf("then it takes %v: %v", got, err)
	}
}

// Without runs.alone no run has slowdowns.
func TestSlowdownsAreAskedFor(t *testing.T) {
	r := runOf(t, togetherSpec("fft", "contiguous"), nil)
	if v, ok := r["slowdown_by_others"]; ok {
		t.Errorf("slowdown_by_others is %v", v)
	}
}

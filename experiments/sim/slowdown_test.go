package sim

import (
	"math"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/scheduler"
)

// The bounded slowdown of a job of a log is measured against its run time in the log, although
// the network slows the job down.
func TestBoundedSlowdownIsOverLoggedTimes(t *testing.T) {
	s := treeLog(t, configtest.SWFLine("1", "0", "400", "5"),
		configtest.SWFLine("2", "0", "300", "5"), configtest.SWFLine("3", "0", "6", "4"),
		configtest.SWFLine("4", "7", "90", "9"))
	s.Job.Pattern = configtest.Mix("all-to-all")
	s.Job.Quota = config.QuotaSpec{Distribution: "fixed", PerSecond: 3}
	s.Job.Share, s.Allocator = 1, "random"
	s.Network.FlitCycles = 3
	logged := map[float64]float64{1: 400, 2: 300, 3: 6, 4: 90}
	r, x := rowsOf(t, s, withJobs)
	ids, submits, services := jobColumn(t, x, "job"), jobColumn(t, x, "submit"),
		jobColumn(t, x, "service_time")
	over, slowed := 0.0, false
	for i, end := range jobColumn(t, x, "end") {
		response, service, run := end-submits[i], services[i], logged[ids[i]]
		over += max(1, response/max(run, 10)) / 4
		slowed = slowed || math.Abs(service-run) > 0.2*run
	}
	if !slowed {
		t.Fatal("no job takes another time than the log says, so the test sees nothing")
	}
	if got := r["bounded_slowdown"]; math.Abs(got-over) > 1e-3*over {
		t.Errorf("the bounded slowdown is %v, by the jobs %v", got, over)
	}
}

// The slowdown of a job without a run time is measured against its messages alone on the
// machine. A job by itself has a slowdown of 1 on any network.
func TestBoundedSlowdownOfGeneratedJobs(t *testing.T) {
	s := config.DefaultSpec()
	s.Machine.Dims, s.Workload.Jobs = []int{8, 8}, 12
	s.Workload.Side = config.SideSpec{Distribution: "fixed", Value: 4, Min: 1, Outside: "clamp",
		Round: "none"}
	s.Job.Pattern, s.Network.RoutingCycles = configtest.Mix("all-to-all"), 9
	s.Workload.Interarrival.Mean = 1e6 // one at a time
	r := runOf(t, s)
	if got := r["bounded_slowdown"]; math.Abs(got-1) > 0.01 {
		t.Errorf("jobs that are alone have a slowdown of %v", got)
	}
	s.Workload.Interarrival.Mean, s.Allocator = 1, "random"
	crowded := runOf(t, s)
	over := crowded["response_time"] / crowded["service_time"]
	if got := crowded["bounded_slowdown"]; got < 1.5*over {
		t.Errorf("among others, placed at random, %v; over service times %v", got, over)
	}
}

// The undisturbed time of a job is proportional to its quota, to the nearest cycle, also for
// parts of iterations.
func TestUndisturbedTimeIsProportional(t *testing.T) {
	s := config.DefaultSpec()
	s.Job.Pattern = configtest.Mix("all-to-all")
	var sim Simulator
	u, err := sim.Prepare(configtest.Plan(t, s), 0)
	if err != nil {
		t.Fatal(err)
	}
	r := run{Simulator: &sim, ctx: t.Context(), plan: configtest.Plan(t, s), Setup: u,
		extra: &Extra{}}
	undisturbed := r.undisturbedTimes()
	cycles := func(quota int64) scheduler.Cycle {
		return undisturbed(&scheduler.Record{Job: &scheduler.Job{ID: 1, Size: 9, Shape: []int{3, 3},
			Quota: quota}})
	}
	iteration := cycles(72)
	for _, quota := range []int64{1, 18, 36, 40, 100, 720} {
		want := scheduler.Cycle(math.Round(float64(iteration) * float64(quota) / 72))
		if got := cycles(quota); iteration < 72 || max(got-want, want-got) > 1+scheduler.Cycle(quota/72) {
			t.Errorf("%d messages take %d cycles, want about %d: an iteration of 72 takes %d", quota, got,
				want, iteration)
		}
	}
}

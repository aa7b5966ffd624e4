package sim

import (
	"testing"

	"contend/experiments/config/configtest"
)

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

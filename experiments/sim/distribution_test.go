package sim

import (
	"context"
	"errors"
	"math"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/input"
)

// fcfsLog is a log on 64 processors under FCFS: jobs of submission, run time and processors.
func fcfsLog(t *testing.T, jobs [][3]float64) config.Spec {
	s := fixedLog(t, jobs)
	s.Scheduler.Policy = "fcfs"
	return s
}

// wantMetrics compares metrics with numbers worked out by hand.
func wantMetrics(t *testing.T, got, want map[string]float64) {
	t.Helper()
	for name, x := range want {
		y, ok := got[name]
		if !ok || math.Abs(y-x) > 1e-12*math.Abs(x) {
			t.Errorf("%s is %v, by hand %v", name, y, x)
		}
	}
}

// Five jobs by hand: the first runs from 0 to 100, the second from 100 to 150, the others
// start together at 150 and end at 300, 170 and 160. So they wait 0, 99, 148, 147 and 146
// and respond in 100, 149, 298, 167 and 156; their slowdowns are 1, 149/50, 298/150, 167/20
// and 156/10.
var fiveJobs = [][3]float64{{0, 100, 60}, {1, 50, 64}, {2, 150, 4}, {3, 20, 2}, {4, 10, 8}}

func TestPercentilesByHand(t *testing.T) {
	wantMetrics(t, runOf(t, fcfsLog(t, fiveJobs)), map[string]float64{
		"wait_time_p50": 146, "wait_time_p90": 148, "wait_time_p99": 148,
		"response_time_p50": 156, "response_time_p90": 298, "response_time_p99": 298,
		"bounded_slowdown_p50": 149.0 / 50, "bounded_slowdown_p90": 15.6,
		"bounded_slowdown_p99": 15.6,
	})
}

// The same jobs by class: 60 processors are of the class from 32, 64 of its own.
func TestSizeClassesByHand(t *testing.T) {
	s := fcfsLog(t, append(fiveJobs, [3]float64{1000, 30, 3}))
	s.SizeClasses = true
	got := runOf(t, s)
	wantMetrics(t, got, map[string]float64{
		"jobs_size_2": 2, "wait_time_size_2": 147.0 / 2, "response_time_size_2": (167 + 30) / 2.0,
		"service_time_size_2": 25, "bounded_slowdown_size_2": (8.35 + 1) / 2,
		"jobs_size_4": 1, "wait_time_size_4": 148, "bounded_slowdown_size_4": 298.0 / 150,
		"wait_time_size_8": 146, "wait_time_size_32": 0, "response_time_size_32": 100,
		"wait_time_size_64": 99, "service_time_size_64": 50,
	})
	if _, ok := got["jobs_size_16"]; ok {
		t.Error("a class without jobs has metrics")
	}
	s.SizeClasses = false
	if _, ok := runOf(t, s)["jobs_size_2"]; ok {
		t.Error("classes are measured unasked")
	}
}

// Four jobs by hand: all 64 processors from 0 to 100, 32 from 100 to 200, 32 from 120 to 220,
// 16 from 200 to 300. Without the first, from the submission of the second at 50 to that of
// the fourth at 200, 50·64 + 100·32 + 80·32 of 150·64 processor seconds are used.
func TestTrimByHand(t *testing.T) {
	s := fcfsLog(t, [][3]float64{{0, 100, 64}, {50, 100, 32}, {120, 100, 32}, {200, 100, 16}})
	whole := runOf(t, s)
	if _, ok := whole["measured_utilization"]; ok {
		t.Error("nothing is trimmed, and there is a measured_utilization")
	}
	s.WarmupJobs = 1
	warm := runOf(t, s)
	wantMetrics(t, warm, map[string]float64{"wait_time": 50.0 / 3,
		"wait_time_p50": 0, "wait_time_p90": 50, "response_time": 350.0 / 3,
		"measured_utilization": 100 * 8960.0 / 9600})
	s.CooldownJobs = 1
	wantMetrics(t, runOf(t, s), map[string]float64{"wait_time": 25,
		"response_time": 125, "bounded_slowdown": 1.25,
		"measured_utilization": 100.0 * (50*64 + 20*32) / (70 * 64)})
	for _, name := range []string{"finish_time", "makespan", "utilization", "jobs",
		"internal_fragmentation"} {
		if warm[name] != whole[name] {
			t.Errorf("%s is %v of a trimmed run, %v of a whole one", name, warm[name], whole[name])
		}
	}
}

// Who counts goes by the order of submission and not by that of the ends: the first job ends
// last.
func TestTrimGoesBySubmission(t *testing.T) {
	s := fcfsLog(t, [][3]float64{{0, 900, 8}, {10, 20, 8}, {20, 30, 8}})
	s.WarmupJobs = 1
	wantMetrics(t, runOf(t, s), map[string]float64{"service_time": 25})
}

// A trim that leaves no job is refused before the run, and by it.
func TestTrimOfAllIsRefused(t *testing.T) {
	s := fcfsLog(t, fiveJobs)
	s.WarmupJobs, s.CooldownJobs = 3, 2
	var sim Simulator
	var bad *input.Error
	if err := configtest.Check(&sim, s); !errors.As(err, &bad) || bad.Key != "runs.warmup_jobs" {
		t.Errorf("the check says %v", err)
	}
	if _, err := configtest.Run(context.Background(), sim.Run, s, 0, nil); !errors.As(err, &bad) {
		t.Errorf("the run says %v", err)
	}
}

// Two neighbours that answer each other send one message at a time: every latency is the
// closed form's for one hop, and so is every percentile.
func TestLatencyPercentilesOfLoneMessages(t *testing.T) {
	s := config.DefaultSpec()
	s.Machine.Dims, s.Workload.Jobs, s.Job.Pattern = []int{4, 4}, 1, configtest.Mix("ping-pong")
	s.Workload.Processors, s.Allocator = 2, "first-fit"
	u, err := new(Simulator).Prepare(configtest.Plan(t, s), 0)
	if err != nil {
		t.Fatal(err)
	}
	want := float64(u.net.Config().ZeroLoadLatency(1, s.Job.Flits))
	wantMetrics(t, runOf(t, s), map[string]float64{"latency": want, "latency_p50": want,
		"latency_p90": want, "latency_p99": want})
}

package sim

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/internal/input"
	"contend/internal/must"
	"contend/scheduler"
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
	sum := 0.0
	for _, size := range []string{"2", "4", "8", "32", "64"} {
		sum += got["jobs_size_"+size] * got["mean_pairwise_distance_size_"+size]
	}
	if mean := got["mean_pairwise_distance"]; !(mean > 0) || math.Abs(sum/got["jobs"]-mean) > 1e-9 {
		t.Errorf("the mean distance of classes is %v, of all jobs %v", sum/got["jobs"], mean)
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

// The rows of jobs say which count. By hand: the jobs wait 0, 50, 0 and 80 s, and of the second and
// the third the mean is 25, of all 32.5.
func TestRowsSayWhichJobsCount(t *testing.T) {
	s := fcfsLog(t, [][3]float64{{0, 100, 64}, {50, 100, 32}, {120, 100, 32}, {140, 100, 64}})
	for _, c := range []struct {
		warm, cool int
		counts     []string
		wait       float64
	}{
		{0, 0, []string{"true", "true", "true", "true"}, 32.5},
		{1, 1, []string{"false", "true", "true", "false"}, 25},
		{2, 0, []string{"false", "false", "true", "true"}, 40},
	} {
		s.WarmupJobs, s.CooldownJobs = c.warm, c.cool
		m, x := rowsOf(t, s, withJobs)
		got := cells(t, metrics.JobTable, texts(x, metrics.JobTable), "counts")
		if mean := meanOfCounted(t, x, "wait_time"); !slices.Equal(got, c.counts) || mean != c.wait ||
			m["wait_time"] != c.wait {
			t.Errorf("without %d and %d: %v, mean wait of those that count %v, of the run %v, want %v "+
				"and %v", c.warm, c.cool, got, mean, m["wait_time"], c.counts, c.wait)
		}
	}
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
	s.Workload.Side = scheduler.SideConfig{Distribution: "fixed", Value: 4, Min: 1, Outside: "clamp",
		Round: "none"}
	s.Job.Pattern, s.Network.RoutingCycles = configtest.Mix("all-to-all"), 9
	s.Workload.Interarrival.Mean = 1e6 // one at a time
	r := runWith(t, s, &Extra{Slowdown: true})
	if got := r["bounded_slowdown"]; math.Abs(got-1) > 0.01 {
		t.Errorf("jobs that are alone have a slowdown of %v", got)
	}
	s.Workload.Interarrival.Mean, s.Allocator = 1, "random"
	crowded := runWith(t, s, &Extra{Slowdown: true})
	over := crowded["response_time"] / crowded["service_time"]
	if got := crowded["bounded_slowdown"]; got < 1.5*over {
		t.Errorf("among others, placed at random, %v; over service times %v", got, over)
	}
}

// Where messages decide how long jobs take, a run simulates none of them alone unless bounded
// slowdowns are requested. All other metrics are the same.
func TestBoundedSlowdownsAreMeasuredOnRequest(t *testing.T) {
	s := configtest.Net(8, 8, 8)
	s.Workload.Jobs, s.Job.Pattern, s.SizeClasses = 20, configtest.Mix("all-to-all"), true
	simulated := func(s config.Spec, x *Extra) (map[string]float64, bool) {
		s.Normalize()
		var sim Simulator
		r, m := must.Have(configtest.Run(t.Context(), sim.Run, s, 0, x)), map[string]float64{}
		for _, v := range r.Metrics {
			m[v.Name] = v.Value
		}
		if has := !r.LacksSlowdown(); has != (m["bounded_slowdown"] > 0) {
			t.Errorf("lacks the slowdown: %v, and it is %v", !has, m["bounded_slowdown"])
		}
		return m, len(sim.memos.iterations.values) > 0
	}
	without, any := simulated(s, &Extra{})
	with, some := simulated(s, &Extra{Slowdown: true})
	if any || !some {
		t.Errorf("jobs were simulated alone: %v without a request, %v with one", any, some)
	}
	n := 0
	for name := range with {
		if metrics.OfSlowdown(name) {
			delete(with, name)
			n++
		}
	}
	if diff := cmp.Diff(with, without); diff != "" || n < 6 { // mean, percentiles, classes
		t.Errorf("%d metrics of the slowdown, and others (-with +without):\n%s", n, diff)
	}
	alone, load, fixed := s, s, s
	alone.Alone, fixed.Job.Run = true, "fixed"
	load.Workload.SystemLoad = 0.5
	for name, s := range map[string]config.Spec{"alone": alone, "load": load, "fixed": fixed} {
		if m, _ := simulated(s, &Extra{}); m["bounded_slowdown"] < 1 {
			t.Errorf("%s: a slowdown of %v", name, m["bounded_slowdown"])
		}
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
	undisturbed := r.undisturbedTimes(1)
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

// A run with network.cycle has the metrics of the run without, the same numbers, and each in
// cycles or flits in seconds or bytes too.
func TestMetricsInRealUnits(t *testing.T) {
	jobs := map[string]any{"machine.dims": []any{int64(4), int64(4)}, "workload.jobs": int64(6),
		"workload.side.max": int64(3)}
	units := maps.Clone(jobs)
	units["job.cycles_per_second"] = 4.0
	traffic := map[string]any{"workload.source": "traffic", "machine.dims": []any{int64(4), int64(4)},
		"workload.warmup_cycles": int64(100), "workload.window_cycles": int64(400)}
	for _, c := range []struct {
		keys map[string]any
		real map[string]float64 // by metric, a unit of the metric it is made from
	}{
		{jobs, map[string]float64{"finish_time_s": 2e-9, "latency_s": 2e-9, "flit_hops_bytes": 32,
			"wait_time_p90_s": 2e-9}},
		{units, map[string]float64{"finish_time_s": 8e-9, "latency_p99_s": 2e-9}},
		{traffic, map[string]float64{"latency_s": 2e-9, "accepted_load_gb_s": 16}},
	} {
		plain := runOf(t, specWith(t, c.keys))
		c.keys["network.cycle"], c.keys["network.flit_bytes"] = "2 ns", "32 B"
		with := runOf(t, specWith(t, c.keys))
		for name, value := range plain {
			if with[name] != value && !math.IsNaN(value) {
				t.Errorf("%s is %v, and %v with a length of a cycle", name, value, with[name])
			}
			if strings.HasSuffix(name, "_s") || strings.HasSuffix(name, "_bytes") {
				t.Errorf("%s without a length of a cycle", name)
			}
		}
		for name, unit := range c.real {
			of := strings.TrimSuffix(name[:strings.LastIndexByte(name, '_')], "_gb")
			value, ok := with[name]
			if !ok || plain[of] == 0 && value != 0 || math.Abs(value-plain[of]*unit) > 1e-12*value {
				t.Errorf("%s is %v, and %s %v", name, value, of, plain[of])
			}
		}
	}
}

// Where the clock is in seconds, times of jobs are not said twice.
func TestMetricsOnASecondsClock(t *testing.T) {
	with := runOf(t, specWith(t, map[string]any{"workload.source": "lublin", "workload.jobs": int64(3),
		"workload.size_clamp": int64(8), "network.cycle": "10 s"}))
	if _, twice := with["wait_time_s"]; twice || math.IsNaN(with["wait_time"]) {
		t.Errorf("times of jobs: %v", with)
	}
	if v, ok := with["latency_s"]; !ok || math.Abs(v-10*with["latency"]) > 1e-9*v {
		t.Errorf("latency is %v cycles and %v s", with["latency"], v)
	}
}

// A message of a megabyte between neighbours takes its length over the rate of the link, and its
// way, in whole cycles: with virtual channels the next head is routed while a packet is sent.
func TestPresetsFillALink(t *testing.T) {
	for preset, c := range map[string]struct {
		rate, delay float64 // B/s; s of a switch with its cable
	}{
		"ethernet-200": {25e9, 278e-9}, "ethernet-400": {50e9, 277e-9}, "hdr": {25e9, 158e-9},
		"ndr": {50e9, 227e-9}, "slingshot-11": {25e9, 378e-9},
	} {
		const bytes = 1 << 20
		m := runOf(t, specWith(t, map[string]any{"network.preset": preset, "machine.topology": "tree",
			"machine.arity": int64(2), "machine.levels": int64(1), "workload.source": "together",
			"workload.processes": int64(2), "workload.background": "idle",
			"job.pattern": "one-to-all", "job.flits": "1 MiB"}))
		want := bytes/c.rate + 2*c.delay
		if got := m["service_time_s"]; math.Abs(got-want) > 2.56e-9 { // a cycle
			t.Errorf("%s takes %v s for a megabyte, want %v", preset, got, want)
		}
	}
}

// A study in cycles and flits, the same with a cycle of 12.8 ns and flits of 64 B, and the same
// with its times, sizes and rates in units are one run.
func TestControlsInUnits(t *testing.T) {
	base := map[string]any{"machine.topology": "tree", "machine.arity": int64(8),
		"machine.levels": int64(1), "network.source_queues": "destination",
		"network.packet_flits": int64(16), "network.virtual_channels": int64(32),
		"network.buffer_flits": int64(16), "network.input_speedup": int64(0),
		"network.link_cycles": int64(39), "network.credit_cycles": int64(39),
		"workload.source": "traffic", "workload.traffic": "incast:senders=7",
		"workload.traffic_load": 0.4, "workload.warmup_cycles": int64(20000),
		"workload.window_cycles": int64(20000), "job.flits": int64(16)}
	units := map[string]any{"network.cycle": "12.8 ns", "network.flit_bytes": int64(64),
		"network.link_cycles": "499.2 ns", "network.packet_flits": "1 KiB"}
	for numbers, quantities := range map[string]string{
		"dcqcn": "dcqcn:kmin=4992 B,kmax=200 kB,cnp_cycles=49.9968 us,alpha_cycles=55.0016us," +
			"timer_cycles=55.0016us,counter_flits=10 MB,additive=40 Mb/s,hyper=400 Mb/s,least=0.04 Gb/s",
		"dcqcn:pmax=0.5,kmin=8,kmax=200,cnp_cycles=625,timer_cycles=1250": "dcqcn:pmax=0.5," +
			"kmin=102.4 ns,kmax=2.56 us,cnp_cycles=8us,timer_cycles=16 us",
		"ib-cca":   "ib-cca:threshold=8 KiB,ccti_timer=153.6 us",
		"throttle": "throttle:outstanding=4 KiB",
	} {
		run := func(control string, more map[string]any) map[string]float64 {
			keys := maps.Clone(base)
			maps.Copy(keys, more)
			keys["network.congestion_control"] = control
			values, _ := rowsOf(t, specWith(t, keys), metrics.Records{})
			maps.DeleteFunc(values, func(name string, _ float64) bool { // those in units
				return strings.HasSuffix(name, "_s") || strings.Contains(name, "bytes")
			})
			return values
		}
		want := run(numbers, nil)
		for _, got := range []map[string]float64{run(numbers, units), run(quantities, units)} {
			if !maps.Equal(got, want) {
				t.Errorf("%s: %v, want %v", numbers, got, want)
			}
		}
		if want["rate_wait"] == 0 {
			t.Errorf("%s: nothing is held back: %v", numbers, want)
		}
	}
}

package sim

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/internal/input"
	"contend/internal/must"
)

// batsimText writes a workload of Batsim.
func batsimText(nodes int, jobs []map[string]any, profiles map[string]any) string {
	return string(must.Have(json.MarshalIndent(map[string]any{"nb_res": nodes, "jobs": jobs,
		"profiles": profiles}, "", " ")))
}

// Jobs that only wait give the same metrics and rows whether they come as a log or as a workload of
// Batsim, under every policy.
func TestBatsimDelaysAreJobsOfALog(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var log strings.Builder
	var jobs []map[string]any
	profiles := map[string]any{}
	submit := 0.0
	for i := range 60 {
		submit += float64(rng.IntN(20))
		run, size := 1+rng.IntN(100), 1+rng.IntN(16)
		wall := run + rng.IntN(50)
		fmt.Fprintf(&log, "%d %v -1 %d %d -1 -1 %d %d -1 1 -1 -1 -1 -1 -1 -1 -1\n", i+1, submit, run,
			size, size, wall)
		name := fmt.Sprint("wait", run)
		jobs = append(jobs, map[string]any{"id": i + 1, "subtime": submit, "walltime": wall, "res": size,
			"profile": name})
		profiles[name] = map[string]any{"type": "DelayProfile", "delay": run}
	}
	swf := written(t, "log.swf", log.String())
	workload := written(t, "workload.json", batsimText(16, jobs, profiles))
	for _, policy := range []string{"fcfs", "easy", "conservative"} {
		s := configtest.Net(8, 4, 4)
		s.Workload.Source, s.Workload.Trace, s.Job.Run = "swf", swf, "fixed"
		s.Allocator, s.Scheduler.Policy = "sequential", policy
		want, x := rowsOf(t, s, withJobs)
		rows := texts(x, metrics.JobTable)
		s.Workload.Source, s.Workload.Trace = "batsim", workload
		if got, x := rowsOf(t, s, withJobs); !maps.Equal(got, want) ||
			!reflect.DeepEqual(rows, texts(x, metrics.JobTable)) {
			t.Errorf("%s: a log gives %v and %v, Batsim %v and %v", policy, want, rows[:3], got,
				texts(x, metrics.JobTable)[:3])
		}
		s.Job.Run, s.Job.CyclesPerSecond = "messages", 1000
		_, x = rowsOf(t, s, withJobs)
		with := texts(x, metrics.JobTable)
		for i := range rows {
			for column := range 4 { // job, submit, start, end
				if with[i][column] != rows[i][column] {
					t.Fatalf("%s: with a network job %v", policy, with[i][:4])
				}
			}
		}
	}
}

// batsimSpec runs a workload of one job of four nodes on a 2x2 mesh, where a second has a million
// cycles.
func batsimSpec(t *testing.T, profiles map[string]any) config.Spec {
	s := configtest.Net(8, 2, 2)
	s.Workload.Source, s.Allocator = "batsim", "sequential"
	s.Workload.Trace = written(t, "w.json", batsimText(4, []map[string]any{{"id": 1, "subtime": 0,
		"res": 4, "profile": "job"}}, profiles))
	s.Job.FlopRate, s.Job.CyclesPerSecond = 1e6, 1e6
	return s
}

// cyclesOf returns how long the job of a spec runs.
func cyclesOf(t *testing.T, s config.Spec) float64 {
	m := runOf(t, s)
	if m["jobs"] != 1 {
		t.Fatalf("%v jobs", m["jobs"])
	}
	if s.Workload.Source == "batsim" {
		return 1e6 * m["service_time"]
	}
	return m["service_time"]
}

// A step takes as long as its computation or its exchange, whichever is longer: both go on at the
// same time, and a rank's next step waits for both. The exchange takes what that of a pattern does.
func TestBatsimProfilesTakeTheirTime(t *testing.T) {
	pattern := configtest.Net(100, 2, 2)
	pattern.Workload.Jobs, pattern.Workload.Processors, pattern.Job.Quota.Iterations = 1, 4, 1
	pattern.Job.Order, pattern.Allocator = "rotated", "sequential"
	once := cyclesOf(t, pattern)
	if once < 300 || once > 700 { // each node sends 300 flits
		t.Fatalf("an exchange takes %v cycles", once)
	}
	part := func(operations int) map[string]any {
		return map[string]any{"type": "ParallelTaskHomogeneousProfile", "cpu": operations, "com": 800}
	}
	wait := map[string]any{"type": "DelayProfile", "delay": 0.001}
	job := func(repeat int, seq ...string) map[string]any {
		return map[string]any{"type": "SequentialCompositionProfile", "repeat": repeat, "seq": seq}
	}
	for _, k := range []struct {
		profiles map[string]any
		want     float64
	}{
		{map[string]any{"part": part(200), "job": job(1, "part")}, once},
		{map[string]any{"part": part(700), "job": job(3, "part")}, 3 * 700},
		{map[string]any{"part": part(700), "short": part(0), "wait": wait,
			"job": job(1, "wait", "short", "part", "wait", "wait")}, 3000 + once + 700},
		{map[string]any{"job": wait}, 1000},
		{map[string]any{"job": map[string]any{"type": "ParallelTaskHomogeneousProfile", "cpu": 4000,
			"com": 0, "generation_strategy": "DefinedAmountsSpreadUniformly"}}, 1000},
	} {
		s := batsimSpec(t, k.profiles)
		for _, engine := range []string{"auto", "cycle"} {
			s.Network.Engine = engine
			if got := cyclesOf(t, s); got != k.want {
				t.Errorf("%v takes %v cycles, want %v", k.profiles, got, k.want)
			}
		}
	}
}

// What a plan does not tell is refused, with the line of the job.
func TestBatsimNeedsWhatItUses(t *testing.T) {
	part := map[string]any{"type": "ParallelTaskHomogeneousProfile", "cpu": 500, "com": 800}
	huge := map[string]any{"type": "ParallelTaskHomogeneousProfile", "cpu": 0, "com": 1e15}
	for _, k := range []struct {
		profile any
		change  func(s *config.Spec)
		want    string
	}{
		{part, func(s *config.Spec) { s.Job.FlopRate = 0 }, `w.json:3: job 1 has the profile "job": it ` +
			"computes 500 operations on each node: job.flop_rate says"},
		{part, func(s *config.Spec) { s.Job.Run = "fixed" },
			"it computes or communicates, and job.run is " +
				`fixed: job.run = "messages" simulates it`},
		{part, func(s *config.Spec) { s.Scheduler.Policy = "easy" }, "it has no walltime, and how long"},
		{huge, func(*config.Spec) {}, "1e+15 bytes are no message: take at most 2147483647 flits"},
		{part, func(s *config.Spec) { s.Job.CyclesPerSecond = input.Automatic },
			"job.cycles_per_second is auto, and no key"},
		{part, func(s *config.Spec) { s.Workload.Source = "swf" },
			"w.json is a workload of Batsim by its " +
				`name: give workload.source = "batsim"`},
		{part, func(s *config.Spec) { s.Machine.Dims = []int{3, 1} }, "job 1 asks for 4 processors"},
	} {
		s := batsimSpec(t, map[string]any{"job": k.profile})
		k.change(&s)
		mustRefuse(t, s, k.want)
	}
	long := map[string]any{"type": "composed", "repeat": 9000, "seq": []string{"part"}}
	s := configtest.Net(8, 8, 8)
	s.Workload.Source, s.Allocator, s.Job.FlopRate, s.Job.CyclesPerSecond = "batsim",
		"sequential", 1e6, 1e6
	s.Workload.Trace = written(t, "w.json", batsimText(64, []map[string]any{{"id": 1, "subtime": 0,
		"res": 64, "profile": "job"}}, map[string]any{"part": part, "long": long,
		"job": map[string]any{"type": "composed", "repeat": 2, "seq": []string{"long"}}}))
	mustRefuse(t, s, "its steps on 64 nodes are 73728000 tasks")
}

package sim

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/input"
	"contend/internal/must"
	"contend/scheduler"
)

// writeLog writes a log whose jobs have the given submit times, run times and
// sizes.
func writeLog(t *testing.T, jobs [][3]float64, comments ...string) string {
	t.Helper()
	var lines []scheduler.SWFLine
	for i, j := range jobs {
		var l scheduler.SWFLine
		for k := range l.Fields {
			l.Fields[k] = -1
		}
		l.Fields[0], l.Fields[1], l.Fields[2], l.Fields[3] = float64(i+1), j[0], 0, j[1]
		l.Fields[4], l.Fields[7], l.Fields[10] = j[2], j[2], 1
		lines = append(lines, l)
	}
	path := filepath.Join(t.TempDir(), "log.swf.gz")
	must.Have(0, scheduler.CreateSWF(path, comments, lines))
	return path
}

func logSpec(path, pattern string) config.Spec {
	s := config.DefaultSpec()
	s.Machine.Dims = []int{8, 8}
	s.Workload.Source, s.Workload.Trace, s.Workload.Jobs = "swf", path, 0
	s.Job.Pattern = configtest.Mix(pattern)
	s.Job.Quota = config.QuotaSpec{PerSecond: input.Automatic}
	s.Job.CyclesPerSecond = input.Automatic
	s.Allocator = "first-fit"
	return s
}

// With per_second = auto every job alone on the machine runs about as long as in its log, its
// software latency included. A job that does not communicate runs exactly as long.
func TestQuotaFromRunTime(t *testing.T) {
	path := writeLog(t, [][3]float64{{0, 20000, 16}, {30000, 40000, 7}, {80000, 1234, 1},
		{90000, 30000, 64}})
	for _, pattern := range []string{"all-to-all", "ring", "n-body", "multigrid", "one-to-all"} {
		for _, software := range []int64{0, 50} {
			s := logSpec(path, pattern)
			s.Job.SendCycles, s.Job.ReceiveCycles = software, software
			_, extra := rowsOf(t, s, withJobs)
			for i, want := range []float64{20000, 40000, 1234, 30000} {
				run := extra.Lines[i].Fields[3]
				if math.Abs(run/want-1) > 0.05 || want == 1234 && run != 1234 {
					t.Errorf("%s, %d cycles a message: job %d ran %.0f s, its log says %.0f", pattern, software,
						i+1, run, want)
				}
			}
		}
	}
}

// With cycles_per_second = auto the load of the log is preserved: jobs that never meet take as
// many processor-seconds in total as in the log.
func TestCyclesFromQuota(t *testing.T) {
	path := writeLog(t, [][3]float64{{0, 20000, 16}, {300000, 40000, 7}, {800000, 30000, 64},
		{900000, 3000, 30}})
	s := logSpec(path, "all-to-all")
	s.Job.Quota.PerSecond = 2
	_, x := rowsOf(t, s, withJobs)
	work := 0.0
	for _, l := range x.Lines {
		work += l.Fields[3] * l.Fields[4]
	}
	if want := 20000.0*16 + 40000*7 + 30000*64 + 3000*30; math.Abs(work/want-1) > 0.05 {
		t.Errorf("%.0f processor-seconds, the log has %.0f", work, want)
	}
	checkNotes(t, s, "job.cycles_per_second = auto")
}

// Check finds plans that cannot run.
func TestCheckFindsWhatCannotWork(t *testing.T) {
	big := writeLog(t, [][3]float64{{0, 10, 4}, {0, 10, 65}})
	for name, c := range map[string]struct {
		change func(*config.Spec)
		want   string
	}{
		"deadlock": {func(s *config.Spec) {
			s.Machine.Topology, s.Network.Routing = "torus", "dimension-order"
		}, "router (0,0)->(1,0)"},
		"job too large": {func(s *config.Spec) { *s = logSpec(big, "ring") },
			":2: job 2 asks for 65 processors; the machine has 64"},
		"side too large": {func(s *config.Spec) { s.Workload.Side.Max = 17 }, "workload.side.max"},
		"jumps over time and rails in turn": {func(s *config.Spec) {
			s.Machine = config.MachineSpec{Topology: "fat-tree", Children: []int{4, 4},
				Parents: []int{1}, Rails: 2}
			s.Network.Routing, s.Allocator = "d-mod-k", "random"
			s.Workload.Side.Max, s.FastForward = 4, 0.1
		}, "the rail of a message depends on more than its nodes"},
	} {
		s := config.DefaultSpec()
		s.Workload.Side.Min = 2
		c.change(&s)
		err := configtest.Check(new(Simulator), s)
		if configtest.MustBeInput(t, err); !contains(err, c.want) {
			t.Errorf("%s: got %v, want something about %q", name, err, c.want)
		}
	}
}

// Ports are drawn anew in every replication, and alike under both engines.
func TestRoutingIsDrawnAnewInEveryReplication(t *testing.T) {
	s := configtest.Tree()
	var sim Simulator
	seeds := map[uint64]bool{}
	for replication := range 3 {
		for _, engine := range []string{"cycle", "worm"} {
			s.Network.Engine = engine
			n, err := sim.NewNetwork(configtest.Plan(t, s), replication)
			if err != nil {
				t.Fatal(err)
			}
			seeds[n.Config().RoutingSeed] = true
		}
	}
	if len(seeds) != 3 {
		t.Errorf("%d seeds for three replications under two engines", len(seeds))
	}
}

// A second allocator does not change the run, nor its random numbers.
func TestAskingChangesNothing(t *testing.T) {
	for _, situation := range []string{"random", "mc1x1", "first-fit"} {
		s := configtest.Crowded(t, situation)
		want := runOf(t, s)
		for _, decision := range []string{"random", "mc1x1", "best-fit", "optimal:20"} {
			s.Scheduler.Decision = decision
			got := runOf(t, s)
			for name, v := range want {
				if x, ok := got[name]; !ok || x != v && !math.IsNaN(v) {
					t.Errorf("%s asked under %s: %s is %v, alone %v", decision, situation, name, x, v)
				}
			}
			if decision == "random" &&
				got["decision_sum_pairwise_distance"] == got["sum_pairwise_distance"] {
				t.Errorf("random asked under %s draws the same numbers", situation)
			}
			if len(got) != len(want)+5 {
				t.Errorf("%s asked under %s: %d metrics, alone %d", decision, situation, len(got), len(want))
			}
		}
	}
}

// By hand, on four nodes in a line: four jobs of one node take nodes 0 to 3. When those on 0 and 2
// end at 10, a job of two takes both, which first fit, for which they are not next to each other,
// refuses. When those on 1 and 3 end at 20, a job of two takes them, which first fit refuses, too.
// At 50 the line is empty, and first fit puts a job of three next to each other: its pairs are 1, 1
// and 2 apart.
func TestDecisionByHand(t *testing.T) {
	s := fixedLog(t, [][3]float64{{0, 10, 1}, {0, 20, 1}, {0, 10, 1}, {0, 20, 1}, {1, 30, 2},
		{2, 30, 2}, {60, 1, 3}})
	s.Machine.Dims, s.Scheduler.Decision = []int{4, 1}, "first-fit"
	s.Allocator = allocatorOf("sequential")
	got := runOf(t, s)
	wantMetrics(t, got, map[string]float64{"decision_refused": 200.0 / 7,
		"decision_sum_pairwise_distance": 4.0 / 5, "sum_pairwise_distance": (2 + 2 + 4) / 7.0})
}

// A search with a limit of 1 proves little. A search without a limit proves everything.
func TestProven(t *testing.T) {
	proven := func(allocator, decision, metric string) float64 {
		s := configtest.Crowded(t, allocator)
		s.Machine.Dims, s.Workload.Jobs, s.Scheduler.Decision = []int{5, 5}, 150, decision
		return runOf(t, s)[metric]
	}
	if p := proven("mc1x1", "optimal", "decision_proven"); p != 100 {
		t.Errorf("%v%% proven", p)
	}
	// One to three processors, or all free ones, need no search.
	low, own := proven("mc1x1", "optimal:1", "decision_proven"), proven("optimal:1", "", "proven")
	if low <= 0 || low >= 100 || own <= 0 || own >= 100 {
		t.Errorf("without a search %v%% of the decisions asked for are proven, %v%% of its own", low, own)
	}
}

// An allocator queried about its own decisions decides the same way: both sets of metrics agree.
func TestDecisionOfTheSituationItself(t *testing.T) {
	for _, name := range []string{"mc1x1", "mm-inc", "best-fit-1d:hilbert", "first-fit", "paging:1",
		"mc1x1-tie:2,13,20,6"} {
		for _, policy := range []string{"fcfs", "easy", "sjf"} {
			s := configtest.Crowded(t, name)
			s.Scheduler.Policy, s.Scheduler.Decision = policy, name
			r := runOf(t, s)
			for _, metric := range []string{"sum_pairwise_distance", "mean_pairwise_distance",
				"components"} {
				if got, want := r["decision_"+metric], r[metric]; !(math.Abs(got-want) <= 1e-9*want) {
					t.Errorf("%s, %s: decision_%s is %v, %s %v", name, policy, metric, got, metric, want)
				}
			}
			if refused, ok := r["decision_refused"]; refused != 0 || !ok {
				t.Errorf("%s, %s: %v%% of its own decisions refused", name, policy, refused)
			}
		}
	}
}

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

// A run stops soon after its context ends, while a single message is under way that takes hours:
// in the simulation of every flit, before a jump, in open-loop traffic, and while a job is
// simulated alone, as for a calibration.
func TestRunsStopDuringALongMessage(t *testing.T) {
	long := map[string]any{"machine.dims": []any{int64(8), int64(8)}, "workload.jobs": int64(2),
		"workload.side.max": int64(2), "job.pattern": "ring", "job.flits": int64(2_000_000_000)}
	for name, keys := range map[string]map[string]any{
		"every flit":  {},
		"jumps":       {"runs.fast_forward": 0.05},
		"calibration": {"workload.system_load": 0.5},
		"threads":     {"network.virtual_channels": int64(2), "runs.threads": int64(2)},
		"traffic": {"workload.source": "traffic", "workload.jobs": nil, "workload.side.max": nil,
			"job.pattern": nil, "workload.traffic_load": 0.5},
	} {
		all := map[string]any{}
		for _, list := range []map[string]any{long, keys} {
			for key, value := range list {
				if all[key] = value; value == nil {
					delete(all, key)
				}
			}
		}
		spec := specWith(t, all)
		ctx, cancel := context.WithCancel(t.Context())
		began := time.Now()
		time.AfterFunc(50*time.Millisecond, cancel)
		_, err := (&Simulator{}).Run(ctx, configtest.Plan(t, spec), 0, nil)
		if took := time.Since(began); !errors.Is(err, context.Canceled) || took > 10*time.Second {
			t.Errorf("%s: %v after %v", name, err, took)
		}
	}
}

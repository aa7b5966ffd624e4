package sim

import (
	"math"
	"path/filepath"
	"testing"

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
		}, "rails of their nodes in turn"},
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

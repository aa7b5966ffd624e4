package sim

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/scheduler"
)

// A job alone on the machine and placed contiguously runs as long as in the log, to a cycle, for
// any share of communication. Codes, which compute between iterations, do as well: iterations that
// no longer overlap take a little more or less, at most 0.5% here. Jobs whose size the code does
// not support only compute.
func TestJobsAloneRunAsLongAsTheLogSays(t *testing.T) {
	for _, pattern := range []string{"all-to-all", "near-neighbour", "n-body", "multigrid", "npb-ft:S",
		"npb-is:S", "npb-cg:S", "npb-mg:S", "npb-lu:S", "npb-bt:S"} {
		code := strings.HasPrefix(pattern, "npb")
		logged, off, sizes := 20000.0, 2.0, []string{"2", "6", "16", "30"}
		if code {
			logged, off, sizes = 100000, 500, []string{"4", "16", "6"}
		}
		for _, share := range []float64{0, 0.1, 0.5, 0.9} {
			for _, size := range sizes {
				s := treeLog(t, configtest.SWFLine("1", "0", fmt.Sprint(logged), size))
				s.Job.Pattern, s.Job.Share = configtest.Mix(pattern), share
				if code {
					s.Job.Scale = 0.01
				}
				r := runOf(t, s)
				runs := !code || size != "6" || pattern == "npb-lu:S"
				if math.Abs(r["service_time"]-logged) > off || (share > 0 && runs) != (r["messages"] > 0) {
					t.Errorf("%s, %s processes, share %g: runs %v with %v messages", pattern, size, share,
						r["service_time"], r["messages"])
				}
				if !runs {
					checkNotes(t, s, "1 because "+pattern+" does not run on that number")
				}
			}
		}
	}
}

func TestSplitTime(t *testing.T) {
	for _, c := range []struct {
		run            scheduler.Cycle
		share, cycles  float64
		phases         int64
		times          int64
		quota          int64
		lead, computes scheduler.Cycle
	}{
		{1000, 0.5, 100, 2, 5, 30, 50, 50},
		{1000, 0.5, 90, 2, 6, 36, 42, 38},   // 460 over 12 phases: 38 each, 4 more at first
		{1000, 1, 300, 1, 3, 18, 34, 33},    // 3.3 iterations
		{1000, 0.9, 700, 1, 1, 6, 300, 300}, // as near as there is
		{50, 1, 100, 1, 0, 0, 50, 0},
		{0, 1, 100, 1, 0, 0, 1, 0},
		{1000, 0, 100, 3, 0, 0, 1000, 0},
	} {
		var j scheduler.Job
		k := pacedKind{messages: 6, communicating: c.cycles, phases: c.phases}
		times, _ := k.fill(&j, c.run, c.share)
		if times != c.times || j.Quota != c.quota || j.Lead != c.lead || j.Compute != c.computes {
			t.Errorf("%+v: %d iterations, quota %d, lead %d, compute %d", c, times, j.Quota, j.Lead,
				j.Compute)
		}
	}
}

// Replications are windows of the log.
func TestWindowsOfALog(t *testing.T) {
	s := treeLog(t, configtest.SWFLine("1", "0", "100", "1"),
		configtest.SWFLine("2", "5", "200", "1"), configtest.SWFLine("3", "9", "300", "1"),
		configtest.SWFLine("4", "10", "400", "1"),
		configtest.SWFLine("5", "11", "500", "1"))
	s.Job = config.DefaultSpec().Job
	s.Job.Run, s.Workload.Start, s.Workload.Window, s.Workload.Jobs = "fixed", 1, 2, 1
	for replication, want := range []float64{200, 400} {
		if service, _ := mustRun(t, s, replication).Value("service_time"); service != want {
			t.Errorf("replication %d: a run time of %v, want %v", replication, service, want)
		}
	}
}

// The assumed speedup applies to contiguous placement.
func TestSpeedupIsThatOfContiguousPlacement(t *testing.T) {
	s := treeLog(t, configtest.SWFLine("1", "0", "100", "4"),
		configtest.SWFLine("2", "0", "100", "1"))
	s.Job = config.DefaultSpec().Job
	s.Job.Run, s.Job.AssumedSpeedup = "fixed", 40
	for allocator, want := range map[string]float64{"sequential": 100, "random": 100, "contiguous": 80,
		"quasi-contiguous": 80} {
		s.Allocator = allocator
		if service := runOf(t, s)["service_time"]; service != want {
			t.Errorf("%s: mean run time %v, want %v", allocator, service, want)
		}
	}
}

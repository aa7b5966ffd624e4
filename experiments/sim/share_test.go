package sim

import (
	"context"
	"math"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/scheduler"
)

// A job alone on the machine and placed contiguously runs as long as in the log, to a cycle, for
// any share of communication. A job placed less well does not.
func TestJobsAloneRunAsLongAsTheLogSays(t *testing.T) {
	for _, pattern := range []string{"all-to-all", "near-neighbour", "n-body", "multigrid"} {
		for _, share := range []float64{0, 0.1, 0.5, 0.9} {
			for _, size := range []string{"2", "6", "16", "30"} {
				s := shareSpec(t, configtest.SWFLine("1", "0", "20000", size))
				s.Job.Pattern, s.Job.Share = configtest.Mix(pattern), share
				var sim Simulator
				r, err := configtest.Run(context.Background(), sim.Run, s, 0, nil)
				if err != nil {
					t.Fatal(err)
				}
				service, _ := r.Value("service_time")
				if math.Abs(service-20000) > 2 {
					t.Errorf("%s, %s processes, share %g: runs %v", pattern, size, share, service)
				}
				messages, _ := r.Value("messages")
				if (share == 0) != (messages == 0) {
					t.Errorf("%s, share %g: %v messages", pattern, share, messages)
				}
			}
		}
	}
}

// Codes, which compute between iterations, also run as long as in the log. Iterations that no
// longer overlap take a little more or less, at most 0.4% here. Jobs whose size the code does
// not support only compute.
func TestCodesAloneRunAsLongAsTheLogSays(t *testing.T) {
	for _, pattern := range []string{"npb-ft:S", "npb-is:S", "npb-cg:S", "npb-mg:S", "npb-lu:S",
		"npb-bt:S"} {
		for _, size := range []string{"4", "16", "6"} {
			for _, share := range []float64{0, 0.3, 0.9} {
				s := shareSpec(t, configtest.SWFLine("1", "0", "100000", size))
				s.Job.Pattern, s.Job.Share, s.Job.Scale = configtest.Mix(pattern), share, 0.01
				var sim Simulator
				if err := configtest.Check(&sim, s); err != nil {
					t.Fatal(err)
				}
				r, err := configtest.Run(context.Background(), sim.Run, s, 0, nil)
				if err != nil {
					t.Fatal(err)
				}
				if service, _ := r.Value("service_time"); math.Abs(service/100000-1) > 0.005 {
					t.Errorf("%s, %s processes, share %g: runs %v", pattern, size, share, service)
				}
				runs := size != "6" || pattern == "npb-lu:S"
				if messages, _ := r.Value("messages"); (share > 0 && runs) != (messages > 0) {
					t.Errorf("%s, %s processes, share %g: %v messages", pattern, size, share, messages)
				}
				notes, err := sim.Notes(configtest.Plan(t, s))
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(strings.Join(notes, "\n"),
					"1 because "+pattern+" does not run on that number") == runs {
					t.Errorf("%s, %s processes: %q", pattern, size, notes)
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
		k := paced{messages: 6, silent: c.cycles, phases: c.phases}
		times, _ := k.fill(&j, c.run, c.share)
		if times != c.times || j.Quota != c.quota || j.Lead != c.lead || j.Compute != c.computes {
			t.Errorf("%+v: %d iterations, quota %d, lead %d, compute %d", c, times, j.Quota, j.Lead,
				j.Compute)
		}
	}
}

// Replications are windows of the log.
func TestWindowsOfALog(t *testing.T) {
	s := shareSpec(t, configtest.SWFLine("1", "0", "100", "1"), configtest.SWFLine("2", "5", "200", "1"),
		configtest.SWFLine("3", "9", "300", "1"), configtest.SWFLine("4", "10", "400", "1"),
		configtest.SWFLine("5", "11", "500", "1"))
	s.Job = config.DefaultSpec().Job
	s.Job.Run, s.Workload.Start, s.Workload.Window, s.Workload.Jobs = "fixed", 1, 2, 1
	for replication, want := range []float64{200, 400} {
		var sim Simulator
		r, err := configtest.Run(context.Background(), sim.Run, s, replication, nil)
		if err != nil {
			t.Fatal(err)
		}
		if service, _ := r.Value("service_time"); service != want {
			t.Errorf("replication %d: a run time of %v, want %v", replication, service, want)
		}
	}
}

// The assumed speedup applies to contiguous placement.
func TestSpeedupIsThatOfContiguousPlacement(t *testing.T) {
	s := shareSpec(t, configtest.SWFLine("1", "0", "100", "4"), configtest.SWFLine("2", "0", "100", "1"))
	s.Job = config.DefaultSpec().Job
	s.Job.Run, s.Job.AssumedSpeedup = "fixed", 40
	for allocator, want := range map[string]float64{"sequential": 100, "random": 100, "contiguous": 80,
		"quasi-contiguous": 80} {
		s.Allocator = allocator
		var sim Simulator
		r, err := configtest.Run(context.Background(), sim.Run, s, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		if service, _ := r.Value("service_time"); service != want {
			t.Errorf("%s: mean run time %v, want %v", allocator, service, want)
		}
	}
}

package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/must"
	"contend/scheduler"
)

// The jobs of a moment are those that run then in the whole log, on the same nodes, and each has an
// hour of work less the part of an iteration.
func TestMomentsOfALog(t *testing.T) {
	seen := 0
	for seed := range 3 {
		trace := written(t, "log.swf", drawnLog(120, uint64(seed)))
		for _, allocator := range []string{"sequential", "mbs", "random"} {
			s := warmSpec(t, trace, allocator, "easy")
			whole := map[int][]string{} // nodes of jobs by replication, at its moment
			moments := momentSpec(s)
			sim := new(Simulator)
			for replication := range 4 {
				x := &Extra{Records: withJobs}
				must.Have(sim.Run(t.Context(), must.Have(s.Plan()), replication, x))
				at := momentOf(must.Have(moments.Plan()), must.Have(scheduler.ReadAll(must.Have(
					scheduler.OpenSWF(trace)))), replication)
				for i := range x.JobRows {
					r := &x.JobRows[i]
					if float64(r.Start) < at && at <= float64(r.End) { // seconds
						whole[replication] = append(whole[replication], fmt.Sprint(r.ID, " ", r.Nodes))
					}
				}
				y := &Extra{Records: withJobs}
				must.Have(sim.Run(t.Context(), must.Have(moments.Plan()), replication, y))
				var got []string
				for i := range y.JobRows {
					r := &y.JobRows[i]
					got = append(got, fmt.Sprint(r.ID, " ", r.Nodes))
					if hours := float64(r.End-r.Start) / 1e6 / snapshotSeconds; !r.Counts || hours < 0.9 ||
						hours > 3 {
						t.Errorf("job %d takes %v hours", r.ID, hours)
					}
				}
				slices.Sort(got)
				slices.Sort(whole[replication])
				if seen += len(got); !slices.Equal(got, whole[replication]) {
					t.Errorf("seed %d, %s, moment %d at %v: %v run, in the whole log %v", seed, allocator,
						replication, at, got, whole[replication])
				}
			}
		}
	}
	if seen < 60 {
		t.Errorf("%d jobs were compared", seen)
	}
}

// momentSpec returns a spec whose runs are moments of a log.
func momentSpec(s config.Spec) config.Spec {
	s.Job.Run, s.Job.Quota.PerSecond, s.Job.Share = "messages", -1, 0.2
	s.Job.CyclesPerSecond, s.FastForward, s.Workload.Snapshots = 1e6, 0.2, true
	return s
}

// A moment with one job of 4 nodes takes 12 messages of an all-to-all in each iteration: those of the
// window of rates at a tolerance of a fifth and of the time before it, in packets of 8 flits.
func TestPacketsOfAMoment(t *testing.T) {
	s := momentSpec(warmSpec(t, written(t, "log.swf", "1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1\n"+
		"2 50 -1 10 16 -1 -1 16 100 -1 1 1 1 1 1 1 -1 -1\n"), "mbs", "fcfs"))
	s.Job.Pattern, s.Network.PacketFlits = configtest.Mix("all-to-all"), 8
	for flits, packets := range map[int]float64{8: 1, 20: 3} {
		s.Job.Flits = flits
		got := must.Have(new(Simulator).SnapshotPackets(t.Context(), must.Have(s.Plan()), 0))
		if want := 12 * packets * (5 + beforeRates); math.Abs(got-want) > 1e-9 {
			t.Errorf("messages of %d flits: %v packets, want %v", flits, got, want)
		}
	}
}

// Moments are spread evenly over the log, whatever their number: the share of them before any time
// is near that of the time, and another seed begins elsewhere.
func TestMomentsAreSpread(t *testing.T) {
	jobs := []scheduler.Job{{Submit: 100}, {Submit: 1100}}
	s := momentSpec(warmSpec(t, written(t, "log.swf", drawnLog(20, 1)), "mbs", "easy"))
	r := rand.New(rand.NewPCG(3, 4))
	firsts := map[float64]bool{}
	for seed := range 5 {
		s.Seed = int64(seed)
		plan := must.Have(s.Plan())
		firsts[momentOf(plan, jobs, 0)] = true
		for _, n := range []int{8, 13, 40, 200} {
			for range 20 {
				until, before := 100+1000*r.Float64(), 0
				for i := range n {
					if momentOf(plan, jobs, i) < until {
						before++
					}
				}
				if off := float64(before) - float64(n)*(until-100)/1000; off < -3 || off > 3 {
					t.Errorf("seed %d: %d of %d moments are before %v", seed, before, n, until)
				}
			}
		}
	}
	if len(firsts) != 5 {
		t.Errorf("seeds begin at %v", firsts)
	}
}

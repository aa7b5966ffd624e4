package sim

import (
	"math"
	"testing"

	"contend/internal/must"
	"contend/scheduler"
)

// A replay in which jobs take 1 + d/2 times as long, for a mean distance d of their nodes, has the
// dilation and the load of the distances that a run of the log finds where they do not matter.
func TestReplaySlowsJobsByTheirPlaces(t *testing.T) {
	s := warmSpec(t, written(t, "log.swf", drawnLog(60, 1)), "mbs", "fcfs")
	sim := new(Simulator)
	moments := momentSpec(s)
	plan := must.Have(moments.Plan())
	plain := must.Have(sim.Replay(t.Context(), plan, 0,
		func(*scheduler.Job, float64) float64 { return 1 }))
	x := &Extra{Records: withJobs}
	must.Have(sim.Run(t.Context(), must.Have(s.Plan()), 0, x))
	byPlace := map[scheduler.JobID]float64{}
	for i := range x.JobRows {
		byPlace[x.JobRows[i].ID] = x.JobRows[i].Quality.Used.PairwiseMean
	}
	logged, ran, apart := 0.0, 0.0, 0
	slowed := must.Have(sim.Replay(t.Context(), plan, 0, func(j *scheduler.Job, d float64) float64 {
		work := float64(j.Size) * j.RunTime
		logged, ran = logged+work, ran+work*(1+d/2)
		return 1 + d/2
	}))
	must.Have(sim.Replay(t.Context(), plan, 0, func(j *scheduler.Job, d float64) float64 {
		if d != byPlace[j.ID] {
			t.Errorf("job %d has distance %v, in the log %v", j.ID, d, byPlace[j.ID])
		}
		if d > 0 {
			apart++
		}
		return 1
	}))
	value := func(name string) (before, after float64) {
		before, _ = plain.Value(name)
		after, _ = slowed.Value(name)
		return before, after
	}
	one, by := value("dilation")
	if one != 1 || apart < 20 || math.Abs(by-ran/logged) > 1e-12 || !(by > 1) {
		t.Errorf("dilation %v and %v, want 1 and %v", one, by, ran/logged)
	}
	if load, more := value("submitted_load"); math.Abs(more-load*by) > 1e-9 || !(load > 0) {
		t.Errorf("load %v and %v, dilation %v", load, more, by)
	}
	if short, long := value("response_time"); !(long > short) {
		t.Errorf("response times %v and %v", short, long)
	}
}

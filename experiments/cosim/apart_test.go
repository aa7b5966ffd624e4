package cosim

import (
	"math"
	"testing"

	"contend/experiments/cosim/metrics"
	"contend/experiments/spec"
)

// slowdownsOf returns the slowdowns of a run and its jobs.
func slowdownsOf(t *testing.T, s spec.Spec) (others, place float64, x *Extra) {
	t.Helper()
	s.Alone = true
	x = &Extra{Records: metrics.Records{Jobs: true}}
	r := runOf(t, s, x)
	return r["slowdown_by_others"], r["slowdown_by_placement"], x
}

// A job alone is slowed by nobody, and at its contiguous place by nothing. At nodes of a subtree of
// their own, jobs are not slowed by each other. Scattered ones are, and by their places; the
// product of both is service time over that of the contiguous place.
func TestSlowdownsOfJobsAlone(t *testing.T) {
	lone := togetherSpec("fft", "contiguous")
	lone.Workload.Background = "idle"
	apart := togetherSpec("fft", "contiguous")
	for name, s := range map[string]spec.Spec{"lone": lone, "apart": apart} {
		if others, place, _ := slowdownsOf(t, s); others != 1 || place != 1 {
			t.Errorf("%s: slowed %v times by others and %v times by the place", name, others, place)
		}
	}
	contiguous := column(t, metrics.JobTable.Names(), func() [][]string {
		_, _, x := slowdownsOf(t, lone)
		return x.JobRows
	}(), "service_time")[0]
	others, place, x := slowdownsOf(t, togetherSpec("fft", "scattered"))
	if others < 1.1 || place < 1.1 {
		t.Errorf("scattered: slowed %v times by others and %v times by the place", others, place)
	}
	of := func(name string) []float64 { return column(t, metrics.JobTable.Names(), x.JobRows, name) }
	service, byOthers, byPlace := of("service_time"), of("slowdown_by_others"),
		of("slowdown_by_placement")
	for i := range service {
		if got := byOthers[i] * byPlace[i]; math.Abs(got*contiguous/service[i]-1) > 1e-5 {
			t.Errorf("job %d takes %v and %v alone at a contiguous place; its slowdowns make %v", i,
				service[i],
				contiguous, got)
		}
	}
}

// Without runs.alone no run has slowdowns, and jobs that jump over time have none.
func TestSlowdownsAreAskedFor(t *testing.T) {
	r := runOf(t, togetherSpec("fft", "contiguous"), nil)
	if v, ok := r["slowdown_by_others"]; ok {
		t.Errorf("slowdown_by_others is %v", v)
	}
}

package cosim

import (
	"testing"

	"contend/experiments/spec"
	"contend/scheduler"
)

// Only jobs without an estimate get one, and only with scheduler.missing_estimate = factor.
// Raising estimates to run times leaves the assumed ones alone.
func TestAssumeEstimates(t *testing.T) {
	for _, c := range []struct {
		missing spec.MissingEstimate
		factor  float64
		want    [2]float64
	}{
		{spec.MissingRunTime, 2, [2]float64{30, 50}},
		{spec.MissingFactor, 2, [2]float64{30, 100}},
		{spec.MissingFactor, 1, [2]float64{30, 50}},
		{spec.MissingFactor, 2.5, [2]float64{30, 125}},
	} {
		jobs := []scheduler.Job{{RunTime: 50, Estimate: 30},
			{RunTime: 50, Estimate: 50, NoEstimate: true}}
		s := spec.SchedulerPlan{MissingEstimate: c.missing, EstimateFactor: c.factor}
		s.AssumeEstimates(jobs)
		if got := [2]float64{jobs[0].Estimate, jobs[1].Estimate}; got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
		raiseEstimates(jobs)
		if jobs[0].Estimate != 50 || jobs[1].Estimate != c.want[1] {
			t.Errorf("%+v: raised to %v and %v", c, jobs[0].Estimate, jobs[1].Estimate)
		}
	}
}

package spec

import (
	"contend/scheduler"
)

// SchedulerPlan is the section [scheduler].
type SchedulerPlan struct {
	// Policy is one of the schedulers; Plan.NewPolicy makes it.
	Policy    string
	OnOverrun Overrun // what happens to a job that exceeds its estimate
	// Kills tells whether jobs can be killed.
	Kills bool
	// UsesEstimates tells whether the estimates of users affect the run.
	UsesEstimates bool
	// MissingEstimate says what a job without an estimate gets.
	MissingEstimate MissingEstimate
	// EstimateFactor times the run time is the estimate with MissingFactor.
	EstimateFactor float64
}

func (s *Spec) schedulerPlan() SchedulerPlan {
	p := &s.Scheduler
	return SchedulerPlan{Policy: p.Policy, OnOverrun: enumOf[Overrun](overrunNames, p.OnOverrun),
		Kills: p.Kills(), UsesEstimates: s.UsesEstimates(),
		MissingEstimate: enumOf[MissingEstimate](missingNames, p.MissingEstimate),
		EstimateFactor:  p.EstimateFactor}
}

// AssumeEstimates gives the jobs of a log that have no estimate one.
func (p *SchedulerPlan) AssumeEstimates(jobs []scheduler.Job) {
	if p.MissingEstimate != MissingFactor {
		return // reading the log assumed the run time
	}
	for i := range jobs {
		if j := &jobs[i]; j.NoEstimate {
			j.Estimate = j.RunTime * p.EstimateFactor
		}
	}
}

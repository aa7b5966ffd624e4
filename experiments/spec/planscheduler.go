package spec

import (
	"errors"

	"contend/allocation"
	"contend/experiments/spec/input"
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

// NewPolicy makes the policy of a spec for the allocator of a run.
func (s *Spec) NewPolicy(a allocation.Allocator) (scheduler.Policy, error) {
	p := s.Registry.policy(s.Scheduler.Policy)
	made, err := p.New(s.values("schedulers", s.Scheduler.Policy), a)
	if err == nil && made == nil {
		err = errNothing
	}
	if bad := (*input.Error)(nil); err == nil || errors.As(err, &bad) {
		return made, err
	}
	return nil, input.Bad("scheduler.policy", "",
		"scheduler.policy is %s: %v", s.Scheduler.Policy, err)
}

// UsesEstimates tells whether the estimates of users affect the run.
func (s *Spec) UsesEstimates() bool {
	p := s.Registry.policy(s.Scheduler.Policy)
	return !p.IgnoresEstimates || s.Scheduler.OnOverrun == "kill"
}

// FixedRate returns the cycles in a second of a log whose jobs run for fixed times. It
// is 1 if all times are whole seconds, so that nothing is rounded, and a million
// otherwise.
func (p *Plan) FixedRate(jobs []scheduler.Job) input.Auto {
	if p.Workload.Source != SourceCplantStream && scheduler.WholeSeconds(jobs, p.Job.Speedup) {
		return 1
	}
	return UnitCycles
}

// UnitCycles is the resolution of a time unit of generated jobs that have no
// network, and of a second of a log that has fractions: a millionth.
const UnitCycles = 1e6

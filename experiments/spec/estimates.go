package spec

import (
	"contend/experiments/spec/input"
	"contend/scheduler"
)

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

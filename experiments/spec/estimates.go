package spec

import (
	"contend/scheduler"
)

// UsesEstimates tells whether it matters to the run what users estimate.
func (s *Spec) UsesEstimates() bool {
	if p, _, own := s.Registry.policy(s.Scheduler.Policy); own && p.IgnoresEstimates {
		return s.Scheduler.OnOverrun == "kill"
	}
	return s.Scheduler.Policy != "fcfs" || s.Scheduler.OnOverrun == "kill"
}

// FixedRate returns the cycles in a second of a log whose jobs run for fixed
// times: 1 where all times are whole seconds, so that nothing is rounded, or
// else a million.
func (p *Plan) FixedRate(jobs []scheduler.Job) Auto {
	if p.Workload.Source != SourceCplantStream && scheduler.WholeSeconds(jobs, p.Job.Speedup) {
		return 1
	}
	return UnitCycles
}

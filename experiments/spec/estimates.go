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

// AssumeEstimates gives the jobs of a log that have no estimate one.
func (p *SchedulerSpec) AssumeEstimates(jobs []scheduler.Job) {
	if p.MissingEstimate != "factor" {
		return // reading the log assumed the run time
	}
	for i := range jobs {
		if j := &jobs[i]; j.NoEstimate {
			j.Estimate = j.RunTime * p.EstimateFactor
		}
	}
}

// FixedRate returns the cycles in a second of a log whose jobs run for fixed
// times: 1 where all times are whole seconds, so that nothing is rounded, or
// else a million.
func FixedRate(jobs []scheduler.Job, spec *Spec) Auto {
	if spec.Workload.Source != "cplant-stream" && scheduler.WholeSeconds(jobs, spec.Speedup()) {
		return 1
	}
	return UnitCycles
}

package experiments

import (
	"fmt"

	"contend/scheduler"
)

// usesEstimates tells whether it matters to the run what users estimate.
func (p *SchedulerSpec) usesEstimates() bool { return p.Policy != "fcfs" || p.OnOverrun == "kill" }

// assumeEstimates gives the jobs of a log that have no estimate one.
func (p *SchedulerSpec) assumeEstimates(jobs []scheduler.Job) {
	if p.MissingEstimate != "factor" {
		return // reading the log assumed the run time
	}
	for i := range jobs {
		if j := &jobs[i]; j.NoEstimate {
			j.Estimate = j.RunTime * p.EstimateFactor
		}
	}
}

// estimateNote says how many jobs of a run whose scheduler looks at estimates
// have none in the log, and what is assumed; "" where all have one. key tells
// runs with other jobs apart.
func (s *Simulator) estimateNote(spec *Spec, key string) (string, error) {
	p := &spec.Scheduler
	if spec.Workload.Source != "swf" || !p.usesEstimates() {
		return "", nil
	}
	type count struct{ jobs, missing int }
	n, err := shared(s, "estimates "+key, func() (n count, err error) {
		machine, err := newMachine(&spec.Machine)
		if err != nil {
			return n, err
		}
		jobs, err := s.logJobs(spec, machine, nil, 0)
		for i := range jobs {
			if jobs[i].NoEstimate {
				n.missing++
			}
		}
		n.jobs = len(jobs)
		return n, err
	})
	if err != nil {
		return "", err
	}
	name, assumed := baseName(spec.Workload.Trace), "their run times, as if users knew them"
	if p.MissingEstimate == "factor" {
		assumed = fmt.Sprintf("%g times their run times", p.EstimateFactor)
	}
	switch {
	case n.missing > 0:
		format := "%s: %d of %d jobs have no estimate; %s is given %s (scheduler.missing_estimate = %s)"
		return fmt.Sprintf(format, name, n.missing, n.jobs, p.Policy, assumed, p.MissingEstimate), nil
	case p.MissingEstimate == "factor":
		return name + ": no job lacks an estimate, so scheduler.missing_estimate = factor changes nothing",
			nil
	}
	return "", nil
}

// fixedRate returns the cycles in a second of a log whose jobs run for fixed
// times: 1 where all times are whole seconds, so that nothing is rounded, or
// else a million.
func fixedRate(jobs []scheduler.Job, spec *Spec) Auto {
	if spec.Workload.Source != "cplant-stream" && scheduler.WholeSeconds(jobs, spec.speedup()) {
		return 1
	}
	return unitCycles
}

package cosim

import (
	"fmt"

	"contend/experiments/spec"
)

// estimateNote says how many jobs of a run whose scheduler looks at estimates
// have none in the log, and what is assumed; "" where all have one. key tells
// runs with other jobs apart.
func (s *Simulator) estimateNote(plan *spec.Spec, key string) (string, error) {
	p := &plan.Scheduler
	if plan.Workload.Source != "swf" || !plan.UsesEstimates() {
		return "", nil
	}
	type count struct{ jobs, missing int }
	n, err := Shared(s, "estimates "+key, func() (n count, err error) {
		machine, err := spec.NewMachine(&plan.Machine)
		if err != nil {
			return n, err
		}
		jobs, err := s.logJobs(plan, machine, nil, 0)
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
	name, assumed := spec.BaseName(plan.Workload.Trace), "their run times, as if users knew them"
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

package cosim

import (
	"fmt"

	"contend/experiments/spec"
)

// missingEstimates counts the jobs of a log and its jobs without an estimate.
type missingEstimates struct{ jobs, missing int }

// estimateNote returns a note on the number of jobs without an estimate and on the assumed
// estimates. It returns "" if no job lacks an estimate or the scheduler ignores them.
func (s *Simulator) estimateNote(plan *spec.Plan) (string, error) {
	p := &plan.Scheduler
	if plan.Workload.Source != spec.SourceSWF || !p.UsesEstimates {
		return "", nil
	}
	n, err := s.shared.estimates.Of(plan.NotesID(), func() (n missingEstimates, err error) {
		jobs, err := s.logJobs(plan, plan.Workload.Start, nil, 0)
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
	if p.MissingEstimate == spec.MissingFactor {
		assumed = fmt.Sprintf("%g times their run times", p.EstimateFactor)
	}
	switch {
	case n.missing > 0:
		return fmt.Sprintf("%s: %d of %d jobs have no estimate; %s is given %s (%s = %s)", name,
			n.missing, n.jobs, p.Policy, assumed, spec.FieldMissingEstimate, p.MissingEstimate), nil
	case p.MissingEstimate == spec.MissingFactor:
		return fmt.Sprintf("%s: no job lacks an estimate, so %s = %s changes nothing", name,
			spec.FieldMissingEstimate, p.MissingEstimate), nil
	}
	return "", nil
}

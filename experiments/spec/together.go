package spec

import (
	"contend/experiments/spec/input"
)

// Jobs that run together (workload.source = "together") have one size, start at once,
// and stay at the places that workload.placement gives, as do the sixteen instances of
// an application in Pascual et al. 2009, sec. 5. There is no queue and no allocation,
// so the difference between two placements is that of the network.

// What the machine does beside the job looked at, beside a pattern's name.
const (
	backgroundSame = "same" // all jobs are alike, and all are looked at
	backgroundIdle = "idle" // there is one job
)

// Background returns the pattern of the jobs that run beside the first, and false if
// there are none.
func (s *Spec) Background() (Weighted, bool) {
	b := s.Workload.Background
	if s.Workload.Source != "together" || b == backgroundSame || b == backgroundIdle {
		return Weighted{}, false
	}
	mix, err := ParseMix(b)
	if err != nil {
		return Weighted{}, false
	}
	return mix[0], true
}

// checkTogether refuses keys that do not fit jobs that run together.
func (s *Spec) checkTogether() *input.Error {
	w := &s.Workload
	if w.Source != "together" {
		return nil
	}
	if _, err := ParsePlacement(w.Placement); err != nil {
		return err
	}
	if mix, err := ParseMix(s.Job.Pattern); err != nil || len(mix) > 1 {
		return input.Bad("job.pattern", "give one pattern; that of the others is workload.background",
			"job.pattern is %s, for jobs that run together", s.Job.Pattern)
	}
	if mix, err := ParseMix(w.Background); err != nil || len(mix) > 1 {
		return input.Bad("workload.background", "give one pattern", "workload.background is %s",
			w.Background)
	}
	if b, ok := s.Background(); ok {
		return s.Registry.checkPart("workload.background", b)
	}
	return nil
}

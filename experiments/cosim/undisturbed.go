package cosim

import (
	"math"

	"contend/experiments/spec"
	"contend/scheduler"
)

// KnowsTimes reports whether jobs have run times, which tell how long they take when
// nobody disturbs them.
func KnowsTimes(s *spec.Spec) bool {
	return s.Job.Run != "messages" || spec.WorkloadIs("swf", "lublin").Holds(s) || spec.DrawnServices.Holds(s)
}

// undisturbed returns how long a job takes when nobody disturbs it, which a
// slowdown is measured against: its run time where it has one, otherwise the
// time of its messages when it has the run's own machine to itself.
// gauge is told what time this took.
func (s *Simulator) undisturbed(
	plan *spec.Spec, u *setup, gauge *Gauge,
) (func(*scheduler.Record) scheduler.Cycle, error) {
	own := *plan
	own.Job.CalibrateOn = ""
	a, err := s.newAlone(&own, u.machine)
	if err != nil {
		return nil, err
	}
	a.gauge, a.once = gauge, true
	timed := KnowsTimes(plan)
	return func(r *scheduler.Record) scheduler.Cycle {
		j := r.Job
		if timed || j.Quota == 0 {
			return u.Work.clock.Cycles(j.RunTime)
		}
		cycles, messages, err := a.iteration(j, u.Work.patterns[j.Pattern])
		if err != nil || messages == 0 {
			return r.Service() // a job without messages disturbs nobody
		}
		return scheduler.Cycle(math.Round(cycles * float64(j.Quota) / float64(messages)))
	}, nil
}

package experiments

import (
	"math"

	"contend/scheduler"
)

// knowsTimes reports whether jobs have run times, which tell how long they take when
// nobody disturbs them.
func (s *Spec) knowsTimes() bool {
	return s.Job.Run != "messages" || source("swf", "lublin").holds(s) || drawnServices.holds(s)
}

// undisturbed returns how long a job takes when nobody disturbs it, which a
// slowdown is measured against: its run time where it has one, otherwise the
// time of its messages when it has the run's own machine to itself.
// gauge is told what time this took.
func (s *Simulator) undisturbed(
	spec *Spec, u *setup, gauge *Gauge,
) (func(*scheduler.Record) scheduler.Cycle, error) {
	own := *spec
	own.Job.CalibrateOn = ""
	a, err := s.newAlone(&own, u.machine)
	if err != nil {
		return nil, err
	}
	a.gauge, a.once = gauge, true
	timed := spec.knowsTimes()
	return func(r *scheduler.Record) scheduler.Cycle {
		j := r.Job
		if timed || j.Quota == 0 {
			return u.work.clock.Cycles(j.RunTime)
		}
		cycles, messages, err := a.iteration(j, u.work.patterns[j.Pattern])
		if err != nil || messages == 0 {
			return r.Service() // a job without messages disturbs nobody
		}
		return scheduler.Cycle(math.Round(cycles * float64(j.Quota) / float64(messages)))
	}, nil
}

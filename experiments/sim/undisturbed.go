package sim

import (
	"math"

	"contend/experiments/config"
	"contend/scheduler"
)

// undisturbed returns a function for the time that a job takes undisturbed, the base of its
// slowdown. That is the run time of a job that has one, otherwise the time of its messages on the
// run's own machine without other jobs. The gauge learns of the time that this computation takes.
func (s *Simulator) undisturbed(
	plan *config.Plan, u *Setup, gauge *Gauge,
) func(*scheduler.Record) scheduler.Cycle {
	a := &alone{s: s, work: u.Work, plan: plan, gauge: gauge, once: true}
	return func(r *scheduler.Record) scheduler.Cycle {
		j := r.Job
		if plan.KnowsTimes || j.Quota == 0 {
			return u.Work.clock.Cycles(j.RunTime)
		}
		cycles, messages, err := a.iteration(j)
		if err != nil || messages == 0 {
			return r.Service() // a job without messages disturbs nobody
		}
		return scheduler.Cycle(math.Round(cycles*float64(j.Quota)/float64(messages))) + j.Lead
	}
}

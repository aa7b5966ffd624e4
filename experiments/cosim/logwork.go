package cosim

import (
	"math"
	"math/rand/v2"

	"contend/experiments/spec"
	"contend/patterns"
	"contend/scheduler"
)

// logWork prepares a log, or jobs that are generated like one.
// first is the work of replication 0, nil in that.
func (s *Simulator) logWork(
	w *Work, plan *spec.Plan, start int, weights []float64, seed uint64, first *Work,
) error {
	jobs, err := s.logJobs(plan, start, weights, seed)
	if err != nil {
		return err
	}
	a := s.newAlone(plan)
	plan.Scheduler.AssumeEstimates(jobs)
	if plan.Scheduler.OnOverrun == spec.OverrunRaise {
		raiseEstimates(jobs)
	}
	cps, q := plan.Job.CyclesPerSecond, &plan.Job.Quota
	switch {
	case plan.Job.Run == spec.RunFixed:
		if cps == spec.Automatic {
			cps = plan.FixedRate(jobs)
		}
	case q.PerSecond == spec.Automatic:
		if cps == spec.Automatic {
			cps = 1
		}
		if plan.Job.Share < 1 {
			if err := shareTimes(jobs, w, plan, a, float64(cps)); err != nil {
				return err
			}
		} else if err := quotasFromTimes(jobs, w, a, float64(cps)); err != nil {
			return err
		}
	default:
		if err := giveQuotas(jobs, w, plan, seed); err != nil {
			return err
		}
		if cps == spec.Automatic && first != nil {
			cps = spec.Auto(first.clock.CyclesPerSecond)
		} else if cps == spec.Automatic {
			rate, err := cyclesFromQuotas(jobs, w, a)
			if err != nil {
				return err
			}
			cps = spec.Auto(rate)
		}
	}
	w.clock.CyclesPerSecond = float64(cps)
	w.Source = &scheduler.List{Jobs: jobs}
	return nil
}

// raiseEstimates makes no job run for longer than it was estimated to: so the
// authors of johnson2010 seem to have read logs (docs/DEVIATIONS.md, row 55).
func raiseEstimates(jobs []scheduler.Job) {
	for i := range jobs {
		jobs[i].Estimate = max(jobs[i].Estimate, jobs[i].RunTime)
	}
}

// giveQuotas sets the quotas of the jobs of a log that do not depend on how long
// jobs take: per second of their run times, or drawn.
func giveQuotas(jobs []scheduler.Job, w *Work, plan *spec.Plan, seed uint64) error {
	q := &plan.Job.Quota
	if q.PerSecond > 0 {
		for i := range jobs {
			jobs[i].Quota = max(1, int64(math.Round(jobs[i].RunTime*float64(q.PerSecond))))
		}
		return nil
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	for i := range jobs {
		mean := q.Messages
		if mean == 0 {
			p := w.patterns[jobs[i].Pattern]
			per, err := patterns.MessagesPerIteration(p, jobs[i].Size, jobs[i].Shape)
			if err != nil {
				return spec.FieldPattern.Bad("", "job %d: %v", jobs[i].ID, err)
			}
			mean = q.Iterations * float64(per)
		}
		if q.Drawn {
			mean *= rng.ExpFloat64()
		}
		jobs[i].Quota = max(1, int64(math.Round(mean)))
	}
	return nil
}

// quotasFromTimes gives every job the messages that take it, alone on the
// machine, as long as the log says: its load is kept, job by job.
func quotasFromTimes(jobs []scheduler.Job, w *Work, a *alone, cyclesPerSecond float64) error {
	for i := range jobs {
		j := &jobs[i]
		cycles, messages, err := a.iteration(j, w.patterns[j.Pattern])
		if err != nil {
			return err
		}
		if messages == 0 {
			continue
		}
		j.Quota = max(1, int64(math.Round(j.RunTime*cyclesPerSecond/cycles*float64(messages))))
		if w.parallel++; j.Quota < messages {
			w.partial++
		}
	}
	return nil
}

// cyclesFromQuotas returns how many cycles a second of the log has to be for
// its load (Pascual et al. 2009, Eq. 2) to be kept when every job runs as it
// would alone: the ratio of the work in cycles to the work in seconds.
func cyclesFromQuotas(jobs []scheduler.Job, w *Work, a *alone) (float64, error) {
	var inCycles, inSeconds float64
	for i := range jobs {
		j := &jobs[i]
		cycles, messages, err := a.iteration(j, w.patterns[j.Pattern])
		if err != nil {
			return 0, err
		}
		if messages == 0 {
			continue // it runs for its run time, whatever that is in cycles
		}
		inCycles += float64(j.Size) * cycles * float64(j.Quota) / float64(messages)
		inSeconds += float64(j.Size) * j.RunTime
	}
	if inCycles == 0 || inSeconds == 0 {
		return 1, nil
	}
	return inCycles / inSeconds, nil
}

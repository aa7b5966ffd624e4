package sim

import (
	"math"
	"math/rand/v2"

	"contend/experiments/config"
	"contend/internal/input"
	"contend/scheduler"
)

// logWork prepares the jobs of a log, or jobs that are generated like a log. The argument first
// is the work of replication 0, or nil in replication 0 itself.
func (s *Simulator) logWork(
	w *Work, plan *config.Plan, start int, weights []float64, seed uint64, first *Work,
) error {
	jobs, err := s.logJobs(plan, start, weights, seed)
	if err != nil {
		return err
	}
	for i := range jobs {
		if jobs[i].NoEstimate {
			w.noEstimate++
		}
	}
	cps, q := plan.Job.CyclesPerSecond, &plan.Job.Quota
	if plan.Workload.Source == config.SourceBatsim {
		err = s.giveProfiles(jobs, w, plan, cps)
	} else {
		err = givePatterns(jobs, w, plan, weights, seed)
	}
	if err != nil {
		return err
	}
	a := s.newAlone(plan, w)
	plan.Scheduler.AssumeEstimates(jobs)
	if plan.Scheduler.OnOverrun == config.OverrunRaise {
		raiseEstimates(jobs)
	}
	switch {
	case plan.Job.Run == config.RunFixed:
		if cps == input.Automatic {
			cps = plan.FixedRate(jobs)
		}
	case plan.Workload.Source == config.SourceBatsim: // profiles say what jobs send
	case q.PerSecond == input.Automatic:
		if cps == input.Automatic {
			cps = 1
		}
		if plan.Job.Iteration > 0 || plan.Job.Share < 1 {
			err = computingTimes(jobs, w, plan, a, float64(cps))
		} else {
			err = quotasFromTimes(jobs, w, a, float64(cps))
		}
		if err != nil {
			return err
		}
	default:
		if err := giveQuotas(jobs, w, plan, seed); err != nil {
			return err
		}
		if cps == input.Automatic && first != nil {
			cps = input.Auto(first.clock.CyclesPerSecond)
		} else if cps == input.Automatic {
			rate, err := cyclesFromQuotas(jobs, w, a)
			if err != nil {
				return err
			}
			cps = input.Auto(rate)
		}
	}
	w.clock.CyclesPerSecond = float64(cps)
	w.Source = &scheduler.List{Jobs: jobs}
	return nil
}

// raiseEstimates raises the estimate of each job to at least its run time. The authors of
// johnson2010 seem to have read logs that way (docs/DEVIATIONS.md, row 55).
func raiseEstimates(jobs []scheduler.Job) {
	for i := range jobs {
		jobs[i].Estimate = max(jobs[i].Estimate, jobs[i].RunTime)
	}
}

// giveQuotas sets the quotas of the jobs of a log that do not depend on the length of an
// iteration. They are proportional to the run time, constant or drawn.
func giveQuotas(jobs []scheduler.Job, w *Work, plan *config.Plan, seed uint64) error {
	q := &plan.Job.Quota
	if q.PerSecond > 0 {
		for i := range jobs {
			jobs[i].Quota = wholeQuota(jobs[i].RunTime * float64(q.PerSecond))
		}
		return nil
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	for i := range jobs {
		j := &jobs[i]
		mean, err := meanQuota(q, w.patterns[j.Pattern], j.Size, j.Shape)
		if err != nil {
			return config.FieldPattern.Bad(otherSizes(plan, err), "job %d: %v", j.ID, err)
		}
		if q.Drawn {
			mean *= rng.ExpFloat64()
		}
		j.Quota = wholeQuota(mean)
	}
	return nil
}

// maxMessages is the largest quota of a job, beyond any that a run could finish.
const maxMessages = 1 << 62

// wholeQuota returns the quota next to a number of messages, at least 1.
func wholeQuota(messages float64) int64 {
	return int64(min(max(1, math.Round(messages)), maxMessages))
}

// quotasFromTimes sets the quota of each job such that the job, alone on the machine, takes its
// run time in the log. The load of each job is preserved.
func quotasFromTimes(jobs []scheduler.Job, w *Work, a *alone, cyclesPerSecond float64) error {
	for i := range jobs {
		j := &jobs[i]
		cycles, messages, err := a.iteration(j)
		if err != nil {
			return err
		}
		if messages == 0 {
			continue
		}
		j.Quota = wholeQuota(j.RunTime * cyclesPerSecond / cycles * float64(messages))
		if w.parallel++; j.Quota < messages {
			w.partial++
		}
	}
	return nil
}

// cyclesFromQuotas returns the cycles per second of the log that preserve its load (Pascual et
// al. 2009, Eq. 2) if every job runs as it would alone. It is the ratio of the work in cycles to
// the work in seconds.
func cyclesFromQuotas(jobs []scheduler.Job, w *Work, a *alone) (float64, error) {
	var inCycles, inSeconds float64
	for i := range jobs {
		j := &jobs[i]
		cycles, messages, err := a.iteration(j)
		if err != nil {
			return 0, err
		}
		if messages == 0 {
			continue // it runs for its run time at any rate
		}
		inCycles += float64(j.Size) * cycles * float64(j.Quota) / float64(messages)
		inSeconds += float64(float64(j.Size) * j.RunTime)
	}
	if inCycles == 0 || inSeconds == 0 {
		return 1, nil
	}
	return inCycles / inSeconds, nil
}

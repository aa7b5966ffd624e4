package sim

import (
	"math"
	"math/rand/v2"

	"contend/experiments/config"
	"contend/internal/input"
	"contend/scheduler"
)

// makeLog makes the jobs of a log, or jobs that are generated like a log: their patterns, then the
// messages that they send and the cycles of a second, so that their load is that of the log.
func (m *workMaker) makeLog() error {
	m.addPatterns()
	plan, q := m.plan, &m.plan.Job.Quota
	start := plan.Workload.Start + m.replication*plan.Workload.Window
	jobs, err := m.logJobs(plan, start, m.weights, m.seed)
	if err != nil {
		return err
	}
	m.Source, m.clock.CyclesPerSecond = &scheduler.List{Jobs: jobs}, float64(plan.Job.CyclesPerSecond)
	for i := range jobs {
		if jobs[i].NoEstimate {
			m.noEstimates++
		}
	}
	profiles := plan.Workload.Source == config.SourceBatsim // say what jobs send
	if profiles {
		err = m.giveProfiles(jobs)
	} else {
		err = m.givePatterns(jobs)
	}
	if err == nil && plan.Workload.HasTrace() {
		err = m.noteLog(jobs)
	}
	if err != nil {
		return err
	}
	plan.Scheduler.AssumeEstimates(jobs)
	if plan.Scheduler.OnOverrun == config.OverrunRaise {
		raiseEstimates(jobs)
	}
	a := m.newCalibration(m.ctx, plan, m.Work)
	switch automatic := plan.Job.CyclesPerSecond == input.Automatic; {
	case plan.Job.Run == config.RunFixed:
		if automatic {
			m.setClock(float64(plan.FixedRate(jobs)))
		}
	case profiles:
	case q.PerSecond == input.Automatic && (plan.Job.Iteration > 0 || plan.Job.Share < 1):
		m.setClock(1)
		return m.computingTimes(jobs, a)
	case q.PerSecond == input.Automatic:
		m.setClock(1)
		return m.quotasFromTimes(jobs, a)
	default:
		if err = m.giveQuotas(jobs); err == nil && automatic {
			m.clock.CyclesPerSecond, err = m.automaticRate(jobs, a)
			m.noteRate()
		}
	}
	return err
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
func (m *workMaker) giveQuotas(jobs []scheduler.Job) error {
	q := &m.plan.Job.Quota
	if q.PerSecond > 0 {
		for i := range jobs {
			jobs[i].Quota = wholeQuota(jobs[i].RunTime * float64(q.PerSecond))
		}
		return nil
	}
	rng := rand.New(rand.NewPCG(m.seed, 1))
	for i := range jobs {
		j := &jobs[i]
		mean, err := meanQuota(q, m.patterns[j.Pattern], j.Size, j.Shape)
		if err != nil {
			return config.FieldPattern.Bad(otherSizes(m.plan, err), "job %d: %v", j.ID, err)
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
func (m *workMaker) quotasFromTimes(jobs []scheduler.Job, a *calibration) error {
	parallel, partial := 0, 0 // jobs, and those that run for less than one iteration
	for i := range jobs {
		j := &jobs[i]
		cycles, messages, err := a.iteration(j)
		if err != nil {
			return err
		}
		if messages == 0 {
			continue
		}
		j.Quota = wholeQuota(j.RunTime * m.clock.CyclesPerSecond / cycles * float64(messages))
		if parallel++; j.Quota < messages {
			partial++
		}
	}
	if m.plan.Workload.HasTrace() {
		m.noteQuotas(parallel, partial)
	}
	return nil
}

// automaticRate returns the cycles of a second that preserve the load of the log in replication 0.
// All replications have the same.
func (m *workMaker) automaticRate(jobs []scheduler.Job, a *calibration) (float64, error) {
	if m.replication > 0 && m.plan.Calibrates {
		first, err := m.memos.works.until(m.ctx, m.plan.WorkID(),
			func() (*Work, error) { return m.NewWork(m.ctx, m.plan, 0) })
		if err != nil {
			return 0, err
		}
		return first.clock.CyclesPerSecond, nil
	}
	return rateFromQuotas(jobs, a)
}

// rateFromQuotas returns the cycles per second of the log that preserve its load (Pascual et
// al. 2009, Eq. 2) if every job runs as it would alone. It is the ratio of the work in cycles to
// the work in seconds.
func rateFromQuotas(jobs []scheduler.Job, a *calibration) (float64, error) {
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

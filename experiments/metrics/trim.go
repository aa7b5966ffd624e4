package metrics

import (
	"math"

	"contend/experiments/config"
	"contend/scheduler"
)

// trim leaves the first and the last submitted jobs out of metrics (runs.warmup_jobs and
// runs.cooldown_jobs), since the machine fills while the first run and empties while the last run.
type trim struct {
	on bool
	// The jobs numbered first to last count. Numbers begin with 1, in order of submission.
	first, last int64
	// from and until are the submissions of the first and of the last job that counts.
	from, until scheduler.Cycle
	served      []served // all jobs, in order of their ends
}

// served is the interval of cycles in which a job held processors.
type served struct {
	start, end scheduler.Cycle
	processors int
}

// newTrim returns the trim of the jobs of a source. It refuses a plan that leaves out all of them.
func newTrim(plan *config.Plan, source scheduler.Source) (trim, error) {
	t := trim{on: plan.WarmupJobs+plan.CooldownJobs > 0}
	if !t.on {
		return t, nil
	}
	jobs := plan.Workload.Jobs // of a generated stream
	if list, ok := source.(*scheduler.List); ok {
		jobs = len(list.Jobs)
	}
	t.first, t.last = int64(plan.WarmupJobs)+1, int64(jobs-plan.CooldownJobs)
	if t.last < t.first {
		return t, config.FieldWarmupJobs.Bad("leave out fewer",
			"%s and %s leave out %d and %d jobs of %d, so no job counts", config.FieldWarmupJobs,
			config.FieldCooldownJobs, plan.WarmupJobs, plan.CooldownJobs, jobs)
	}
	return t, nil
}

// CheckTrim refuses a plan that leaves out all jobs of a source.
func CheckTrim(plan *config.Plan, source scheduler.Source) error {
	_, err := newTrim(plan, source)
	return err
}

// record records when a job was served, and reports whether it counts.
func (t *trim) record(r *scheduler.Record) bool {
	if !t.on {
		return true
	}
	if !r.Lost {
		t.served = append(t.served, served{r.Start, r.End, len(r.Nodes)})
	}
	if r.Number == t.first {
		t.from = r.Submit
	}
	if r.Number == t.last {
		t.until = r.Submit
	}
	return r.Number >= t.first && r.Number <= t.last
}

// utilization returns that between the submissions of the first and the last job that counts, NaN
// if all jobs count. nodes is the number of processors.
func (t *trim) utilization(nodes int) float64 {
	span := float64(t.until - t.from)
	if !t.on || span <= 0 { // all were submitted at once
		return math.NaN()
	}
	used := 0.0
	for _, j := range t.served {
		if held := min(j.end, t.until) - max(j.start, t.from); held > 0 {
			used += float64(float64(j.processors) * float64(held))
		}
	}
	return 100 * used / (float64(nodes) * span)
}

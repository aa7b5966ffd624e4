package metrics

import (
	"contend/experiments/config"
	"contend/scheduler"
)

// trim says which jobs count: those that are neither among the first nor among the last to be
// submitted (runs.warmup_jobs, runs.cooldown_jobs). Until the machine has filled jobs find it
// emptier than later, and when no more jobs arrive they leave it emptier.
type trim struct {
	on bool
	// The jobs first to last count, by their number in order of submission from 1.
	first, last int64
	// Submissions of the first and the last job that counts, in cycles.
	from, until scheduler.Cycle
	served      []served // all jobs, in order of their ends
}

// served is when a job held how many processors.
type served struct {
	start, end scheduler.Cycle
	processors int
}

// newTrim returns which of the jobs of a source count. It refuses a trim that leaves none.
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

// counts reports whether a job counts, and remembers it.
func (t *trim) counts(r *scheduler.Record) bool {
	if !t.on {
		return true
	}
	t.served = append(t.served, served{r.Start, r.End, len(r.Nodes)})
	if r.Number == t.first {
		t.from = r.Submit
	}
	if r.Number == t.last {
		t.until = r.Submit
	}
	return r.Number >= t.first && r.Number <= t.last
}

// metrics adds the metrics of a trimmed run. nodes is the number of processors.
func (t *trim) metrics(add func(string, float64), nodes int) {
	if !t.on {
		return
	}
	span := float64(t.until - t.from)
	if span <= 0 {
		return // all were submitted at once
	}
	used := 0.0
	for _, j := range t.served {
		if held := min(j.end, t.until) - max(j.start, t.from); held > 0 {
			used += float64(float64(j.processors) * float64(held))
		}
	}
	add("measured_utilization", 100*used/(float64(nodes)*span))
}

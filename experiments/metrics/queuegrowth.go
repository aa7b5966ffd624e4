package metrics

import (
	"slices"
	"strings"

	"contend/experiments/stats"
	"contend/scheduler"
)

// queueGrowth decides whether the queue of a run grows for as long as jobs are submitted. Mean
// waits then depend on how many jobs there are, as the latency of a saturated network depends on
// how long is measured (Frachtenberg and Feitelson, Pitfalls in parallel job scheduling evaluation,
// JSSPP 2005).
type queueGrowth struct {
	submits, starts []scheduler.Cycle // of all jobs
}

const (
	queueParts   = 20   // parts of the submissions, of as many jobs each
	queueShare   = 0.01 // minimum share of the jobs that wait at the end in a queue that grows
	minQueueJobs = 2 * queueParts
)

// add adds a job that has started.
func (q *queueGrowth) add(r *scheduler.Record) {
	q.submits, q.starts = append(q.submits, r.Submit), append(q.starts, r.Start)
}

// percent returns the share of the jobs that wait when the last one is submitted, and whether the
// queue grows. It reports false for few jobs.
func (q *queueGrowth) percent() (percent float64, grows bool) {
	n := len(q.submits)
	if n < minQueueJobs {
		return 0, false
	}
	slices.Sort(q.submits)
	slices.Sort(q.starts)
	increases, waiting := make([]float64, queueParts), 0
	for part := range queueParts {
		now, before := q.submits[(part+1)*n/queueParts-1], waiting
		waiting = countUpTo(q.submits, now) - countUpTo(q.starts, now)
		increases[part] = float64(waiting - before)
	}
	grows = stats.Drifts(increases, queueShare*float64(n)/queueParts, 0.95)
	return 100 * float64(waiting) / float64(n), grows && q.submits[0] < q.submits[n-1]
}

// countUpTo returns the number of sorted times that are not after a moment.
func countUpTo(times []scheduler.Cycle, moment scheduler.Cycle) int {
	n, _ := slices.BinarySearch(times, moment+1)
	return n
}

// GrowsWithQueue reports whether a metric depends on the number of jobs where the queue grows: one
// of waits, or of times from the submission on.
func GrowsWithQueue(metric string) bool {
	return slices.ContainsFunc([]string{"wait_time", "response_time", "bounded_slowdown",
		"largest_wait_time", "other_wait_time"},
		func(name string) bool { return strings.HasPrefix(metric, name) })
}

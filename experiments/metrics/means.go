package metrics

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/stats"
	"contend/internal/table"
	"contend/router"
	"contend/scheduler"
)

// Mean is a running mean. The zero value has no values.
type Mean struct {
	Sum float64 // sum of the values, in their unit
	N   int     // number of values, at least 0
}

// Add adds a value.
func (m *Mean) Add(x float64) { m.Sum += x; m.N++ }

// Value returns the mean. It is NaN, an undefined metric, if nothing was added.
func (m *Mean) Value() float64 {
	if m.N == 0 {
		return math.NaN()
	}
	return m.Sum / float64(m.N)
}

// SizeMeans are the means of the sums of pairwise distances in channels, by number of processors.
type SizeMeans []Mean

// Add adds the sum of pairwise distances of a job.
func (s *SizeMeans) Add(processors int, sum int64) {
	for len(*s) <= processors {
		*s = append(*s, Mean{})
	}
	(*s)[processors].Add(float64(sum))
}

// SizeRow is a row of the table of sizes.
type SizeRow struct {
	Processors int
	Mean       // of the sums of pairwise distances
}

// SizeTable is the table of sizes, which gains by the size of jobs are drawn from.
var SizeTable = withColumns(RowTable{Name: "sizes", Row: "size of jobs",
	Key: []string{"processors"}, Wanted: func(x *Records) bool { return x.Sizes }},
	func(x *Records) []SizeRow { return x.SizeRows },
	integers("processors", "nodes", "size of the jobs", func(r *SizeRow) int { return r.Processors }),
	integers("jobs", "jobs", "jobs of that size", func(r *SizeRow) int { return r.N }),
	column[SizeRow]{table.Number.Column("sum_pairwise_distance", "channels", "mean over these jobs"),
		func(r *SizeRow, _ *Clock) table.Value { return table.Exact(r.Value()) }},
)

// Rows returns a row for each size of jobs, smallest first.
func (s SizeMeans) Rows() (rows []SizeRow) {
	for processors, m := range s {
		if m.N > 0 {
			rows = append(rows, SizeRow{processors, m})
		}
	}
	return rows
}

// percents are the percentiles that runs have of times and slowdowns.
var percents = [...]int{50, 90, 99}

// percentileName returns the name of a percentile of a metric.
func percentileName(metric string, percent int) string {
	return fmt.Sprintf("%s_p%d", metric, percent)
}

// percentileInfos returns the metrics that are percentiles.
func percentileInfos() (infos []MetricInfo) {
	for _, m := range []struct{ of, unit, what string }{
		{"wait_time", unitOfClock, "waiting time"},
		{"response_time", unitOfClock, "response time"},
		{"bounded_slowdown", "", "bounded slowdown"},
		{"iteration_time", unitOfClock, "time of an iteration, with runs.iterations"},
		{"latency", "cycles", "latency of a packet"},
	} {
		for _, percent := range percents {
			doc := fmt.Sprintf("median %s (nearest rank)", m.what)
			if percent != 50 {
				doc = fmt.Sprintf("%dth percentile of the %s (nearest rank)", percent, m.what)
			}
			if m.of == "latency" {
				doc += "; exact of traffic; with jobs 13 binary digits are kept above 8192 cycles, so " +
					"it is up to 0.025% too low"
			}
			infos = append(infos, MetricInfo{percentileName(m.of, percent), m.unit, doc, "", 0})
		}
	}
	return infos
}

// sample keeps the values of a metric of jobs for its mean and its percentiles.
type sample []float64

// Add adds a value.
func (s *sample) Add(x float64) { *s = append(*s, x) }

// Value returns the mean, summed in the order of the values.
func (s sample) Value() float64 {
	var m Mean
	for _, x := range s {
		m.Add(x)
	}
	return m.Value()
}

// metrics adds the percentiles of a metric.
func (s sample) metrics(add func(string, float64), of string) {
	if len(s) == 0 {
		return
	}
	sorted := slices.Sorted(slices.Values(s))
	for _, percent := range percents {
		add(percentileName(of, percent), stats.Percentile(sorted, percent))
	}
}

// latencies counts the latencies of packets in cycles.
type latencies struct{ stats.Counts }

// packet counts a packet that has arrived.
func (l *latencies) packet(p *router.Arrival) { l.Add(p.Delivered - p.Created) }

// metrics adds the percentiles of the latency.
func (l *latencies) metrics(add func(string, float64)) {
	if l.N() == 0 {
		return
	}
	for _, percent := range percents {
		add(percentileName("latency", percent), float64(l.Percentile(percent)))
	}
}

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
// lead jobs come before those of the plan.
func newTrim(plan *config.Plan, source scheduler.Source, lead int) (trim, error) {
	t := trim{on: lead+plan.WarmupJobs+plan.CooldownJobs > 0}
	if !t.on {
		return t, nil
	}
	jobs := plan.Workload.Jobs // of a generated stream
	if list, ok := source.(*scheduler.List); ok {
		jobs = len(list.Jobs)
	}
	t.first, t.last = int64(lead+plan.WarmupJobs)+1, int64(jobs-plan.CooldownJobs)
	if t.last < t.first {
		return t, config.FieldWarmupJobs.Bad("leave out fewer",
			"%s and %s leave out %d and %d jobs of %d, so no job counts", config.FieldWarmupJobs,
			config.FieldCooldownJobs, plan.WarmupJobs, plan.CooldownJobs, jobs-lead)
	}
	return t, nil
}

// CheckTrim refuses a plan that leaves out all jobs of a source.
func CheckTrim(plan *config.Plan, source scheduler.Source) error {
	_, err := newTrim(plan, source, 0)
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

// systemLoad is the ratio of the mean service time to the mean time between submissions (Lo et al.
// 1994, sec. 4.1), for jobs that do not disturb each other.
type systemLoad struct {
	aloneRatio  float64 // see Setup.AloneRatio
	undisturbed Mean    // in cycles
}

// ratio returns service_load, NaN if the service time is unknown or jobs are submitted at one time.
func (l *systemLoad) ratio(t *scheduler.Totals) float64 {
	span := float64(t.LastSubmit - t.FirstSubmit)
	if l.aloneRatio == 0 || span == 0 {
		return math.NaN()
	}
	between := span / float64(t.Jobs-1)
	return l.aloneRatio * l.undisturbed.Value() / between
}

package cosim

import (
	"contend/experiments/spec"
	"contend/netsim"
	"contend/scheduler"
)

// collector accumulates the metrics of the jobs that finish.
type collector struct {
	plan  *spec.Plan
	clock scheduler.Clock
	ends  int // jobs that ended, counted or not
	place *compactness
	extra *Extra // or nil

	// Times are in the unit of the clock. The slowest is the longest round trip of a job.
	wait, response, service, trip Mean
	slowest                       float64
	slowdown, simulatedSlowdown   Mean
	undisturbed                   func(*scheduler.Record) scheduler.Cycle
	largest                       largestJobs
	work                          float64 // processors times service, in cycles
	sent                          map[scheduler.JobID]sent
	schedule                      scheduler.Schedule
	submittedLoad, offeredLoad    float64      // of the jobs of a log; 0 if unknown
	ties                          *countedTies // nil if ties are not counted
	sizes                         SizeMeans
	asked                         *asked // or nil
	proven                        Mean   // 0 or 100 per decision
	own                           ownMeters
	timeline                      *timeline // nil if no series is requested
	waits                         *jobWaits // nil if no waits are requested

	trim                         trim
	waited, responses, slowdowns sample // of the jobs that count
	latencies                    latencies
	classes                      *classes // nil if sizes are not told apart
	jumps                        *epochs  // nil if every flit is simulated
}

// slowdownBound is the least time of a job in the bounded slowdown, in seconds or units of the
// workload (Feitelson et al. 1997).
const slowdownBound = 10

func newCollector(
	plan *spec.Plan, place *compactness, clock scheduler.Clock, extra *Extra,
) *collector {
	c := &collector{plan: plan, place: place, clock: clock, extra: extra,
		schedule: scheduler.Schedule{Clock: clock}}
	if plan.SizeClasses {
		c.classes = &classes{}
	}
	if extra != nil && extra.Jobs {
		c.sent = map[scheduler.JobID]sent{}
	}
	return c
}

// ended stores the totals of a job's messages. The call of record for the job follows.
func (c *collector) ended(id scheduler.JobID, t netsim.Totals) { c.sent[id] = sent{Totals: t} }

// jumped does the same for a job that has jumped over time.
func (c *collector) jumped(id scheduler.JobID, t netsim.Totals, estimated bool) {
	c.sent[id] = sent{t, estimated}
}

// sent is what a job has sent, in full or with waits that are no more than estimates.
type sent struct {
	netsim.Totals
	estimated bool
}

// record adds a job that has finished.
func (c *collector) record(r *scheduler.Record) {
	c.ends++
	c.work += float64(len(r.Nodes)) * float64(r.Service())
	if c.timeline != nil {
		c.timeline.record(r)
	}
	counts := c.trim.counts(r)
	if counts {
		c.times(r)
		c.own.record(r)
	}
	q := c.place.measure(r)
	if counts {
		c.place.add(r, &q)
	}
	if counts && c.extra != nil && c.extra.Sizes {
		c.sizes.Add(r.Job.Size, q.Used.PairwiseSum)
	}
	if c.extra != nil && c.extra.Jobs {
		c.extra.JobRows = append(c.extra.JobRows, c.jobRow(r, &q))
		c.schedule.Add(r)
	}
}

// times adds the times of a job that counts.
func (c *collector) times(r *scheduler.Record) {
	wait, response := c.clock.Seconds(r.Wait()), c.clock.Seconds(r.Response())
	c.wait.Add(wait)
	c.response.Add(response)
	c.service.Add(c.clock.Seconds(r.Service()))
	bound := c.clock.Cycles(slowdownBound)
	slowdown := r.BoundedSlowdown(c.undisturbed(r), bound)
	c.slowdown.Add(slowdown)
	c.simulatedSlowdown.Add(r.BoundedSlowdown(r.Service(), bound))
	c.waited, c.responses = append(c.waited, wait), append(c.responses, response)
	c.slowdowns = append(c.slowdowns, slowdown)
	if c.classes != nil {
		c.classes.add(r, c.clock, slowdown)
	}
	c.largest.add(r, c.clock)
	if trips := c.roundTrips(r.Job); trips > 0 {
		t := c.clock.Seconds(r.Service()) / trips
		c.trip.Add(t)
		c.slowest = max(c.slowest, t)
	}
}

// roundTrips returns the number of round trips of each pair of a job of ping-pong or call. It
// returns 0 for other jobs.
func (c *collector) roundTrips(j *scheduler.Job) float64 {
	k := &c.plan.Job
	if k.Run != spec.RunMessages || j.Size < 2 || !k.Patterns[j.Pattern].RoundTrips {
		return 0
	}
	return float64(j.Quota) / float64(j.Size/2*2)
}

// result returns the metrics of the run, and completes the extra answers.
func (c *collector) result(t *scheduler.Totals, used *carried) Result {
	makespan := t.Finish - t.FirstSubmit
	var r Result
	add := func(name string, value float64) { r.Metrics = append(r.Metrics, Metric{name, value}) }
	add("finish_time", c.clock.Seconds(t.Finish))
	add("makespan", c.clock.Seconds(makespan))
	add("utilization", 100*t.Utilization())
	add("jobs", float64(t.Jobs))
	if c.plan.Scheduler.Kills {
		add("jobs_killed", float64(t.Killed))
	}
	add("response_time", c.response.Value())
	add("wait_time", c.wait.Value())
	add("service_time", c.service.Value())
	if c.largest.others.N > 0 { // jobs have different sizes
		add("largest_wait_time", c.largest.wait.Value())
		add("largest_service_time", c.largest.service.Value())
		add("other_wait_time", c.largest.others.Value())
	}
	if c.trip.N > 0 {
		add("round_trip_time", c.trip.Value())
		add("slowest_round_trip_time", c.slowest)
	}
	add("bounded_slowdown", c.slowdown.Value())
	add("simulated_slowdown", c.simulatedSlowdown.Value())
	c.place.result(add)
	add("internal_fragmentation", 100*t.InternalFragmentation())
	if c.ties != nil {
		c.ties.metrics(add)
	}
	if span := float64(t.LastSubmit - t.FirstSubmit); span > 0 {
		add("service_load", c.work/(float64(t.Nodes)*span))
	}
	if c.submittedLoad > 0 {
		add("submitted_load", c.submittedLoad)
	}
	if c.offeredLoad > 0 {
		add("offered_load", c.offeredLoad)
	}
	if c.proven.N > 0 {
		add("proven", c.proven.Value())
	}
	if c.asked != nil {
		c.asked.metrics(add)
	}
	if used != nil {
		used.metrics(add)
		if c.extra != nil && c.extra.Links {
			c.extra.LinkRows = linkRows(used.net)
		}
	}
	if c.extra != nil {
		c.answer(t)
	}
	c.distributions(add, t.Nodes)
	if c.jumps != nil {
		c.jumps.metrics(add)
	}
	c.own.values(add, t, used)
	r.Check(c.plan.Registry)
	return r
}

// distributions adds what the metrics say beside means: percentiles, classes of jobs, and which
// jobs they count. nodes is the number of processors.
func (c *collector) distributions(add func(string, float64), nodes int) {
	c.trim.metrics(add, nodes)
	c.waited.metrics(add, "wait_time")
	c.responses.metrics(add, "response_time")
	c.slowdowns.metrics(add, "bounded_slowdown")
	c.latencies.metrics(add)
	if c.classes != nil {
		c.classes.metrics(add)
	}
}

// answer completes the extra answers of the run.
func (c *collector) answer(t *scheduler.Totals) {
	c.extra.Lines, c.extra.SizeRows = c.schedule.Lines(), c.sizes.Rows()
	c.extra.Header = logHeader(c.plan)
	if c.timeline != nil {
		c.extra.SeriesRows, c.extra.LoadRows = c.timeline.rows(t.Finish)
	}
	if c.waits != nil {
		c.extra.WaitRows = c.waits.rows()
	}
}

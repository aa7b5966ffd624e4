package metrics

import (
	"cmp"
	"math"

	"contend/allocation"
	"contend/experiments/config"
	"contend/internal/decimal"
	"contend/netsim"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// Setup describes a run to a Collector before it begins.
type Setup struct {
	Plan  *config.Plan
	Clock scheduler.Clock
	// Order is the order of the nodes along which spans are measured, nil for row-major order.
	Order []topology.Node
	// Source yields the jobs. The first Lead of them count in no metric of jobs.
	Source scheduler.Source
	Lead   int
	// Net is the network, nil if jobs send no messages.
	Net *netsim.Network
	// Undisturbed returns the time that a job takes undisturbed, the base of its slowdown. It is nil
	// if no slowdowns are requested.
	Undisturbed func(*scheduler.Record) scheduler.Cycle
	// AloneRatio is the mean time of jobs alone over their mean undisturbed time, which counts whole
	// iterations. It is 1 where jobs have run times, 0 if the service time of a load is unknown.
	AloneRatio float64
	// Alone measures jobs alone. It may be nil.
	Alone AloneTimes
	// Steps describes the iterations of a job. It may be nil.
	Steps func(*scheduler.Job) Steps
	// Decision measures what another allocator would decide. It may be nil.
	Decision *Decision
	// Records requests rows and takes them. It may be nil.
	Records *Records
}

// Collector accumulates the metrics of the jobs that finish. Times are in the unit of the clock
// where nothing else is said. Jobs count unless runs.warmup_jobs or runs.cooldown_jobs leave them
// out.
type Collector struct {
	plan  *config.Plan
	clock scheduler.Clock
	rows  *Records // requested rows, and the rows so far; never nil
	ends  int      // number of jobs that ended, including jobs that do not count
	trim  trim     // which jobs count

	// Means and samples over the jobs that count.
	wait, response, slowdown sample
	byOthers, byOrder        slowdownMean
	byPlacement              slowdownMean
	service, trip            Mean    // trip: of a round trip of a job of ping-pong or call
	slowest                  float64 // longest round trip of a job
	logService               Mean    // logarithms of service times
	largest                  largestJobs
	steps                    stepMeans
	dilation                 dilation
	classes                  *classes // nil without runs.size_classes
	place                    *placementMeans
	locality                 *locality // nil without runs.locality
	sizes                    SizeMeans
	iterations               sample // times of iterations, empty without runs.iterations
	registered               registeredMeters

	// Over all jobs.
	load     systemLoad
	queue    queueGrowth
	schedule scheduler.Schedule
	proven   Mean         // 0 or 100 per decision of an allocator that searches
	ties     *countedTies // nil if ties are not counted
	decision *Decision    // of a second allocator, or nil

	// Of jobs until Record is called for them.
	sent map[scheduler.JobID]sent // nil if no rows of jobs are requested
	// iterated has the times of the iterations of a job, nil without runs.iterations.
	iterated map[scheduler.JobID]sample
	// unsure says how jumps may have changed service times. It is nil if nobody needs it.
	unsure map[scheduler.JobID]unsure

	undisturbed  func(*scheduler.Record) scheduler.Cycle
	alone        AloneTimes                 // nil without runs.alone
	stepsOf      func(*scheduler.Job) Steps // of a job; may be nil
	timeline     *Timeline                  // nil if no series is requested
	interference *Interference              // nil if it is not requested
	latencies    latencies                  // of packets

	submittedLoad, offeredLoad float64 // of the jobs of a log; 0 if unknown
}

// slowdownBound is the minimum time of a job in the bounded slowdown, in seconds or units of the
// workload (Feitelson et al. 1997).
const slowdownBound = 10

// geomeanDigits is the number of digits of logarithms that are the same on every processor.
const geomeanDigits = 12

// NewCollector returns the collector of a run. It refuses a plan that leaves out all jobs.
func NewCollector(s Setup) (*Collector, error) {
	plan, clock := s.Plan, s.Clock
	c := &Collector{plan: plan, place: newPlacementMeans(plan, s.Order), clock: clock,
		undisturbed: s.Undisturbed, alone: s.Alone, stepsOf: s.Steps, decision: s.Decision,
		load:       systemLoad{aloneRatio: s.AloneRatio},
		registered: newRegisteredMeters(plan, clock),
		schedule:   scheduler.Schedule{Clock: clock}}
	if c.rows = s.Records; c.rows == nil {
		c.rows = &Records{}
	}
	c.rows.Clock, c.rows.Sums = ClockOf(plan, clock), SumJobs(s.Source, s.Lead)
	if plan.SizeClasses {
		c.classes = &classes{}
	}
	if plan.Locality {
		c.locality = newLocality(&c.place.meter)
	}
	if c.rows.Jobs {
		c.sent = map[scheduler.JobID]sent{}
	}
	if c.rows.Jobs || c.alone != nil {
		c.unsure = map[scheduler.JobID]unsure{}
	}
	if plan.Iterations {
		c.iterated = map[scheduler.JobID]sample{}
	}
	if c.rows.Series {
		c.timeline = NewTimeline(plan, clock, s.Net)
	}
	if list, ok := s.Source.(*scheduler.List); ok {
		if c.rows.Jobs {
			c.rows.JobRows = make([]JobRow, 0, len(list.Jobs))
		}
		nodes := plan.Machine.Nodes()
		c.submittedLoad, _ = scheduler.SubmittedLoad(list.Jobs, nodes)
		c.offeredLoad, _ = scheduler.Load(list.Jobs, nodes)
	}
	var err error
	c.trim, err = newTrim(plan, s.Source, s.Lead)
	return c, err
}

// CountTies returns an allocator that counts ties, if the plan asks for it and the allocator can.
func (c *Collector) CountTies(a allocation.Allocator) allocation.Allocator {
	if c.plan.CountTies {
		if c.ties = countTies(a); c.ties != nil {
			return c.ties
		}
	}
	return a
}

// Packet counts a packet that has arrived. It is for runs in which every flit is simulated.
func (c *Collector) Packet(p *router.Arrival) { c.latencies.packet(p) }

// Ends returns the number of jobs that have ended.
func (c *Collector) Ends() int { return c.ends }

// Interfere makes a recorder the source of the rows of waits and critical paths.
func (c *Collector) Interfere(w *Interference) { c.interference = w }

// Ended returns a function that takes the totals of a job's messages, before Record is called for
// the job, or nil. estimated is true if the job's waits are estimates.
func (c *Collector) Ended() func(id scheduler.JobID, t netsim.Totals, estimated bool) {
	if c.sent == nil {
		return nil
	}
	return func(id scheduler.JobID, t netsim.Totals, estimated bool) {
		c.sent[id] = sent{t, estimated}
	}
}

// Unsure returns a function that takes the cycles of a job's service time that jumps may have
// changed, and the half width that its carry leaves, before Record is called for the job, or nil.
func (c *Collector) Unsure() func(id scheduler.JobID, cycles, carry float64) {
	if c.unsure == nil {
		return nil
	}
	return func(id scheduler.JobID, cycles, carry float64) { c.unsure[id] = unsure{cycles, carry} }
}

// Began returns a function that takes the nodes of the ranks of a job when it begins, or nil.
func (c *Collector) Began() func(id scheduler.JobID, nodes []topology.Node) {
	if c.timeline == nil || c.timeline.pairs == nil {
		return nil
	}
	return c.timeline.began
}

// Iterated returns a function that takes the length in cycles of each iteration of a job, before
// Record is called for the job, or nil.
func (c *Collector) Iterated() func(id scheduler.JobID, cycles int64) {
	if c.iterated == nil {
		return nil
	}
	return func(id scheduler.JobID, cycles int64) {
		c.iterated[id] = append(c.iterated[id], c.clock.Seconds(scheduler.Cycle(cycles)))
	}
}

// sent is the totals of the messages of a job. The waits among them may be estimates.
type sent struct {
	netsim.Totals
	estimated bool
}

// Record adds a job that has finished, or is lost.
func (c *Collector) Record(r *scheduler.Record) {
	c.ends++
	c.queue.add(r)
	counts := c.trim.record(r)
	if r.Lost {
		c.recordLost(r)
		return
	}
	if c.load.aloneRatio > 0 {
		c.load.undisturbed.Add(float64(c.undisturbed(r)))
	}
	if c.timeline != nil {
		c.timeline.record(r)
	}
	slowdowns := c.slowdownsOf(r)
	if counts {
		c.addSlowdowns(slowdowns)
		c.addTimes(r)
		c.iterations = append(c.iterations, c.iterated[r.Job.ID]...)
		if c.stepsOf != nil {
			c.steps.add(r, c.stepsOf(r.Job), c.plan.CycleSeconds)
		}
		c.registered.record(r)
	}
	q := c.place.meter.Measure(r.Allocated, len(r.Nodes))
	if counts {
		c.place.add(&q)
		if c.classes != nil {
			c.classes.addPlace(classOf(r), &c.place.meter, &q)
		}
		if c.locality != nil {
			c.locality.add(&q, r.Service())
		}
	}
	if counts && c.rows.Sizes {
		c.sizes.Add(r.Job.Size, q.Used.PairwiseSum)
	}
	if c.rows.Jobs {
		c.recordRow(r, &q, slowdowns, counts)
	}
	delete(c.unsure, r.Job.ID)
	delete(c.iterated, r.Job.ID)
}

// addTimes adds the times of a job that counts.
func (c *Collector) addTimes(r *scheduler.Record) {
	c.wait.Add(c.clock.Seconds(r.Wait()))
	c.response.Add(c.clock.Seconds(r.Response()))
	c.service.Add(c.clock.Seconds(r.Service()))
	if len(c.plan.Job.Patterns) > 1 {
		c.logService.Add(decimal.Rounded(math.Log(c.clock.Seconds(r.Service())), geomeanDigits))
	}
	slowdown := math.NaN()
	if c.undisturbed != nil {
		slowdown = r.BoundedSlowdown(c.undisturbed(r), c.clock.Cycles(slowdownBound))
		c.slowdown.Add(slowdown)
	}
	if c.classes != nil {
		c.classes.add(r, c.clock, slowdown)
	}
	c.largest.add(r, c.clock)
	c.dilation.add(r, c.clock)
	if trips := c.roundTrips(r.Job); trips > 0 {
		t := c.clock.Seconds(r.Service()) / trips
		c.trip.Add(t)
		c.slowest = max(c.slowest, t)
	}
}

// roundTrips returns the number of round trips of each pair of a job of ping-pong or call. It
// returns 0 for other jobs.
func (c *Collector) roundTrips(j *scheduler.Job) float64 {
	k := &c.plan.Job
	if k.Run != config.RunMessages || j.Size < 2 || j.Profile != "" ||
		!k.Patterns[j.Pattern].RoundTrips {
		return 0
	}
	return float64(j.Quota) / float64(j.Size/2*2)
}

// Result returns the metrics of the run, and completes the rows. used is nil without a network, and
// more, which may be nil, adds the metrics of how the run was simulated.
func (c *Collector) Result(
	t *scheduler.Totals, used *Carried, more func(add func(string, float64)),
) Result {
	var r Result
	add := func(name string, value float64) {
		if t.Jobs > 0 || !math.IsNaN(value) { // there are no means if all jobs are lost
			r.Metrics = append(r.Metrics, Metric{name, value})
		}
	}
	end := &runEnd{c, t}
	for i := range metricRows {
		if m := &metricRows[i]; m.of != nil {
			if x := m.of(end); !math.IsNaN(x) {
				add(m.name, x)
			}
		}
	}
	c.place.metrics(add)
	if c.locality != nil {
		c.locality.metrics(add)
	}
	if c.ties != nil {
		c.ties.metrics(add)
	}
	if c.decision != nil {
		c.decision.metrics(add)
	}
	if used != nil {
		used.metrics(add)
		if c.rows.Links {
			c.rows.LinkRows = LinkRows(used.Net)
		}
	}
	c.completeRows(t)
	c.distributions(add)
	if more != nil {
		more(add)
	}
	if off, ok := r.Value("jump_error"); ok {
		for i := range c.rows.JobRows {
			c.rows.JobRows[i].addErrors(off/100, c.clock)
		}
		if c.alone != nil {
			c.byOthers.metric(add, "slowdown_by_others_error")
			c.byOrder.metric(add, "slowdown_by_order_error")
			c.byPlacement.metric(add, "slowdown_by_placement_error")
		}
	}
	c.registered.values(add, t, used)
	r.Complete(c.plan, cmp.Or(c.clock.CyclesPerSecond, 1))
	return r
}

// distributions adds percentiles, and metrics of classes of jobs.
func (c *Collector) distributions(add func(string, float64)) {
	c.wait.metrics(add, "wait_time")
	c.response.metrics(add, "response_time")
	c.slowdown.metrics(add, "bounded_slowdown")
	c.iterations.metrics(add, "iteration_time")
	c.latencies.metrics(add)
	if c.classes != nil {
		c.classes.metrics(c.plan, add)
	}
}

// completeRows sets the rows of the run that are made at its end.
func (c *Collector) completeRows(t *scheduler.Totals) {
	c.rows.Lines, c.rows.SizeRows = c.schedule.Lines(), c.sizes.Rows()
	c.rows.Header = logHeader(c.plan)
	if c.timeline != nil {
		c.rows.SeriesRows, c.rows.LoadRows = c.timeline.Rows(t.Finish)
	}
	if c.interference != nil {
		c.rows.InterferenceRows = waitRows(c.interference.net.Wiring(), c.interference.Sums())
		c.rows.PathRows = c.interference.paths
	}
}

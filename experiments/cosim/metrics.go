package cosim

import (
	"fmt"
	"math"

	"contend/experiments/decimal"
	"contend/experiments/spec"
	"contend/netsim"
	"contend/router"
	"contend/scheduler"
)

// Extra asks a run for more than its metrics, and takes it.
type Extra struct {
	// Jobs and Links ask for a row per job and per channel.
	Jobs, Links bool
	// Sizes asks for a row for each size of jobs.
	Sizes bool
	// JobRows, LinkRows and SizeRows are the answer; see JobColumns,
	// LinkColumns and SizeColumns.
	JobRows, LinkRows, SizeRows [][]string
	// Gauge, if not nil, shows how far the run is.
	Gauge *Gauge
	// Lines are the jobs as they ran, as lines of a log.
	Lines []scheduler.SWFLine
}

// JobColumns are those of JobRows. Times are in the unit of the run's clock,
// as the metrics are.
func JobColumns() []string {
	return []string{"job", "submit", "start", "end", "processors", "reserved", "pattern", "messages", "packets", "latency", "network_latency",
		"packet_blocking_time", "foreign_blocking_time", "mean_hops", "dispersal", "weighted_dispersal", "mean_pairwise_distance", "components", "span_linear", "span_ring", "bounding_cube_ratio",
		"wait_time", "service_time"}
}

// LinkColumns are those of LinkRows.
func LinkColumns() []string {
	return []string{"link", "kind", "from_router", "from_port", "to_router", "to_port", "node", "flits", "utilization_percent", "held_cycles", "stalled_cycles", "waited_own_cycles", "waited_foreign_cycles"}
}

// Mean is a running mean.
type Mean struct {
	Sum float64
	N   int
}

func (m *Mean) Add(x float64) { m.Sum += x; m.N++ }

// Value is NaN where nothing was added: a metric that is not defined.
func (m *Mean) Value() float64 {
	if m.N == 0 {
		return math.NaN()
	}
	return m.Sum / float64(m.N)
}

// collector takes the jobs that finish and adds up what the metrics need.
type collector struct {
	plan  *spec.Plan
	clock scheduler.Clock
	place *compactness
	extra *Extra

	wait, response, service, slowdown, trip Mean
	simulatedSlowdown                       Mean
	undisturbed                             func(*scheduler.Record) scheduler.Cycle
	largest                                 largestJobs
	slowest                                 float64 // mean round trip of a job
	work                                    float64 // processors times service, in cycles
	sent                                    map[scheduler.JobID]netsim.Totals
	schedule                                scheduler.Schedule
	offeredLoad                             float64      // of the jobs as they come from a log; 0: unknown
	ties                                    *countedTies // nil where they are not counted
	sizes                                   SizeMeans
	asked                                   *asked // or nil
	proven                                  Mean   // 0 or 100 a decision
	own                                     ownMeters
}

// largestJobs adds up the jobs that use most processors, and the others.
type largestJobs struct {
	size                  int
	wait, service, others Mean
}

func (l *largestJobs) add(r *scheduler.Record, clock scheduler.Clock) {
	if len(r.Nodes) > l.size {
		l.others.Sum += l.wait.Sum
		l.others.N += l.wait.N
		l.size, l.wait, l.service = len(r.Nodes), Mean{}, Mean{}
	}
	wait := clock.Seconds(r.Wait())
	if len(r.Nodes) < l.size {
		l.others.Add(wait)
		return
	}
	l.wait.Add(wait)
	l.service.Add(clock.Seconds(r.Service()))
}

// slowdownBound is the time, in seconds or units of the workload, below which
// the bounded slowdown takes a job's time for this long (Feitelson et al. 1997).
const slowdownBound = 10

func newCollector(
	plan *spec.Plan, place *compactness, clock scheduler.Clock, extra *Extra,
) *collector {
	c := &collector{plan: plan, place: place, clock: clock, extra: extra,
		schedule: scheduler.Schedule{Clock: clock}}
	if extra != nil && extra.Jobs {
		c.sent = map[scheduler.JobID]netsim.Totals{}
	}
	return c
}

// ended notes what a job's messages met with, just before record is told of it.
func (c *collector) ended(id scheduler.JobID, t netsim.Totals) { c.sent[id] = t }

// record takes a job that has finished.
func (c *collector) record(r *scheduler.Record) {
	c.wait.Add(c.clock.Seconds(r.Wait()))
	c.response.Add(c.clock.Seconds(r.Response()))
	c.service.Add(c.clock.Seconds(r.Service()))
	bound := c.clock.Cycles(slowdownBound)
	c.slowdown.Add(r.BoundedSlowdown(c.undisturbed(r), bound))
	c.simulatedSlowdown.Add(r.BoundedSlowdown(r.Service(), bound))
	c.largest.add(r, c.clock)
	if trips := c.roundTrips(r.Job); trips > 0 {
		t := c.clock.Seconds(r.Service()) / trips
		c.trip.Add(t)
		c.slowest = max(c.slowest, t)
	}
	c.work += float64(len(r.Nodes)) * float64(r.Service())
	c.own.record(r)
	q := c.place.add(r)
	if c.extra != nil && c.extra.Sizes {
		c.sizes.Add(r.Job.Size, q.Used.PairwiseSum)
	}
	if c.extra != nil && c.extra.Jobs {
		c.extra.JobRows = append(c.extra.JobRows, c.jobRow(r, &q))
		c.schedule.Add(r)
	}
}

// roundTrips returns how often each pair of a job that plays ping-pong or call
// did so; 0 of other jobs.
func (c *collector) roundTrips(j *scheduler.Job) float64 {
	k := &c.plan.Job
	if k.Run != spec.RunMessages || j.Size < 2 || !k.Patterns[j.Pattern].RoundTrips {
		return 0
	}
	return float64(j.Quota) / float64(j.Size/2*2)
}

func (c *collector) jobRow(r *scheduler.Record, q *placed) []string {
	t := c.sent[r.Job.ID]
	delete(c.sent, r.Job.ID)
	pattern := ""
	if c.plan.Job.Run == spec.RunMessages {
		pattern = c.plan.Job.Patterns[r.Job.Pattern].Label
	}
	num, unit := decimal.Number, c.plan.ClockUnit
	clock := func(cycles scheduler.Cycle) string { return spec.InUnit(unit, c.clock.Seconds(cycles)) }
	row := []string{fmt.Sprint(r.Job.ID), clock(r.Submit), clock(r.Start), clock(r.End),
		fmt.Sprint(len(r.Nodes)), fmt.Sprint(len(r.Allocated)), pattern, fmt.Sprint(t.Messages), fmt.Sprint(t.Packets)}
	for _, sum := range []int64{t.Latency, t.NetworkLatency, t.Blocked, t.Foreign} {
		row = append(row, decimal.Time(perPacket(sum, t.Packets)))
	}
	return append(row, num(perPacket(t.Hops, t.Packets)), num(q.Held.Dispersal), num(q.Held.WeightedDispersal), num(q.Used.PairwiseMean), fmt.Sprint(q.Used.Components),
		fmt.Sprint(q.Held.LinearSpan), fmt.Sprint(q.Held.RingSpan), num(q.Held.CubeRatio), clock(r.Wait()), clock(r.Service()))
}

// perPacket is NaN where there are no packets.
func perPacket(sum, packets int64) float64 { return float64(sum) / float64(packets) }

// result gives the metrics their names.
func (c *collector) result(t *scheduler.Totals, net *netsim.Network) Result {
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
	if c.largest.others.N > 0 { // not all jobs are of one size
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
	if c.offeredLoad > 0 {
		add("offered_load", c.offeredLoad)
	}
	if c.proven.N > 0 {
		add("proven", c.proven.Value())
	}
	if c.asked != nil {
		c.asked.metrics(add)
	}
	if net != nil {
		c.networkMetrics(add, net)
		if c.extra != nil && c.extra.Links {
			c.extra.LinkRows = linkRows(net)
		}
	}
	if c.extra != nil {
		c.extra.Lines, c.extra.SizeRows = c.schedule.Lines(), c.sizes.Rows()
	}
	c.own.values(add, t, net)
	r.Check(c.plan.Registry)
	return r
}

// networkMetrics adds the metrics of packets and channels.
func (c *collector) networkMetrics(add func(string, float64), net *netsim.Network) {
	t := net.Totals()
	n := float64(t.Packets)
	if n == 0 {
		n = math.NaN()
	}
	add("packet_blocking_time", float64(t.Blocked)/n)
	add("foreign_blocking_time", float64(t.Foreign)/n)
	add("network_latency", float64(t.NetworkLatency)/n)
	add("latency", float64(t.Latency)/n)
	add("entry_blocking_time", float64(t.Blocked+t.EntryWait)/n)
	add("entry_latency", float64(t.NetworkLatency+t.EntryWait)/n)
	add("source_wait", float64(t.SourceWait())/n)
	add("mean_hops", float64(t.Hops)/n)
	add("messages", float64(t.Messages))
	add("packets", float64(t.Packets))
	var hops, carried, busiest float64
	channels := 0
	w := net.Wiring()
	for l := range router.Link(w.Links()) {
		flits := float64(net.Usage(l).Flits)
		hops += flits
		if w.Kind(l) == router.Network {
			carried += flits
			busiest = max(busiest, flits)
			channels++
		}
	}
	add("flit_hops", hops)
	if cycles := float64(net.Now()) / float64(net.Config().FlitCycles); channels > 0 && cycles > 0 {
		add("channel_utilization", 100*carried/float64(channels)/cycles)
		add("max_channel_utilization", 100*busiest/cycles)
	}
}

var kindNames = map[router.Kind]string{router.Injection: "injection", router.Network: "network", router.Ejection: "ejection"}

func linkRows(net *netsim.Network) [][]string {
	w, f := net.Wiring(), int64(net.Config().FlitCycles)
	var rows [][]string
	for l := range router.Link(w.Links()) {
		from, to := w.Ends(l)
		u := net.Usage(l)
		node := ""
		if k := w.Kind(l); k == router.Injection {
			node = fmt.Sprint(from.Node)
		} else if k == router.Ejection {
			node = fmt.Sprint(to.Node)
		}
		rows = append(rows, []string{fmt.Sprint(l), kindNames[w.Kind(l)], fmt.Sprint(from.Router), fmt.Sprint(from.Port), fmt.Sprint(to.Router), fmt.Sprint(to.Port), node,
			fmt.Sprint(u.Flits), decimal.Number(100 * float64(u.Flits*f) / float64(max(1, net.Now()))), fmt.Sprint(u.Held), fmt.Sprint(u.Held - u.Flits*f), fmt.Sprint(u.Own), fmt.Sprint(u.Foreign)})
	}
	return rows
}

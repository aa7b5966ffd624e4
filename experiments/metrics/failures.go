package metrics

import (
	"fmt"
	"slices"

	"contend/experiments/config"
	"contend/internal/decimal"
	"contend/internal/table"
	"contend/router/topology"
	"contend/scheduler"
)

// FailureTable is the columns of Records.FailureRows, with units as in JobTable.
var FailureTable = RowTable{
	table.Integer.Column("failure", "", "number of the failure in the run, from 1, in order of time"),
	table.Number.Column("time", "time", "when it happened"),
	table.Number.Column("repaired", "time", "when it is repaired, which may be after the end of the "+
		"run; empty if never").OrEmpty(),
	table.String.Column("kind", "", "what failed: nodes, routers (with their nodes and links) or "+
		"links"),
	table.String.Column("numbers", "", "which nodes or routers, in order of number as intervals: "+
		"`3-7,12`; of links the two routers of each: `3-7,7-9`"),
	table.Number.Column("bandwidth", "", "share of their bandwidth that links keep which are slow; "+
		"empty if they fail").OrEmpty(),
	table.Integer.Column("killed_jobs", "jobs", "running jobs that it killed: the rows of "+
		"`killed-runs.csv` with its number"),
}

// KilledTable is the columns of Records.KilledRows, with units as in JobTable.
var KilledTable = RowTable{
	table.Integer.Column("job", "", "number of the job"),
	table.Integer.Column("run", "", "number of this run of the job, from 1; the run that ends the "+
		"job is in `jobs.csv`"),
	table.Integer.Column("failure", "", "the failure that killed it: its number in `failures.csv`"),
	table.Number.Column("queued", "time", "when the job began to wait for this run: its submission, "+
		"or the end of its run before"),
	table.Number.Column("start", "time", "when the run got its nodes"),
	table.Number.Column("end", "time", "when the failure ended it"),
	table.Integer.Column("processors", "nodes", "nodes it used; over all rows, times `end` less "+
		"`start`, this is `lost_node_time`"),
	table.Boolean.Column("lost", "", "whether the job was lost with it, after "+
		"scheduler.max_restarts"),
	table.String.Column("nodes", "", "the nodes it was given, as in `jobs.csv`"),
}

// Failure is a failure that has happened.
type Failure struct {
	Row *config.Failure
	// Numbers are the nodes or routers, and Pairs the ends of the links.
	Numbers []int
	Pairs   [][2]int
	// At and Repaired are when it happened and when it is repaired, MaxCycle for never.
	At, Repaired scheduler.Cycle
	// Killed is the number of jobs that it has killed.
	Killed int
}

// FailureRow returns the row of the failure of a number, in the unit of the clock of a plan.
func FailureRow(plan *config.Plan, clock scheduler.Clock, number int, f *Failure) []string {
	time := clockText(plan, clock)
	repaired, bandwidth := "", ""
	if f.Repaired < scheduler.MaxCycle {
		repaired = time(f.Repaired)
	}
	if f.Row.Bandwidth > 0 {
		bandwidth = decimal.Number(f.Row.Bandwidth)
	}
	which := ""
	for _, pair := range f.Pairs {
		which += fmt.Sprintf(",%d-%d", pair[0], pair[1])
	}
	if which == "" {
		nodes := make([]topology.Node, len(f.Numbers))
		for i, n := range f.Numbers {
			nodes[i] = topology.Node(n)
		}
		which = "," + nodesText(nodes)
	}
	return []string{fmt.Sprint(number), time(f.At), repaired, f.Row.Kind, which[1:], bandwidth,
		fmt.Sprint(f.Killed)}
}

// clockText returns a function that writes a time in the unit of the clock of a plan.
func clockText(plan *config.Plan, clock scheduler.Clock) func(scheduler.Cycle) string {
	return func(cycles scheduler.Cycle) string {
		return decimal.InUnit(plan.ClockUnit, clock.Seconds(cycles))
	}
}

// Stopped adds a run of a job that a failure of a number has ended.
func (c *Collector) Stopped(r *scheduler.Record, failure int) {
	delete(c.iterated, r.Job.ID) // the job iterates anew
	if c.timeline != nil {
		c.timeline.stopped(r)
	}
	if c.interference != nil && !r.Lost {
		c.interference.beginsAnew(r.Job.ID)
	}
	if !c.rows.Failures {
		return
	}
	time := clockText(c.plan, c.clock)
	c.rows.KilledRows = append(c.rows.KilledRows, []string{fmt.Sprint(r.Job.ID),
		fmt.Sprint(r.Restarts + 1), fmt.Sprint(failure), time(r.Queued), time(r.Start), time(r.End),
		fmt.Sprint(len(r.Nodes)), fmt.Sprint(r.Lost), nodesText(r.Allocated)})
}

// Down returns a function that takes the times for which nodes are down, or nil.
func (c *Collector) Down() func(n topology.Node, from, until scheduler.Cycle) {
	if c.timeline == nil {
		return nil
	}
	return func(n topology.Node, from, until scheduler.Cycle) {
		c.timeline.down = append(c.timeline.down,
			jobSpan{start: from, end: until, used: 1, nodes: intervals([]topology.Node{n})})
	}
}

// recordLost adds a job that is lost. It is in no mean.
func (c *Collector) recordLost(r *scheduler.Record) {
	if c.rows.Jobs {
		q := c.place.meter.Measure(r.Allocated, len(r.Nodes))
		c.rows.JobRows = append(c.rows.JobRows, c.jobRow(r, &q, &slowdowns{}))
		c.schedule.Add(r)
	}
	delete(c.halfWidths, r.Job.ID)
}

// stopped adds a run that a failure has ended.
func (t *Timeline) stopped(r *scheduler.Record) {
	t.ended(r)
	t.lost = append(t.lost, jobSpan{r.Queued, r.Start, r.End, len(r.Nodes), intervals(r.Allocated)})
}

// allSpans returns the runs that ended jobs and those that failures ended.
func (t *Timeline) allSpans() []jobSpan { return slices.Concat(t.jobs, t.lost) }

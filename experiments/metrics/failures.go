package metrics

import (
	"math"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/router/topology"
	"contend/scheduler"
)

// Failure is a row of failures.csv: a failure that has happened.
type Failure struct {
	Row *config.Failure
	// Number is its number in the run, from 1, in order of time.
	Number int
	// Numbers are the nodes or routers, and Cables the links.
	Numbers []int
	Cables  []config.Cables
	// At and Repaired are when it happened and when it is repaired, MaxCycle for never.
	At, Repaired scheduler.Cycle
	// Killed is the number of jobs that it has killed.
	Killed int
}

// FailureTable is failures.csv.
var FailureTable = withColumns(RowTable{Name: "failures", Row: "failure",
	Key: []string{"failure"}, Wanted: func(x *Records) bool { return x.Failures }},
	func(x *Records) []Failure { return x.FailureRows },
	integers("failure", "", "number of the failure in the run, from 1, in order of time",
		func(f *Failure) int { return f.Number }),
	times("time", "when it happened", func(f *Failure) scheduler.Cycle { return f.At }),
	timesIf("repaired", "when it is repaired, which may be after the end of the run; empty if never",
		func(f *Failure) (scheduler.Cycle, bool) {
			return f.Repaired, f.Repaired < scheduler.MaxCycle
		}),
	texts("kind", "what failed: nodes, routers (with their nodes and links) or links",
		func(f *Failure) string { return f.Row.Kind }),
	texts("numbers", "which nodes or routers, in order of number as intervals: "+
		"`3-7,12`; of links the two routers of each, and with several cables its number: `3-7,7-9.0`", (*Failure).places),
	numbers("bandwidth", "", "share of their bandwidth that links keep which are slow; empty if they "+
		"fail", func(f *Failure) float64 {
		if f.Row.Bandwidth <= 0 {
			return math.NaN()
		}
		return f.Row.Bandwidth
	}).orEmpty(),
	integers("killed_jobs", "jobs", "running jobs that it killed: the rows of "+
		"`killed-runs.csv` with its number", func(f *Failure) int { return f.Killed }),
)

// places returns what failed as text.
func (f *Failure) places() string {
	if len(f.Cables) > 0 {
		texts := make([]string, len(f.Cables))
		for i, c := range f.Cables {
			texts[i] = c.String()
		}
		return strings.Join(texts, ",")
	}
	nodes := make([]topology.Node, len(f.Numbers))
	for i, n := range f.Numbers {
		nodes[i] = topology.Node(n)
	}
	return nodesText(nodes)
}

// KilledRun is a row of killed-runs.csv: a run of a job that a failure has ended.
type KilledRun struct {
	ranJob
	// Failure is the number of the failure.
	Failure int
}

// KilledTable is killed-runs.csv.
var KilledTable = withColumns(RowTable{Name: "killed-runs",
	Row:    "run of a job that a failure ended",
	Wanted: func(x *Records) bool { return x.Failures }},
	func(x *Records) []KilledRun { return x.KilledRows },
	integers("job", "", "number of the job",
		func(r *KilledRun) scheduler.JobID { return r.ID }),
	integers("run", "", "number of this run of the job, from 1; the run that ends the "+
		"job is in `jobs.csv`", func(r *KilledRun) int { return r.Restarts + 1 }),
	integers("failure", "", "the failure that killed it: its number in `failures.csv`",
		func(r *KilledRun) int { return r.Failure }),
	times("queued", "when the job began to wait for this run: its submission, or the end of its run "+
		"before", func(r *KilledRun) scheduler.Cycle { return r.Queued }),
	times("start", "when the run got its nodes",
		func(r *KilledRun) scheduler.Cycle { return r.Start }),
	times("end", "when the failure ended it", func(r *KilledRun) scheduler.Cycle { return r.End }),
	integers("processors", "nodes", "nodes it used; over all rows, times `end` less "+
		"`start`, this is `lost_node_time`", func(r *KilledRun) int { return r.Processors }),
	booleans("lost", "whether the job was lost with it, after scheduler.max_restarts",
		func(r *KilledRun) bool { return r.Lost }),
	texts("nodes", "the nodes it was given, as in `jobs.csv`",
		func(r *KilledRun) string { return r.Nodes }),
)

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
	c.rows.KilledRows = append(c.rows.KilledRows, KilledRun{ranJobOf(r), failure})
}

// Down returns a function that takes the times for which nodes are down, or nil.
func (c *Collector) Down() func(n topology.Node, from, until scheduler.Cycle) {
	if c.timeline == nil {
		return nil
	}
	return func(n topology.Node, from, until scheduler.Cycle) {
		c.timeline.down = append(c.timeline.down,
			jobSpan{start: from, end: until, nodes: intervals([]topology.Node{n})})
	}
}

// recordLost adds a job that is lost. It is in no mean.
func (c *Collector) recordLost(r *scheduler.Record) {
	if c.rows.Jobs {
		q := c.place.meter.Measure(r.Allocated, len(r.Nodes))
		c.recordRow(r, &q, unknownSlowdowns(false), false)
	}
	delete(c.unsure, r.Job.ID)
}

// stopped adds a run that a failure has ended.
func (t *Timeline) stopped(r *scheduler.Record) {
	t.ended(r)
	t.lost = append(t.lost, jobSpan{r.Queued, r.Start, r.End, len(r.Nodes), intervals(r.Allocated)})
}

// allSpans returns the runs that ended jobs and those that failures ended.
func (t *Timeline) allSpans() []jobSpan { return slices.Concat(t.jobs, t.lost) }

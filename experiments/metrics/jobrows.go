package metrics

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"iter"
	"math"

	"contend/experiments/config"
	"contend/scheduler"
)

// JobRow is a row of jobs.csv: a job that has ended, or is lost.
type JobRow struct {
	ranJob
	// Reserved is the number of nodes that it was given, those it used included.
	Reserved int
	// Logged is its line of a log; nil for a generated job.
	Logged *[18]float64
	// Pattern says who sent to whom; empty without a network.
	Pattern string
	// Sent is the totals of its messages.
	Sent sent
	// Quality is that of its place, by a meter of the machine.
	Quality PlacementQuality
	meter   *PlacementMeter // nil if nothing was measured
	// ServiceError is the half width of the 95% interval of its service time, in the unit of the
	// clock; NaN if the time is not known or every flit is simulated.
	ServiceError float64
	slowdowns
	// Counts says that means over jobs count it.
	Counts bool
}

// JobTable is jobs.csv. Times of packets are in cycles.
var JobTable = withColumns(RowTable{Name: "jobs", Row: "job",
	Wanted: func(x *Records) bool { return x.Jobs }},
	func(x *Records) []JobRow { return x.JobRows },
	integers("job", "", "number of the job", func(r *JobRow) scheduler.JobID { return r.ID }),
	times("submit", "when it was submitted", func(r *JobRow) scheduler.Cycle { return r.Submit }),
	times("start", "when it got its nodes", func(r *JobRow) scheduler.Cycle { return r.Start }),
	times("end", "when it gave them back", func(r *JobRow) scheduler.Cycle { return r.End }),
	integers("processors", "nodes", "nodes it used", func(r *JobRow) int { return r.Processors }),
	integers("reserved", "nodes", "nodes it was given, those it used included",
		func(r *JobRow) int { return r.Reserved }),
	texts("pattern", "who sent to whom; empty without a network",
		func(r *JobRow) string { return r.Pattern }).orEmpty(),
	integers("messages", "messages", "messages delivered",
		func(r *JobRow) int64 { return r.Sent.Messages }),
	integers("packets", "packets", "packets delivered",
		func(r *JobRow) int64 { return r.Sent.Packets }),
	numbers("latency", "cycles", "mean over packets, creation to delivery",
		func(r *JobRow) float64 { return r.Sent.mean(r.Sent.Latency) }).orEmpty(),
	numbers("network_latency", "cycles",
		"mean over packets, injection of the head flit to delivery",
		func(r *JobRow) float64 { return r.Sent.mean(r.Sent.NetworkLatency) }).orEmpty(),
	numbers("entry_latency", "cycles",
		"mean over packets, from the first place in the queue of the node to delivery",
		func(r *JobRow) float64 { return r.Sent.mean(r.Sent.NetworkLatency + r.Sent.EntryWait) },
	).orEmpty(),
	numbers("packet_blocking_time", "cycles",
		"mean over packets, time a ready head flit waited for a channel or a slot; empty for a job that "+
			"jumped over time at an estimated rate",
		func(r *JobRow) float64 { return r.Sent.wait(r.Sent.Blocked) }).orEmpty(),
	numbers("foreign_blocking_time", "cycles",
		"the part of it in which another job held the channel",
		func(r *JobRow) float64 { return r.Sent.wait(r.Sent.Foreign) }).orEmpty(),
	numbers("entry_blocking_time", "cycles",
		"`packet_blocking_time` plus the time for which the first packet in the queue of a node waits "+
			"for a slot in the router; empty where that is",
		func(r *JobRow) float64 { return r.Sent.wait(r.Sent.Blocked + r.Sent.EntryWait) }).orEmpty(),
	numbers("mean_hops", "channels", "mean over packets, network channels crossed",
		func(r *JobRow) float64 { return r.Sent.mean(r.Sent.Hops) }).orEmpty(),
	measures("dispersal", "",
		"share of the bounding box that is not the job's; empty on a machine without boxes"),
	measures("weighted_dispersal", "nodes",
		"dispersal times nodes; empty on a machine without boxes"),
	measures("mean_pairwise_distance", "channels",
		"mean distance of two nodes used; empty, as the next three, on a machine too large for a table "+
			"of distances"),
	counts("components", "", "connected pieces of the nodes used"),
	counts("span_linear", "nodes",
		"ranks from the first to the last node along runs.span_order"),
	counts("span_ring", "nodes", "the same with the order closed to a ring"),
	measures("bounding_cube_ratio", "",
		"size of the bounding cube over that of the smallest possible one; empty on a machine "+
			"without boxes"),
	timesIf("wait_time",
		"`start` less `submit`; empty, as the next one, for a job that is `lost`",
		func(r *JobRow) (scheduler.Cycle, bool) { return r.Start - r.Submit, !r.Lost }),
	timesIf("service_time", "`end` less `start`",
		func(r *JobRow) (scheduler.Cycle, bool) { return r.End - r.Start, !r.Lost }),
	nineDigits("service_time_error", unitOfClock,
		"half width of the 95% interval of `service_time` with runs.fast_forward, empty where it is "+
			"not known or every flit is simulated",
		func(r *JobRow) float64 { return r.ServiceError }).orEmpty(),
	numbers("slowdown_by_others", "", "`service_time` over that of the job alone on the "+
		"same nodes; empty, as the next two, without runs.alone",
		func(r *JobRow) float64 { return r.byOthers.Value }).orEmpty(),
	numbers("slowdown_by_order", "", "the time alone on the same nodes over the one with its "+
		"processes there in the order of node numbers; 1 where they are",
		func(r *JobRow) float64 { return r.byOrder.Value }).orEmpty(),
	numbers("slowdown_by_placement", "", "the time in that order over the one alone on a "+
		"contiguous place in that order; 1 where it is the same place",
		func(r *JobRow) float64 { return r.byPlacement.Value }).orEmpty(),
	numbers("slowdown_by_others_error", "", "half width of the 95% interval of "+
		"`slowdown_by_others`, empty where `service_time_error` is; 0 where no time is an "+
		"estimate", func(r *JobRow) float64 { return r.errorOf(r.byOthers) }).orEmpty(),
	numbers("slowdown_by_order_error", "", "the same of `slowdown_by_order`",
		func(r *JobRow) float64 { return r.errorOf(r.byOrder) }).orEmpty(),
	numbers("slowdown_by_placement_error", "", "the same of `slowdown_by_placement`",
		func(r *JobRow) float64 { return r.errorOf(r.byPlacement) }).orEmpty(),
	integersIf("logged_job", "", "its number in the log; empty, as the next three, for "+
		"a generated job or where the log does not say it",
		func(r *JobRow) (int64, bool) { x := r.logged(0); return int64(x), x >= 0 }),
	nineDigits("logged_run_time", "s", "its run time in the log",
		func(r *JobRow) float64 { return r.logged(3) }).orEmpty(),
	nineDigits("estimate", "s", "what its user asked for in the log",
		func(r *JobRow) float64 { return r.logged(8) }).orEmpty(),
	integersIf("user", "", "number of its user in the log",
		func(r *JobRow) (int64, bool) { x := r.logged(11); return int64(x), x >= 0 }),
	texts("nodes", "the nodes it was given, in order of number as intervals: `0-15,32,40-47`",
		func(r *JobRow) string { return r.Nodes }),
	integers("restarts", "", "runs of it that failures ended before this one, which are "+
		"in `killed-runs.csv`", func(r *JobRow) int { return r.Restarts }),
	booleans("lost", "whether a failure ended this run too and the job, after "+
		"scheduler.max_restarts, never finished: no mean over jobs counts it",
		func(r *JobRow) bool { return r.Lost }),
	booleans("counts", "whether means over jobs count it: false for the first "+
		"runs.warmup_jobs and the last runs.cooldown_jobs submitted and for jobs that are `lost`. The "+
		"mean of a column over the rows of a run that count is the metric of the run, and the mean of "+
		"these over the replications that of `summary.csv`. In Python: "+
		"`r.jobs[r.jobs.counts].groupby([\"allocator\", \"replication\"]).wait_time.mean()` has "+
		"wait_time by run, and `.groupby(\"allocator\").mean()` of that the means",
		func(r *JobRow) bool { return r.Counts }),
)

// ranJob is what the rows of a job keep of its scheduler.Record, which is valid for a call only.
type ranJob struct {
	ID                         scheduler.JobID
	Submit, Start, End, Queued scheduler.Cycle
	Restarts                   int
	Lost                       bool
	// Processors is the number of nodes that it used, and Nodes lists those that it was given.
	Processors int
	Nodes      string
}

// ranJobOf returns what rows keep of a record.
func ranJobOf(r *scheduler.Record) ranJob {
	return ranJob{r.Job.ID, r.Submit, r.Start, r.End, r.Queued, r.Restarts, r.Lost, len(r.Nodes),
		nodesText(r.Allocated)}
}

// measures is the column of a measure of a job's place. It is empty where the measure is not
// defined on the machine: a 0 would pass for a compact job.
func measures(name, unit, meaning string) column[JobRow] {
	m := &measuresNamed(name)[0]
	return numbers(name, unit, meaning, func(r *JobRow) float64 {
		if !r.defined(m) {
			return math.NaN()
		}
		return m.of(&r.Quality)
	}).orEmpty()
}

// counts is the column of a measure that is an integer.
func counts(name, unit, meaning string) column[JobRow] {
	m := &measuresNamed(name)[0]
	return integersIf(name, unit, meaning, func(r *JobRow) (int64, bool) {
		return int64(m.of(&r.Quality)), r.defined(m)
	})
}

// defined reports whether a measure is defined on the machine of the job.
func (r *JobRow) defined(m *placementMeasure) bool {
	return r.meter != nil && r.meter.defined(m.on)
}

// logged returns a field of the job's line in the log, and NaN where it is -1, which is unknown, or
// the job has no line.
func (r *JobRow) logged(field int) float64 {
	if r.Logged != nil && r.Logged[field] >= 0 {
		return r.Logged[field]
	}
	return math.NaN()
}

// mean returns the mean over packets of a sum, NaN without packets.
func (t *sent) mean(sum int64) float64 { return float64(sum) / float64(t.Packets) }

// wait is mean for a sum of waits, NaN for an estimate, which is too low: checks of jumps correct
// means over all jobs only.
func (t *sent) wait(sum int64) float64 {
	if t.estimated {
		return math.NaN()
	}
	return t.mean(sum)
}

// recordRow adds the row of a job, which counts in means or not, and forgets the messages of the
// job.
func (c *Collector) recordRow(
	r *scheduler.Record, q *PlacementQuality, slow *slowdowns, counts bool,
) {
	row := JobRow{ranJob: ranJobOf(r), Reserved: len(r.Allocated), Logged: r.Job.SWF,
		Pattern: r.Job.Profile, Sent: c.sent[r.Job.ID], Quality: *q, meter: &c.place.meter,
		ServiceError: math.NaN(), slowdowns: *slow, Counts: counts}
	delete(c.sent, r.Job.ID)
	if c.plan.Job.Run != config.RunMessages {
		row.Pattern = ""
	} else if row.Pattern == "" {
		row.Pattern = c.plan.Job.Patterns[r.Job.Pattern].Label
	}
	c.rows.JobRows = append(c.rows.JobRows, row)
	c.schedule.Add(r)
}

// addErrors sets the half widths of the service time and of the slowdown by others, by the error
// that a job has in jumps.
func (r *JobRow) addErrors(off float64, clock scheduler.Clock) {
	if !r.estimated {
		return
	}
	half := off*r.unsure.cycles + r.carry
	r.ServiceError = half * clock.Seconds(1)
	if r.known {
		r.byOthers = Uncertain{float64(r.End - r.Start), half}.dividedBy(r.here)
	}
}

// JobSums are checksums of the jobs of a run in order of submission, one for each property. Two
// runs have the same jobs if their sums are equal, whatever keys they were made by.
type JobSums struct {
	Jobs        int    `json:"jobs"` // 0: there are none, or nobody recorded them
	Sizes       uint32 `json:"sizes"`
	Submissions uint32 `json:"submissions"`
	RunTimes    uint32 `json:"run_times"`
	Patterns    uint32 `json:"patterns"` // places in the list of patterns
	Quotas      uint32 `json:"quotas"`   // messages, and computing between them
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Jobs yields the jobs of a source and leaves the source as it is: it draws those of a generated
// stream a second time.
func Jobs(source scheduler.Source) iter.Seq[*scheduler.Job] {
	list, _ := source.(*scheduler.List)
	stream, drawn := source.(*scheduler.Synthetic)
	return func(yield func(*scheduler.Job) bool) {
		for i := 0; list != nil && i < len(list.Jobs) && yield(&list.Jobs[i]); i++ {
		}
		if drawn {
			again := stream.Again()
			for j, err := again.Next(); !errors.Is(err, io.EOF) && yield(&j); j, err = again.Next() {
			}
		}
	}
}

// SumJobs returns the sums of the jobs of a source behind the first ones.
func SumJobs(source scheduler.Source, behind int) (s JobSums) {
	for j := range Jobs(source) {
		if behind--; behind < 0 {
			s.add(j)
		}
	}
	return s
}

// add adds the next job.
func (s *JobSums) add(j *scheduler.Job) {
	s.Jobs++
	sum := func(to *uint32, values ...uint64) {
		var b [8]byte
		for _, v := range values {
			binary.LittleEndian.PutUint64(b[:], v)
			*to = crc32.Update(*to, castagnoli, b[:])
		}
	}
	sum(&s.Sizes, uint64(j.Size))
	sum(&s.Submissions, math.Float64bits(j.Submit))
	sum(&s.RunTimes, math.Float64bits(j.RunTime))
	sum(&s.Patterns, uint64(j.Pattern))
	sum(&s.Quotas, uint64(j.Quota), uint64(j.Lead), uint64(j.Compute))
}

// Differ lists the properties in which the jobs of two runs differ. All properties differ where
// one run has more jobs; then it lists their number alone.
func (s JobSums) Differ(other JobSums) (list []string) {
	if s.Jobs != other.Jobs {
		return []string{"number"}
	}
	for _, of := range []struct {
		name string
		a, b uint32
	}{{"sizes", s.Sizes, other.Sizes}, {"submissions", s.Submissions, other.Submissions},
		{"run times", s.RunTimes, other.RunTimes}, {"patterns", s.Patterns, other.Patterns},
		{"quotas", s.Quotas, other.Quotas}} {
		if of.a != of.b {
			list = append(list, of.name)
		}
	}
	return list
}

// LengthRow is a row of lengths.csv: the part of traffic that has messages of one length.
type LengthRow struct {
	// Flits is the length of the messages.
	Flits int32
	// Created and Accepted are parts of the loads of the point, in flits per node and cycle.
	Created, Accepted float64
	// Latency, LatencyP50, LatencyP99, LatencyP999 and ZeroLoad are those of the packets of
	// these messages, in cycles. They are NaN if there are no such packets.
	Latency, LatencyP50, LatencyP99, LatencyP999, ZeroLoad float64
	// Packets is the number of these packets.
	Packets int64
}

// LengthTable is lengths.csv.
var LengthTable = withColumns(RowTable{Name: "lengths", Row: "length of messages",
	Key: []string{"message_flits"}, Wanted: func(x *Records) bool { return x.Lengths }},
	func(x *Records) []LengthRow { return x.LengthRows },
	integers("message_flits", "flits", "length of the messages",
		func(r *LengthRow) int32 { return r.Flits }),
	numbers("created_load", "flits/node/cycle", "their load created in the window",
		func(r *LengthRow) float64 { return r.Created }),
	numbers("accepted_load", "flits/node/cycle", "their load delivered in the window",
		func(r *LengthRow) float64 { return r.Accepted }),
	numbers("latency", "cycles",
		"mean over their packets created in the window, creation to delivery",
		func(r *LengthRow) float64 { return r.Latency }).orEmpty(),
	numbers("latency_p50", "cycles", "median of it",
		func(r *LengthRow) float64 { return r.LatencyP50 }).orEmpty(),
	numbers("latency_p99", "cycles", "99th percentile of it",
		func(r *LengthRow) float64 { return r.LatencyP99 }).orEmpty(),
	numbers("latency_p99_9", "cycles", "99.9th percentile of it",
		func(r *LengthRow) float64 { return r.LatencyP999 }).orEmpty(),
	numbers("idle_latency", "cycles",
		"mean latency of the same messages, each alone on the network",
		func(r *LengthRow) float64 { return r.ZeroLoad }).orEmpty(),
	integers("packets", "packets", "packets measured", func(r *LengthRow) int64 { return r.Packets }),
)

package metrics

import (
	"math"
	"slices"

	"contend/allocation"
	"contend/experiments/config"
	"contend/netsim"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// Timeline records when each job waited and ran, on which nodes, and when each channel was busy,
// for series.csv and load.csv.
type Timeline struct {
	plan  *config.Plan
	clock scheduler.Clock
	jobs  []jobSpan
	lost  []jobSpan    // runs of jobs that failures ended
	down  []jobSpan    // of each node that has failed, from start to end
	load  *channelBins // nil without a network
	net   *netsim.Network
	pairs *pairSeries // nil if no pairs are chosen
}

// jobSpan is when a job waited and ran, and on which nodes.
type jobSpan struct {
	submit, start, end scheduler.Cycle
	used               int
	nodes              []nodeInterval // used or reserved
}

// NewTimeline returns the timeline of a run. The network may be nil.
func NewTimeline(plan *config.Plan, clock scheduler.Clock, net *netsim.Network) *Timeline {
	t := &Timeline{plan: plan, clock: clock, net: net}
	if net != nil {
		t.load = newChannelBins(net.Wiring().Links(), net.Now)
		net.Record(t.load)
	}
	t.pairs = newPairSeries(plan.SeriesPairs, net)
	return t
}

// began notes that a job begins, with the nodes of its ranks.
func (t *Timeline) began(id scheduler.JobID, nodes []topology.Node) {
	if t.pairs != nil {
		t.pairs.began(id, nodes)
	}
}

// ended notes that a job, or a run of it, ends.
func (t *Timeline) ended(r *scheduler.Record) {
	if t.pairs != nil {
		t.pairs.ended(r.Job.ID)
	}
}

// record adds a job that has ended.
func (t *Timeline) record(r *scheduler.Record) {
	t.ended(r)
	t.jobs = append(t.jobs, jobSpan{r.Queued, r.Start, r.End, len(r.Nodes), intervals(r.Allocated)})
}

// jobSeries are sums over the cycles of each bin.
type jobSeries struct {
	shift                    uint
	end                      scheduler.Cycle
	used, queued, run, parts []float64
	lost, down               []float64 // nodes of runs that failures ended, and that have failed
}

// SeriesRow is a row of series.csv: a bin of time, or the state of a pair in it.
type SeriesRow struct {
	// From and Until are when the bin begins and ends.
	From, Until scheduler.Cycle
	// Means over the bin, NaN where they are not defined.
	UtilizationPercent, QueuedJobs, RunningJobs, FreeComponents float64
	LinkPercent, MaxLinkPercent, LostPercent, FailedPercent     float64
	// Pair is nil in the row of a bin; in that of a pair the means are NaN.
	Pair *PairState
}

// SeriesTable is series.csv.
var SeriesTable = withColumns(RowTable{Name: "series", Row: "bin of time, or of a pair in it",
	Key:    []string{"time", PairColumn},
	Wanted: func(x *Records) bool { return x.Series }},
	func(x *Records) []SeriesRow { return x.SeriesRows },
	times("time", "when the bin begins, from the start of the run",
		func(r *SeriesRow) scheduler.Cycle { return r.From }),
	times("duration",
		"how long it is; a run has at most 512 bins of equal length, the last one cut at its end",
		func(r *SeriesRow) scheduler.Cycle { return r.Until - r.From }),
	numbers("utilization_percent", "%",
		"mean share of the machine in use; over the bins that makes `utilization`",
		func(r *SeriesRow) float64 { return r.UtilizationPercent }).orEmpty(),
	numbers("queue_jobs", "jobs", "mean number of jobs that waited",
		func(r *SeriesRow) float64 { return r.QueuedJobs }).orEmpty(),
	numbers("running_jobs", "jobs", "mean number of jobs that ran",
		func(r *SeriesRow) float64 { return r.RunningJobs }).orEmpty(),
	numbers("free_components", "",
		"mean number of connected pieces of the free nodes; nodes of one router are connected, "+
			"and so are those of neighbouring routers",
		func(r *SeriesRow) float64 { return r.FreeComponents }).orEmpty(),
	numbers("link_utilization_percent", "%",
		"mean share of the bin in which a network channel carried flits; empty without a network",
		func(r *SeriesRow) float64 { return r.LinkPercent }).orEmpty(),
	numbers("link_utilization_max_percent", "%",
		"the same of the channel that was busiest in the bin",
		func(r *SeriesRow) float64 { return r.MaxLinkPercent }).orEmpty(),
	numbers("lost_percent", "%", "mean share of the machine in runs of jobs that "+
		"failures ended, which `utilization_percent` leaves out; over the bins that makes "+
		"`lost_node_time`", func(r *SeriesRow) float64 { return r.LostPercent }).orEmpty(),
	numbers("failed_percent", "%", "mean share of the machine that had failed; over the "+
		"bins that makes 100 less `availability`",
		func(r *SeriesRow) float64 { return r.FailedPercent }).orEmpty(),
	texts(PairColumn, "with `runs.series_pairs` each bin also has a row for each of "+
		"them, of which this is the pair and the columns above are empty; nodes, or job:ranks",
		func(r *SeriesRow) string {
			if r.Pair == nil {
				return ""
			}
			return r.Pair.Pair
		}).orEmpty(),
	ofPairs("rate", "of its queue pair when the bin begins, over that of the link; "+
		"empty while the job does not run", func(p *PairState) float64 { return p.Rate }),
	ofPairs("alpha", "its estimate of congestion then; of `dcqcn`", func(p *PairState) float64 {
		if !p.alphas {
			return math.NaN()
		}
		return p.Alpha
	}),
	integersIf("notifications", "notifications",
		"that have reached the source until then, since the run or the job began",
		func(r *SeriesRow) (n int64, known bool) {
			if known = r.Pair != nil && r.Pair.Known; known {
				n = r.Pair.Notifications
			}
			return n, known
		}),
	integersIf("queue_flits", "flits",
		"for the destination at its router then; empty with the worm engine",
		func(r *SeriesRow) (n int64, known bool) {
			if known = r.Pair != nil && r.Pair.Known; known {
				n = r.Pair.QueuedFlits
			}
			return n, known && n >= 0
		}),
)

// ofPairs is a column of numbers of pairs whose state is known.
func ofPairs(name, meaning string, of func(*PairState) float64) column[SeriesRow] {
	return numbers(name, "", meaning, func(r *SeriesRow) float64 {
		if r.Pair == nil || !r.Pair.Known {
			return math.NaN()
		}
		return of(r.Pair)
	}).orEmpty()
}

// PairColumn is the column of SeriesTable that names a pair; it is empty in the row of a bin.
const PairColumn = "pair"

// PairColumns lists the columns of SeriesTable about pairs, PairColumn first. They are the last.
func PairColumns() []string {
	names := SeriesTable.Names()
	return names[slices.Index(names, PairColumn):]
}

// LoadRow is a row of load.csv: a channel in a bin of time in which it carried flits.
type LoadRow struct {
	From, Until scheduler.Cycle
	Link        int
	Busy        uint64 // cycles in which it carried flits
}

// LoadTable is load.csv.
var LoadTable = withColumns(RowTable{Name: "load",
	Row: "channel and bin of time in which it carried flits", Key: []string{"time", "link"},
	Wanted: func(x *Records) bool { return x.Series }},
	func(x *Records) []LoadRow { return x.LoadRows },
	times("time", "when the bin begins", func(r *LoadRow) scheduler.Cycle { return r.From }),
	times("duration", "how long it is: 8 bins of `series.csv`, so a run has at most 64",
		func(r *LoadRow) scheduler.Cycle { return r.Until - r.From }),
	integers("link", "", "number of the channel, as in `links.csv`",
		func(r *LoadRow) int { return r.Link }),
	numbers("utilization_percent", "%", "share of the bin in which it carried flits",
		func(r *LoadRow) float64 { return 100 * float64(r.Busy) / float64(r.Until-r.From) }),
)

// Rows returns the rows of series.csv and load.csv of a run that ended in a cycle. In a run of
// bare traffic there are no jobs.
func (t *Timeline) Rows(end scheduler.Cycle) (series []SeriesRow, load []LoadRow) {
	if t.net != nil {
		end = max(end, scheduler.Cycle(t.net.Now()))
	}
	shift, bins := binsOf(end)
	if t.load != nil {
		t.load.countAhead(int64(end))
		t.load.widen(shift)
	}
	jobs := t.jobSeries(shift, bins, end)
	for bin := range bins {
		row := t.seriesRow(jobs, bin)
		series = append(series, row)
		if t.pairs != nil {
			for _, p := range t.pairs.states(bin, shift) {
				of := emptySeriesRow(row.From, row.Until)
				of.Pair = p
				series = append(series, of)
			}
		}
	}
	if t.load == nil {
		return series, nil
	}
	for bin := 0; bin < bins; bin += binsPerLoad {
		load = append(load, t.loadRows(jobs, bin, min(bins, bin+binsPerLoad))...)
	}
	return series, load
}

// emptySeriesRow returns the row of a bin of which no mean is defined.
func emptySeriesRow(from, until scheduler.Cycle) SeriesRow {
	none := math.NaN()
	return SeriesRow{from, until, none, none, none, none, none, none, none, none, nil}
}

// span returns the beginning and the end of a bin.
func (s *jobSeries) span(bin int) (from, until scheduler.Cycle) {
	from = scheduler.Cycle(bin) << s.shift
	return from, min(s.end, from+1<<s.shift)
}

// add adds a value that holds from one cycle until another.
func (s *jobSeries) add(sums []float64, from, until scheduler.Cycle, value float64) {
	until = min(until, s.end)
	for bin := int(from >> s.shift); from < until; bin++ {
		_, end := s.span(bin)
		end = min(end, until)
		sums[bin] += value * float64(end-from)
		from = end
	}
}

// jobSeries sums what jobs do over each bin.
func (t *Timeline) jobSeries(shift uint, bins int, end scheduler.Cycle) *jobSeries {
	s := &jobSeries{shift: shift, end: end, used: make([]float64, bins),
		queued: make([]float64, bins), run: make([]float64, bins), lost: make([]float64, bins),
		down: make([]float64, bins)}
	for i, j := range t.allSpans() {
		s.add(s.queued, j.submit, j.start, 1)
		s.add(s.run, j.start, j.end, 1)
		if used := float64(j.used); i < len(t.jobs) {
			s.add(s.used, j.start, j.end, used)
		} else {
			s.add(s.lost, j.start, j.end, used)
		}
	}
	for _, n := range t.down {
		s.add(s.down, n.start, n.end, 1)
	}
	if meter, err := allocation.NewMeter(t.plan.Machine); err == nil {
		s.parts = make([]float64, bins)
		t.freeParts(meter, s)
	}
	return s
}

// change is the start of a job or of a failure, or its end, at which its nodes are free.
type change struct {
	at   scheduler.Cycle
	job  int
	free bool
}

// freeParts sums the number of connected pieces of the free nodes over each bin.
func (t *Timeline) freeParts(meter *allocation.Meter, s *jobSeries) {
	var changes []change
	spans := append(t.allSpans(), t.down...) // of nodes that are not free
	for i, j := range spans {
		changes = append(changes, change{j.start, i, false}, change{j.end, i, true})
	}
	slices.SortStableFunc(changes, func(a, b change) int { return int(min(1, max(-1, a.at-b.at))) })
	holders := make([]int, t.plan.Machine.Nodes()) // jobs without run time pass nodes on in one cycle
	free, last := make([]topology.Node, 0, len(holders)), scheduler.Cycle(0)
	pieces := func(until scheduler.Cycle) {
		if until == last {
			return
		}
		free = free[:0]
		for n, jobs := range holders {
			if jobs == 0 {
				free = append(free, topology.Node(n))
			}
		}
		s.add(s.parts, last, until, float64(meter.Components(free)))
		last = until
	}
	for _, c := range changes {
		pieces(c.at)
		step := 1
		if c.free {
			step = -1
		}
		for _, i := range spans[c.job].nodes {
			for n := i.first; n <= i.last; n++ {
				holders[n] += step
			}
		}
	}
	pieces(s.end)
}

// seriesRow returns the row of a bin.
func (t *Timeline) seriesRow(s *jobSeries, bin int) SeriesRow {
	from, until := s.span(bin)
	row, cycles := emptySeriesRow(from, until), float64(until-from)
	if t.plan.Workload.Source != config.SourceTraffic {
		nodes := float64(t.plan.Machine.Nodes())
		row.UtilizationPercent = 100 * s.used[bin] / nodes / cycles
		row.QueuedJobs, row.RunningJobs = s.queued[bin]/cycles, s.run[bin]/cycles
		if s.parts != nil {
			row.FreeComponents = s.parts[bin] / cycles
		}
		row.LostPercent = 100 * s.lost[bin] / nodes / cycles
		row.FailedPercent = 100 * s.down[bin] / nodes / cycles
	}
	if t.load != nil {
		row.LinkPercent, row.MaxLinkPercent = t.linkPercents(bin, cycles)
	}
	return row
}

// linkPercents returns the mean and the greatest share of a bin in which network channels were
// busy, NaN without such channels.
func (t *Timeline) linkPercents(bin int, cycles float64) (mean, most float64) {
	sum, busiest, channels := uint64(0), uint32(0), 0
	busy, w := t.load.busyIn(bin), t.net.Wiring()
	for l := range router.Link(w.Links()) {
		if w.Kind(l) != router.Network {
			continue
		}
		if channels++; busy != nil {
			sum, busiest = sum+uint64(busy[l]), max(busiest, busy[l])
		}
	}
	if channels == 0 {
		return math.NaN(), math.NaN()
	}
	return 100 * float64(sum) / float64(channels) / cycles, 100 * float64(busiest) / cycles
}

// loadRows returns a row for each channel that carried flits in some of the bins first to last-1.
func (t *Timeline) loadRows(s *jobSeries, first, last int) (rows []LoadRow) {
	from, _ := s.span(first)
	_, until := s.span(last - 1)
	sums := make([]uint64, t.load.links)
	for bin := first; bin < last; bin++ {
		for l, busy := range t.load.busyIn(bin) {
			sums[l] += uint64(busy)
		}
	}
	for l, busy := range sums {
		if busy > 0 {
			rows = append(rows, LoadRow{from, until, l, busy})
		}
	}
	return rows
}

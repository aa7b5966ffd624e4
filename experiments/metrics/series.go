package metrics

import (
	"fmt"
	"slices"

	"contend/allocation"
	"contend/experiments/config"
	"contend/internal/decimal"
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

// Rows returns the rows of series.csv and load.csv of a run that ended in a cycle. In a run of
// bare traffic there are no jobs.
func (t *Timeline) Rows(end scheduler.Cycle) (series, load [][]string) {
	if t.net != nil {
		end = max(end, scheduler.Cycle(t.net.Now()))
	}
	shift, bins := binsOf(end)
	if t.load != nil {
		t.load.countAhead(int64(end))
		t.load.widen(shift)
	}
	jobs := t.jobSeries(shift, bins, end)
	ofPairs := make([]string, len(PairColumns()))
	for bin := range bins {
		row := t.seriesRow(jobs, bin)
		series = append(series, append(row, ofPairs...))
		if t.pairs != nil {
			lead := append(row[:2:2], make([]string, len(row)-2)...)
			series = append(series, t.pairs.rows(bin, shift, lead)...)
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
func (t *Timeline) seriesRow(s *jobSeries, bin int) []string {
	from, until := s.span(bin)
	cycles := float64(until - from)
	row := t.times(from, until)
	if t.plan.Workload.Source == config.SourceTraffic {
		row = append(row, "", "", "", "")
	} else {
		nodes := float64(t.plan.Machine.Nodes())
		row = append(row, decimal.Number(100*s.used[bin]/nodes/cycles),
			decimal.Number(s.queued[bin]/cycles), decimal.Number(s.run[bin]/cycles))
		parts := ""
		if s.parts != nil {
			parts = decimal.Number(s.parts[bin] / cycles)
		}
		row = append(row, parts)
	}
	return append(append(row, t.linkCells(bin, cycles)...), t.failureCells(s, bin, cycles)...)
}

// failureCells returns the shares of the machine in runs that failures ended, and that has failed.
func (t *Timeline) failureCells(s *jobSeries, bin int, cycles float64) []string {
	if t.plan.Workload.Source == config.SourceTraffic {
		return []string{"", ""}
	}
	nodes := float64(t.plan.Machine.Nodes())
	return []string{decimal.Number(100 * s.lost[bin] / nodes / cycles),
		decimal.Number(100 * s.down[bin] / nodes / cycles)}
}

// linkCells returns the mean and the greatest share of a bin in which network channels were busy.
func (t *Timeline) linkCells(bin int, cycles float64) []string {
	if t.load == nil {
		return []string{"", ""}
	}
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
		return []string{"", ""}
	}
	return []string{decimal.Number(100 * float64(sum) / float64(channels) / cycles),
		decimal.Number(100 * float64(busiest) / cycles)}
}

// loadRows returns a row for each channel that carried flits in some of the bins first to last-1.
func (t *Timeline) loadRows(s *jobSeries, first, last int) (rows [][]string) {
	from, _ := s.span(first)
	_, until := s.span(last - 1)
	times, sums := t.times(from, until), make([]uint64, t.load.links)
	for bin := first; bin < last; bin++ {
		for l, busy := range t.load.busyIn(bin) {
			sums[l] += uint64(busy)
		}
	}
	for l, busy := range sums {
		if busy > 0 {
			percent := decimal.Number(100 * float64(busy) / float64(until-from))
			rows = append(rows, append(slices.Clone(times), fmt.Sprint(l), percent))
		}
	}
	return rows
}

// times returns the beginning and the duration of a bin in the unit of the clock.
func (t *Timeline) times(from, until scheduler.Cycle) []string {
	unit := t.plan.ClockUnit
	return []string{decimal.InUnit(unit, t.clock.Seconds(from)),
		decimal.InUnit(unit, t.clock.Seconds(until-from))}
}

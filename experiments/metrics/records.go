package metrics

import (
	"fmt"
	"math"

	"contend/experiments/config"
	"contend/internal/decimal"
	"contend/scheduler"
)

// Records requests rows beside the metrics of a run, and holds the rows that the run answers.
type Records struct {
	// Jobs and Links request a row for each job and for each channel.
	Jobs, Links bool
	// Series requests a row for each bin of time, and one for each channel and coarser bin.
	Series bool
	// Interference requests a row for each pair of jobs of which one waited for the other.
	Interference bool
	// Failures requests a row for each failure, and one for each run of a job that a failure ends.
	Failures bool
	// Slowdowns requests a row for each job and each other job that was on the machine with it.
	Slowdowns bool
	// Sizes requests a row for each size of jobs, and Lengths one for each length of the messages
	// of traffic.
	Sizes, Lengths bool
	// JobRows, LinkRows and SizeRows are set by the run, in the columns of JobTable,
	// LinkTable and SizeTable.
	JobRows, LinkRows, SizeRows [][]string
	// SeriesRows and LoadRows are set by the run, in the columns of SeriesTable and
	// LoadTable.
	SeriesRows, LoadRows [][]string
	// LengthRows are set by the run, in the columns of LengthTable.
	LengthRows [][]string
	// PathRows are set by the run, in the columns of PathTable, if Interference is set.
	PathRows [][]string
	// InterferenceRows are set by the run, in the columns of InterferenceTable.
	InterferenceRows [][]string
	// FailureRows and KilledRows are set by the run, in the columns of FailureTable and KilledTable.
	FailureRows, KilledRows [][]string
	// SlowdownRows are set by the run, in the columns of SlowdownTable.
	SlowdownRows [][]string
	// Lines are set by the run if Jobs is set: the jobs as they ran, as lines of a log.
	Lines []scheduler.SWFLine
	// Header is set by the run with Lines: comments of the log that say the size of the
	// machine and the unit of the times.
	Header []string
	// Sums are set by every run that has jobs.
	Sums JobSums
}

// logHeader returns the Header of a run.
func logHeader(plan *config.Plan) []string {
	nodes := plan.Machine.Nodes()
	return []string{fmt.Sprint("MaxNodes: ", nodes), fmt.Sprint("MaxProcs: ", nodes),
		"Note: times are in " + plan.ClockUnit}
}

// jobRow returns the row of a job, and forgets the messages of the job.
func (c *Collector) jobRow(r *scheduler.Record, q *PlacementQuality, slow *slowdowns) []string {
	t := c.sent[r.Job.ID]
	delete(c.sent, r.Job.ID)
	half := "" // not known, or every flit is simulated
	if cycles, ok := c.halfWidths[r.Job.ID]; ok {
		half = decimal.Number(cycles * c.clock.Seconds(1))
	}
	pattern := r.Job.Profile
	if c.plan.Job.Run != config.RunMessages {
		pattern = ""
	} else if pattern == "" {
		pattern = c.plan.Job.Patterns[r.Job.Pattern].Label
	}
	num, clock := decimal.Number, clockText(c.plan, c.clock)
	row := []string{fmt.Sprint(r.Job.ID), clock(r.Submit), clock(r.Start), clock(r.End),
		fmt.Sprint(len(r.Nodes)), fmt.Sprint(len(r.Allocated)), pattern,
		fmt.Sprint(t.Messages), fmt.Sprint(t.Packets)}
	for _, sum := range []int64{t.Latency, t.NetworkLatency, t.NetworkLatency + t.EntryWait} {
		row = append(row, decimal.Time(perPacket(sum, t.Packets)))
	}
	for _, sum := range []int64{t.Blocked, t.Foreign, t.Blocked + t.EntryWait} {
		mean := perPacket(sum, t.Packets)
		if t.estimated { // too low: checks of jumps correct means over all jobs only
			mean = math.NaN()
		}
		row = append(row, decimal.Time(mean))
	}
	row = append(row, num(perPacket(t.Hops, t.Packets)))
	row = append(row, c.measureCells(q)...)
	if r.Lost {
		row = append(row, "", "", half)
	} else {
		row = append(row, clock(r.Wait()), clock(r.Service()), half)
	}
	row = append(row, slow.cells()...)
	return append(append(row, loggedCells(r.Job.SWF)...), nodesText(r.Allocated),
		fmt.Sprint(r.Restarts), fmt.Sprint(r.Lost))
}

// loggedCells returns number, run time, estimate and user of a job of a log. Fields that are -1,
// which is unknown, are empty.
func loggedCells(line *[18]float64) []string {
	cells := make([]string, 4)
	for i, field := range [...]int{0, 3, 8, 11} {
		if line != nil && line[field] >= 0 {
			cells[i] = decimal.Number(line[field])
		}
	}
	return cells
}

// jobMeasures are the measures in JobTable.
var jobMeasures = measuresNamed("dispersal", "weighted_dispersal", "mean_pairwise_distance",
	"components", "span_linear", "span_ring", "bounding_cube_ratio")

// measureCells returns the measures of a job's placement. Those that are not defined on the
// machine are empty: a 0 would pass for a compact job.
func (c *Collector) measureCells(q *PlacementQuality) (cells []string) {
	for _, m := range jobMeasures {
		cell := ""
		if c.place.meter.defined(m.on) {
			cell = decimal.Number(m.of(q))
		}
		cells = append(cells, cell)
	}
	return cells
}

// perPacket returns the mean over packets, NaN without packets.
func perPacket(sum, packets int64) float64 { return float64(sum) / float64(packets) }

package metrics

import (
	"fmt"

	"contend/experiments/config"
	"contend/scheduler"
)

// Records requests rows beside the metrics of a run, and holds the rows that the run answers. Each
// RowTable has the columns of one list of rows.
type Records struct {
	// Jobs and Links request a row for each job and for each channel.
	Jobs, Links bool
	// Series requests a row for each bin of time, and one for each channel and coarser bin.
	Series bool
	// Interference requests a row for each pair of jobs of which one waited for the other, and rows
	// of critical paths.
	Interference bool
	// Failures requests a row for each failure, and one for each run of a job that a failure ends.
	Failures bool
	// Slowdowns requests a row for each job and each other job that was on the machine with it.
	Slowdowns bool
	// Sizes requests a row for each size of jobs, and Lengths one for each length of the messages
	// of traffic.
	Sizes, Lengths bool

	// Clock is set by every run, and the rows by the runs that are asked for them.
	Clock Clock

	JobRows          []JobRow
	LinkRows         []LinkRow
	SeriesRows       []SeriesRow
	LoadRows         []LoadRow
	InterferenceRows []WaitRow
	PathRows         []PathRow
	SlowdownRows     []PairSlowdown
	LengthRows       []LengthRow
	FailureRows      []Failure
	KilledRows       []KilledRun
	SizeRows         []SizeRow

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

package metrics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/config"
	"contend/internal/table"
	"contend/router/topology"
	"contend/scheduler"
)

// RowTables are the tables of rows that runs write beside their metrics, in the order in which a
// folder has them.
var RowTables = []*RowTable{JobTable, LinkTable, SeriesTable, LoadTable, InterferenceTable,
	PathTable, SlowdownTable, LengthTable, FailureTable, KilledTable, SizeTable}

// RowTable is a table of rows that a run writes beside its metrics: what a row is, and its columns.
type RowTable struct {
	// Name is the name of its files without the extension.
	Name string
	// Row says what a row is.
	Row string
	// Key has the columns that name a row of a run, nil if none do.
	Key []string
	// Wanted reports whether a run is to record the rows.
	Wanted func(*Records) bool
	// Columns are the columns of a run's rows. The unit "time" stands for the unit of the run's
	// clock, as in the table of metrics.
	Columns []table.Column
	// Rows returns the rows that a run has recorded.
	Rows func(*Records) table.Rows
}

// TableOf returns the table of a name, nil if there is none.
func TableOf(name string) *RowTable {
	for _, t := range RowTables {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Names returns the names of the columns.
func (t *RowTable) Names() []string { return table.Names(t.Columns) }

// Clock is the clock of a run with its unit.
type Clock struct {
	scheduler.Clock
	Unit string
}

// ClockOf returns the clock of a plan.
func ClockOf(plan *config.Plan, clock scheduler.Clock) Clock { return Clock{clock, plan.ClockUnit} }

// time returns a time as a cell.
func (c *Clock) time(cycles scheduler.Cycle) table.Value {
	return table.InUnit(c.Seconds(cycles), c.Unit)
}

// column is a column of rows of type R, and the function that returns its cell of a row.
type column[R any] struct {
	table.Column
	cell func(row *R, clock *Clock) table.Value
}

// withColumns completes a table: rows returns the rows of a run, and columns has a function for
// each cell.
func withColumns[R any](t RowTable, rows func(*Records) []R, columns ...column[R]) *RowTable {
	for i := range columns {
		t.Columns = append(t.Columns, columns[i].Column)
	}
	t.Rows = func(x *Records) table.Rows {
		return func(write func(...table.Value) error) {
			list, cells := rows(x), make([]table.Value, len(columns))
			for i := range list {
				for k := range columns {
					cells[k] = columns[k].cell(&list[i], &x.Clock)
				}
				if write(cells...) != nil {
					return
				}
			}
		}
	}
	return &t
}

// orEmpty returns the column with cells that may be empty: undefined numbers and texts without
// characters.
func (c column[R]) orEmpty() column[R] {
	c.Column = c.OrEmpty()
	return c
}

// integers is a column of integers.
func integers[R any, N ~int | ~int32 | ~int64](
	name, unit, meaning string, of func(*R) N,
) column[R] {
	return column[R]{table.Integer.Column(name, unit, meaning),
		func(row *R, _ *Clock) table.Value { return table.Int(of(row)) }}
}

// integersIf is a column of integers that is empty where the function reports false.
func integersIf[R any, N ~int | ~int32 | ~int64](
	name, unit, meaning string, of func(*R) (N, bool),
) column[R] {
	return column[R]{table.Integer.Column(name, unit, meaning).OrEmpty(),
		func(row *R, _ *Clock) table.Value {
			if n, ok := of(row); ok {
				return table.Int(n)
			}
			return table.Value{}
		}}
}

// numbers is a column of numbers, which CSV has with the digits of their unit.
func numbers[R any](name, unit, meaning string, of func(*R) float64) column[R] {
	return column[R]{table.Number.Column(name, unit, meaning),
		func(row *R, _ *Clock) table.Value { return table.InUnit(of(row), unit) }}
}

// nineDigits is a column of numbers that CSV has with nine digits, although they are times.
func nineDigits[R any](name, unit, meaning string, of func(*R) float64) column[R] {
	c := numbers(name, "", meaning, of)
	c.Unit = unit
	return c
}

// times is a column of times in the unit of the run's clock.
func times[R any](name, meaning string, of func(*R) scheduler.Cycle) column[R] {
	return column[R]{table.Number.Column(name, unitOfClock, meaning),
		func(row *R, clock *Clock) table.Value { return clock.time(of(row)) }}
}

// timesIf is a column of times that is empty where the function reports false.
func timesIf[R any](name, meaning string, of func(*R) (scheduler.Cycle, bool)) column[R] {
	return column[R]{table.Number.Column(name, unitOfClock, meaning).OrEmpty(),
		func(row *R, clock *Clock) table.Value {
			if cycles, ok := of(row); ok {
				return clock.time(cycles)
			}
			return table.Value{}
		}}
}

// texts is a column of texts.
func texts[R any](name, meaning string, of func(*R) string) column[R] {
	return column[R]{table.String.Column(name, "", meaning),
		func(row *R, _ *Clock) table.Value { return table.Text(of(row)) }}
}

// booleans is a column of true and false.
func booleans[R any](name, meaning string, of func(*R) bool) column[R] {
	return column[R]{table.Boolean.Column(name, "", meaning),
		func(row *R, _ *Clock) table.Value { return table.Bool(of(row)) }}
}

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

// nodeInterval is the nodes from first to last, both included.
type nodeInterval struct{ first, last topology.Node }

// intervals returns a set of nodes as intervals in order of number.
func intervals(nodes []topology.Node) (list []nodeInterval) {
	sorted := slices.Clone(nodes)
	slices.Sort(sorted)
	for _, n := range sorted {
		if k := len(list); k > 0 && list[k-1].last == n-1 {
			list[k-1].last = n
		} else {
			list = append(list, nodeInterval{n, n})
		}
	}
	return list
}

// nodesText writes a set of nodes in order of number as intervals: 0-15,32,40-47.
func nodesText(nodes []topology.Node) string {
	var parts []string
	for _, i := range intervals(nodes) {
		text := strconv.Itoa(int(i.first))
		if i.last > i.first {
			text += "-" + strconv.Itoa(int(i.last))
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ",")
}

// ParseNodes reads nodes as nodesText writes them, and returns them in order of number.
func ParseNodes(text string) (nodes []int, err error) {
	if text == "" {
		return nil, nil
	}
	for _, part := range strings.Split(text, ",") {
		from, to, isRange := strings.Cut(part, "-")
		first, err := strconv.Atoi(from)
		last := first
		if err == nil && isRange {
			last, err = strconv.Atoi(to)
		}
		if err != nil || first < 0 || last < first || last-first > maxNodes {
			return nil, fmt.Errorf("%q is no node or interval of nodes", part)
		}
		for n := first; n <= last; n++ {
			nodes = append(nodes, n)
		}
	}
	return nodes, nil
}

// maxNodes limits the nodes of an interval that is read.
const maxNodes = 1 << 24

package metrics

import (
	"contend/experiments/config"
	"contend/internal/table"
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

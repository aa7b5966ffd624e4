package tables

import (
	"iter"
	"slices"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/table"
)

// clock is the unit of a column of times whose runs have clocks of several units.
const clock = "time"

// RunColumns are the columns of runs.csv and runs.parquet behind the axes. The unit
// "unit" stands for the unit in the column of that name.
var RunColumns = []table.Column{
	replication,
	hash,
	table.String.Column("metric", "", "name of a metric"),
	table.String.Column("unit", "", "unit of the values in the row, empty for a ratio").OrEmpty(),
	table.Number.Column("value", "unit", "the metric in this run"),
}

// WideColumns are the columns of wide.csv and wide.parquet between the axes and the
// metrics.
var WideColumns = []table.Column{
	replication,
	hash,
	table.String.Column("time_unit", "", "unit of the run's clock: s, cycles or time units"),
}

// Columns that name the run of a row.
var (
	replication = table.Integer.Column("replication", "", "number of the replication, from 0")
	hash        = table.String.Column("hash", "", "names the run's settings; the same in runs.jsonl")
)

// RunTable describes runs.csv for the results of a study.
func RunTable(r *experiments.Results) table.Table {
	return table.Table{Name: "runs", Row: "run and metric",
		Columns: append(axisColumns(r), RunColumns...),
		Key:     append(r.AxisKeys(), "replication", "metric")}
}

// WideTable describes wide.csv for the results of a study. Its metrics are those that
// some run has.
func WideTable(r *experiments.Results) table.Table {
	t := table.Table{Name: "wide", Row: "run", Key: append(r.AxisKeys(), "replication"),
		Columns: append(axisColumns(r), WideColumns...)}
	taken := map[string]bool{}
	for _, c := range t.Columns {
		taken[c.Name] = true
	}
	docs := map[string]string{}
	for _, m := range metrics.MetricsOf(r.Names) {
		docs[m.Name] = m.Doc
	}
	names := r.Metrics()
	units := commonUnits(r, metrics.Units(names))
	for i, m := range names {
		name := m
		if taken[name] { // a metric of a program of one's own, named like a column
			name = "metric." + m
		}
		t.Columns = append(t.Columns, table.Number.Column(name, units[i], docs[m]).OrEmpty())
	}
	return t
}

// rowTables describes the tables of rows that runs keep, by the name of their file.
var rowTables = map[string]struct {
	row     string           // what a row is
	columns metrics.RowTable // behind those that name the run
	// key has the columns that name a row of a run; a log may use the number of a job twice.
	key []string
}{
	"jobs":  {"job", metrics.JobTable, nil},
	"links": {"physical channel", metrics.LinkTable, []string{"link"}},
	"series": {"bin of time, or of a pair in it", metrics.SeriesTable,
		[]string{"time", metrics.PairColumn}},
	"load": {"channel and bin of time in which it carried flits", metrics.LoadTable,
		[]string{"time", "link"}},
	"interference": {"pair of jobs of which one waited for the other, and channel",
		metrics.InterferenceTable, nil},
	"critical-path": {"part of the time of a job", metrics.PathTable, nil},
	"slowdowns":     {"job and other job on the machine with it", metrics.SlowdownTable, nil},
	"lengths":       {"length of messages", metrics.LengthTable, []string{"message_flits"}},
	"failures":      {"failure", metrics.FailureTable, []string{"failure"}},
	"killed-runs":   {"run of a job that a failure ended", metrics.KilledTable, nil},
}

// rowTable describes a table of rows of a study. Times get the unit of the clock that its runs
// have.
func rowTable(r *experiments.Results, name string) table.Table {
	of := rowTables[name]
	columns := slices.Clone(of.columns)
	for i := range columns {
		if columns[i].Unit == clock {
			columns[i].Unit = commonUnits(r, func(s *config.Spec) []string {
				return []string{s.ClockUnit()}
			})[0]
		}
	}
	lead := []table.Column{replication, hash}[:len(experiments.RunColumns(name))]
	t := table.Table{Name: name, Row: of.row, Of: WideTable(r).Name,
		Columns: slices.Concat(axisColumns(r), lead, columns)}
	t.OfKey = append(r.AxisKeys(), replication.Name)
	if of.key != nil {
		t.Key = append(slices.Clone(t.OfKey), of.key...)
	}
	return t
}

// commonUnits returns the units of quantities in a study. The unit is clock where points have
// clocks of several units.
func commonUnits(r *experiments.Results, unitsOf func(*config.Spec) []string) (all []string) {
	for i := range r.Points {
		units := unitsOf(&r.Points[i].Spec)
		if i == 0 {
			all = slices.Clone(units)
		}
		for k := range all {
			if all[k] != units[k] {
				all[k] = clock
			}
		}
	}
	return all
}

// axisColumns describes the columns of the axes. Types depend on the keys and not on the values, so
// that files of several studies fit together: a key that can be "auto" is text. An axis whose
// values have units is text too.
func axisColumns(r *experiments.Results) []table.Column {
	var columns []table.Column
	for _, name := range r.AxisKeys() {
		k, _ := study.FindAxisKey(name)
		c := table.String.Column(name, k.Unit, k.Doc)
		switch units := r.Study.HasUnits(name); {
		case units:
			c.Unit = ""
		case k.Type == "integer":
			c.Type = table.Integer
		case k.Type == "number":
			c.Type = table.Number
		case k.Type == "boolean":
			c.Type = table.Boolean
		}
		// a text that may be empty is so by default
		c.Nullable = c.Type == table.String && !k.Shorthand && k.Default == `""`
		columns = append(columns, c)
	}
	return columns
}

// runValues is a run in the order of the study, with a value of each metric.
type runValues struct {
	cells  []any    // labels of the point, number of the replication, hash
	clock  string   // unit of times
	units  []string // of the metrics
	values []any    // InUnit, nil where the run lacks the metric
}

// valuesOf yields the finished runs with their values of metrics.
func valuesOf(r *experiments.Results, names []string) iter.Seq[runValues] {
	return func(yield func(runValues) bool) {
		unitsOf, picker := metrics.Units(names), metrics.NewPicker(names)
		for i := range r.Points {
			p := &r.Points[i]
			run := runValues{clock: p.Spec.ClockUnit(), units: unitsOf(&p.Spec),
				values: make([]any, len(names))}
			for rep := range r.Runs[i] {
				run.cells = slices.Clip(append(Texts(p.Labels), rep, p.Hash))
				for k := range names {
					run.values[k] = nil
					if x, ok := picker.Value(&r.Runs[i][rep], k); ok {
						run.values[k] = InUnit{x, run.units[k]}
					}
				}
				if !yield(run) {
					return
				}
			}
		}
	}
}

// runRows returns the rows of runs.csv: one for each run and metric.
func runRows(r *experiments.Results) TableRows {
	return func(write func(...any) error) {
		names := r.Metrics()
		for run := range valuesOf(r, names) {
			for k, value := range run.values {
				if value != nil {
					write(append(run.cells, names[k], run.units[k], value)...)
				}
			}
		}
	}
}

// wideRows returns the rows of wide.csv: one for each run, with a cell for each metric.
func wideRows(r *experiments.Results) TableRows {
	return func(write func(...any) error) {
		for run := range valuesOf(r, r.Metrics()) {
			write(append(append(run.cells, run.clock), run.values...)...)
		}
	}
}

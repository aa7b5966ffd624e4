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

// rowTable describes a table of rows of a study. Times get the unit of the clock that its runs
// have.
func rowTable(r *experiments.Results, of *metrics.RowTable) table.Table {
	columns := slices.Clone(of.Columns)
	for i := range columns {
		if columns[i].Unit == clock {
			columns[i].Unit = commonUnits(r, func(s *config.Spec) []string {
				return []string{s.ClockUnit()}
			})[0]
		}
	}
	lead := []table.Column{replication, hash}[:len(experiments.RunColumns(of.Name))]
	t := table.Table{Name: of.Name, Row: of.Row, Of: WideTable(r).Name,
		Columns: slices.Concat(axisColumns(r), lead, columns)}
	t.OfKey = append(r.AxisKeys(), replication.Name)
	if of.Key != nil {
		t.Key = append(slices.Clone(t.OfKey), of.Key...)
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
	cells  []table.Value // labels of the point, number of the replication, hash
	clock  string        // unit of times
	units  []string      // of the metrics
	values []table.Value // empty where the run lacks the metric
}

// valuesOf yields the finished runs with their values of metrics.
func valuesOf(r *experiments.Results, names []string) iter.Seq[runValues] {
	return func(yield func(runValues) bool) {
		unitsOf, picker := metrics.Units(names), metrics.NewPicker(names)
		for i := range r.Points {
			p := &r.Points[i]
			run := runValues{clock: p.Spec.ClockUnit(), units: unitsOf(&p.Spec),
				values: make([]table.Value, len(names))}
			for rep := range r.Runs[i] {
				run.cells = slices.Clip(append(table.Texts(p.Labels), table.Int(rep),
					table.Text(p.Hash)))
				for k := range names {
					run.values[k] = table.Value{}
					if x, ok := picker.Value(&r.Runs[i][rep], k); ok {
						run.values[k] = table.InUnit(x, run.units[k])
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
func runRows(r *experiments.Results) table.Rows {
	return func(write func(...table.Value) error) {
		names := r.Metrics()
		for run := range valuesOf(r, names) {
			for k, value := range run.values {
				if !value.Empty() {
					write(append(run.cells, table.Text(names[k]), table.Text(run.units[k]), value)...)
				}
			}
		}
	}
}

// wideRows returns the rows of wide.csv: one for each run, with a cell for each metric.
func wideRows(r *experiments.Results) table.Rows {
	return func(write func(...table.Value) error) {
		for run := range valuesOf(r, r.Metrics()) {
			write(append(append(run.cells, table.Text(run.clock)), run.values...)...)
		}
	}
}

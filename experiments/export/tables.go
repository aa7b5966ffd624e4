package export

import (
	"contend/experiments"
	"contend/experiments/cosim/metrics"
	"contend/experiments/spec"
	"contend/experiments/study"
	"contend/internal/table"
	"slices"
)

// clock is the unit that stands for the unit of a run's clock.
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
	for _, m := range metrics.MetricsOf(r.Names.Registry()) {
		docs[m.Name] = m.Doc
	}
	names := r.Metrics()
	units := commonUnits(r, names)
	for i, m := range names {
		name := m
		if taken[name] { // a metric of a program of one's own, named like a column
			name = "metric." + m
		}
		t.Columns = append(t.Columns, table.Number.Column(name, units[i], docs[m]).OrEmpty())
	}
	return t
}

// JobTable describes jobs.csv for the results of a study.
func JobTable(r *experiments.Results) table.Table {
	return rowTable(r, "jobs", "job", metrics.JobTable) // a log may use a number twice
}

// LinkTable describes links.csv for the results of a study.
func LinkTable(r *experiments.Results) table.Table {
	return rowTable(r, "links", "physical channel", metrics.LinkTable, "link")
}

// SeriesTable describes series.csv for the results of a study.
func SeriesTable(r *experiments.Results) table.Table {
	return rowTable(r, "series", "bin of time", metrics.SeriesTable, "time")
}

// LoadTable describes load.csv for the results of a study.
func LoadTable(r *experiments.Results) table.Table {
	return rowTable(r, "load", "channel and bin of time in which it carried flits",
		metrics.LoadTable, "time", "link")
}

// WaitTable describes waits.csv for the results of a study.
func WaitTable(r *experiments.Results) table.Table {
	return rowTable(r, "waits", "pair of jobs of which one waited for the other",
		metrics.WaitTable) // a log may use a number twice
}

// rowTable describes a table of rows, whose unit "time" becomes that of the clock.
func rowTable(r *experiments.Results, name, row string, columns []table.Column,
	key ...string) table.Table {
	columns = slices.Clone(columns)
	for i := range columns {
		if columns[i].Unit == clock {
			columns[i].Unit = common(r, (*spec.Spec).ClockUnit)
		}
	}
	t := table.Table{Name: name, Row: row,
		Columns: append(append(axisColumns(r), replication), columns...)}
	if key != nil {
		t.Key = append(append(r.AxisKeys(), replication.Name), key...)
	}
	return t
}

// common returns the unit that a quantity has at every point of a study, or the unit
// "time" if points have clocks of several units.
func common(r *experiments.Results, unit func(*spec.Spec) string) string {
	first := ""
	for i := range r.Points {
		u := unit(&r.Points[i].Spec)
		if i == 0 {
			first = u
		}
		if u != first {
			return clock
		}
	}
	return first
}

// commonUnits returns the units of metrics, as common does.
func commonUnits(r *experiments.Results, names []string) []string {
	at := metrics.Units(names)
	all := make([]string, len(names))
	for i := range r.Points {
		units := at(&r.Points[i].Spec)
		if i == 0 {
			copy(all, units)
		}
		for k := range all {
			if all[k] != units[k] {
				all[k] = clock
			}
		}
	}
	return all
}

// axisColumns describes the columns of the axes. They depend on the keys alone, not on
// the values, so that files of several studies fit together. A key that can be "auto" is
// text, and so is an axis whose values have units.
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

// labelValues returns the labels of a point as values of the columns of the axes.
func labelValues(p *study.Point, columns []table.Column) []any {
	var values []any
	for i, label := range p.Labels {
		v, err := columns[i].Parse(label)
		if err != nil {
			panic("export: the label of an axis is not of its type: " + err.Error())
		}
		values = append(values, v)
	}
	return values
}

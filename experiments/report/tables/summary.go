package tables

import (
	"encoding/json"
	"io"
	"iter"
	"math"
	"slices"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/table"
)

// SummaryColumns are the columns of summary.csv after the axes. The unit "unit" stands for the unit
// in the column of that name.
var SummaryColumns = []table.Column{
	table.String.Column("metric", "", "name of a metric"),
	table.String.Column("unit", "", "unit of the values in the row, empty for a ratio").OrEmpty(),
	table.Number.Column("mean", "unit", "mean over the replications").OrEmpty(),
	table.Number.Column("ci_half_width", "unit", "half the width of the confidence interval "+
		"(runs.confidence), with the error of jumps over time; empty with one replication and no "+
		"such error").OrEmpty(),
	table.Integer.Column("replications", "runs", "replications that have this metric"),
	table.Number.Column("published", "unit",
		"the number a paper printed for this point, or empty").OrEmpty(),
	table.Number.Column("ratio", "", "mean over published").OrEmpty(),
	table.Number.Column("ci_low", "unit",
		"lower end of the interval, not below the least value the metric can have").OrEmpty(),
	table.Number.Column("ci_high", "unit", "upper end of the interval").OrEmpty(),
}

// JumpColumn is the last column of files with intervals, of studies in which time is jumped over.
var JumpColumn = table.String.Column("jumps", "", "of studies with runs.fast_forward, the "+
	"error of jumps over time: \"included\" in intervals, \"unknown\" and in none, or empty for none").OrEmpty()

// withJumps returns the columns of a file of results, with JumpColumn if the study has it.
func withJumps(r *experiments.Results, columns []table.Column) []table.Column {
	if r.Jumps() {
		return append(slices.Clip(columns), JumpColumn)
	}
	return columns
}

// jumpCells returns the cell of JumpColumn, if the study has it, for the half width of a shared
// error.
func jumpCells(r *experiments.Results, shared float64) []table.Value {
	word := jumpWord(shared)
	switch {
	case !r.Jumps():
		return nil
	case word == "":
		return []table.Value{{}}
	}
	return []table.Value{table.Text(word)}
}

// jumpWord returns the value of JumpColumn for the half width of a shared error, "" without one.
func jumpWord(shared float64) string {
	switch {
	case math.IsNaN(shared):
		return "unknown"
	case shared > 0:
		return "included"
	}
	return ""
}

// SummaryTable describes summary.csv behind the axes.
func SummaryTable(r *experiments.Results) table.Table {
	return table.Table{Name: "summary", Row: "point and metric",
		Columns: withJumps(r, SummaryColumns), Key: []string{"metric"}}
}

// estimate is the estimate of a metric at a point.
type estimate struct {
	stats.Estimate
	metric, unit string
	labels       []table.Value
	low, high    float64
	published    float64 // NaN if there is none
}

// inUnit returns a number with the unit of the estimate.
func (e *estimate) inUnit(x float64) table.Value { return table.InUnit(x, e.unit) }

// estimatesOf yields the estimates of metrics with the index of their point, point by point.
func estimatesOf(r *experiments.Results, names []string) iter.Seq2[int, estimate] {
	return func(yield func(int, estimate) bool) {
		bounds := make([]stats.Bounds, len(names))
		for k, m := range names {
			bounds[k] = metrics.BoundsOf(m, &r.Study.Base)
		}
		unitsOf, picker := metrics.Units(names), metrics.NewPicker(names)
		for i := range r.Points {
			units, labels := unitsOf(&r.Points[i].Spec), table.Texts(r.Points[i].Labels)
			for k, m := range names {
				of, ok := r.EstimateBy(picker, i, k)
				if !ok {
					continue
				}
				e := estimate{Estimate: of, metric: m, unit: units[k], labels: slices.Clip(labels),
					published: publishedAt(r, i, m)}
				e.low, e.high = e.Ends(bounds[k])
				if !yield(i, e) {
					return
				}
			}
		}
	}
}

// writeCSV writes a table of points as CSV: the keys of the axes and the columns, then the rows.
func writeCSV(w io.Writer, keys []string, columns []table.Column, rows table.Rows) error {
	return table.WriteCSV(w, append(keys, table.Names(columns)...), rows)
}

// WriteSummary writes summary.csv, a row per point and metric.
func WriteSummary(r *experiments.Results, w io.Writer) error {
	columns := withJumps(r, SummaryColumns)
	return writeCSV(w, r.AxisKeys(), columns, func(write func(...table.Value) error) {
		for _, e := range estimatesOf(r, r.Metrics()) {
			cells := append(e.labels, table.Text(e.metric), table.Text(e.unit), e.inUnit(e.Mean),
				e.inUnit(e.Half), table.Int(e.N), table.InUnit(e.published, ""),
				table.InUnit(e.Mean/e.published, ""), e.inUnit(e.low), e.inUnit(e.high))
			write(append(cells, jumpCells(r, e.Shared)...)...)
		}
	})
}

// ClassColumns lists the columns of classes.csv after the axes. Sizes are in processors; the
// last class has no most_processors.
var ClassColumns = []table.Column{
	table.Plain("least_processors", "nodes", "smallest jobs of the class, a power of two"),
	table.Plain("most_processors", "nodes", "largest jobs of the class; empty for the last one, "+
		"which has no end"),
	table.Plain("metric", "", "a metric of all jobs, here of those of the class: jobs, wait_time, "+
		"response_time, service_time or bounded_slowdown"),
	table.Plain("unit", "", "unit of the values in the row, empty for a ratio"),
	table.Plain("mean", "unit", "mean over the replications that have such jobs"),
	table.Plain("ci_half_width", "unit",
		"half the width of the confidence interval; empty with one replication"),
	table.Plain("replications", "runs", "replications that have such jobs"),
	table.Plain("ci_low", "unit",
		"lower end of the interval, not below the least value the metric can have"),
	table.Plain("ci_high", "unit", "upper end of the interval"),
}

// HasClasses reports whether some run has metrics of classes of jobs.
func HasClasses(r *experiments.Results) bool {
	return slices.ContainsFunc(r.Points, func(p study.Point) bool { return p.Spec.SizeClasses })
}

// WriteClasses writes classes.csv, a row per point, class of sizes and metric. A metric has the
// name of the same metric of all jobs, so that sizes are a column to group by.
func WriteClasses(r *experiments.Results, w io.Writer) error {
	names := slices.DeleteFunc(r.Metrics(), func(m string) bool {
		_, ok := metrics.ClassOf(m)
		return !ok
	})
	slices.SortStableFunc(names, func(a, b string) int {
		x, _ := metrics.ClassOf(a)
		y, _ := metrics.ClassOf(b)
		return x.Min - y.Min
	})
	columns := withJumps(r, ClassColumns)
	return writeCSV(w, r.AxisKeys(), columns, func(write func(...table.Value) error) {
		for _, e := range estimatesOf(r, names) {
			c, _ := metrics.ClassOf(e.metric)
			var most table.Value
			if c.Max > 0 {
				most = table.Int(c.Max)
			}
			cells := append(e.labels, table.Int(c.Min), most, table.Text(c.Of), table.Text(e.unit),
				e.inUnit(e.Mean), e.inUnit(e.Half), table.Int(e.N), e.inUnit(e.low),
				e.inUnit(e.high))
			write(append(cells, jumpCells(r, e.Shared)...)...)
		}
	})
}

// summaryCell is one cell of the summary as JSON. Undefined numbers are left out.
type summaryCell struct {
	Point        map[string]string `json:"point"`
	Metric       string            `json:"metric"`
	Unit         string            `json:"unit"`
	Mean         json.Number       `json:"mean"`
	HalfWidth    json.Number       `json:"ci_half_width,omitempty"`
	Low          json.Number       `json:"ci_low,omitempty"`
	High         json.Number       `json:"ci_high,omitempty"`
	Replications int               `json:"replications"`
	Published    json.Number       `json:"published,omitempty"`
	Ratio        json.Number       `json:"ratio,omitempty"`
	Jumps        string            `json:"jumps,omitempty"`
}

// WriteJSON writes the summary as one JSON object, with the digits of summary.csv.
func WriteJSON(r *experiments.Results, w io.Writer) error {
	cells := []summaryCell{}
	for i, e := range estimatesOf(r, r.Metrics()) {
		number := func(x float64) json.Number { return json.Number(decimal.InUnit(e.unit, x)) }
		point := map[string]string{}
		for n, key := range r.AxisKeys() {
			point[key] = r.Points[i].Labels[n]
		}
		cells = append(cells, summaryCell{Point: point, Metric: e.metric, Unit: e.unit,
			Mean: number(e.Mean), HalfWidth: number(e.Half), Low: number(e.low), High: number(e.high),
			Replications: e.N, Published: json.Number(decimal.Number(e.published)),
			Ratio: json.Number(decimal.Number(e.Mean / e.published)), Jumps: jumpWord(e.Shared)})
	}
	out := json.NewEncoder(w)
	out.SetIndent("", " ")
	return out.Encode(map[string]any{"study": r.Study.Name, "confidence": r.Study.Runs.Confidence,
		"cells": cells})
}

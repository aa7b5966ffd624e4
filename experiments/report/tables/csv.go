package tables

import (
	"io"
	"iter"
	"math"
	"slices"

	"contend/experiments"
	"contend/experiments/cosim/metrics"
	"contend/experiments/export"
	"contend/experiments/stats"
	schema "contend/internal/table"
)

// SummaryColumns are the columns of summary.csv after the axes. The unit "unit" stands for the unit
// in the column of that name.
var SummaryColumns = []schema.Column{
	schema.String.Column("metric", "", "name of a metric"),
	schema.String.Column("unit", "", "unit of the values in the row, empty for a ratio").OrEmpty(),
	schema.Number.Column("mean", "unit", "mean over the replications").OrEmpty(),
	schema.Number.Column("ci_half_width", "unit", "half the width of the confidence interval "+
		"(runs.confidence); empty with one replication").OrEmpty(),
	schema.Integer.Column("replications", "runs", "replications that have this metric"),
	schema.Number.Column("published", "unit",
		"the number a paper printed for this point, or empty").OrEmpty(),
	schema.Number.Column("ratio", "", "mean over published").OrEmpty(),
	schema.Number.Column("ci_low", "unit",
		"lower end of the interval, not below the least value the metric can have").OrEmpty(),
	schema.Number.Column("ci_high", "unit", "upper end of the interval").OrEmpty(),
}

// SummaryTable describes summary.csv behind the axes.
func SummaryTable() schema.Table {
	return schema.Table{Name: "summary", Row: "point and metric", Columns: SummaryColumns,
		Key: []string{"metric"}}
}

// estimate is the estimate of a metric at a point.
type estimate struct {
	stats.Estimate
	metric, unit string
	labels       []any
	low, high    float64
	published    float64 // NaN if there is none
}

// in returns a number of the estimate in its unit.
func (e *estimate) in(x float64) export.InUnit { return export.InUnit{X: x, Unit: e.unit} }

// estimatesOf lists the estimates of metrics, point by point.
func estimatesOf(r *experiments.Results, names []string) iter.Seq2[int, estimate] {
	return func(yield func(int, estimate) bool) {
		bounds := make([]stats.Bounds, len(names))
		for k, m := range names {
			bounds[k] = metrics.BoundsOf(m, &r.Study.Base)
		}
		unitsOf, picker := metrics.Units(names), metrics.NewPicker(names)
		for i := range r.Points {
			units, labels := unitsOf(&r.Points[i].Spec), export.Texts(r.Points[i].Labels)
			for k, m := range names {
				of, ok := r.EstimateBy(picker, i, k)
				if !ok {
					continue
				}
				e := estimate{Estimate: of, metric: m, unit: units[k], labels: slices.Clip(labels),
					published: math.NaN()}
				e.low, e.high = e.Ends(bounds[k])
				if v, ok := r.Published(i, m); ok {
					e.published = v
				}
				if !yield(i, e) {
					return
				}
			}
		}
	}
}

// writeCSV writes a table of points as CSV: the keys of the axes and the columns, then the rows.
func writeCSV(w io.Writer, keys []string, columns []schema.Column, rows export.TableRows) error {
	return export.WriteCSV(w, append(keys, schema.Names(columns)...), rows)
}

// WriteSummary writes summary.csv, a row per point and metric.
func WriteSummary(r *experiments.Results, w io.Writer) error {
	return writeCSV(w, r.AxisKeys(), SummaryColumns, func(write func(...any) error) {
		for _, e := range estimatesOf(r, r.Metrics()) {
			write(append(e.labels, e.metric, e.unit, e.in(e.Mean), e.in(e.Half), e.N,
				export.InUnit{X: e.published}, export.InUnit{X: e.Mean / e.published}, e.in(e.low),
				e.in(e.high))...)
		}
	})
}

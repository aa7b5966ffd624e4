package tables

import (
	"encoding/csv"
	"io"
	"strconv"

	"contend/experiments"
	"contend/experiments/cosim/metrics"
	"contend/experiments/export"
	"contend/experiments/spec/input"
	"contend/experiments/stats"
	"contend/internal/decimal"
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

// WriteSummary writes summary.csv, a row per point and metric.
func WriteSummary(r *experiments.Results, w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write(append(r.AxisKeys(), schema.Names(SummaryColumns)...))
	measured := r.Metrics()
	bounds := make([]stats.Bounds, len(measured))
	for i, m := range measured {
		bounds[i] = metrics.BoundsOf(m, &r.Study.Base)
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	at, picker := export.UnitCells(measured), metrics.NewPicker(measured)
	var rows []byte
	for i := range r.Points {
		p := &r.Points[i]
		units, names := at(&p.Spec)
		first := export.Cells(p.Labels...)
		rows = rows[:0]
		for k, m := range measured {
			e, ok := r.EstimateBy(picker, i, k)
			if !ok {
				continue
			}
			rows = append(append(rows, first...), names[k]...)
			rows = append(input.AppendInUnit(rows, units[k], e.Mean), ',')
			rows = append(input.AppendInUnit(rows, units[k], e.Half), ',')
			rows = append(strconv.AppendInt(rows, int64(e.N), 10), ',')
			if v, ok := r.Published(i, m); ok {
				rows = append(decimal.AppendNumber(rows, v), ',')
				rows = append(decimal.AppendNumber(rows, e.Mean/v), ',')
			} else {
				rows = append(rows, ",,"...)
			}
			low, high := e.Ends(bounds[k])
			rows = append(input.AppendInUnit(rows, units[k], low), ',')
			rows = append(input.AppendInUnit(rows, units[k], high), '\n')
		}
		if _, err := w.Write(rows); err != nil {
			return err
		}
	}
	return nil
}

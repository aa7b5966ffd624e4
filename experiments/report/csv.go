package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/decimal"
	"contend/experiments/export"
	"contend/experiments/spec"
)

// SummaryColumns lists the columns of summary.csv after the axes.
var SummaryColumns = []string{"metric", "unit", "mean", "ci_half_width", "replications",
	"published", "ratio", "ci_low", "ci_high"}

// WriteSummary writes summary.csv, a row per point and metric.
func WriteSummary(r *experiments.Results, w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write(append(r.AxisKeys(), SummaryColumns...))
	metrics := r.Metrics()
	least := make([]float64, len(metrics))
	for i, m := range metrics {
		least[i] = cosim.LeastOf(m, &r.Study.Base)
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	at, picker := export.UnitCells(metrics), cosim.NewPicker(metrics)
	var rows []byte
	for i := range r.Points {
		p := &r.Points[i]
		units, names := at(&p.Spec)
		first := export.Cells(p.Labels...)
		rows = rows[:0]
		for k, m := range metrics {
			e, ok := r.EstimateBy(picker, i, k)
			if !ok {
				continue
			}
			rows = append(append(rows, first...), names[k]...)
			rows = append(spec.AppendInUnit(rows, units[k], e.Mean), ',')
			rows = append(spec.AppendInUnit(rows, units[k], e.Half), ',')
			rows = append(strconv.AppendInt(rows, int64(e.N), 10), ',')
			if v, ok := r.Published(i, m); ok {
				rows = append(decimal.AppendNumber(rows, v), ',')
				rows = append(decimal.AppendNumber(rows, e.Mean/v), ',')
			} else {
				rows = append(rows, ",,"...)
			}
			low, high := e.Ends(least[k])
			rows = append(spec.AppendInUnit(rows, units[k], low), ',')
			rows = append(spec.AppendInUnit(rows, units[k], high), '\n')
		}
		if _, err := w.Write(rows); err != nil {
			return err
		}
	}
	return nil
}

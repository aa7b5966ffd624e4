package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/decimal"
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
	var row []string
	for i := range r.Points {
		p := &r.Points[i]
		for k, m := range metrics {
			e, ok := r.Estimate(i, m)
			if !ok {
				continue
			}
			unit, published, ratio := cosim.UnitOf(m, &p.Spec), "", ""
			if v, ok := r.Published(i, m); ok {
				published, ratio = decimal.Number(v), decimal.Number(e.Mean/v)
			}
			low, high := e.Ends(least[k])
			row = append(append(row[:0], p.Labels...),
				m, unit, spec.InUnit(unit, e.Mean), spec.InUnit(unit, e.Half), strconv.Itoa(e.N),
				published, ratio, spec.InUnit(unit, low), spec.InUnit(unit, high))
			out.Write(row)
		}
	}
	out.Flush()
	return out.Error()
}

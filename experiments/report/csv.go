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

// runRow is one row of runs.csv and runs.parquet.
type runRow struct {
	point       int // the point of the study
	labels      []string
	replication int
	hash        string
	metric      string
	unit        string
	value       float64
}

// eachRow calls f for every metric of every run, in the order of the study.
func eachRow(r *experiments.Results, f func(*runRow) error) error {
	metrics := r.Metrics()
	for i := range r.Points {
		p := &r.Points[i]
		for rep := range r.Runs[i] {
			for _, m := range metrics {
				v, ok := r.Runs[i][rep].Value(m)
				if !ok {
					continue
				}
				row := runRow{i, p.Labels, rep, p.Hash, m, cosim.UnitOf(m, &p.Spec), v}
				if err := f(&row); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// RunColumns are those of runs.csv and runs.parquet behind the axes.
var RunColumns = []string{"replication", "hash", "metric", "unit", "value"}

// WriteRuns writes runs.csv: a row per run and metric.
func WriteRuns(r *experiments.Results, w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write(append(r.AxisKeys(), RunColumns...))
	var cells []string
	err := eachRow(r, func(row *runRow) error {
		cells = append(append(cells[:0], row.labels...), strconv.Itoa(row.replication), row.hash,
			row.metric, row.unit, spec.InUnit(row.unit, row.value))
		return out.Write(cells)
	})
	out.Flush()
	if err != nil {
		return err
	}
	return out.Error()
}

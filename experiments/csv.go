package experiments

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// WriteSummary writes summary.csv: a row per point and metric.
func (r *Results) WriteSummary(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write(append(r.AxisKeys(), "metric", "unit", "mean", "ci_half_width", "replications", "published", "ratio"))
	for i, p := range r.Points {
		for _, m := range r.Metrics() {
			e, ok := r.Estimate(i, m)
			if !ok {
				continue
			}
			published, ratio := "", ""
			if v, ok := r.Published(i, m); ok {
				published, ratio = csvNumber(v), csvNumber(e.Mean/v)
			}
			out.Write(append(p.Labels[:len(p.Labels):len(p.Labels)],
				m, UnitOf(m, &p.Spec), csvNumber(e.Mean), csvNumber(e.Half), strconv.Itoa(e.N), published, ratio))
		}
	}
	out.Flush()
	return out.Error()
}

// csvNumber writes the shortest text that reads back equal; nothing for what
// is not defined.
func csvNumber(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// runRow is one row of runs.csv and runs.parquet.
type runRow struct {
	labels      []string
	replication int
	hash        string
	metric      string
	unit        string
	value       float64
}

// eachRow calls f for every metric of every run, in the order of the study.
func (r *Results) eachRow(f func(runRow) error) error {
	metrics := r.Metrics()
	for i, p := range r.Points {
		for rep := range r.runs[i] {
			for _, m := range metrics {
				v, ok := r.runs[i][rep].Value(m)
				if !ok {
					continue
				}
				if err := f(runRow{p.Labels, rep, p.Hash, m, UnitOf(m, &p.Spec), v}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// WriteRuns writes runs.csv: a row per run and metric.
func (r *Results) WriteRuns(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write(append(r.AxisKeys(), "replication", "hash", "metric", "unit", "value"))
	err := r.eachRow(func(row runRow) error {
		return out.Write(append(row.labels[:len(row.labels):len(row.labels)],
			strconv.Itoa(row.replication), row.hash, row.metric, row.unit, csvNumber(row.value)))
	})
	out.Flush()
	if err != nil {
		return err
	}
	return out.Error()
}

// WriteParquet writes runs.parquet, the same rows. The format orders columns
// by name.
func (r *Results) WriteParquet(w io.Writer) error {
	group := parquet.Group{"replication": parquet.Int(64), "hash": parquet.String(), "metric": parquet.String(), "unit": parquet.String(), "value": parquet.Leaf(parquet.DoubleType)}
	for _, key := range r.AxisKeys() {
		group[key] = parquet.String()
	}
	schema := parquet.NewSchema("runs", group)
	out := parquet.NewWriter(w, schema)
	err := r.eachRow(func(row runRow) error {
		cells := map[string]parquet.Value{"replication": parquet.ValueOf(int64(row.replication)), "hash": parquet.ValueOf(row.hash),
			"metric": parquet.ValueOf(row.metric), "unit": parquet.ValueOf(row.unit), "value": parquet.ValueOf(row.value)}
		for i, key := range r.AxisKeys() {
			cells[key] = parquet.ValueOf(row.labels[i])
		}
		var values parquet.Row
		for i, column := range schema.Columns() {
			values = append(values, cells[column[0]].Level(0, 0, i))
		}
		_, err := out.WriteRows([]parquet.Row{values})
		return err
	})
	if err != nil {
		return err
	}
	return out.Close()
}

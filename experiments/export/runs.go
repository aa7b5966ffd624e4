package export

import (
	"encoding/csv"
	"io"
	"strconv"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/table"
)

// runRow is one row of runs.csv and runs.parquet.
type runRow struct {
	point       *experiments.Point
	replication int
	metric      string
	unit        string
	value       float64
}

// eachRow calls f for every metric of every run, in the order of the study. The row is valid
// until f returns.
func eachRow(r *experiments.Results, f func(*runRow) error) error {
	metrics := r.Metrics()
	units := make([]string, len(metrics))
	for i := range r.Points {
		p := &r.Points[i]
		for k, m := range metrics {
			units[k] = cosim.UnitOf(m, &p.Spec)
		}
		for rep := range r.Runs[i] {
			for k, m := range metrics {
				v, ok := r.Runs[i][rep].Value(m)
				if !ok {
					continue
				}
				row := runRow{p, rep, m, units[k], v}
				if err := f(&row); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// WriteRuns writes runs.csv: a row for each run and metric.
func WriteRuns(r *experiments.Results, w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write(append(r.AxisKeys(), table.Names(RunColumns)...))
	var cells []string
	err := eachRow(r, func(row *runRow) error {
		cells = append(append(cells[:0], row.point.Labels...), strconv.Itoa(row.replication),
			row.point.Hash, row.metric, row.unit, spec.InUnit(row.unit, row.value))
		return out.Write(cells)
	})
	out.Flush()
	if err != nil {
		return err
	}
	return out.Error()
}

// WriteRunsParquet writes runs.parquet. It has the rows and columns of runs.csv in the
// same order, with typed columns and exact values.
func WriteRunsParquet(r *experiments.Results, w io.Writer) error {
	t := RunTable(r)
	out, err := table.NewParquetWriter(w, &t, entries(r))
	if err != nil {
		return err
	}
	var of *experiments.Point
	var labels, values []any
	err = eachRow(r, func(row *runRow) error {
		if row.point != of {
			of, labels = row.point, labelValues(row.point, t.Columns)
		}
		unit := any(row.unit)
		if row.unit == "" {
			unit = nil
		}
		values = append(append(values[:0], labels...), int64(row.replication), row.point.Hash,
			row.metric, unit, row.value)
		return out.Write(values)
	})
	if err != nil {
		return err
	}
	return out.Close()
}

// entries are the metadata of Parquet files beside their schema.
func entries(r *experiments.Results) map[string]string {
	return map[string]string{"contend.study": r.Study.Name}
}

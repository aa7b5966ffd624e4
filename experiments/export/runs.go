package export

import (
	"contend/experiments/cosim/metrics"
	"encoding/csv"
	"io"

	"contend/experiments"
	"contend/experiments/spec/input"
	"contend/internal/table"
)

// WriteRuns writes runs.csv: a row for each run and metric, in the order of the study.
func WriteRuns(r *experiments.Results, w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write(append(r.AxisKeys(), table.Names(RunColumns)...))
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	measured := r.Metrics()
	at, picker := UnitCells(measured), metrics.NewPicker(measured)
	var rows []byte
	for i := range r.Points {
		p := &r.Points[i]
		units, names := at(&p.Spec)
		for rep := range r.Runs[i] {
			first := runCells(p, rep)
			rows = rows[:0]
			for k := range measured {
				v, ok := picker.Value(&r.Runs[i][rep], k)
				if !ok {
					continue
				}
				rows = append(append(rows, first...), names[k]...)
				rows = append(input.AppendInUnit(rows, units[k], v), '\n')
			}
			if _, err := w.Write(rows); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteRunsParquet writes runs.parquet. It has the rows and columns of runs.csv in the
// same order, with typed columns and exact values.
func WriteRunsParquet(r *experiments.Results, w io.Writer) error {
	t := RunTable(r)
	out, err := table.NewParquetWriter(w, &t, entries(r))
	if err != nil {
		return err
	}
	measured := r.Metrics()
	at, picker := metrics.Units(measured), metrics.NewPicker(measured)
	var values []any
	for i := range r.Points {
		p := &r.Points[i]
		labels, units := labelValues(p, t.Columns), at(&p.Spec)
		for rep := range r.Runs[i] {
			for k := range measured {
				v, ok := picker.Value(&r.Runs[i][rep], k)
				if !ok {
					continue
				}
				values = append(append(values[:0], labels...), int64(rep), p.Hash, measured[k])
				if units[k] == "" {
					values = append(values, nil, v)
				} else {
					values = append(values, units[k], v)
				}
				if err := out.Write(values); err != nil {
					return err
				}
			}
		}
	}
	return out.Close()
}

// entries are the metadata of Parquet files beside their schema.
func entries(r *experiments.Results) map[string]string {
	return map[string]string{"contend.study": r.Study.Name}
}

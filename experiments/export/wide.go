package export

import (
	"contend/experiments/cosim/metrics"
	"encoding/csv"
	"io"

	"contend/experiments"
	"contend/experiments/spec/input"
	"contend/internal/table"
)

// WriteWide writes wide.csv: a row for each run, a column for each metric. The cell of a
// metric that the run does not have is empty.
func WriteWide(r *experiments.Results, w io.Writer) error {
	out, names := csv.NewWriter(w), r.Metrics()
	out.Write(table.Names(WideTable(r).Columns))
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	unitsAt, picker := metrics.Units(names), metrics.NewPicker(names)
	var row []byte
	for i := range r.Points {
		p := &r.Points[i]
		units := unitsAt(&p.Spec)
		for rep := range r.Runs[i] {
			row = append(row[:0], runCells(p, rep, p.Spec.ClockUnit())...)
			for k := range names {
				if v, ok := picker.Value(&r.Runs[i][rep], k); ok {
					row = input.AppendInUnit(row, units[k], v)
				}
				row = append(row, ',')
			}
			row[len(row)-1] = '\n' // in place of the last comma
			if _, err := w.Write(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteWideParquet writes wide.parquet. It has the rows and columns of wide.csv in the
// same order, with typed columns and exact values.
func WriteWideParquet(r *experiments.Results, w io.Writer) error {
	t, names := WideTable(r), r.Metrics()
	picker := metrics.NewPicker(names)
	out, err := table.NewParquetWriter(w, &t, entries(r))
	if err != nil {
		return err
	}
	var values []any
	for i := range r.Points {
		p := &r.Points[i]
		for rep := range r.Runs[i] {
			values = append(append(values[:0], labelValues(p, t.Columns)...),
				int64(rep), p.Hash, p.Spec.ClockUnit())
			for k := range names {
				if v, ok := picker.Value(&r.Runs[i][rep], k); ok {
					values = append(values, v)
				} else {
					values = append(values, nil)
				}
			}
			if err := out.Write(values); err != nil {
				return err
			}
		}
	}
	return out.Close()
}

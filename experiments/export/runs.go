package export

import (
	"cmp"
	"encoding/csv"
	"errors"
	"io"

	"contend/experiments"
	"contend/experiments/cosim"
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
	metrics := r.Metrics()
	at, picker := UnitCells(metrics), cosim.NewPicker(metrics)
	var rows []byte
	for i := range r.Points {
		p := &r.Points[i]
		units, names := at(&p.Spec)
		for rep := range r.Runs[i] {
			first := runCells(p, rep)
			rows = rows[:0]
			for k := range metrics {
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
	metrics := r.Metrics()
	at, picker := cosim.Units(metrics), cosim.NewPicker(metrics)
	rows := runRows{out: out, axes: len(r.AxisKeys()), row: make([]table.Cell, len(t.Columns))}
	for i := range r.Points {
		p := &r.Points[i]
		rows.point(labelValues(p, t.Columns), p.Hash)
		units := at(&p.Spec)
		for rep := range r.Runs[i] {
			rows.set(0, int64(rep))
			for k := range metrics {
				if v, ok := picker.Value(&r.Runs[i][rep], k); ok {
					rows.metric(metrics[k], units[k], v)
				}
			}
		}
	}
	return errors.Join(rows.err, out.Close())
}

// runRows writes rows of runs.parquet, which share all cells but the last three.
type runRows struct {
	out   *table.ParquetWriter
	axes  int // how many columns come first
	row   []table.Cell
	names map[[2]string][2]table.Cell // of metrics and units
	err   error
}

// set sets the cell of a column behind the axes.
func (r *runRows) set(column int, v any) {
	cell, err := r.out.Cell(r.axes+column, v)
	r.row[r.axes+column] = cell
	r.err = cmp.Or(r.err, err)
}

// point sets the cells of a point.
func (r *runRows) point(labels []any, hash string) {
	for i, label := range labels {
		r.set(i-r.axes, label)
	}
	r.set(1, hash)
}

// metric writes a row.
func (r *runRows) metric(name, unit string, value float64) {
	cells, ok := r.names[[2]string{name, unit}]
	if !ok {
		r.set(2, name)
		r.set(3, unit)
		if unit == "" {
			r.set(3, nil)
		}
		if r.names == nil {
			r.names = map[[2]string][2]table.Cell{}
		}
		cells = [2]table.Cell(r.row[r.axes+2:])
		r.names[[2]string{name, unit}] = cells
	}
	copy(r.row[r.axes+2:], cells[:])
	r.row[r.axes+4] = r.out.NumberCell(r.axes+4, value)
	if r.err == nil {
		r.err = r.out.WriteCells(r.row)
	}
}

// entries are the metadata of Parquet files beside their schema.
func entries(r *experiments.Results) map[string]string {
	return map[string]string{"contend.study": r.Study.Name}
}

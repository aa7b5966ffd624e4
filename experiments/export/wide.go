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

// WriteWide writes wide.csv: a row for each run, a column for each metric. The cell of a
// metric that the run does not have is empty.
func WriteWide(r *experiments.Results, w io.Writer) error {
	out, metrics := csv.NewWriter(w), r.Metrics()
	out.Write(table.Names(WideTable(r).Columns))
	for i := range r.Points {
		p := &r.Points[i]
		for rep := range r.Runs[i] {
			cells := append(p.Labels[:len(p.Labels):len(p.Labels)], strconv.Itoa(rep), p.Hash,
				p.Spec.ClockUnit())
			for _, m := range metrics {
				text := ""
				if v, ok := r.Runs[i][rep].Value(m); ok {
					text = spec.InUnit(cosim.UnitOf(m, &p.Spec), v)
				}
				cells = append(cells, text)
			}
			out.Write(cells)
		}
	}
	out.Flush()
	return out.Error()
}

// WriteWideParquet writes wide.parquet. It has the rows and columns of wide.csv in the
// same order, with typed columns and exact values.
func WriteWideParquet(r *experiments.Results, w io.Writer) error {
	t, metrics := WideTable(r), r.Metrics()
	out, err := table.NewParquetWriter(w, &t, entries(r))
	if err != nil {
		return err
	}
	for i := range r.Points {
		p := &r.Points[i]
		for rep := range r.Runs[i] {
			values := append(labelValues(p, t.Columns), int64(rep), p.Hash, p.Spec.ClockUnit())
			for _, m := range metrics {
				if v, ok := r.Runs[i][rep].Value(m); ok {
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

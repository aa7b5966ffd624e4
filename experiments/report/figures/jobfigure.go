package figures

import (
	"cmp"
	"encoding/csv"
	"math"
	"slices"
	"strconv"

	"contend/experiments"
	"contend/experiments/figure"
	"contend/experiments/report/tables"
	"contend/experiments/spec"
	"contend/internal/bounded"
)

// scatter collects the marks of a figure of jobs. It reports false if there are
// none.
func scatter(r *experiments.Results, f experiments.Figure, d figure.Figure,
	points []int) (figure.Figure, bool) {
	d.Kind = figure.Scatter
	clock := tables.ClockOf(r, points)
	d.X.Time, d.Y.Time = tables.IsTime(r, f.X) && f.XScale == 0, tables.IsTime(r, f.Metric)
	d.X.Label = cmp.Or(d.X.Label, tables.AxisTitle(f.X, spec.ColumnUnit(f.X, clock)))
	d.Y.Label = cmp.Or(d.Y.Label, tables.AxisTitle(f.Metric, spec.ColumnUnit(f.Metric, clock)))
	names := tables.LabelsOf(r, points, f.Series)
	names = slices.DeleteFunc(names, func(name string) bool {
		return len(marks(r, &f, &d, points, name).X) == 0
	})
	d, any := drawPanels(r, &f, d, points, func(points []int) (all []figure.Series, any bool) {
		for _, name := range names {
			s := marks(r, &f, &d, points, name)
			all, any = append(all, s), any || len(s.X) > 0
		}
		return all, any
	})
	if any && single(&d) {
		d.Legend = figure.NoLegend
	}
	return d, any
}

// marks returns the marks of one series. Points that are the same run contribute
// their marks once.
func marks(r *experiments.Results, f *experiments.Figure, d *figure.Figure, points []int,
	name string) figure.Series {
	s := figure.Series{Name: name}
	done := map[string]bool{}
	for _, i := range points {
		hash := r.Points[i].Hash
		if tables.LabelAt(r, i, f.Series) != name || done[hash] {
			continue
		}
		done[hash] = true
		for _, job := range jobs(r, i) {
			x, y := job[f.X], job[f.Metric]
			if f.Processors > 0 && job["processors"] != float64(f.Processors) || d.X.Log &&
				!(x > 0) || d.Y.Log && !(y > 0) || math.IsNaN(x+y) {
				continue
			}
			s.X, s.Y = append(s.X, scaled(x, f.XScale)), append(s.Y, y)
		}
	}
	return s
}

// jobs returns the jobs of a point's first replication as numbers by column. A
// cell without a number is NaN. The result is nil if the jobs were not stored.
func jobs(r *experiments.Results, point int) []map[string]float64 {
	if len(r.Runs[point]) == 0 {
		return nil
	}
	path := r.Folder.Part("jobs", experiments.RunKey{Hash: r.Points[point].Hash, Replication: 0})
	file, err := bounded.Open(path, bounded.Rows)
	if err != nil {
		return nil
	}
	defer file.Close()
	rows, err := csv.NewReader(experiments.NewRowReader(path, file)).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil
	}
	var jobs []map[string]float64
	for _, row := range rows[1:] {
		job := map[string]float64{}
		for i, column := range rows[0] {
			x, err := strconv.ParseFloat(row[i], 64)
			if err != nil {
				x = math.NaN()
			}
			job[column] = x
		}
		jobs = append(jobs, job)
	}
	return jobs
}

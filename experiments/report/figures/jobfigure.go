package figures

import (
	"cmp"
	"math"
	"slices"

	"contend/experiments"
	"contend/experiments/export"
	"contend/experiments/figure"
	"contend/experiments/report/tables"
	"contend/experiments/spec/input"
	"contend/experiments/study"
)

// scatter collects the marks of a figure of jobs. It reports false if there are
// none.
func scatter(r *experiments.Results, f study.Figure, d figure.Figure,
	points []int) (figure.Figure, bool) {
	d.Kind = figure.Scatter
	clock := tables.ClockOf(r, points)
	d.X.Time, d.Y.Time = tables.IsTime(r, f.X) && f.XScale == 0, tables.IsTime(r, f.Metric)
	d.X.Label = cmp.Or(d.X.Label, tables.AxisTitle(f.X, input.ColumnUnit(f.X, clock)))
	d.Y.Label = cmp.Or(d.Y.Label, tables.AxisTitle(f.Metric, input.ColumnUnit(f.Metric, clock)))
	names := tables.LabelsOf(r, points, f.Series)
	names = slices.DeleteFunc(names, func(name string) bool {
		return len(marks(r, &f, &d, points, name).X) == 0
	})
	d, any := drawPanels(r, &f, d, points, names, func(points []int, name string) figure.Series {
		return marks(r, &f, &d, points, name)
	})
	if any && single(&d) {
		d.Legend = figure.NoLegend
	}
	return d, any
}

// marks returns the marks of one series. Points that are the same run contribute
// their marks once.
func marks(r *experiments.Results, f *study.Figure, d *figure.Figure, points []int,
	name string) figure.Series {
	s := figure.Series{Name: name}
	done := map[string]bool{}
	for _, i := range points {
		hash := r.Points[i].Hash
		if tables.LabelAt(r, i, f.Series) != name || done[hash] {
			continue
		}
		done[hash] = true
		t := jobsOf(r, f, i)
		for row := range t.Rows {
			x, y := t.Number(row, f.X), t.Number(row, f.Metric)
			if f.Processors > 0 && t.Number(row, "processors") != float64(f.Processors) ||
				d.X.Log && !(x > 0) || d.Y.Log && !(y > 0) || math.IsNaN(x+y) {
				continue
			}
			s.X, s.Y = append(s.X, scaled(x, f.XScale)), append(s.Y, y)
		}
	}
	return s
}

// jobsOf returns the jobs of a point's first replication, none if they were not stored.
func jobsOf(r *experiments.Results, f *study.Figure, point int) *export.Part {
	k := recorded{results: r, figure: f}
	t, err := k.table("jobs", point, f.X, f.Metric, "processors")
	if len(r.Runs[point]) == 0 || err != nil {
		return &export.Part{}
	}
	return t
}

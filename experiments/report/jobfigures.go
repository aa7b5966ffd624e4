package report

import (
	"cmp"
	"math"
	"slices"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/input"
)

// sizeGain is the improvement of one allocator over another for jobs of one size.
type sizeGain struct {
	processors, jobs int
	percent          float64 // NaN if the reference is 0
}

// sizesDrawing collects, by job size, the improvement of a point over the point
// with the label f.Relative, in percent, or the number of jobs [Johnson, Bunde
// and Leung 2010, Figs. 9 to 14]. The sizes are in ascending order or, for x =
// "rank", in order of their number of jobs.
func sizesDrawing(r *experiments.Results, f study.Figure,
	names *config.Registry) (plot.Figure, bool) {
	d := plot.Figure{Kind: plot.Scatter, Legend: plot.NoLegend,
		X: plot.Axis{Label: cmp.Or(f.XLabel, sizesAbscissa(&f)), Log: f.LogX},
		Y: plot.Axis{Label: cmp.Or(f.YLabel, sizesOrdinate(r, &f)), Log: f.LogY}}
	points := slices.DeleteFunc(drawn(r, &f, names), func(i int) bool {
		return r.Study.LabelAt(&r.Points[i], f.Series) == f.Relative || len(sizeSeriesAt(r, &f, i).Y) == 0
	})
	labels := tables.LabelsOf(r, points, f.Series)
	d, any := drawPanels(r, &f, d, points, labels, func(points []int, name string) plot.Series {
		at := slices.IndexFunc(points,
			func(i int) bool { return r.Study.LabelAt(&r.Points[i], f.Series) == name })
		if at < 0 {
			return plot.Series{Name: name}
		}
		return sizeSeriesAt(r, &f, points[at])
	})
	if len(labels) > 1 || f.Metric != "jobs" && f.YLabel == "" { // a label may say whose gain it is
		d.Legend = plot.Above
	}
	if f.Metric != "jobs" && !d.Y.Log {
		d.Levels = []float64{0}
	}
	return d, any
}

// sizesAbscissa names the order of the jobs.
func sizesAbscissa(f *study.Figure) string {
	if f.X == "rank" {
		return "Size of jobs, by rank of their number"
	}
	return "Size of jobs (processors)"
}

// sizesOrdinate names the value drawn for the jobs of each size.
func sizesOrdinate(r *experiments.Results, f *study.Figure) string {
	if f.Metric == "jobs" {
		return "Jobs"
	}
	gain := *f
	gain.Gain = true
	return ordinate(r, &gain, tables.AllPoints(r))
}

// sizeSeriesAt returns the series of a point, empty if it has no number.
func sizeSeriesAt(r *experiments.Results, f *study.Figure, i int) plot.Series {
	base, ok := r.Study.Sibling(r.Points, i, f.Series, f.Relative)
	if !ok {
		return plot.Series{}
	}
	gains := sizeGains(r.Folder.SizesOf(r.Points[i].Hash), r.Folder.SizesOf(r.Points[base].Hash))
	s := sizeSeries(r.Study.LabelAt(&r.Points[i], f.Series), gains, *f)
	if !slices.ContainsFunc(s.Y, isNumber) {
		return plot.Series{}
	}
	return s
}

// sizeSeries turns gains into a series.
func sizeSeries(name string, gains []sizeGain, f study.Figure) plot.Series {
	if f.X == "rank" { // of equally common sizes the larger first, as the ranks in sec. III have it
		slices.SortFunc(gains, func(a, b sizeGain) int {
			return cmp.Or(cmp.Compare(b.jobs, a.jobs), cmp.Compare(b.processors, a.processors))
		})
	}
	s := plot.Series{Name: name}
	for i, g := range gains {
		x, y := float64(g.processors), g.percent
		if f.X == "rank" {
			x = float64(i + 1)
		}
		s.X = append(s.X, x)
		if f.Metric == "jobs" {
			s.Y = append(s.Y, float64(g.jobs))
			continue
		}
		// The interval is a line from the mark down to 0.
		s.Y, s.Low, s.High = append(s.Y, y), append(s.Low, min(0, y)), append(s.High, max(0, y))
	}
	return s
}

// sizeGains compares two tables of the same jobs, in ascending order of size.
func sizeGains(of, base map[int]metrics.Mean) (gains []sizeGain) {
	for processors, b := range base {
		g := sizeGain{processors, b.N, math.NaN()}
		if a, ok := of[processors]; ok && b.Sum > 0 {
			g.percent = 100 * (1 - a.Value()/b.Value())
		}
		gains = append(gains, g)
	}
	slices.SortFunc(gains, func(a, b sizeGain) int {
		return cmp.Compare(a.processors, b.processors)
	})
	return gains
}

// scatter collects the marks of a figure of jobs. It reports false if there are
// none.
func scatter(r *experiments.Results, f study.Figure, d plot.Figure,
	points []int) (plot.Figure, bool) {
	d.Kind = plot.Scatter
	clock := tables.ClockOf(r, points)
	d.X.Time, d.Y.Time = tables.IsTime(r, f.X) && f.XScale == 0, tables.IsTime(r, f.Metric)
	d.X.Label = cmp.Or(d.X.Label, tables.AxisTitle(f.X, input.ColumnUnit(f.X, clock)))
	d.Y.Label = cmp.Or(d.Y.Label, tables.AxisTitle(f.Metric, input.ColumnUnit(f.Metric, clock)))
	names := tables.LabelsOf(r, points, f.Series)
	names = slices.DeleteFunc(names, func(name string) bool {
		return len(marks(r, &f, &d, points, name).X) == 0
	})
	d, any := drawPanels(r, &f, d, points, names, func(points []int, name string) plot.Series {
		return marks(r, &f, &d, points, name)
	})
	if any && single(&d) {
		d.Legend = plot.NoLegend
	}
	return d, any
}

// marks returns the marks of one series. Points that are the same run contribute
// their marks once.
func marks(r *experiments.Results, f *study.Figure, d *plot.Figure, points []int,
	name string) plot.Series {
	s := plot.Series{Name: name}
	done := map[string]bool{}
	for _, i := range points {
		hash := r.Points[i].Hash
		if r.Study.LabelAt(&r.Points[i], f.Series) != name || done[hash] {
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
func jobsOf(r *experiments.Results, f *study.Figure, point int) *tables.Part {
	k := recorded{results: r, figure: f}
	t, err := k.table("jobs", point, f.X, f.Metric, "processors")
	if len(r.Runs[point]) == 0 || err != nil {
		return &tables.Part{}
	}
	return t
}

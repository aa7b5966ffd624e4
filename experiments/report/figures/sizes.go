package figures

import (
	"cmp"
	"math"
	"slices"

	"contend/experiments"
	"contend/experiments/cosim/metrics"
	"contend/experiments/figure"
	"contend/experiments/report/tables"
	"contend/experiments/spec"
	"contend/experiments/study"
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
	names spec.Names) (figure.Figure, bool) {
	d := figure.Figure{Kind: figure.Scatter, Legend: figure.NoLegend,
		X: figure.Axis{Label: cmp.Or(f.XLabel, sizesAbscissa(&f)), Log: f.LogX},
		Y: figure.Axis{Label: cmp.Or(f.YLabel, sizesOrdinate(r, &f)), Log: f.LogY}}
	points := slices.DeleteFunc(drawn(r, &f, names), func(i int) bool {
		return tables.LabelAt(r, i, f.Series) == f.Relative || len(sizeSeriesAt(r, &f, i).Y) == 0
	})
	labels := tables.LabelsOf(r, points, f.Series)
	d, any := drawPanels(r, &f, d, points, labels, func(points []int, name string) figure.Series {
		at := slices.IndexFunc(points, func(i int) bool { return tables.LabelAt(r, i, f.Series) == name })
		if at < 0 {
			return figure.Series{Name: name}
		}
		return sizeSeriesAt(r, &f, points[at])
	})
	if len(labels) > 1 || f.Metric != "jobs" && f.YLabel == "" { // a label may say whose gain it is
		d.Legend = figure.Above
	}
	if f.Metric != "jobs" && !d.Y.Log {
		d.Levels = []float64{0}
	}
	return d, any
}

// sizesAbscissa names what jobs are ordered by.
func sizesAbscissa(f *study.Figure) string {
	if f.X == "rank" {
		return "Size of jobs, by rank of their number"
	}
	return "Size of jobs (processors)"
}

// sizesOrdinate names what is drawn for the jobs of each size.
func sizesOrdinate(r *experiments.Results, f *study.Figure) string {
	if f.Metric == "jobs" {
		return "Jobs"
	}
	gain := *f
	gain.Gain = true
	return ordinate(r, &gain, tables.AllPoints(r))
}

// sizeSeriesAt returns the series of a point, empty if it has no number.
func sizeSeriesAt(r *experiments.Results, f *study.Figure, i int) figure.Series {
	base, ok := tables.Sibling(r, i, f.Series, f.Relative)
	if !ok {
		return figure.Series{}
	}
	gains := sizeGains(r.Folder.SizesOf(r.Points[i].Hash), r.Folder.SizesOf(r.Points[base].Hash))
	s := sizeSeries(tables.LabelAt(r, i, f.Series), gains, *f)
	if !slices.ContainsFunc(s.Y, isNumber) {
		return figure.Series{}
	}
	return s
}

// sizeSeries turns gains into a series.
func sizeSeries(name string, gains []sizeGain, f study.Figure) figure.Series {
	if f.X == "rank" { // of equally common sizes the larger first, as the ranks in sec. III have it
		slices.SortFunc(gains, func(a, b sizeGain) int {
			return cmp.Or(cmp.Compare(b.jobs, a.jobs), cmp.Compare(b.processors, a.processors))
		})
	}
	s := figure.Series{Name: name}
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

package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/input"
)

// drawingOf collects the numbers of a figure of any kind, and its look. It reports false if
// there are none.
func drawingOf(r *experiments.Results, f *study.Figure,
	names *config.Registry) (plot.Figure, bool) {
	draw := drawing
	switch f.Kind {
	case study.SizesKind:
		draw = sizesDrawing
	case study.BreakEvenKind:
		draw = breakEvenDrawing
	}
	d, ok := draw(r, *f, names)
	if ok {
		dress(r.Study, f, &d)
	}
	return d, ok
}

// drawing collects the numbers of a figure. It reports false if there are none.
func drawing(r *experiments.Results, f study.Figure,
	names *config.Registry) (plot.Figure, bool) {
	d := plot.Figure{
		Kind: plot.Bars,
		X:    plot.Axis{Label: f.XLabel, Log: f.LogX},
		Y:    plot.Axis{Label: f.YLabel, Log: f.LogY, Ratio: f.Relative != "" && !f.WithoutReference()},
	}
	points := drawn(r, &f, names)
	if f.Kind == "scatter" {
		return scatter(r, f, d, points)
	}
	d.X.Label = cmp.Or(d.X.Label, tables.AxisTitle(f.X, ""))
	d.Y.Label = cmp.Or(d.Y.Label, ordinate(r, &f, points))
	d.Y.Time = (f.Relative == "" || f.Kind == study.DifferenceKind) &&
		input.IsTime(metrics.UnitOf(f.Metric, &r.Study.Base))
	xs, series := tables.LabelsOf(r, points, f.X), tables.LabelsOf(r, points, f.Series)
	without := func(label string) bool { return label == f.Relative }
	switch {
	case f.Relative != "" && f.Series == "": // the reference is no category of its own
		xs = slices.DeleteFunc(xs, without)
	case f.WithoutReference():
		series = slices.DeleteFunc(series, without)
	}
	if f.WithoutReference() {
		d.Levels = []float64{0}
	} else if d.Y.Ratio && !slices.ContainsFunc(series, without) {
		d.Levels = []float64{1}
	}
	if f.Kind == "lines" {
		d.Kind = plot.Lines
	}
	named := slices.ContainsFunc(xs, isName)
	if f.Kind != "lines" || named {
		d.Categories = xs
	}
	d.X.Log = f.LogX && !named // names have no logarithm
	if overLoad(&f, &d) {
		d.CrossedLabel = "saturated from"
	}
	d, any := drawPanels(r, &f, d, points, series, func(points []int, name string) plot.Series {
		s := seriesOf(&f, &d, xs, name, func(x string) cell { return cellAt(r, &f, points, x, name) })
		if overLoad(&f, &d) {
			endAtSaturation(r, &f, points, xs, name, &s)
		}
		return s
	})
	if any && single(&d) && !(f.WithoutReference() && f.Series != "") {
		d.Legend = plot.NoLegend // one series needs no legend, unless its reference is not there
	}
	return d, any
}

// ordinate returns what a figure of bars or lines shows, in words: the label of an ordinate that
// its study gives none.
func ordinate(r *experiments.Results, f *study.Figure, points []int) string {
	base := f.Relative
	if base != "" {
		all := tables.LabelsOf(r, points, f.RelativeKey())
		base = cmp.Or(tables.PrintedNames(all, r.Study.Labels, f.Labels)[base], base)
	}
	switch {
	case f.Kind == study.DifferenceKind:
		return tables.AxisTitle(f.Metric, "") + " − " + base + unitAfter(r, f, points)
	case f.Gain:
		return tables.AxisTitle(f.Metric, "% below "+base)
	case base != "":
		return tables.AxisTitle(f.Metric, "") + " / " + base
	}
	return tables.AxisTitle(f.Metric, tables.UnitOf(r, f.Metric, points))
}

// unitAfter returns the unit of a figure's metric in brackets, "" if it has none.
func unitAfter(r *experiments.Results, f *study.Figure, points []int) string {
	if unit := tables.UnitOf(r, f.Metric, points); unit != "" {
		return " (" + unit + ")"
	}
	return ""
}

// isName reports whether a label is no number.
func isName(label string) bool {
	_, err := strconv.ParseFloat(label, 64)
	return err != nil
}

// drawn lists the points that a figure shows: none behind the end of its curve.
func drawn(r *experiments.Results, f *study.Figure, names *config.Registry) (points []int) {
	for i := range r.Points {
		if !r.Beyond(i) && study.Matches(&r.Points[i], f.Where) {
			points = append(points, i)
		}
	}
	return points
}

// seriesOf returns the series of a name over xs, whose cells at returns.
func seriesOf(f *study.Figure, d *plot.Figure, xs []string, name string,
	at func(x string) cell) plot.Series {
	s := plot.Series{Name: scaledName(name, f.SeriesScale),
		Reference: d.Y.Ratio && f.Series != "" && name == f.Relative}
	for _, x := range xs {
		v := at(x)
		if d.Y.Log { // a logarithmic axis has no 0
			v.y, v.published = positive(v.y), positive(v.published)
		}
		s.Y, s.Low, s.High = append(s.Y, v.y), append(s.Low, v.low), append(s.High, v.high)
		s.Published = append(s.Published, v.published)
		if d.Categories == nil {
			number, _ := strconv.ParseFloat(x, 64)
			s.X = append(s.X, scaled(number, f.XScale))
		}
	}
	if !f.Published || s.Reference || !slices.ContainsFunc(s.Published, isNumber) {
		s.Published = nil
	}
	return s
}

// pointsAt lists the points at an x of a series.
func pointsAt(r *experiments.Results, f *study.Figure, points []int, x, series string,
) (list []int) {
	for _, i := range points {
		if r.Study.LabelAt(&r.Points[i], f.X) == x && r.Study.LabelAt(&r.Points[i], f.Series) == series {
			list = append(list, i)
		}
	}
	return list
}

// cellAt returns the cell at an x of a series. All points there are the same run
// (Study.Check sees to that), but some of them may lack a published figure.
func cellAt(r *experiments.Results, f *study.Figure, points []int, x, series string) cell {
	v := noCell
	for _, i := range pointsAt(r, f, points, x, series) {
		c := cellOf(r, i, *f)
		if math.IsNaN(v.y) {
			v.y, v.low, v.high = c.y, c.low, c.high
		}
		if math.IsNaN(v.published) {
			v.published = c.published
		}
	}
	return v
}

// scaled multiplies a number by a factor; the factor 0 means 1.
func scaled(x, factor float64) float64 {
	if factor == 0 {
		return x
	}
	return x * factor
}

// scaledName multiplies the name of a line by a factor if it is a number.
func scaledName(name string, factor float64) string {
	x, err := strconv.ParseFloat(name, 64)
	if err != nil || factor == 0 {
		return name
	}
	return decimal.Significant(x*factor, 4)
}

// positive returns x if it is above 0, else NaN.
func positive(x float64) float64 {
	if x > 0 {
		return x
	}
	return math.NaN()
}

// cell is a mark of a figure: its value, interval and published value. NaN means
// none.
type cell struct{ y, low, high, published float64 }

// noCell is the cell without a mark.
var noCell = cell{math.NaN(), math.NaN(), math.NaN(), math.NaN()}

// cellOf returns the cell of a point.
func cellOf(r *experiments.Results, i int, f study.Figure) cell {
	c := noCell
	e, ok := r.Estimate(i, f.Metric)
	bounds := metrics.BoundsOf(f.Metric, &r.Study.Base)
	published, known := r.Published(i, f.Metric)
	if f.Relative != "" {
		base, found := r.Study.Sibling(r.Points, i, f.RelativeKey(), f.Relative)
		if !found {
			return c
		}
		if f.Kind == study.DifferenceKind {
			return differenceOf(r, i, base, f.Metric)
		}
		reference, has := r.Published(base, f.Metric)
		published, known = published/reference, known && has
		e, ok = r.Ratio(i, base, f.Metric)
		bounds = stats.AtLeast(0)
	}
	if ok {
		c.y = e.Mean
		c.low, c.high = e.Ends(bounds)
	}
	if known {
		c.published = published
	}
	if f.Relative != "" && f.Gain {
		c = cell{100 * (1 - c.y), 100 * (1 - c.high), 100 * (1 - c.low), 100 * (1 - c.published)}
	}
	return c
}

// differenceOf returns the cell of the paired difference of a point from another. Where all pairs
// differ by the same amount it has no interval.
func differenceOf(r *experiments.Results, i, base int, metric string) cell {
	c := noCell
	if a, b := r.Paired(i, base, metric); len(a) > 0 {
		d := stats.TestPairs(a, b, r.Study.Runs.Confidence).Difference
		c.y, c.low, c.high = d.Mean, d.Mean-d.Half, d.Mean+d.Half
	}
	return c
}

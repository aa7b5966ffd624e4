package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/sim"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/input"
)

// drawing is a figure of a study that is drawn from results.
type drawing struct {
	results *experiments.Results
	figure  *study.Figure
	points  []int // that the figure shows

	joined  map[string]string // names to print for names of points, from several labels
	lineKey string            // the axis whose values name points, "" for none or several
}

// newDrawing selects the points of a figure: those that it is about, up to the end of their curve.
func newDrawing(r *experiments.Results, f *study.Figure) *drawing {
	k := &drawing{results: r, figure: f}
	for i := range r.Points {
		if !r.BeyondCurve(i) && study.Matches(&r.Points[i], f.Where) {
			k.points = append(k.points, i)
		}
	}
	return k
}

// label returns the label of a key at a point.
func (k *drawing) label(point int, key string) string {
	return k.results.Study.LabelAt(&k.results.Points[point], key)
}

// labels lists the different labels of a key at the points of the figure.
func (k *drawing) labels(key string) []string { return tables.LabelsOf(k.results, k.points, key) }

// axes returns a figure with the labels and scales that the study gives its axes, else labels x and
// y.
func (k *drawing) axes(kind plot.Kind, x, y string) plot.Figure {
	f := k.figure
	return plot.Figure{Kind: kind, X: plot.Axis{Label: cmp.Or(f.XLabel, x), Log: f.LogX},
		Y: plot.Axis{Label: cmp.Or(f.YLabel, y), Log: f.LogY}}
}

// estimateKinds are the kinds of figures of metrics of runs.
var estimateKinds = []kind{
	{name: "bars", collect: barsFigure, sentences: func(k *drawing, d *plot.Figure) []string {
		if d.Y.Log {
			return k.estimateSentences("Points", d)
		}
		return k.estimateSentences("Bars", d)
	}},
	{name: "lines", collect: linesFigure, sentences: func(k *drawing, d *plot.Figure) []string {
		return k.estimateSentences("Lines", d)
	}},
	{name: "difference", collect: barsFigure, sentences: func(k *drawing, d *plot.Figure) []string {
		return k.estimateSentences("Bars", d)
	}},
	{name: "break-even", collect: breakEvenFigure, sentences: (*drawing).breakEvenSentences},
}

// barsFigure collects the numbers of a figure of bars.
func barsFigure(k *drawing) plot.Figure { return metricFigure(k, plot.Bars) }

// linesFigure collects the numbers of a figure of lines.
func linesFigure(k *drawing) plot.Figure { return metricFigure(k, plot.Lines) }

// metricFigure collects the numbers of a figure of bars or lines.
func metricFigure(k *drawing, kind plot.Kind) plot.Figure {
	r, f := k.results, k.figure
	d := k.axes(kind, tables.AxisTitle(f.X, ""), k.ordinateLabel(f.Gain))
	d.Y.Ratio = f.Relative != "" && !f.WithoutReference()
	d.Y.Time = (f.Relative == "" || f.Subtracts()) &&
		decimal.IsTime(metrics.UnitOf(f.Metric, &r.Study.Base))
	xs, series := k.labels(f.X), k.labels(f.Series)
	isReference := func(label string) bool { return label == f.Relative }
	switch {
	case f.Relative != "" && f.Series == "": // the reference is no category of its own
		xs = slices.DeleteFunc(xs, isReference)
	case f.WithoutReference():
		series = slices.DeleteFunc(series, isReference)
	}
	if f.WithoutReference() {
		d.Levels = []float64{0}
	} else if d.Y.Ratio && !slices.ContainsFunc(series, isReference) {
		d.Levels = []float64{1}
	}
	named := slices.ContainsFunc(xs, isName)
	if kind != plot.Lines || named {
		d.Categories = xs
	}
	d.X.Log = f.LogX && !named // names have no logarithm
	if overLoad(f, &d) {
		d.CrossedLabel = "saturated from"
	}
	d = k.panels(d, k.points, series, func(points []int, name string) plot.Series {
		s := seriesOf(f, &d, xs, name, func(x string) cell { return k.cellAt(points, x, name) })
		if overLoad(f, &d) {
			k.endAtSaturation(points, xs, name, &s)
		}
		return s
	})
	if f.WithoutReference() && f.Series != "" {
		d.NoLegend = false // it names what the reference, which is not there, is compared with
	}
	return d
}

// ordinateLabel describes what a figure of bars or lines shows. gain states that it shows by how
// many percent a metric is below the reference.
func (k *drawing) ordinateLabel(gain bool) string {
	r, f := k.results, k.figure
	title, unit := tables.AxisTitle(f.Metric, ""), tables.UnitOf(r, f.Metric, k.points)
	base := f.Relative
	if base != "" {
		base = tables.PrintedOf(r, f.RelativeKey(), base, f.Labels)
	}
	switch {
	case f.Subtracts():
		return tables.Title(title+" − "+base, unit)
	case gain:
		return tables.Title(title, "% below "+base)
	case base != "":
		return title + " / " + base
	}
	return tables.Title(title, unit)
}

// isName reports whether a label is no number.
func isName(label string) bool {
	_, err := strconv.ParseFloat(label, 64)
	return err != nil
}

// cell is a mark of a figure: its value, the ends of its interval and its published value. NaN
// means none.
type cell struct{ y, low, high, published float64 }

// noCell is the cell without a mark.
var noCell = cell{math.NaN(), math.NaN(), math.NaN(), math.NaN()}

// seriesOf returns the series of a name over xs, whose cells cellAt returns.
func seriesOf(f *study.Figure, d *plot.Figure, xs []string, name string,
	cellAt func(x string) cell) plot.Series {
	s := plot.Series{Name: scaledName(name, f.SeriesScale),
		Reference: d.Y.Ratio && f.Series != "" && name == f.Relative}
	for _, x := range xs {
		v := cellAt(x)
		if d.Y.Log { // a logarithmic axis has no 0
			v.y, v.published = orNaN(v.y), orNaN(v.published)
		}
		s.Y, s.Low, s.High = append(s.Y, v.y), append(s.Low, v.low), append(s.High, v.high)
		s.Published = append(s.Published, v.published)
		if d.Categories == nil {
			number, _ := strconv.ParseFloat(x, 64)
			s.X = append(s.X, number*cmp.Or(f.XScale, 1))
		}
	}
	if !f.Published || s.Reference || !slices.ContainsFunc(s.Published, isNumber) {
		s.Published = nil
	}
	return s
}

// orNaN returns x if it is above 0, else NaN.
func orNaN(x float64) float64 {
	if x > 0 {
		return x
	}
	return math.NaN()
}

// scaledName multiplies the name of a line by a factor if it is a number.
func scaledName(name string, factor float64) string {
	x, err := strconv.ParseFloat(name, 64)
	if err != nil || factor == 0 {
		return name
	}
	return decimal.Significant(x*factor, 4)
}

// pointsAt lists the points at an x of a series.
func (k *drawing) pointsAt(points []int, x, series string) (list []int) {
	for _, i := range points {
		if k.label(i, k.figure.X) == x && k.label(i, k.figure.Series) == series {
			list = append(list, i)
		}
	}
	return list
}

// cellAt returns the cell at an x of a series. All points there are the same run (Study.Check sees
// to that), but some of them may lack a published value.
func (k *drawing) cellAt(points []int, x, series string) cell {
	v := noCell
	for _, i := range k.pointsAt(points, x, series) {
		c := k.cellOf(i)
		if math.IsNaN(v.y) {
			v.y, v.low, v.high = c.y, c.low, c.high
		}
		if math.IsNaN(v.published) {
			v.published = c.published
		}
	}
	return v
}

// estimateOf returns what a figure shows of a point: the metric, or its ratio to or difference from
// that of the reference. It reports false if runs are missing.
func (k *drawing) estimateOf(point int) (stats.Estimate, bool) {
	r, f := k.results, k.figure
	if f.Relative == "" {
		return r.Estimate(point, f.Metric)
	}
	base, found := r.Study.Sibling(r.Points, point, f.RelativeKey(), f.Relative)
	switch {
	case !found:
		return stats.Estimate{}, false
	case f.Subtracts():
		if a, _ := r.Paired(point, base, f.Metric); len(a) == 0 {
			return stats.Estimate{}, false
		}
		return r.TestPairs(point, base, f.Metric, r.Study.Runs.Confidence).Difference, true
	}
	return r.Ratio(point, base, f.Metric)
}

// cellOf returns the cell of a point. Where all pairs differ by the same amount a difference has no
// interval.
func (k *drawing) cellOf(point int) cell {
	r, f, c := k.results, k.figure, noCell
	bounds := metrics.BoundsOf(f.Metric, &r.Study.Base)
	published, known := r.Published(point, f.Metric)
	switch {
	case f.Subtracts():
		bounds, known = stats.AtLeast(math.Inf(-1)), false
	case f.Relative != "":
		base, found := r.Study.Sibling(r.Points, point, f.RelativeKey(), f.Relative)
		if !found {
			return c
		}
		reference, has := r.Published(base, f.Metric)
		published, known = published/reference, known && has
		bounds = stats.AtLeast(0)
	}
	if e, ok := k.estimateOf(point); ok {
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

// overLoad reports whether a figure has curves over the load that is offered to a bare network.
func overLoad(f *study.Figure, d *plot.Figure) bool {
	return d.Kind == plot.Lines && d.Categories == nil && f.X == "workload.traffic_load"
}

// endAtSaturation ends a series at its first load xs that saturates the network, as contend net
// ends curves.
func (k *drawing) endAtSaturation(points []int, xs []string, name string, s *plot.Series) {
	saturated := make([]bool, len(xs))
	for n, x := range xs {
		for _, i := range k.pointsAt(points, x, name) {
			e, ok := k.results.Estimate(i, "saturated")
			saturated[n] = saturated[n] || ok && sim.MostSaturated(e.Mean)
		}
	}
	s.EndAtSaturation(saturated, sim.GrowsWithWindow(k.figure.Metric))
}

// saturationText counts the points of a figure at which the network was saturated, and states what
// follows; "" if there are none.
func (k *drawing) saturationText(d *plot.Figure) string {
	n := tables.SaturatedPoints(k.results, k.points)
	if n == 0 {
		return ""
	}
	text := "latencies there depend on the length of the measurement."
	switch {
	case overLoad(k.figure, d) && sim.GrowsWithWindow(k.figure.Metric):
		text = "curves end at the first such load (crosses), since latencies there depend on the " +
			"length of the measurement."
	case overLoad(k.figure, d):
		text = "crosses mark the first such load."
	}
	return fmt.Sprintf("At %d of %s the network was saturated: %s", n,
		input.Plural(len(k.points), "point"), text)
}

// breakEvenFigure collects the numbers of a figure of break-evens: a line for each series, over x.
// There is no mark where a line never crosses. An interval that goes on beyond the values that were
// tried ends at the last of them.
func breakEvenFigure(k *drawing) plot.Figure {
	r, f := k.results, k.figure
	b := r.Study.BreakEvenNamed(f.Metric)
	along, _ := config.FindKey(b.Along)
	d := k.axes(plot.Lines, tables.AxisTitle(f.X, ""),
		tables.AxisTitle("from "+tables.ShortKey(b.Along), along.Unit))
	points := slices.DeleteFunc(slices.Clone(k.points), func(i int) bool {
		return !r.Study.Begins(b, r.Points, i)
	})
	xs := tables.LabelsOf(r, points, f.X)
	if slices.ContainsFunc(xs, isName) {
		d.Categories = xs
	}
	return k.panels(d, points, tables.LabelsOf(r, points, f.Series),
		func(points []int, name string) plot.Series {
			return seriesOf(f, &d, xs, name, func(x string) cell {
				return k.breakEvenAt(b, k.pointsAt(points, x, name))
			})
		})
}

// breakEvenAt returns the mark of the line that begins at the first of the points.
func (k *drawing) breakEvenAt(b *study.BreakEven, points []int) cell {
	if len(points) == 0 {
		return noCell
	}
	c, ok := tables.CrossingAt(k.results, b, points[0])
	if !ok || math.IsInf(c.At, 1) || k.figure.LogY && c.At <= 0 {
		return noCell
	}
	return cell{c.At, c.Low, min(c.High, slices.Max(valuesTried(k.results, b.Along))), math.NaN()}
}

// valuesTried returns the values of an axis of numbers.
func valuesTried(r *experiments.Results, key string) (values []float64) {
	for _, label := range r.Study.LabelsOf(r.Points, key) {
		x, _ := strconv.ParseFloat(label, 64)
		values = append(values, x)
	}
	return values
}

// breakEvenSentences state what a figure of break-evens shows, and how it shows what lies beyond
// the values that were tried.
func (k *drawing) breakEvenSentences(d *plot.Figure) []string {
	b := k.results.Study.BreakEvenNamed(k.figure.Metric)
	values := valuesTried(k.results, b.Along)
	first, last := slices.Min(values), decimal.Number(slices.Max(values))
	atLeastTried, intervals := "", ""
	if first > 0 && has(d, func(s *plot.Series) []float64 {
		return slices.DeleteFunc(slices.Clone(s.Y), func(y float64) bool { return y != first })
	}) {
		atLeastTried = fmt.Sprintf("A mark at %s, the least value tried, stands for that or less.",
			decimal.Number(first))
	}
	sampled, included, unknown, shown := k.breakEvenErrors(b)
	if has(d, func(s *plot.Series) []float64 { return s.High }) {
		confidence := k.results.Study.Runs.Confidence
		what := fmt.Sprintf("%g%% bootstrap intervals over the replications", 100*confidence)
		switch {
		case !sampled:
			what = fmt.Sprintf("%g%% intervals of the error of jumps over time", 100*max(confidence, 0.95))
		case included:
			what += ", whose ends have the error of jumps over time at its bounds"
		}
		intervals = fmt.Sprintf("%s: %s; one that ends at %s may go on.", k.marksOf(d), what, last)
	}
	return []string{fmt.Sprintf("Lines: least %s from which %s is lower than with %s,%s",
		tables.ShortKey(b.Along), tables.ShortKey(b.Metric), k.printedName(d, b.Against),
		overKeys(k.figure)),
		fmt.Sprintf("Where a mark is missing it is not lower at %s, the greatest value tried.", last),
		atLeastTried, intervals, unknownErrorText(b.Metric, unknown, shown), k.settingText(),
		k.replicationsText()}
}

// breakEvenErrors is errors for a figure of break-evens.
func (k *drawing) breakEvenErrors(b *study.BreakEven,
) (sampled, included bool, unknown []string, shown int) {
	for _, i := range k.points {
		if !k.results.Study.Begins(b, k.results.Points, i) {
			continue
		}
		c, ok := tables.CrossingAt(k.results, b, i)
		if !ok {
			continue
		}
		shown++
		sampled, included = sampled || c.Runs > 1, included || c.Shared > 0
		if math.IsNaN(c.Shared) {
			unknown = append(unknown, strings.Join(c.Labels, " "))
		}
	}
	return sampled, included, unknown, shown
}

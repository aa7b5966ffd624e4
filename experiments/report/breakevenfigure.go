package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/decimal"
)

// breakEvenDrawing collects the numbers of a figure of break-evens: a line for each series, over
// x. There is no mark where something never pays. An interval that goes on beyond the values that
// were tried ends at the last of them.
func breakEvenDrawing(r *experiments.Results, f study.Figure,
	names *config.Registry) (plot.Figure, bool) {
	b := r.Study.BreakEvenOf(&f)
	along, _ := config.FindKey(b.Along)
	d := plot.Figure{Kind: plot.Lines,
		X: plot.Axis{Label: cmp.Or(f.XLabel, tables.AxisTitle(f.X, "")), Log: f.LogX},
		Y: plot.Axis{Label: cmp.Or(f.YLabel, tables.AxisTitle("from "+tables.ShortKey(b.Along),
			along.Unit)),
			Log: f.LogY}}
	points := slices.DeleteFunc(drawn(r, &f, names), func(i int) bool {
		return !r.Study.Begins(b, r.Points, i)
	})
	xs, series := tables.LabelsOf(r, points, f.X), tables.LabelsOf(r, points, f.Series)
	if slices.ContainsFunc(xs, isName) {
		d.Categories = xs
	}
	d, any := drawPanels(r, &f, d, points, series, func(points []int, name string) plot.Series {
		return seriesOf(&f, &d, xs, name, func(x string) cell {
			return breakEvenAt(r, &f, b, points, x, name)
		})
	})
	if any && single(&d) {
		d.Legend = plot.NoLegend
	}
	return d, any
}

// breakEvenAt returns the mark at an x of a series.
func breakEvenAt(r *experiments.Results, f *study.Figure, b *study.BreakEven,
	points []int, x, series string) cell {
	at := pointsAt(r, f, points, x, series)
	if len(at) == 0 {
		return noCell
	}
	c, ok := tables.CrossingAt(r, b, at[0])
	if !ok || math.IsInf(c.At, 1) || f.LogY && c.At <= 0 {
		return noCell
	}
	low, high := c.Low, c.High
	if f.LogY && low <= 0 {
		low = c.At
	}
	return cell{c.At, low, min(high, slices.Max(tried(r, b.Along))), math.NaN()}
}

// tried returns the values of an axis of numbers.
func tried(r *experiments.Results, key string) (values []float64) {
	for _, label := range r.Study.LabelsOf(r.Points, key) {
		x, _ := strconv.ParseFloat(label, 64)
		values = append(values, x)
	}
	return values
}

// breakEvenCaption says what a figure of break-evens shows, and how it shows what lies beyond the
// values that were tried.
func breakEvenCaption(r *experiments.Results, f *study.Figure,
	d *plot.Figure) []string {
	b := r.Study.BreakEvenOf(f)
	values := tried(r, b.Along)
	first, last := slices.Min(values), decimal.Number(slices.Max(values))
	said := []string{fmt.Sprintf("Lines: least %s from which %s is lower than with %s,%s",
		tables.ShortKey(b.Along), tables.ShortKey(b.Metric), printedName(d, b.Against), overWhat(f)),
		fmt.Sprintf("Where a mark is missing it is not lower at %s, the greatest value tried.", last)}
	if first > 0 && has(d, func(s *plot.Series) []float64 {
		return slices.DeleteFunc(slices.Clone(s.Y), func(y float64) bool { return y != first })
	}) {
		said = append(said, fmt.Sprintf("A mark at %s, the least value tried, stands for that or less.",
			decimal.Number(first)))
	}
	if has(d, func(s *plot.Series) []float64 { return s.High }) {
		said = append(said, fmt.Sprintf("%s: %g%% bootstrap intervals over the replications; one that "+
			"ends at %s may go on.", marksOf(d), 100*r.Study.Runs.Confidence, last))
	}
	return said
}

package report

import (
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
	if has(d, func(s *plot.Series) []float64 { return s.High }) {
		intervals = fmt.Sprintf("%s: %g%% bootstrap intervals over the replications; one that "+
			"ends at %s may go on.", k.marksOf(d), 100*k.results.Study.Runs.Confidence, last)
	}
	return []string{fmt.Sprintf("Lines: least %s from which %s is lower than with %s,%s",
		tables.ShortKey(b.Along), tables.ShortKey(b.Metric), k.printedName(d, b.Against),
		overKeys(k.figure)),
		fmt.Sprintf("Where a mark is missing it is not lower at %s, the greatest value tried.", last),
		atLeastTried, intervals, k.settingText(), k.replicationsText()}
}

package validation

import (
	"fmt"
	"math"
	"slices"

	"contend/experiments"
	"contend/experiments/report/compare"
	"contend/experiments/report/tables"
	"contend/experiments/spec"
	"contend/experiments/stats"
	"contend/experiments/study"
)

// validationHeader returns the header of a table of published figures.
func validationHeader(r *experiments.Results) []string {
	header := tables.RowKeys(r)
	for i := range header {
		header[i] = tables.ShortKey(header[i])
	}
	return append(header, "published", "measured", "runs", "ratio", "interval")
}

// ownPublished is like Results.Published without figures that belong to another
// study.
func ownPublished(r *experiments.Results, point int, metric string) (float64, bool) {
	if e := r.Study.Published.Elsewhere; e != nil &&
		study.Matches(&r.Points[point], e, r.Names) {
		return 0, false
	}
	return r.Published(point, metric)
}

// ratioCells returns published value, measured value, number of runs, ratio and
// the interval of the ratio. A published 0 has no ratio. The measured value lies
// within the bounds.
func ratioCells(e stats.Estimate, published float64, b stats.Bounds) []string {
	cells := []string{tables.Significant(published, 5), tables.WithError(e, "±"), fmt.Sprint(e.N), "",
		""}
	if published == 0 {
		return cells
	}
	ratio := e.Mean / published
	cells[3] = fmt.Sprintf("%.3f", ratio)
	in := stats.Estimate{Mean: ratio, Half: e.Half / published}
	ends := stats.Bounds{Least: b.Least / published, Most: b.Most / published}
	if low, high := in.Ends(ends); low == low {
		cells[4] = fmt.Sprintf("%.3f to %.3f", low, high)
	}
	return cells
}

// publishedCells returns the cells of a metric at the points that have published figures.
func publishedCells(r *experiments.Results, metric string) (cells []compare.Cell) {
	for i := range r.Points {
		e, ok := r.Estimate(i, metric)
		published, known := ownPublished(r, i, metric)
		if ok && known {
			cells = append(cells, compare.Cell{PrintedNumber: compare.PrintedNumber{Point: i}, Run: true,
				Measured: e, Published: published})
		}
	}
	return cells
}

// ratioGrid returns a row for each of the cells that was run.
func ratioGrid(r *experiments.Results, cells []compare.Cell, b stats.Bounds) [][]string {
	grid := [][]string{validationHeader(r)}
	for _, c := range cells {
		if c.Run {
			grid = append(grid, append(tables.RowLabels(r, c.Point),
				ratioCells(c.Measured, c.Published, b)...))
		}
	}
	return grid
}

// errorLine states the geometric mean and the largest of the errors between the
// measured and the published values of a metric, "" for fewer than two cells.
func errorLine(r *experiments.Results, metric string) string {
	sum, most, n := 0.0, 0.0, 0
	for _, c := range publishedCells(r, metric) {
		if c.Measured.Mean > 0 && c.Published > 0 { // no ratio with 0
			far := math.Abs(math.Log(c.Ratio()))
			sum, most, n = sum+far, max(most, far), n+1
		}
	}
	if n < 2 {
		return ""
	}
	percent := func(far float64) string { return tables.Significant(100*math.Expm1(far), 2) + "%" }
	return fmt.Sprintf("\nGeometric mean error %s over %d cells, largest %s.\n",
		percent(sum/float64(n)), n, percent(most))
}

// measuredTable returns a table with a row for every point that has a measured value, which a
// function tells.
func measuredTable(r *experiments.Results, at func(i int) (stats.Estimate, bool)) string {
	header := validationHeader(r)
	grid := [][]string{append(header[:len(r.Study.Axes)], "measured", "runs")}
	for i, p := range r.Points {
		if e, ok := at(i); ok {
			grid = append(grid, append(slices.Clone(p.Labels), tables.WithError(e, "±"), fmt.Sprint(e.N)))
		}
	}
	return tables.MarkdownTable(grid, len(r.Study.Axes))
}

// relativeSection returns the relative column of the table, for papers that draw
// it and print no figures.
func relativeSection(r *experiments.Results) string {
	cells := tables.RelativeCells(r)
	if cells == nil {
		return ""
	}
	return fmt.Sprintf("\n## %s relative to %s\n\n%s", tables.RelativeMetric(r),
		r.Study.Table.Relative,
		measuredTable(r, func(i int) (stats.Estimate, bool) {
			labels := r.Points[i].Labels
			c, ok := cells[i]
			return c.Measured, ok && labels[len(labels)-1] != r.Study.Table.Relative
		}))
}

// agreementGrid returns a row for every case of an agreement rule.
func agreementGrid(r *experiments.Results, t study.Tolerance, names spec.Names) [][]string {
	header := validationHeader(r)
	grid := [][]string{append(header[:len(r.Study.Axes)], "measured", "over "+t.Relative)}
	for _, a := range compare.Agreements(r, &t, names) {
		row := append(slices.Clone(r.Points[a.Point].Labels), "", "")
		if a.Run {
			row[len(row)-2] = tables.WithError(a.Measured, "±")
			row[len(row)-1] = fmt.Sprintf("%.4f", a.Ratio)
		}
		grid = append(grid, row)
	}
	return grid
}

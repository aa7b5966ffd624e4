package main

import (
	"fmt"
	"math"
	"slices"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/report"
	"contend/experiments/report/tables"
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

// ownPublished is Results.Published without the figures that belong to another study.
func ownPublished(r *experiments.Results, point int, metric string) (float64, bool) {
	if e := r.Study.Published.Elsewhere; e != nil &&
		study.Matches(&r.Points[point], e) {
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
	ends := stats.Bounds{Min: b.Min / published, Max: b.Max / published}
	if low, high := in.Ends(ends); low == low {
		cells[4] = fmt.Sprintf("%.3f to %.3f", low, high)
	}
	return cells
}

// publishedCells returns the cells of a metric at the points that have published figures.
func publishedCells(r *experiments.Results, metric string) (cells []report.Cell) {
	for i := range r.Points {
		e, ok := r.Estimate(i, metric)
		published, known := ownPublished(r, i, metric)
		if ok && known {
			cells = append(cells, report.Cell{PrintedNumber: report.PrintedNumber{Point: i}, Run: true,
				Measured: e, Published: published})
		}
	}
	return cells
}

// ratioGrid returns a row for each of the cells that was run.
func ratioGrid(r *experiments.Results, cells []report.Cell, b stats.Bounds) [][]string {
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
	sum, largest, n := 0.0, 0.0, 0
	for _, c := range publishedCells(r, metric) {
		if c.Measured.Mean > 0 && c.Published > 0 { // no ratio with 0
			far := math.Abs(math.Log(c.Ratio()))
			sum, largest, n = sum+far, max(largest, far), n+1
		}
	}
	if n < 2 {
		return ""
	}
	return fmt.Sprintf("\nGeometric mean error %s over %d cells, largest %s.\n",
		errorText(sum/float64(n)), n, errorText(largest))
}

// measuredTable returns a table with a row for every point for which at returns a measured value.
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
func agreementGrid(r *experiments.Results, t study.Tolerance, names *config.Registry) [][]string {
	header := validationHeader(r)
	grid := [][]string{append(header[:len(r.Study.Axes)], "measured", "over "+t.Relative)}
	for _, a := range report.Agreements(r, &t) {
		row := append(slices.Clone(r.Points[a.Point].Labels), "", "")
		if a.Run {
			row[len(row)-2] = tables.WithError(a.Measured, "±")
			row[len(row)-1] = fmt.Sprintf("%.4f", a.Ratio)
		}
		grid = append(grid, row)
	}
	return grid
}

// jumpSection returns the savings of jumps over time in each point, and the results of full
// simulations of some jumps. It is "" for studies in which every flit is simulated.
func jumpSection(r *experiments.Results) string {
	grid := [][]string{jumpHeader(r)}
	for i, p := range r.Points {
		if p.Spec.FastForward > 0 && len(r.Runs[i]) > 0 {
			grid = append(grid, jumpRow(r, i))
		}
	}
	if len(grid) == 1 {
		return ""
	}
	return "\n## Jumps over time\n\n" + tables.MarkdownTable(grid, len(r.Study.Axes))
}

func jumpHeader(r *experiments.Results) []string {
	var header []string
	for _, key := range r.AxisKeys() {
		header = append(header, tables.ShortKey(key))
	}
	for _, m := range r.Study.Primary {
		header = append(header, tables.Title(m, tables.UnitOf(r, m, tables.AllPoints(r))))
	}
	return append(header, "time jumped", "flit-hops", "simulated, one in", "rates checked", "beyond",
		"mean error")
}

// jumpRow sums over the replications of a point.
func jumpRow(r *experiments.Results, point int) []string {
	row := slices.Clone(r.Points[point].Labels)
	for _, m := range r.Study.Primary {
		e, _ := r.Estimate(point, m)
		row = append(row, tables.WithError(e, "±"))
	}
	var hops, simulated float64
	for _, run := range r.Runs[point] {
		all, _ := run.Value("flit_hops")
		some, _ := run.Value("simulated_flit_hops")
		hops, simulated = hops+all, simulated+some
	}
	one := *r
	one.Points, one.Runs = r.Points[point:point+1], r.Runs[point:point+1]
	j := tables.JumpsOf(&one)
	share := "" // no job sends messages
	if j.Share.N > 0 {
		share = tables.Significant(j.Share.Value(), 4) + "%"
	}
	row = append(row, share, fmt.Sprintf("%.2g", hops),
		saving(hops, simulated), fmt.Sprint(j.Checked))
	if j.Checked == 0 {
		return append(row, "", "")
	}
	return append(row, fmt.Sprint(j.Wrong), tables.Significant(j.Off/float64(j.Checked), 2)+"%")
}

// saving returns how many times more flit-hops a run has than were simulated.
func saving(hops, simulated float64) string {
	switch {
	case hops == 0:
		return ""
	case simulated == 0:
		return "none"
	}
	times := hops / simulated
	if times < 100 {
		return tables.Significant(times, 2)
	}
	scale := math.Pow(10, math.Floor(math.Log10(times))-2)
	return fmt.Sprint(int64(math.Round(times/scale) * scale))
}

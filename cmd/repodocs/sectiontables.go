package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/report"
	"contend/experiments/report/tables"
	"contend/experiments/stats"
	"contend/experiments/study"
)

// writeSection writes a heading and the table below it, whose first columns are names.
func writeSection(b *strings.Builder, heading string, grid [][]string, names int) {
	fmt.Fprintf(b, "\n## %s\n\n%s", heading, tables.MarkdownTable(grid, names))
}

// writePublished writes a table for each metric with published figures.
func writePublished(b *strings.Builder, r *experiments.Results) {
	for _, m := range r.Metrics() {
		if tables.HasPublished(r, m) {
			cells := publishedCells(r, m)
			writeSection(b, titleOf(r, m), ratioGrid(r, cells, metrics.BoundsOf(m, &r.Study.Base)),
				len(tables.RowKeys(r)))
			b.WriteString(errorLine(cells))
		}
	}
}

// writeRules writes the tables of rankings without published figures and those of relative rules.
func writeRules(b *strings.Builder, r *experiments.Results) {
	var ranked []string
	for _, t := range r.Study.Tolerances {
		isNew := !tables.HasPublished(r, t.Metric) && !slices.Contains(ranked, t.Metric)
		switch {
		case t.Rule == "ranking" && isNew:
			ranked = append(ranked, t.Metric)
			writeSection(b, titleOf(r, t.Metric), measuredGrid(r, func(i int) (stats.Estimate, bool) {
				e, ok := r.Estimate(i, t.Metric)
				return e, ok && study.Matches(&r.Points[i], t.Where)
			}), len(r.Study.Axes))
		case t.Rule == "agreement":
			writeSection(b, t.Metric+" over that of "+t.Relative, agreementGrid(r, &t), len(r.Study.Axes))
		case t.Relative != "" && !t.Covers() && t.Rule != study.BoundsRule:
			cells := report.RuleCells(r, &t)
			writeSection(b, t.Metric+" relative to "+t.Relative, ratioGrid(r, cells, stats.AtLeast(0)),
				len(tables.RowKeys(r)))
		}
	}
}

// writeRelative writes the relative column of the study's table, for papers that draw it and print
// no figures.
func writeRelative(b *strings.Builder, r *experiments.Results) {
	cells, reference := tables.RelativeCells(r), r.Study.Table.Relative
	if cells == nil {
		return
	}
	writeSection(b, tables.RelativeMetric(r)+" relative to "+reference,
		measuredGrid(r, func(i int) (stats.Estimate, bool) {
			labels := r.Points[i].Labels
			c, ok := cells[i]
			return c.Measured, ok && labels[len(labels)-1] != reference
		}), len(r.Study.Axes))
}

// titleOf returns a metric with its unit.
func titleOf(r *experiments.Results, metric string) string {
	return tables.Title(metric, tables.UnitOf(r, metric, tables.AllPoints(r)))
}

// headerOf returns the short names of keys, followed by other columns.
func headerOf(keys []string, columns ...string) (header []string) {
	for _, key := range keys {
		header = append(header, tables.ShortKey(key))
	}
	return append(header, columns...)
}

// ratioCells returns published value, measured value, number of runs, ratio and the interval of the
// ratio. A published 0 has no ratio. The measured value lies within the bounds.
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

// publishedCells returns the cells of a metric at the points with published figures, without the
// figures that belong to another study.
func publishedCells(r *experiments.Results, metric string) (cells []report.Cell) {
	elsewhere := r.Study.Published.Elsewhere
	for i := range r.Points {
		e, ok := r.Estimate(i, metric)
		published, known := r.Published(i, metric)
		if ok && known && (elsewhere == nil || !study.Matches(&r.Points[i], elsewhere)) {
			cells = append(cells, report.Cell{PrintedNumber: report.PrintedNumber{Point: i}, Run: true,
				Measured: e, Published: published})
		}
	}
	return cells
}

// ratioGrid returns a row for each of the cells that was run.
func ratioGrid(r *experiments.Results, cells []report.Cell, b stats.Bounds) [][]string {
	grid := [][]string{headerOf(tables.RowKeys(r), "published", "measured", "runs", "ratio",
		"interval")}
	for _, c := range cells {
		if c.Run {
			grid = append(grid, append(tables.RowLabels(r, c.Point),
				ratioCells(c.Measured, c.Published, b)...))
		}
	}
	return grid
}

// errorLine states the geometric mean and the largest of the errors of cells, "" for fewer than
// two.
func errorLine(cells []report.Cell) string {
	sum, largest, n := 0.0, 0.0, 0
	for _, c := range cells {
		if c.Measured.Mean > 0 && c.Published > 0 { // no ratio with 0
			e := math.Abs(math.Log(c.Ratio()))
			sum, largest, n = sum+e, max(largest, e), n+1
		}
	}
	if n < 2 {
		return ""
	}
	return fmt.Sprintf("\nGeometric mean error %s over %d cells, largest %s.\n",
		errorText(sum/float64(n)), n, errorText(largest))
}

// measuredGrid returns a row for every point for which at returns a measured value.
func measuredGrid(r *experiments.Results, at func(i int) (stats.Estimate, bool)) [][]string {
	grid := [][]string{headerOf(r.AxisKeys(), "measured", "runs")}
	for i, p := range r.Points {
		if e, ok := at(i); ok {
			grid = append(grid, append(slices.Clone(p.Labels), tables.WithError(e, "±"), fmt.Sprint(e.N)))
		}
	}
	return grid
}

// agreementGrid returns a row for every case of an agreement rule.
func agreementGrid(r *experiments.Results, t *study.Tolerance) [][]string {
	grid := [][]string{headerOf(r.AxisKeys(), "measured", "over "+t.Relative)}
	for _, a := range report.Agreements(r, t) {
		measured, ratio := "", ""
		if a.Run {
			measured, ratio = tables.WithError(a.Measured, "±"), fmt.Sprintf("%.4f", a.Ratio)
		}
		grid = append(grid, append(slices.Clone(r.Points[a.Point].Labels), measured, ratio))
	}
	return grid
}

// jumpSection returns the savings of jumps over time in each point, and what audits have
// seen. It is "" for studies in which every flit is simulated.
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

// jumpHeader returns the header of the section on jumps.
func jumpHeader(r *experiments.Results) []string {
	header := headerOf(r.AxisKeys())
	for _, m := range r.Study.Primary {
		header = append(header, titleOf(r, m))
	}
	return append(header, "time jumped", "flit-hops", "simulated, one in", "audits", "jams", "beyond",
		"largest error")
}

// jumpRow returns the row of a point in the section on jumps, summed over its replications.
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
		saving(hops, simulated), fmt.Sprint(j.Audits))
	if j.Audits == 0 {
		return append(row, "", "", "")
	}
	return append(row, fmt.Sprint(j.Jams), tables.Significant(j.Beyond.Value(), 2)+"%",
		tables.Significant(j.Largest, 2)+"%")
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

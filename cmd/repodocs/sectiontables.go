package main

import (
	"fmt"
	"math"
	"slices"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/report"
	"contend/experiments/report/tables"
	"contend/experiments/stats"
	"contend/experiments/study"
)

// publishedRatios returns a table of ratios for each metric with published figures.
func publishedRatios(r *experiments.Results) (list []ratioTable) {
	for _, m := range r.Metrics() {
		if tables.HasPublished(r, m) {
			cells := publishedCells(r, m)
			t := ratiosOf(r, titleOf(r, m), cells, metrics.BoundsOf(m, &r.Study.Base))
			t.metric, t.errors, t.below = m, errorTexts(cells), errorLine(cells)
			list = append(list, t)
		}
	}
	return list
}

// relativeRatios returns a table of ratios for each rule that relates a metric to a reference and
// compares it with published numbers.
func relativeRatios(r *experiments.Results) (list []ratioTable) {
	for i := range r.Study.Tolerances {
		t := &r.Study.Tolerances[i]
		if t.Relative != "" && !t.Covers() && t.Rule != "agreement" && t.Rule != study.BoundsRule {
			list = append(list, ratiosOf(r, t.Metric+" relative to "+t.Relative, report.RuleCells(r, t),
				stats.AtLeast(0)))
		}
	}
	return list
}

// ratiosOf returns the table of ratios of measured to published numbers in cells. Intervals are cut
// off at the bounds b.
func ratiosOf(r *experiments.Results, title string, cells []report.Cell,
	b stats.Bounds) ratioTable {
	t := ratioTable{title: title, metric: title, names: len(tables.RowKeys(r)),
		grid: ratioGrid(r, cells, b)}
	for _, c := range cells {
		if c.Run {
			t.ratios = append(t.ratios, ratioShown(c.Measured.Mean, c.Published))
		}
	}
	return t
}

// ratioShown returns the ratio to a published value, NaN and "" if that is 0.
func ratioShown(measured, published float64) shown {
	if published == 0 {
		return shown{math.NaN(), ""}
	}
	ratio := measured / published
	return shown{ratio, fmt.Sprintf("%.3f", ratio)}
}

// agreements returns a table of ratios for each rule about the agreement with a reference.
func agreements(r *experiments.Results) (list []ratioTable) {
	for i := range r.Study.Tolerances {
		t := &r.Study.Tolerances[i]
		if t.Rule != "agreement" {
			continue
		}
		title := t.Metric + " over that of " + t.Relative
		table := ratioTable{title: title, metric: title, names: len(r.Study.Axes),
			grid: agreementGrid(r, t)}
		for _, a := range report.Agreements(r, t) {
			ratio := shown{math.NaN(), ""}
			if a.Run {
				ratio = shown{a.Ratio, fmt.Sprintf("%.4f", a.Ratio)}
			}
			table.ratios = append(table.ratios, ratio)
		}
		list = append(list, table)
	}
	return list
}

// writeRankings writes the tables of rankings without published figures.
func writeRankings(p *page, r *experiments.Results) {
	var ranked []string
	for _, t := range r.Study.Tolerances {
		if t.Rule != "ranking" || tables.HasPublished(r, t.Metric) ||
			slices.Contains(ranked, t.Metric) {
			continue
		}
		ranked = append(ranked, t.Metric)
		p.writeMeasured(titleOf(r, t.Metric), measuredGrid(r, func(i int) (stats.Estimate, bool) {
			e, ok := r.Estimate(i, t.Metric)
			return e, ok && study.Matches(&r.Points[i], t.Where)
		}))
	}
}

// writeRelative writes the relative column of the study's table, for papers that draw it and print
// no figures.
func writeRelative(p *page, r *experiments.Results) {
	cells, reference := tables.RelativeCells(r), r.Study.Table.Relative
	if cells == nil {
		return
	}
	p.writeMeasured(tables.RelativeMetric(r)+" relative to "+reference,
		measuredGrid(r, func(i int) (stats.Estimate, bool) {
			labels := r.Points[i].Labels
			c, ok := cells[i]
			return c.Measured, ok && labels[len(labels)-1] != reference
		}))
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
	cells := []string{tables.Significant(published, 5), tables.EstimateText(e), fmt.Sprint(e.N), "",
		""}
	if published == 0 {
		return cells
	}
	ratio := e.Mean / published
	cells[3] = ratioShown(e.Mean, published).text
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

// errorTexts returns the geometric mean and the largest of the errors of cells, nil for fewer than
// two.
func errorTexts(cells []report.Cell) []string {
	sum, largest, n := errorsOfCells(cells)
	if n < 2 {
		return nil
	}
	return []string{errorText(sum / float64(n)), errorText(largest)}
}

// errorLine states them in a sentence, "" if there are none.
func errorLine(cells []report.Cell) string {
	texts := errorTexts(cells)
	if texts == nil {
		return ""
	}
	_, _, n := errorsOfCells(cells)
	return fmt.Sprintf("\nGeometric mean error %s over %d cells, largest %s.\n", texts[0], n, texts[1])
}

// errorsOfCells returns the sum, the largest and the number of the errors of cells.
func errorsOfCells(cells []report.Cell) (sum, largest float64, n int) {
	for _, c := range cells {
		if c.Measured.Mean > 0 && c.Published > 0 { // no ratio with 0
			e := math.Abs(math.Log(c.Ratio()))
			sum, largest, n = sum+e, max(largest, e), n+1
		}
	}
	return sum, largest, n
}

// measuredGrid returns a row for every point for which at returns a measured value.
func measuredGrid(r *experiments.Results, at func(i int) (stats.Estimate, bool)) [][]string {
	grid := [][]string{headerOf(r.AxisKeys(), "measured", "runs")}
	for i, p := range r.Points {
		if e, ok := at(i); ok {
			grid = append(grid, append(slices.Clone(p.Labels), tables.EstimateText(e), fmt.Sprint(e.N)))
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
			measured, ratio = tables.EstimateText(a.Measured), fmt.Sprintf("%.4f", a.Ratio)
		}
		grid = append(grid, append(slices.Clone(r.Points[a.Point].Labels), measured, ratio))
	}
	return grid
}

// jumpRow is what jumps over time saved in a point, and what audits saw, summed over its
// replications.
type jumpRow struct {
	labels, primary []string
	share, saving   shown
	hops            string
	audits, jams    int
	beyond, largest shown // NaN without audits
}

// jumpSection writes the savings of jumps over time in each point, and what audits saw. It writes
// nothing for studies in which every flit is simulated.
func jumpSection(p *page, r *experiments.Results) {
	var rows []jumpRow
	for i, point := range r.Points {
		if point.Spec.FastForward > 0 && len(r.Runs[i]) > 0 {
			rows = append(rows, jumpRowOf(r, i))
		}
	}
	if len(rows) > 0 {
		p.writeJumps(jumpHeader(r), rows)
	}
}

// jumpTitle heads the section on jumps.
const jumpTitle = "Jumps over time"

// writeJumps writes the section on jumps: a row for each point, or for groups of points if there
// are many.
func (p *page) writeJumps(header []string, rows []jumpRow) {
	grid, names := [][]string{header}, len(rows[0].labels)
	for i := range rows {
		grid = append(grid, rows[i].cells())
	}
	if len(rows) <= wholeRows {
		p.section(jumpTitle, grid, names)
		return
	}
	n := groupNames(grid[1:], names)
	short := [][]string{append(headOfGroups(header, n), "points", "time jumped",
		"flit-hops simulated, one in", "audits", "jams", "beyond, at most", "largest error")}
	for _, group := range groupsBy(grid[1:], n) {
		short = append(short, append(nameOfGroup(group), jumpGroup(rows, group)...))
	}
	p.section(jumpTitle, short, len(nameOfGroup(grid[1][:n])))
	fmt.Fprintf(p, "\nAll rows: %s.\n", p.besideRows("jumps", "jumps", grid))
}

// jumpGroup returns the cells of a group of points: ranges of what is saved, sums of audits and of
// jams, and the largest of what audits saw.
func jumpGroup(rows []jumpRow, group []string) []string {
	var share, saving, beyond, largest []shown
	points, audits, jams := 0, 0, 0
	for i := range rows {
		j := &rows[i]
		if !isIn(j.labels, group) {
			continue
		}
		share, saving = append(share, j.share), append(saving, j.saving)
		beyond, largest = append(beyond, j.beyond), append(largest, j.largest)
		points, audits, jams = points+1, audits+j.audits, jams+j.jams
	}
	return []string{fmt.Sprint(points), rangeOf(share), rangeOf(saving), fmt.Sprint(audits),
		fmt.Sprint(jams), greatestOf(beyond), greatestOf(largest)}
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

// cells returns the row of a point.
func (j *jumpRow) cells() []string {
	row := slices.Concat(j.labels, j.primary, []string{j.share.text, j.hops, j.saving.text,
		fmt.Sprint(j.audits)})
	if j.audits == 0 {
		return append(row, "", "", "")
	}
	return append(row, fmt.Sprint(j.jams), j.beyond.text, j.largest.text)
}

// jumpRowOf returns the row of a point.
func jumpRowOf(r *experiments.Results, point int) jumpRow {
	row := jumpRow{labels: r.Points[point].Labels}
	for _, m := range r.Study.Primary {
		e, _ := r.Estimate(point, m)
		row.primary = append(row.primary, tables.EstimateText(e))
	}
	var hops, simulated float64
	for _, run := range r.Runs[point] {
		all, _ := run.Value("flit_hops")
		some, _ := run.Value("simulated_flit_hops")
		hops, simulated = hops+all, simulated+some
	}
	row.hops, row.saving = fmt.Sprintf("%.2g", hops), saving(hops, simulated)
	one := *r
	one.Points, one.Runs = r.Points[point:point+1], r.Runs[point:point+1]
	j := tables.JumpsOf(&one)
	row.share = shown{math.NaN(), ""}
	if j.Share.N > 0 { // jobs send messages
		row.share = shown{j.Share.Value(), tables.Significant(j.Share.Value(), 4) + "%"}
	}
	row.audits, row.jams = j.Audits, j.Jams
	row.beyond, row.largest = shown{math.NaN(), ""}, shown{math.NaN(), ""}
	if j.Audits > 0 {
		row.beyond = shown{j.Beyond.Value(), tables.Significant(j.Beyond.Value(), 2) + "%"}
		row.largest = shown{j.Largest, tables.Significant(j.Largest, 2) + "%"}
	}
	return row
}

// saving returns how many times more flit-hops a run has than were simulated.
func saving(hops, simulated float64) shown {
	switch {
	case hops == 0:
		return shown{math.NaN(), ""}
	case simulated == 0:
		return shown{math.Inf(1), "none"}
	}
	times := hops / simulated
	if times < 100 {
		return shown{times, tables.Significant(times, 2)}
	}
	scale := math.Pow(10, math.Floor(math.Log10(times))-2)
	return shown{times, fmt.Sprint(int64(math.Round(times/scale) * scale))}
}

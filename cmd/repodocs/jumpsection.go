package main

import (
	"fmt"
	"math"
	"slices"

	"contend/experiments"
	"contend/experiments/report/tables"
)

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

// writeJumps writes the section on jumps: a row for each point, or for groups of points if there are
// many.
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
		row.primary = append(row.primary, tables.WithError(e, "±"))
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

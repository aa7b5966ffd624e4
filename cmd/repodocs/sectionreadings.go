package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/report"
	"contend/experiments/report/tables"
	"contend/internal/written"
)

// readingsOf ends the name of a study whose variants are readings of what a paper leaves open. Its
// results have no page of their own: they stand on the page of the study before the ending, of
// which the printed numbers are.
const readingsOf = "-readings"

// splitReadings returns the folders with pages of their own, and the results of readings by the
// name of the page that they belong to.
func splitReadings(folders []validationFolder) (pages []validationFolder,
	readings map[string]*experiments.Results) {
	readings = map[string]*experiments.Results{}
	for _, f := range folders {
		if of, ok := strings.CutSuffix(f.Name, readingsOf); ok {
			readings[of] = f.Results
		} else {
			pages = append(pages, f)
		}
	}
	return pages, readings
}

// readingsHeading begins the tables of readings, which end a page.
const readingsHeading = "\n## Readings\n"

// replaceReadings writes the tables of readings into the page of a name, which stays as it is
// otherwise.
func replaceReadings(dir, name string, r *experiments.Results) error {
	path := filepath.Join(dir, name+".md")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	page, _, _ := strings.Cut(string(text), readingsHeading)
	p := newPage(name)
	p.WriteString(page)
	readingsSection(p, r)
	return errors.Join(p.writeTables(dir), written.Replace(path, []byte(p.String())))
}

// readingRow is the cells of a reading in a part of the table: all points of it, or those with one
// label of the axis that follows the variants.
type readingRow struct {
	name, part string
	points     []int
}

// readingsSection writes the section on readings. Its table has the errors of the metrics of the
// study's table, a row for each reading; beside the page are a row for each part that a reading
// changes, and the ratio of each cell to the printed one. The first variant is the reading that the
// study of the page takes.
func readingsSection(p *page, r *experiments.Results) {
	if r == nil {
		return
	}
	var metrics []string
	for _, m := range r.Study.Table.Metrics {
		if tables.HasPublished(r, m) {
			metrics = append(metrics, m)
		}
	}
	fmt.Fprintf(p, readingsHeading+"\n%s.\n\n%s", r.Study.Title, strings.TrimSpace(r.Study.Doc))
	fmt.Fprintf(p, " Of each reading %s, made by contend %s; the other tables of this page "+
		"have more. A cell is met within 5%% of the printed number and the interval; "+
		"a reading has no number where it changes nothing.\n", replicationsOf(r), r.Program())
	for _, n := range r.Study.Notes {
		fmt.Fprintf(p, "\n- %s", n)
	}
	p.WriteString("\n")
	var ratios [][][]string
	for _, m := range metrics {
		ratios = append(ratios, readingRatios(r, m))
	}
	p.writeReadings(readingErrors(r, metrics, readingRows(r)), metrics, ratios)
}

// writeReadings writes the errors of readings over all cells, and puts the tables of parts and of
// ratios beside the page. In a table of ratios a star marks a cell that is met.
func (p *page) writeReadings(errors [][]string, metrics []string, ratios [][][]string) {
	whole := [][]string{errors[0][1:]}
	for _, row := range errors[1:] {
		if row[0] == allParts {
			whole = append(whole, row[1:])
		}
	}
	p.WriteString("\n" + tables.MarkdownTable(whole, 1))
	links := []string{p.besideRows("errors by "+errors[0][0], "readings", errors)}
	for i, m := range metrics {
		links = append(links, p.besideRows("ratios of "+m, "readings "+m, ratios[i]))
	}
	fmt.Fprintf(p, "\nAll rows, with a star where a cell is met: %s.\n", strings.Join(links, ", "))
}

// allParts names the rows of a reading over all of its cells.
const allParts = "all"

// replicationsOf states how many replications the points of a study have.
func replicationsOf(r *experiments.Results) string {
	low, high := math.MaxInt, 0
	for i := range r.Points {
		low, high = min(low, r.Replications(i)), max(high, r.Replications(i))
	}
	switch {
	case low != high:
		return fmt.Sprintf("there are %d to %d replications", low, high)
	case low == 1:
		return "there is one replication, so no interval"
	}
	return fmt.Sprintf("there are %d replications", low)
}

// readingRows lists the rows of the table of errors: all points of each reading, then those of each
// part whose runs are not those of the first reading.
func readingRows(r *experiments.Results) (rows []readingRow) {
	parts := []string{allParts}
	for _, p := range r.Points {
		if !slices.Contains(parts, p.Labels[1]) {
			parts = append(parts, p.Labels[1])
		}
	}
	taken := r.Points[0].Variant
	for _, part := range parts {
		byName := map[string]*readingRow{}
		var order []*readingRow
		changes := map[string]bool{taken: true}
		for i, p := range r.Points {
			if part != allParts && p.Labels[1] != part {
				continue
			}
			k := byName[p.Variant]
			if k == nil {
				k = &readingRow{name: p.Variant, part: part}
				byName[p.Variant], order = k, append(order, k)
			}
			k.points = append(k.points, i)
			changes[p.Variant] = changes[p.Variant] || changesRuns(r, i)
		}
		for _, k := range order {
			if changes[k.name] {
				rows = append(rows, *k)
			}
		}
	}
	return rows
}

// changesRuns reports whether the results of a point are not those of the first variant.
func changesRuns(r *experiments.Results, point int) bool {
	base, ok := r.Study.Sibling(r.Points, point, "variant", r.Points[0].Variant)
	return !ok || slices.ContainsFunc(r.Study.Table.Metrics, func(metric string) bool {
		a, _ := r.Estimate(base, metric)
		b, _ := r.Estimate(point, metric)
		return a.Mean != b.Mean
	})
}

// readingCells returns the cells of a metric at points.
func readingCells(r *experiments.Results, metric string, points []int) (cells []report.Cell) {
	for _, i := range points {
		e, ok := r.Estimate(i, metric)
		published, known := r.Published(i, metric)
		if ok && known && published > 0 {
			cells = append(cells, report.Cell{PrintedNumber: report.PrintedNumber{Point: i}, Run: true,
				Measured: e, Published: published})
		}
	}
	return cells
}

// metWithin is the distance within which a reading meets a printed number, beside the interval.
const metWithin = 0.05

// isMet reports whether a cell is met.
func isMet(c *report.Cell) bool {
	half := c.Measured.Half
	if math.IsNaN(half) {
		half = 0
	}
	return math.Abs(c.Measured.Mean-c.Published) <= metWithin*math.Abs(c.Published)+half
}

// readingErrors returns the table of errors: of each metric the geometric mean error, the cells
// that are met, and the worst cell with its ratio.
func readingErrors(r *experiments.Results, metrics []string, rows []readingRow) [][]string {
	header := []string{tables.ShortKey(r.AxisKeys()[1]), "reading"}
	for _, m := range metrics {
		header = append(header, m+": mean error", "met", "worst cell")
	}
	grid := [][]string{header}
	for _, row := range rows {
		line := []string{row.part, row.name}
		for _, m := range metrics {
			line = append(line, errorCells(r, readingCells(r, m, row.points))...)
		}
		grid = append(grid, line)
	}
	return grid
}

// errorCells returns the geometric mean error of the cells that are not 0, how many are met, and
// the worst of all.
func errorCells(r *experiments.Results, cells []report.Cell) []string {
	sum, n, worst, met, at := 0.0, 0, -1.0, 0, 0
	for i := range cells {
		e := math.Abs(math.Log(cells[i].Ratio()))
		if e > worst {
			worst, at = e, i
		}
		if !math.IsInf(e, 0) {
			sum, n = sum+e, n+1
		}
		if isMet(&cells[i]) {
			met++
		}
	}
	if len(cells) == 0 {
		return []string{"", "", ""}
	}
	name := strings.Join(r.Points[cells[at].Point].Labels[1:], " ")
	return []string{errorText(sum / float64(max(1, n))), fmt.Sprintf("%d of %d", met, len(cells)),
		fmt.Sprintf("%.2f %s", cells[at].Ratio(), name)}
}

// readingRatios returns the table of ratios of a metric: a row for each cell, a column for each
// reading, empty where the reading changes nothing, with a star where the cell is met.
func readingRatios(r *experiments.Results, metric string) [][]string {
	grid := [][]string{headerOf(r.AxisKeys()[1:])}
	row := map[string]int{}
	for i, p := range r.Points {
		name := strings.Join(p.Labels[1:], "\x00")
		if _, ok := row[name]; !ok {
			row[name] = len(grid)
			grid = append(grid, slices.Clone(p.Labels[1:]))
		}
		if !slices.Contains(grid[0], p.Variant) {
			grid[0] = append(grid[0], p.Variant)
		}
		cell := ""
		if cells := readingCells(r, metric, []int{i}); len(cells) > 0 &&
			(p.Variant == r.Points[0].Variant || changesRuns(r, i)) {
			if cell = fmt.Sprintf("%.2f", cells[0].Ratio()); isMet(&cells[0]) {
				cell += "*"
			}
		}
		grid[row[name]] = append(grid[row[name]], cell)
	}
	return grid
}

package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments/decimal"
)

// tableMetrics lists the columns of the study's table that have figures.
func (r *Results) tableMetrics() []string {
	wanted := r.Study.Table.Metrics
	if wanted == nil {
		wanted = r.Study.Primary
	}
	have := r.Metrics()
	var metrics []string
	for _, m := range wanted {
		if slices.Contains(have, m) {
			metrics = append(metrics, m)
		}
	}
	return metrics
}

// grid is the table as text: axes, then per metric measured and, where a paper
// printed any, published and ratio.
func (r *Results) grid(measured func(Estimate) string, unit func(metric, unit string) string) [][]string {
	metrics := r.tableMetrics()
	header := r.rowKeys()
	for i := range header {
		header[i] = shortKey(header[i])
	}
	relative := r.relativeCells()
	if relative != nil {
		header = append(header, r.relativeMetric()+" / "+r.Study.Table.Relative)
		if r.hasPublished(r.relativeMetric()) {
			header = append(header, "published", "ratio")
		}
	}
	for _, m := range metrics {
		header = append(header, unit(m, UnitOf(m, &r.Study.Base)))
		if r.hasPublished(m) {
			header = append(header, "published", "ratio")
		}
	}
	rows := [][]string{header}
	for i := range r.Points {
		row := r.rowLabels(i)
		if relative != nil {
			row = append(row, r.relativeColumns(relative, i, measured)...)
		}
		for _, m := range metrics {
			e, ok := r.Estimate(i, m)
			cell, published, ratio := "", "", ""
			if ok {
				cell = measured(e)
			}
			if v, known := r.Published(i, m); known {
				published = significant(v, 5)
				if ok && v != 0 {
					ratio = fmt.Sprintf("%.2f", e.Mean/v)
				}
			}
			row = append(row, cell)
			if r.hasPublished(m) {
				row = append(row, published, ratio)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// rowKeys are the axes, and what the table shows beside them.
func (r *Results) rowKeys() []string { return append(r.AxisKeys(), r.Study.Table.Keys...) }

// rowLabels are their values at a point.
func (r *Results) rowLabels(i int) []string {
	labels := slices.Clone(r.Points[i].Labels)
	for _, key := range r.Study.Table.Keys {
		labels = append(labels, r.labelAt(i, key))
	}
	return labels
}

// relativeMetric is what the relative column is about.
func (r *Results) relativeMetric() string {
	return append(slices.Clone(r.Study.Primary), "finish_time")[0]
}

// relativeColumns are a point's cells of the relative column and, where a paper
// printed any, of published and ratio.
func (r *Results) relativeColumns(relative map[int]relativeCell, i int,
	measured func(Estimate) string) []string {
	columns := make([]string, 1, 3)
	c, ok := relative[i]
	if ok {
		columns[0] = measured(c.measured)
	}
	switch {
	case !r.hasPublished(r.relativeMetric()):
		return columns
	case !ok || math.IsNaN(c.published):
		return append(columns, "", "")
	}
	return append(columns, significant(c.published, 4), fmt.Sprintf("%.2f", c.measured.Mean/c.published))
}

// relativeCell is a cell of the relative column.
type relativeCell struct {
	measured  Estimate
	published float64
}

// relativeCells are the relative column by point, nil if there is none. The
// published figures, NaN where there are none, are divided as the measured
// ones are.
func (r *Results) relativeCells() map[int]relativeCell {
	metric, base := r.relativeMetric(), r.Study.Table.Relative
	var cells map[int]relativeCell
	along := r.relativeAxis()
	for i := range r.Points {
		at, ok := r.sibling(i, along, base)
		if !ok {
			continue
		}
		ratio, ok := r.ratio(i, at, metric)
		if !ok {
			continue
		}
		c := relativeCell{ratio, math.NaN()}
		published, known := r.Published(i, metric)
		if reference, has := r.Published(at, metric); known && has {
			c.published = published / reference
		}
		if cells == nil {
			cells = map[int]relativeCell{}
		}
		cells[i] = c
	}
	return cells
}

func (r *Results) hasPublished(metric string) bool {
	return slices.ContainsFunc(r.published, func(row map[string]float64) bool { _, ok := row[metric]; return ok })
}

// shortKey is the last part of a key that tells something.
func shortKey(path string) string {
	parts := strings.Split(path, ".")
	last := parts[len(parts)-1]
	if len(parts) > 2 && (last == "distribution" || last == "mean" || last == "min" || last == "max") {
		return parts[len(parts)-2] + " " + last
	}
	return strings.ReplaceAll(last, "_", " ")
}

// significant writes a number with so many significant digits, without an
// exponent.
func significant(x float64, digits int) string {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Sprint(x)
	}
	decimals := digits - 1 - int(math.Floor(math.Log10(math.Abs(x))))
	return fmt.Sprintf("%.*f", max(0, decimals), x)
}

// withError writes a mean and half of its interval.
func withError(e Estimate, sign string) string {
	if math.IsNaN(e.Half) {
		if e.Mean == math.Trunc(e.Mean) {
			return decimal.Exact(e.Mean)
		}
		return significant(e.Mean, 5)
	}
	return significant(e.Mean, 5) + " " + sign + " " + significant(e.Half, 2)
}

// Markdown returns the table of measured and published figures.
func (r *Results) Markdown() string {
	grid := r.grid(func(e Estimate) string { return withError(e, "±") }, func(metric, unit string) string {
		if unit == "" {
			return metric
		}
		return metric + " (" + unit + ")"
	})
	return r.caption() + markdown(grid, len(r.rowKeys())) + r.breakEvens()
}

func (r *Results) caption() string {
	s := "**" + markdownProse(r.Study.Title) + "**"
	if r.Study.Title == "" {
		s = "**" + markdownCell(r.Study.Name) + "**"
	}
	if r.Study.Cites != "" {
		s += " (" + markdownProse(r.Study.Cites) + ")"
	}
	for _, in := range r.Study.Inputs {
		s += "\n\n" + markdownProse(in) + "."
	}
	s += "\n\n" + r.precisionText() + "\n"
	if text := r.cutText(); text != "" {
		s += text + "\n"
	}
	if text := r.publishedText(); text != "" {
		s += text + "\n"
	}
	if text := r.keptText(); text != "" {
		s += text + "\n"
	}
	return s + "\n"
}

// markdown lines the columns up; the first left ones are text.
func markdown(grid [][]string, left int) string {
	widths := make([]int, len(grid[0]))
	escaped := make([][]string, len(grid))
	for n, row := range grid {
		for i, cell := range row {
			cell = markdownCell(cell)
			escaped[n] = append(escaped[n], cell)
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	var b strings.Builder
	for n, row := range escaped {
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-len([]rune(cell)))
			if i < left {
				cell += pad
			} else {
				cell = pad + cell
			}
			b.WriteString("| " + cell + " ")
		}
		b.WriteString("|\n")
		if n > 0 {
			continue
		}
		for i, w := range widths {
			if i < left {
				b.WriteString("| " + strings.Repeat("-", w) + " ")
			} else {
				b.WriteString("| " + strings.Repeat("-", w-1) + ": ")
			}
		}
		b.WriteString("|\n")
	}
	return b.String()
}

// TeX returns the table as a tabular with booktabs rules.
func (r *Results) TeX() string {
	grid := r.grid(func(e Estimate) string { return "$" + withError(e, `\pm`) + "$" }, func(metric, unit string) string {
		if unit == "" {
			return metric
		}
		return metric + " [" + unit + "]"
	})
	var b strings.Builder
	b.WriteString("% " + texComment(r.Study.Title) + "\n")
	for _, in := range r.Study.Inputs {
		b.WriteString("% " + texComment(in) + "\n")
	}
	if text := r.keptText(); text != "" {
		b.WriteString("% " + text + "\n")
	}
	b.WriteString(`\begin{tabular}{` + strings.Repeat("l", len(r.rowKeys())) + strings.Repeat("r", len(grid[0])-len(r.rowKeys())) + "}\n\\toprule\n")
	for n, row := range grid {
		for i := range row {
			row[i] = texCell(row[i])
		}
		row[0] = texFirst(row[0])
		b.WriteString(strings.Join(row, " & ") + ` \\` + "\n")
		if n == 0 {
			b.WriteString("\\midrule\n")
		}
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	return b.String()
}

package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/stats"
	"contend/internal/decimal"
)

// tableMetrics lists the metrics of the study's table that some run has.
func tableMetrics(r *experiments.Results) []string {
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

// grid returns the table as text: the axes, then for each metric the measured
// value and, if a paper printed any, the published value and the ratio.
func grid(r *experiments.Results, measured func(stats.Estimate) string,
	unit func(metric, unit string) string) [][]string {
	metrics := tableMetrics(r)
	if len(growingQueues(r, metrics)) > 0 && !slices.Contains(metrics, queueGrowth) {
		metrics = append(metrics, queueGrowth)
	}
	header := RowKeys(r)
	for i := range header {
		header[i] = ShortKey(header[i])
	}
	relative, printed := RelativeCells(r), map[string]bool{}
	head := func(metric, title string) {
		header = append(header, title)
		if printed[metric] = HasPublished(r, metric); printed[metric] {
			header = append(header, "published", "ratio")
		}
	}
	if relative != nil {
		head(RelativeMetric(r), RelativeMetric(r)+" / "+r.Study.Table.Relative)
	}
	for _, m := range metrics {
		head(m, unit(m, UnitOf(r, m, AllPoints(r))))
	}
	rows := [][]string{header}
	for i := range r.Points {
		if r.BeyondCurve(i) {
			continue
		}
		row := RowLabels(r, i)
		// add adds the cells of a metric; what is not a number is left empty.
		add := func(metric string, e stats.Estimate, ok bool, published float64, digits int) {
			cell, of, ratio := "", "", ""
			if ok {
				cell = measured(e)
			}
			if !math.IsNaN(published) {
				if of = Significant(published, digits); ok && published != 0 {
					ratio = fmt.Sprintf("%.2f", e.Mean/published)
				}
			}
			if row = append(row, cell); printed[metric] {
				row = append(row, of, ratio)
			}
		}
		if relative != nil {
			c, ok := relative[i]
			if !ok {
				c.published = math.NaN()
			}
			add(RelativeMetric(r), c.Measured, ok, c.published, 4)
		}
		for _, m := range metrics {
			e, ok := r.Estimate(i, m)
			v, known := r.Published(i, m)
			if !known {
				v = math.NaN()
			}
			add(m, e, ok, v, 5)
		}
		rows = append(rows, row)
	}
	return rows
}

// RowKeys returns the keys of the axes and the keys that the table shows beside
// them.
func RowKeys(r *experiments.Results) []string { return append(r.AxisKeys(), r.Study.Table.Keys...) }

// RowLabels returns the labels of RowKeys at a point.
func RowLabels(r *experiments.Results, i int) []string {
	labels := slices.Clone(r.Points[i].Labels)
	for _, key := range r.Study.Table.Keys {
		labels = append(labels, r.Study.LabelAt(&r.Points[i], key))
	}
	return labels
}

// RelativeMetric returns the metric of the relative column.
func RelativeMetric(r *experiments.Results) string {
	return append(slices.Clone(r.Study.Primary), "finish_time")[0]
}

// relativeCell is a cell of the relative column.
type relativeCell struct {
	Measured  stats.Estimate
	published float64 // NaN if there is none
}

// RelativeCells returns the relative column by point, nil if there is none. It
// divides published figures by the published figure of the reference.
func RelativeCells(r *experiments.Results) map[int]relativeCell {
	metric, base := RelativeMetric(r), r.Study.Table.Relative
	var cells map[int]relativeCell
	along := r.RelativeAxis()
	for i := range r.Points {
		at, ok := r.Study.Sibling(r.Points, i, along, base)
		if !ok {
			continue
		}
		ratio, ok := r.Ratio(i, at, metric)
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

// Significant returns a number with the given number of significant digits and without an exponent.
// Unlike decimal.Significant it keeps zeros at the end.
func Significant(x float64, digits int) string {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Sprint(x)
	}
	decimals := digits - 1 - int(math.Floor(math.Log10(math.Abs(x))))
	return fmt.Sprintf("%.*f", max(0, decimals), x)
}

// WithError returns a mean and half of its interval, with a sign between them. The last decimal of
// both is the second significant digit of the half.
func WithError(e stats.Estimate, sign string) string {
	if math.IsNaN(e.Half) {
		if e.Mean == math.Trunc(e.Mean) {
			return decimal.Exact(e.Mean)
		}
		return Significant(e.Mean, 5)
	}
	if e.Half == 0 || math.IsInf(e.Half, 0) {
		return Significant(e.Mean, 5) + " " + sign + " " + Significant(e.Half, 2)
	}
	decimals := decimalsOf(e.Half)
	return rounded(e.Mean, decimals) + " " + sign + " " + rounded(e.Half, decimals)
}

// decimalsOf returns the decimals of a number above 0 with two significant digits, below 0 for a
// number of 100 or more.
func decimalsOf(x float64) int {
	two := strconv.FormatFloat(x, 'e', 1, 64) // as 9.96 is 10, one place further left
	exponent, err := strconv.Atoi(two[strings.IndexByte(two, 'e')+1:])
	if err != nil {
		panic("tables: a number has no exponent: " + err.Error())
	}
	return 1 - exponent
}

// rounded returns a number with a number of decimals. If that is below 0, zeros stand before the
// point.
func rounded(x float64, decimals int) string {
	if decimals < 0 {
		unit := math.Pow10(-decimals)
		x = math.Round(x/unit) * unit
	}
	text := fmt.Sprintf("%.*f", max(0, decimals), x)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// Markdown returns the study's table of measured and published figures, with
// caption and break-evens.
func Markdown(r *experiments.Results) string {
	grid := grid(r, MeanText, Title)
	return caption(r) + MarkdownTable(grid, len(RowKeys(r))) + differenceTables(r) +
		BreakEvenTables(r)
}

// caption returns the caption of the study's table: title, inputs, and what the
// intervals and published figures are.
func caption(r *experiments.Results) string {
	s := "**" + cmp.Or(MarkdownProse(r.Study.Title), markdownCell(r.Study.Name)) + "**"
	if r.Study.Cites != "" {
		s += " (" + MarkdownProse(r.Study.Cites) + ")"
	}
	for _, in := range r.Study.InputNotes("") {
		s += "\n\n" + MarkdownProse(in) + "."
	}
	return s + "\n\n" + strings.Join(TableNotes(r), "\n") + "\n\n"
}

// MarkdownTable returns a table with aligned columns. The first left columns are
// text, the others numbers.
func MarkdownTable(grid [][]string, left int) string {
	widths := make([]int, len(grid[0]))
	for i := range widths {
		widths[i] = 2 // room for -:
	}
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

// TeX returns the study's table as a tabular with booktabs rules and the names of papers.
func TeX(r *experiments.Results) string {
	grid, left := grid(r, texNumber, AxisTitle), len(RowKeys(r))
	texNames(grid, left, r.Study.Labels)
	if base := r.Study.Table.Relative; base != "" {
		metric := RelativeMetric(r)
		if i := slices.Index(grid[0], metric+" / "+base); i >= 0 {
			grid[0][i] = AxisTitle(metric, "") + " / " + PaperName(base)
		}
	}
	var b strings.Builder
	b.WriteString(texPackages + "% " + texComment(r.Study.Title) + "\n")
	for _, in := range r.Study.InputNotes("") {
		b.WriteString("% " + texComment(in) + "\n")
	}
	for _, text := range []string{jumpText(r), trimText(r)} {
		if text != "" {
			b.WriteString("% " + text + "\n")
		}
	}
	return b.String() + tabular(grid, strings.Repeat("l", left)+strings.Repeat("r", len(grid[0])-left))
}

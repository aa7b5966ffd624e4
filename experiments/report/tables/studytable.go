package tables

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/stats"
	"contend/experiments/study"
)

// Grid is a table as text, without escapes.
type Grid struct {
	// Heading is the title of the table, "" if it needs none. About continues it in plain text.
	Heading, About string
	// Notes are lines that a reader of the table must know.
	Notes []string
	// Cells has the header, then the rows. All are of the same length.
	Cells [][]string
	// Left is the number of columns, from the first, that are names and not numbers.
	Left int
	// Over is a heading over all columns of numbers in LaTeX, "" for none, and Groups are headings
	// below it, of as many columns each.
	Over   string
	Groups []string

	ends     []int    // where LaTeX may divide the columns, counted from Left on; nil: everywhere
	above    []string // lines above rows in LaTeX, "" for none; nil: no row has one
	verdicts bool     // the last column is text
}

// form is the way in which tables stand in a text.
type form struct {
	cell, prose func(string) string                       // of cells, and of titles and sentences
	number      func(stats.Estimate) string               // of measured values
	ratio       func(stats.Estimate) string               // of ratios of measured values
	difference  func(stats.Estimate) string               // of differences, which a test judges
	title       func(metric, unit string) string          // of metrics as headings
	metric      func(string) string                       // of metrics in a sentence
	names       func(*experiments.Results, *Grid)         // of labels in the left columns
	name        func(*experiments.Results, string) string // of a label
}

// The forms of texts. Files for readers have the names that figures print; a terminal has those
// that commands take, and no escapes.
var (
	markdown = form{markdownCell, MarkdownProse, MeanText, ratioOfMeansText, EstimateText,
		AxisTitle, ShortKey, printNames, printedName}
	latex = form{TexEscape, TexEscape, texNumber, texRatio, texDifference, AxisTitle, ShortKey,
		printNames, printedName}
	terminal = form{blanks.Replace, blanks.Replace, MeanText, ratioOfMeansText, EstimateText,
		Title, blanks.Replace,
		func(*experiments.Results, *Grid) {},
		func(_ *experiments.Results, label string) string { return label }}
)

// blanks replaces ends of lines.
var blanks = strings.NewReplacer("\n", " ", "\r", " ")

// Markdown returns the heading, the notes and the table in Markdown.
func (g *Grid) Markdown() string { return g.text(markdown) }

// text returns the heading, the notes and the table.
func (g *Grid) text(f form) string {
	text := "\n**" + f.cell(g.Heading) + "**" + f.cell(g.About) + "\n\n"
	for i, note := range g.Notes {
		if text += f.prose(note) + "\n"; i == len(g.Notes)-1 {
			text += "\n"
		}
	}
	return text + f.table(g.Cells, g.Left)
}

// MarkdownTable returns a table in Markdown with aligned columns. The first left columns are text,
// the others numbers.
func MarkdownTable(cells [][]string, left int) string { return markdown.table(cells, left) }

// table returns a table as MarkdownTable does.
func (f form) table(cells [][]string, left int) string {
	widths := make([]int, len(cells[0]))
	for i := range widths {
		widths[i] = 2 // room for -:
	}
	var escaped [][]string
	for _, row := range cells {
		var texts []string
		for i, cell := range row {
			texts = append(texts, f.cell(cell))
			widths[i] = max(widths[i], utf8.RuneCountInString(texts[i]))
		}
		escaped = append(escaped, texts)
	}
	rule := make([]string, len(widths))
	for i, w := range widths {
		if rule[i] = strings.Repeat("-", w); i >= left {
			rule[i] = rule[i][1:] + ":"
		}
	}
	var b strings.Builder
	for n, row := range escaped {
		writeMarkdownRow(&b, row, widths, left)
		if n == 0 {
			writeMarkdownRow(&b, rule, widths, left)
		}
	}
	for _, note := range markNotes(cells, left) {
		b.WriteString("\n" + f.prose(note) + "\n")
	}
	return b.String()
}

// markNotes lists the notes of the marks in cells right of the names.
func markNotes(cells [][]string, left int) (notes []string) {
	for _, m := range marks {
		if slices.ContainsFunc(cells, func(row []string) bool {
			return slices.ContainsFunc(row[min(left, len(row)):], func(cell string) bool {
				return slices.Contains(marksIn(cell), m.note)
			})
		}) {
			notes = append(notes, m.note)
		}
	}
	return notes
}

// MarkNotes lists the notes of the marks of the table's values.
func (g Grid) MarkNotes() []string { return markNotes(g.Cells, g.Left) }

// writeMarkdownRow writes a row of escaped cells, padded to the widths of the columns.
func writeMarkdownRow(b *strings.Builder, row []string, widths []int, left int) {
	for i, cell := range row {
		pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if i < left {
			cell += pad
		} else {
			cell = pad + cell
		}
		b.WriteString("| " + cell + " ")
	}
	b.WriteString("|\n")
}

// markdownCell escapes the characters that would end a table cell, begin HTML, code, emphasis or
// mathematics, or make a link. Underscores inside words have no meaning and stay.
func markdownCell(s string) string { return markdownEscapes.Replace(s) }

// markdownEscapes replaces the characters that markdownCell escapes.
var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "<", `\<`, "&", `\&`, "*", `\*`, "`", "\\`", "$", `\$`, "](", `]\(`, "\n",
	" ", "\r", " ",
)

// MarkdownProse escapes a title or a sentence of a study, in which authors may use emphasis and
// links.
func MarkdownProse(s string) string {
	return strings.NewReplacer("<", `\<`, "\n", " ", "\r", " ").Replace(s)
}

// OneLine replaces each run of white space by one space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// printNames replaces the labels in the left columns by the names that figures print.
func printNames(r *experiments.Results, g *Grid) {
	for column := range g.Left {
		var labels []string
		for _, row := range g.Cells[1:] {
			labels = append(labels, row[column])
		}
		names := PrintedNames(r.Names, labels, r.Study.Labels)
		for _, row := range g.Cells[1:] {
			row[column] = cmp.Or(names[row[column]], row[column])
		}
	}
}

// printedName returns the name that figures print for a label.
func printedName(r *experiments.Results, label string) string { return PrintedLabel(r, label) }

// Table returns the study's table of measured and published values.
func Table(r *experiments.Results) Grid { return markdown.studyTable(r) }

// studyTable returns the study's table.
func (f form) studyTable(r *experiments.Results) Grid {
	g := Grid{Left: len(RowKeys(r))}
	g.Cells, g.ends = f.studyCells(r)
	f.names(r, &g)
	return g
}

// Markdown returns the study's table with its caption, differences and break-evens.
func Markdown(r *experiments.Results) string { return markdown.study(r) }

// Terminal returns the same as a text to read as it is, with labels and metrics as commands take
// them.
func Terminal(r *experiments.Results) string { return terminal.study(r) }

// study returns the study's table with its caption, differences and break-evens.
func (f form) study(r *experiments.Results) string {
	table := f.studyTable(r)
	text := f.caption(r) + f.table(table.Cells, table.Left)
	for _, g := range append(f.differences(r), f.breakEvens(r)...) {
		text += g.text(f)
	}
	return text
}

// caption returns the title of the study, its inputs, and what a reader of the table must know.
func (f form) caption(r *experiments.Results) string {
	s := "**" + cmp.Or(f.prose(r.Study.Title), f.cell(r.Study.Name)) + "**"
	if r.Study.Cites != "" {
		s += " (" + f.prose(r.Study.Cites) + ")"
	}
	for _, in := range r.Study.InputNotes("") {
		s += "\n\n" + f.prose(in) + "."
	}
	return s + "\n\n" + strings.Join(TableNotes(r), "\n") + "\n\n"
}

// TeX returns the study's table as tabulars with booktabs rules and the names of papers.
func TeX(r *experiments.Results) string {
	table := latex.studyTable(r)
	text := table.packages() + texComment(r.Study.Title)
	intervals := sameLogText(r)
	if jumpsKnown(r) {
		intervals = precisionText(r)
	}
	for _, note := range NonEmpty(append(r.Study.InputNotes(""), intervals, jumpText(r),
		trimText(r))...) {
		text += texComment(note)
	}
	return text + table.tex()
}

// tableMetrics lists the metrics of the study's table that some run has.
func tableMetrics(r *experiments.Results) []string {
	wanted := r.Study.Table.Metrics
	if wanted == nil {
		wanted = r.Study.Primary
	}
	have, list := r.Metrics(), []string(nil)
	for _, m := range wanted {
		if base := metrics.InModelUnit(m); !slices.Contains(have, m) && !slices.Contains(wanted, base) &&
			!slices.ContainsFunc(r.Points, func(p study.Point) bool {
				return metrics.UnitOf(base, &p.Spec) != metrics.UnitOf(m, &p.Spec)
			}) {
			m = base
		}
		if slices.Contains(have, m) {
			list = append(list, m)
		}
	}
	return list
}

// studyCells returns the header and the rows of the study's table: the axes, then for each metric
// the measured value and, if a paper printed any, the published value and the ratio. ends has
// the number of columns up to each metric, without those of the axes.
func (f form) studyCells(r *experiments.Results) (rows [][]string, ends []int) {
	metrics := tableMetrics(r)
	if len(growingQueues(r, metrics)) > 0 && !slices.Contains(metrics, queueGrowth) {
		metrics = append(metrics, queueGrowth)
	}
	header := RowKeys(r)
	for i := range header {
		header[i] = ShortKey(header[i])
	}
	relative, printed := RelativeCells(r), map[string]bool{}
	addTitle := func(metric, text string) {
		header = append(header, text)
		if printed[metric] = HasPublished(r, metric); printed[metric] {
			header = append(header, "published", "ratio")
		}
		ends = append(ends, len(header)-len(RowKeys(r)))
	}
	if relative != nil {
		addTitle(RelativeMetric(r), f.title(RelativeMetric(r), "")+" / "+
			f.name(r, r.Study.Table.Relative))
	}
	for _, m := range metrics {
		addTitle(m, f.title(m, UnitOf(r, m, AllPoints(r))))
	}
	rows = [][]string{header}
	for i := range r.Points {
		if r.BeyondCurve(i) {
			continue
		}
		row := RowLabels(r, i)
		// add adds the cells of a metric; what is not a number is left empty.
		add := func(metric string, e stats.Estimate, number func(stats.Estimate) string,
			measured bool, published float64, digits int) {
			cell, of, ratio := "", "", ""
			if measured {
				cell = number(e)
			}
			if !math.IsNaN(published) {
				if of = Significant(published, digits); measured && published != 0 {
					ratio = ratioOf(e.Mean/published, 2, ratioDigits)
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
			add(RelativeMetric(r), c.Measured, f.ratio, ok, c.published, 4)
		}
		for _, m := range metrics {
			e, ok := r.Estimate(i, m)
			add(m, e, f.number, ok, publishedAt(r, i, m), 5)
		}
		rows = append(rows, row)
	}
	return rows, ends
}

// publishedAt returns the published value of a metric at a point, NaN if there is none.
func publishedAt(r *experiments.Results, point int, metric string) float64 {
	if x, ok := r.Published(point, metric); ok {
		return x
	}
	return math.NaN()
}

// RowKeys returns the keys of the axes and the keys that the table shows beside them.
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

// RelativeCells returns the relative column by point, nil if there is none. It divides published
// values by the published value of the reference.
func RelativeCells(r *experiments.Results) map[int]relativeCell {
	metric, axis := RelativeMetric(r), r.RelativeAxis()
	var cells map[int]relativeCell
	for i := range r.Points {
		at, ok := r.Study.Sibling(r.Points, i, axis, r.Study.Table.Relative)
		if !ok {
			continue
		}
		if ratio, ok := r.Ratio(i, at, metric); ok {
			if cells == nil {
				cells = map[int]relativeCell{}
			}
			cells[i] = relativeCell{ratio, publishedAt(r, i, metric) / publishedAt(r, at, metric)}
		}
	}
	return cells
}

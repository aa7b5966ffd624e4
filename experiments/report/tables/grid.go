package tables

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"contend/experiments"
	"contend/experiments/stats"
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
	// Over is a heading over all columns of numbers in LaTeX, "" for none.
	Over string
}

// form is the way in which tables stand in a text.
type form struct {
	cell, prose func(string) string                       // of cells, and of titles and sentences
	number      func(stats.Estimate) string               // of measured values
	title       func(metric, unit string) string          // of metrics as headings
	metric      func(string) string                       // of metrics in a sentence
	names       func(*experiments.Results, *Grid)         // of labels in the left columns
	name        func(*experiments.Results, string) string // of a label
}

// The forms of texts. Files for readers have the names that figures print; a terminal has those
// that commands take, and no escapes.
var (
	markdown = form{markdownCell, MarkdownProse, MeanText, AxisTitle, ShortKey, printNames,
		printedName}
	latex    = form{TexEscape, TexEscape, texNumber, AxisTitle, ShortKey, printNames, printedName}
	terminal = form{blanks.Replace, blanks.Replace, MeanText, Title, blanks.Replace,
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
	return b.String()
}

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

// TeXPackages names the packages that a document with a table needs.
const TeXPackages = "% \\usepackage{booktabs} in the preamble\n"

// tabular returns the table as a LaTeX tabular with booktabs rules. The last columns have the
// letters of ends, the other columns of numbers r.
func (g *Grid) tabular(ends string) string {
	columns := strings.Repeat("l", g.Left) +
		strings.Repeat("r", len(g.Cells[0])-g.Left-len(ends)) + ends
	var b strings.Builder
	if g.Over == "" {
		b.WriteString(`\begin{tabular}{` + columns + "}\n\\toprule\n")
	} else {
		fmt.Fprintf(&b, "\\begin{tabular}{@{}%s@{}}\n\\toprule\n%s\\multicolumn{%d}{c@{}}{%s} \\\\\n"+
			"\\cmidrule(l){%d-%d}\n", columns, strings.Repeat("& ", g.Left), len(columns)-g.Left,
			TexEscape(g.Over), g.Left+1, len(columns))
	}
	for n, row := range g.Cells {
		for i := range row {
			if row[i] = texCell(row[i]); n == 0 {
				row[i] = texFormulas.Replace(row[i])
			}
		}
		if len(row) > 0 { // not where every run of a study without axes failed
			row[0] = texFirstCell(row[0])
		}
		b.WriteString(strings.Join(row, " & ") + ` \\` + "\n")
		if n == 0 {
			b.WriteString("\\midrule\n")
		}
	}
	return b.String() + "\\bottomrule\n\\end{tabular}\n"
}

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

// texFormulas sets the headings of differences and ratios as formulas.
var texFormulas = strings.NewReplacer("A - B", "$A - B$", "A / B", "$A / B$")

// texCell returns a table cell in LaTeX. It keeps a measured number between dollars and escapes
// anything else as text.
func texCell(s string) string {
	if len(s) < 3 || s[0] != '$' || s[len(s)-1] != '$' {
		return TexEscape(s)
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(s[1:len(s)-1], `\,`, ""), ` \pm `) {
		if _, err := strconv.ParseFloat(part, 64); err != nil {
			return TexEscape(s)
		}
	}
	return s
}

// texFirstCell protects a cell at the beginning of a row. After the end of the row before it, a
// bracket would begin a length, and a star would belong to the command.
func texFirstCell(cell string) string {
	if strings.HasPrefix(cell, "[") || strings.HasPrefix(cell, "*") {
		return "{}" + cell
	}
	return cell
}

// texComment returns a line of comment in LaTeX.
func texComment(s string) string {
	return "% " + strings.NewReplacer("\n", " ", "\r", " ").Replace(s) + "\n"
}

// TexEscape escapes a text so that LaTeX prints its characters unchanged.
func TexEscape(s string) string { return texEscapes.Replace(s) }

// texEscapes replaces the characters that have a meaning in LaTeX.
var texEscapes = strings.NewReplacer(
	"%", `\%`, "_", `\_`, "&", `\&`, "#", `\#`, "$", `\$`, "{", `\{`, "}", `\}`,
	`\`, `\textbackslash{}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	"<", "$<$", ">", "$>$", "|", "$|$", "±", `$\pm$`, "\n", " ", "\r", " ",
)

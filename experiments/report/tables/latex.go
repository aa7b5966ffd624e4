package tables

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/plot/limits"
)

// maxRows is the number of rows, besides the header, up to which a table in LaTeX fits a page.
const maxRows = 50

// isLong reports whether the table in LaTeX breaks over pages.
func (g *Grid) isLong() bool { return len(g.Cells)-1 > maxRows }

// TeXPackages names the packages that a document with a table needs.
const TeXPackages = "% \\usepackage{booktabs} in the preamble\n"

// packages is TeXPackages for the grid.
func (g *Grid) packages() string {
	if !g.isLong() {
		return TeXPackages
	}
	return "% \\usepackage{booktabs,longtable} in the preamble; in a document of two columns behind\n" +
		"% \\onecolumn, and not within a table environment\n"
}

// tabular returns the table as a LaTeX tabular with booktabs rules, or as a longtable where it does
// not fit a page.
func (g *Grid) tabular() string {
	columns := []byte("@{}" + strings.Repeat("l", g.Left) +
		strings.Repeat("r", len(g.Cells[0])-g.Left) + "@{}")
	if g.verdicts {
		columns[len(columns)-4] = 'l'
	}
	header := "\\toprule\n" + g.headings()
	for _, line := range g.headingLines() {
		header += texFormulas.Replace(texRow(line))
	}
	header += "\\midrule\n"
	body, note := "", strings.Join(g.MarkNotes(), " ")
	for n, row := range g.Cells {
		if g.above != nil && g.above[n] != "" {
			if n > 1 {
				body += "\\addlinespace\n"
			}
			body += fmt.Sprintf("\\multicolumn{%d}{@{}l@{}}{%s} \\\\\n", len(row), TexEscape(g.above[n]))
		}
		if n > 0 {
			body += texRow(row)
		}
	}
	if g.isLong() {
		if note != "" { // within the table it would widen the last column
			note = "{\\centering\\footnotesize " + TexEscape(note) + "\\par}\n"
		}
		// A document that defines \tablecaption, such as captions.tex, has a caption over the table.
		return "\\begin{longtable}{" + string(columns) + "}\n" +
			"\\ifdefined\\tablecaption\\tablecaption\\fi\n" + header + "\\endfirsthead\n" +
			header + "\\endhead\n\\midrule\n\\endfoot\n\\bottomrule\n\\endlastfoot\n" +
			body + "\\end{longtable}\n" + note
	}
	text := "\\begin{tabular}{" + string(columns) + "}\n" + header + body +
		"\\bottomrule\n\\end{tabular}"
	if note == "" {
		return text + "\n"
	}
	// The note is as wide as the table, also where the document puts the table into a box.
	return "{\\sbox0{%\n" + text + "}%\n\\parbox{\\wd0}{\\usebox0\\par\\smallskip\\raggedright" +
		"\\footnotesize " + TexEscape(note) + "}}\n"
}

// headings returns the lines of Over and Groups with their rules.
func (g *Grid) headings() string {
	if g.Over == "" {
		return ""
	}
	last := len(g.Cells[0])
	text := fmt.Sprintf("%s\\multicolumn{%d}{c@{}}{%s} \\\\\n\\cmidrule(l){%d-%d}\n",
		strings.Repeat("& ", g.Left),
		last-g.Left, TexEscape(g.Over), g.Left+1, last)
	if len(g.Groups) == 0 {
		return text
	}
	names, rules, width := "", "", (last-g.Left)/len(g.Groups)
	for i, name := range g.Groups {
		align, from := "c", g.Left+1+i*width
		if i == len(g.Groups)-1 {
			align = "c@{}"
		}
		names += fmt.Sprintf("& \\multicolumn{%d}{%s}{%s} ", width, align, TexEscape(name))
		rules += fmt.Sprintf("\\cmidrule(l){%d-%d}", from, from+width-1)
	}
	return text + strings.Repeat("& ", g.Left-1) + names + "\\\\\n" + rules + "\n"
}

// headingLines returns the lines of the headings of columns, the last line of each below.
func (g *Grid) headingLines() [][]string {
	height := 1
	for _, heading := range g.Cells[0] {
		height = max(height, 1+strings.Count(heading, "\n"))
	}
	lines := make([][]string, height)
	for _, heading := range g.Cells[0] {
		of := strings.Split(heading, "\n")
		for i := range lines {
			line := ""
			if at := i - height + len(of); at >= 0 {
				line = of[at]
			}
			lines[i] = append(lines[i], line)
		}
	}
	return lines
}

// texRow returns a row of a table in LaTeX.
func texRow(row []string) string {
	var cells []string
	for _, cell := range row {
		cells = append(cells, texCell(cell))
	}
	if len(cells) > 0 { // not where every run of a study without axes failed
		cells[0] = texFirstCell(cells[0])
	}
	return strings.Join(cells, " & ") + ` \\` + "\n"
}

// tex returns the table as tabulars of 8 pt that fit a column of a paper, or a page where it breaks
// over pages, one under another with the same rows.
func (g Grid) tex() string {
	width := limits.OneColumnMM
	if g.isLong() {
		width = limits.TwoColumnMM
	}
	return tabulars(g.fitting(width))
}

// tabulars returns grids as tabulars of 8 pt, one under another.
func tabulars(grids []Grid) string {
	var texts []string
	for i := range grids {
		texts = append(texts, strings.TrimSuffix(grids[i].tabular(), "\n"))
	}
	return fmt.Sprintf("{\\footnotesize\\setlength{\\tabcolsep}{%dpt}%%\n%s}%%\n", texColumnGap/2,
		strings.Join(texts, "\\par\\medskip\n"))
}

// fitting returns the grid as grids that fit a width. A grid that is too wide has headings of
// several lines, and its columns of numbers are divided over several grids with the same names. If
// the names leave no room for a column, those of the first columns stand above the rows that have
// them. Where even that does not suffice, grids are as wide as they are.
func (g Grid) fitting(widthMM float64) (parts []Grid) {
	if g.texWidthMM() <= widthMM {
		return []Grid{g}
	}
	g = g.wrapped()
	for n, fit := 0, false; !fit && n < max(1, g.Left); n++ {
		lifted := g.lifted(n)
		parts, fit = lifted.divide(widthMM)
	}
	return parts
}

// wrapped returns the grid with headings broken over lines that are no wider than the widest cell
// or word of their column.
func (g Grid) wrapped() Grid {
	header := slices.Clone(g.Cells[0])
	for i := range header {
		width, text := 0.0, ""
		for _, row := range g.Cells[1:] {
			width = max(width, texTextWidth(row[i]))
		}
		words := headingWords(header[i])
		for _, word := range words {
			width = max(width, texTextWidth(word))
		}
		line := ""
		for _, word := range words {
			if longer := strings.TrimSpace(line + " " + word); texTextWidth(longer) <= width {
				line = longer
			} else {
				text, line = text+line+"\n", word
			}
		}
		header[i] = text + line
	}
	g.Cells = append([][]string{header}, g.Cells[1:]...)
	return g
}

// headingWords returns the words of a heading. A unit in parentheses is one, and so is a difference
// or a ratio, such as A / B.
func headingWords(heading string) (words []string) {
	open := false
	for _, word := range strings.Fields(heading) {
		operator := word == "-" || word == "/"
		if last := len(words) - 1; last >= 0 && (open || operator) {
			words[last] += " " + word
		} else {
			words = append(words, word)
		}
		unit := words[len(words)-1]
		open = operator || strings.HasPrefix(unit, "(") && !strings.HasSuffix(unit, ")")
	}
	return words
}

// lifted returns the grid with the names of its first n columns above the rows that have them.
func (g Grid) lifted(n int) Grid {
	if n == 0 {
		return g
	}
	all := g.Cells
	g.Left, g.Cells, g.above = g.Left-n, nil, make([]string, len(all))
	for i, row := range all {
		g.Cells = append(g.Cells, row[n:])
		if i > 1 && slices.Equal(row[:n], all[i-1][:n]) || i == 0 {
			continue
		}
		var names []string
		for k, name := range row[:n] {
			names = append(names, OneLine(all[0][k])+": "+name)
		}
		g.above[i] = strings.Join(names, ", ")
	}
	return g
}

// divide divides the columns of numbers over the least number of grids that fit a width. It reports
// false if one is wider, since its names and what stands together beside them are.
func (g *Grid) divide(widthMM float64) (parts []Grid, fit bool) {
	ends, from := g.ends, 0
	if ends == nil {
		for i := range max(1, len(g.Cells[0])-g.Left) {
			ends = append(ends, min(i+1, len(g.Cells[0])-g.Left))
		}
	}
	fit = true
	for i, to := range ends {
		part := g.columns(from, to)
		fit = fit && part.texWidthMM() <= widthMM
		if i+1 < len(ends) {
			if longer := g.columns(from, ends[i+1]); longer.texWidthMM() <= widthMM {
				continue
			}
		}
		parts, from = append(parts, part), to
	}
	return parts, fit
}

// columns returns the grid with its names and some of its columns of numbers.
func (g *Grid) columns(from, to int) Grid {
	part := *g
	part.Cells, part.verdicts = nil, g.verdicts && g.Left+to == len(g.Cells[0])
	for _, row := range g.Cells {
		part.Cells = append(part.Cells, slices.Concat(row[:g.Left], row[g.Left+from:g.Left+to]))
	}
	return part
}

// texColumnGap is the distance of two columns in LaTeX, in pt.
const texColumnGap = 8

// texWidthMM bounds the width of the grid in LaTeX with cmr8, the widest of the fonts of papers.
func (g *Grid) texWidthMM() float64 {
	const pt = 25.4 / 72.27 // mm
	all, numbers := 0.0, 0.0
	groups := make([]float64, len(g.Groups)) // widths of their columns
	for column := range g.Cells[0] {
		width := 0.0
		for n, row := range g.Cells {
			width = max(width, texTextWidth(row[column]))
			if n == 0 {
				width = headingWidth(row[column])
			}
		}
		if all += width + texColumnGap; column >= g.Left {
			numbers += width + texColumnGap
			if n := len(groups); n > 0 {
				groups[(column-g.Left)*n/(len(g.Cells[0])-g.Left)] += width + texColumnGap
			}
		}
	}
	for i, name := range g.Groups {
		wider := max(0, texTextWidth(name)+texColumnGap-groups[i])
		all, numbers = all+wider, numbers+wider
	}
	all += max(0, texTextWidth(g.Over)-numbers+texColumnGap)
	for _, line := range g.above {
		all = max(all, texTextWidth(line)+texColumnGap)
	}
	return (all - texColumnGap) * pt
}

// headingWidth is texTextWidth of the longest line of a heading.
func headingWidth(heading string) (pt float64) {
	for line := range strings.SplitSeq(heading, "\n") {
		pt = max(pt, texTextWidth(line))
	}
	return pt
}

// texTextWidth bounds the width of a text, or of a number as a formula, in cmr8, in pt.
func texTextWidth(text string) (pt float64) {
	if n := len(text); n > 1 && text[0] == '$' && text[n-1] == '$' {
		text = strings.NewReplacer(` \pm `, "±", `\,`, "\u2009", "-", "−", "^{", "", "}", "",
			marks[0].tex, marks[0].text, marks[1].tex, marks[1].text).Replace(text[1 : n-1])
	}
	for _, r := range text {
		switch i := int(r - ' '); {
		case i >= 0 && i < len(cmr8Widths):
			pt += float64(cmr8Widths[i]) / 10
		case r == '\u2009':
			pt += 1.42
		case r == '−':
			pt += 6.62
		case r == '†' || r == '‡': // of cmsy6, raised
			pt += 4.2
		default: // ± with its spaces is 10.4 pt
			pt += 10.4
		}
	}
	return pt
}

// cmr8Widths are the widths of the printable characters of ASCII in cmr8, in 0.1 pt, rounded up
// (cmr8.tfm); of those with a meaning in LaTeX, of what TexEscape makes of them.
var cmr8Widths = [...]uint8{
	29, 24, 43, 71, 43, 71, 67, 24, 34, 34, 43, 67, 24, 29, 24, 43,
	43, 43, 43, 43, 43, 43, 43, 43, 43, 43, 24, 24, 67, 67, 67, 41,
	67, 64, 61, 62, 65, 58, 56, 67, 64, 31, 44, 67, 54, 78, 64, 67,
	58, 67, 63, 48, 62, 64, 64, 88, 64, 64, 52, 24, 43, 24, 43, 43,
	24, 43, 48, 38, 48, 38, 26, 43, 48, 24, 26, 45, 24, 71, 48, 43,
	48, 45, 34, 34, 34, 48, 45, 62, 45, 45, 38, 43, 43, 43, 43,
}

// texFormulas sets the headings of differences and ratios as formulas.
var texFormulas = strings.NewReplacer("A - B", "$A - B$", "A / B", "$A / B$")

// texCell returns a table cell in LaTeX. It keeps a measured number between dollars and escapes
// anything else as text.
func texCell(s string) string {
	if len(s) < 3 || s[0] != '$' || s[len(s)-1] != '$' {
		return TexEscape(s)
	}
	number, _ := cutTexMarks(s[1 : len(s)-1])
	formula := strings.ReplaceAll(number, `\,`, "")
	for part := range strings.SplitSeq(formula, ` \pm `) {
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
	"<", "$<$", ">", "$>$", "|", "$|$", "±", `$\pm$`, "†", `$^{\dagger}$`,
	"‡", `$^{\ddagger}$`, "\n", " ", "\r", " ",
)

package tables

import (
	"cmp"
	"strconv"
	"strings"
)

// texCell returns a table cell in LaTeX. It keeps a measured number between
// dollars and escapes anything else as text.
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

// texFirst protects a cell at the beginning of a row. After the end of the row
// before it, a bracket would begin a length, and a star would belong to the
// command.
func texFirst(cell string) string {
	if strings.HasPrefix(cell, "[") || strings.HasPrefix(cell, "*") {
		return "{}" + cell
	}
	return cell
}

// texComment removes line ends, so that a text stays in its line of comment.
func texComment(s string) string { return strings.NewReplacer("\n", " ", "\r", " ").Replace(s) }

// TexEscape escapes a text so that LaTeX prints its characters unchanged.
func TexEscape(s string) string { return texEscapes.Replace(s) }

var texEscapes = strings.NewReplacer(
	"%", `\%`, "_", `\_`, "&", `\&`, "#", `\#`, "$", `\$`, "{", `\{`, "}", `\}`,
	`\`, `\textbackslash{}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	"<", "$<$", ">", "$>$", "|", "$|$", "±", `$\pm$`, "\n", " ", "\r", " ",
)

// texPackages names the packages that a document with a table needs.
const texPackages = "% \\usepackage{booktabs} in the preamble\n"

// texNames replaces labels in the first columns of a table by the names that figures print.
func texNames(grid [][]string, left int, given map[string]any) {
	var labels []string
	for _, row := range grid[1:] {
		labels = append(labels, row[:left]...)
	}
	names := PrintedNames(labels, given)
	for _, row := range grid[1:] {
		for i, label := range row[:left] {
			row[i] = cmp.Or(names[label], label)
		}
	}
}

// tabular returns a tabular with booktabs rules, whose columns have these letters.
func tabular(grid [][]string, columns string) string {
	var b strings.Builder
	b.WriteString(`\begin{tabular}{` + columns + "}\n\\toprule\n")
	for n, row := range grid {
		for i := range row {
			row[i] = texCell(row[i])
			if n == 0 {
				row[i] = texMath.Replace(row[i])
			}
		}
		if len(row) > 0 { // not where every run of a study without axes failed
			row[0] = texFirst(row[0])
		}
		b.WriteString(strings.Join(row, " & ") + ` \\` + "\n")
		if n == 0 {
			b.WriteString("\\midrule\n")
		}
	}
	return b.String() + "\\bottomrule\n\\end{tabular}\n"
}

// texMath has the headings of differences and ratios.
var texMath = strings.NewReplacer("A - B", "$A - B$", "A / B", "$A / B$")

// markdownCell escapes the characters that would end a table cell, begin HTML,
// code, emphasis or mathematics, or make a link. Underscores inside words have no
// meaning and stay.
func markdownCell(s string) string { return markdownCells.Replace(s) }

var markdownCells = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "<", `\<`, "&", `\&`, "*", `\*`, "`", "\\`", "$", `\$`, "](", `]\(`, "\n",
	" ", "\r", " ",
)

// MarkdownProse escapes a title or a sentence of a study, in which authors may
// use emphasis and links.
func MarkdownProse(s string) string {
	return strings.NewReplacer("<", `\<`, "\n", " ", "\r", " ").Replace(s)
}

// OneLine replaces each run of white space by one space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

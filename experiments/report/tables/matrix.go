package tables

import (
	"fmt"
	"math"
	"strings"

	"contend/experiments/stats"
	"contend/internal/input"
)

// Matrix is a table of estimates by rows and columns, as papers print it.
type Matrix struct {
	// Keys are the headings of the columns that name the rows, Over that of the columns of numbers.
	Keys []string
	Over string
	// Names has the names of each row, Columns those of the columns of numbers.
	Names   [][]string
	Columns []string
	// Cells has the rows of estimates; the mean of a cell without a number is NaN.
	Cells [][]stats.Estimate
}

// Grid returns the matrix as text, with numbers that number writes.
func (m *Matrix) Grid(number func(stats.Estimate) string) Grid {
	left := len(m.Keys)
	g := Grid{Left: left, Over: m.Over,
		Cells: [][]string{append(m.Keys[:left:left], m.Columns...)}}
	for i, names := range m.Names {
		row := names[:left:left]
		for _, e := range m.Cells[i] {
			cell := ""
			if !math.IsNaN(e.Mean) {
				cell = number(e)
			}
			row = append(row, cell)
		}
		g.Cells = append(g.Cells, row)
	}
	return g
}

// TeX returns the matrix as a tabular of 8 pt that fits a width, and whether it has the intervals:
// where these do not fit it has the means alone, with the same digits. It reports false for a
// matrix that is wider without them too.
func (m *Matrix) TeX(widthMM float64) (text string, intervals, fits bool) {
	for _, form := range []struct {
		number    func(stats.Estimate) string
		intervals bool
	}{{texNumber, true}, {func(e stats.Estimate) string { return texDigits(Rounded(e)) }, false}} {
		if g := m.Grid(form.number); g.texWidthMM() <= widthMM {
			return fmt.Sprintf("{\\footnotesize\\setlength{\\tabcolsep}{%dpt}%%\n%s}%%\n", texColumnGap/2,
				strings.TrimSuffix(g.tabular(""), "\n")), form.intervals, true
		}
	}
	return "", false, false
}

// TooWide returns the error of the matrix called name, which does not fit a width.
func (m *Matrix) TooWide(name string, widthMM float64) error {
	g := m.Grid(Rounded)
	return &input.Error{Where: "figure " + name,
		Problem: fmt.Sprintf("the table is about %.0f mm wide, and its page %.4g mm", g.texWidthMM(),
			widthMM),
		Right: "give width_mm = 174, which is two columns, shorter names in labels, or the key of the " +
			"columns in rows"}
}

// texColumnGap is the distance of two columns of a Matrix in LaTeX, in pt.
const texColumnGap = 8

// texWidthMM bounds the width of the grid in LaTeX with cmr8, the widest of the fonts of papers.
func (g *Grid) texWidthMM() float64 {
	const pt = 25.4 / 72.27 // mm
	all, numbers := 0.0, 0.0
	for column := range g.Cells[0] {
		width := 0.0
		for _, row := range g.Cells {
			width = max(width, texTextWidth(row[column]))
		}
		if all += width + texColumnGap; column >= g.Left {
			numbers += width + texColumnGap
		}
	}
	return (all - texColumnGap + max(0, texTextWidth(g.Over)-numbers+texColumnGap)) * pt
}

// texTextWidth bounds the width of a text, or of a number as a formula, in cmr8, in pt.
func texTextWidth(text string) (pt float64) {
	if n := len(text); n > 1 && text[0] == '$' && text[n-1] == '$' {
		text = strings.NewReplacer(` \pm `, "±", `\,`, "\u2009", "-", "−").Replace(text[1 : n-1])
	}
	for _, r := range text {
		switch i := int(r - ' '); {
		case i >= 0 && i < len(cmr8Widths):
			pt += float64(cmr8Widths[i]) / 10
		case r == '\u2009':
			pt += 1.42
		case r == '−':
			pt += 6.62
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

package tables

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/experimentstest"
	"contend/experiments/plot/limits"
	"contend/experiments/studies"
)

// The tables of all built-in studies, with numbers of 7 digits and their intervals, fit a column of
// a paper, or its page where they are longer than that, and have every cell once.
func TestTablesOfStudiesFitAColumn(t *testing.T) {
	t.Parallel()
	for _, name := range studies.Names() {
		r := experimentstest.Filled(t, name)
		for _, g := range append(latex.differences(r), latex.studyTable(r)) {
			width := limits.OneColumnMM
			if g.isLong() {
				width = limits.TwoColumnMM
			}
			joined := make([][]string, len(g.Cells)-1)
			for _, part := range g.fitting(width) {
				if mm := part.texWidthMM(); mm > width || len(part.Cells) != len(g.Cells) {
					t.Errorf("%s has a table of %d rows and %.0f mm, want %d in %v mm", name, len(part.Cells),
						mm, len(g.Cells), width)
				}
				for i, row := range part.Cells[1:] {
					joined[i] = append(joined[i], row[part.Left:]...)
				}
			}
			for i, row := range g.Cells[1:] {
				if diff := cmp.Diff(row[g.Left:], joined[i]); diff != "" {
					t.Errorf("%s, row %d (-table +parts):\n%s", name, i, diff)
				}
			}
		}
	}
}

// A table that is too wide has headings of several lines. Its metrics are divided over tabulars
// with the same names, each beside what was published of it; the last column of text is that of the
// last. Names that leave no room stand above their rows, the slowest axis first.
func TestWideTablesAreDivided(t *testing.T) {
	g := Grid{Left: 2, ends: []int{1, 4, 5}, verdicts: true, Cells: [][]string{
		{"a pattern", "b", "Wait time / MBS", "Time (time units)", "published", "ratio", "verdict"},
		{"[ring", "1", "$1.1$", "$9$", "9", "1.00", "longer"},
		{"[ring", "2", "$1.2$", "$8$", "8", "1.00", ""},
		{"n_body", "1", "$1.3$", "$12\\,345$", "", "", "the same"}}}
	rows := func(width float64) string {
		text := tabulars(g.fitting(width))
		_, text, _ = strings.Cut(text, "%\n")
		return strings.NewReplacer("\\toprule\n", "", "\\bottomrule\n", "", "\\end{tabular}", "",
			"\\begin{tabular}", "").Replace(text)
	}
	for width, want := range map[float64]string{
		120: `{@{}llrrrrl@{}}
a pattern & b & Wait time / MBS & Time (time units) & published & ratio & verdict \\
\midrule
{}[ring & 1 & $1.1$ & $9$ & 9 & 1.00 & longer \\
{}[ring & 2 & $1.2$ & $8$ & 8 & 1.00 &  \\
n\_body & 1 & $1.3$ & $12\,345$ &  &  & the same \\
}%
`,
		80: `{@{}llrrrr@{}}
a &  & Wait & Time &  &  \\
pattern & b & time / MBS & (time units) & published & ratio \\
\midrule
{}[ring & 1 & $1.1$ & $9$ & 9 & 1.00 \\
{}[ring & 2 & $1.2$ & $8$ & 8 & 1.00 \\
n\_body & 1 & $1.3$ & $12\,345$ &  &  \\
\par\medskip
{@{}lll@{}}
a &  &  \\
pattern & b & verdict \\
\midrule
{}[ring & 1 & longer \\
{}[ring & 2 &  \\
n\_body & 1 & the same \\
}%
`,
		52: `{@{}lr@{}}
 & Wait \\
b & time / MBS \\
\midrule
\multicolumn{2}{@{}l@{}}{a pattern: [ring} \\
1 & $1.1$ \\
2 & $1.2$ \\
\addlinespace
\multicolumn{2}{@{}l@{}}{a pattern: n\_body} \\
1 & $1.3$ \\
\par\medskip
{@{}lrrr@{}}
 & Time &  &  \\
b & (time units) & published & ratio \\
\midrule
\multicolumn{4}{@{}l@{}}{a pattern: [ring} \\
1 & $9$ & 9 & 1.00 \\
2 & $8$ & 8 & 1.00 \\
\addlinespace
\multicolumn{4}{@{}l@{}}{a pattern: n\_body} \\
1 & $12\,345$ &  &  \\
\par\medskip
{@{}ll@{}}
b & verdict \\
\midrule
\multicolumn{2}{@{}l@{}}{a pattern: [ring} \\
1 & longer \\
2 &  \\
\addlinespace
\multicolumn{2}{@{}l@{}}{a pattern: n\_body} \\
1 & the same \\
}%
`,
	} {
		if diff := cmp.Diff(want, rows(width)); diff != "" {
			t.Errorf("in %v mm (-want +got):\n%s", width, diff)
		}
	}
	if rows(20) != rows(52) {
		t.Errorf("in 20 mm:\n%s", rows(20))
	}
}

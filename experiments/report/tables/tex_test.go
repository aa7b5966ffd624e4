package tables

import (
	"math"
	"strings"
	"testing"

	"contend/experiments/stats"
)

func TestTexEscape(t *testing.T) {
	for text, want := range map[string]string{
		`100% of a_b & #1`: `100\% of a\_b \& \#1`,
		`$x{y}~z^2\w`:      `\$x\{y\}\textasciitilde{}z\textasciicircum{}2\textbackslash{}w`,
		`< 0.0001 | >`:     `$<$ 0.0001 $|$ $>$`,
	} {
		if got := TexEscape(text); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// Numbers stay formulas; names in dollars do not become some.
func TestTexCell(t *testing.T) {
	for cell, want := range map[string]string{
		`$-5481 \pm 4758$`:        `$-5481 \pm 4758$`,
		`$12.5$`:                  `$12.5$`,
		`$15\,000 \pm 11\,000$`:   `$15\,000 \pm 11\,000$`,
		`$1.1 \pm 1.3^{\dagger}$`: `$1.1 \pm 1.3^{\dagger}$`,
		`$HOME$`:                  `\$HOME\$`,
		`$HOME^{\dagger}$`:        `\$HOME\textasciicircum{}\{\textbackslash{}dagger\}\$`,
		`$$`:                      `\$\$`,
		`paging:1_x`:              `paging:1\_x`,
	} {
		if got := texCell(cell); got != want {
			t.Errorf("%s is %s, want %s", cell, got, want)
		}
	}
}

// Two digits of the half width decide how many a mean has, at least two. A mark follows a mean that
// half of its interval exceeds.
func TestDigitsFollowUncertainty(t *testing.T) {
	for _, c := range []struct {
		mean, half float64
		text, tex  string
	}{
		{213.35, 22, "213 ± 22", `$213 \pm 22$`},
		{14832, 11380, "15000 ± 11000", `$15\,000 \pm 11\,000$`},
		{1.02081, 0.16, "1.02 ± 0.16", `$1.02 \pm 0.16$`},
		{41.88, 0.0996, "41.88 ± 0.10", `$41.88 \pm 0.10$`},
		{9.9, 9.96, "9.9 ± 10†", `$9.9 \pm 10^{\dagger}$`},
		{-0.04, 1.3, "-0.040 ± 1.3†", `$-0.040 \pm 1.3^{\dagger}$`},
		{0, 1.3, "0.0 ± 1.3†", `$0.0 \pm 1.3^{\dagger}$`},
		{-4e-13, 1.3, "0.0 ± 1.3†", `$0.0 \pm 1.3^{\dagger}$`}, // rounding
		{13211, 53120, "13000 ± 53000†", `$13\,000 \pm 53\,000^{\dagger}$`},
		{312, 1043, "310 ± 1000†", `$310 \pm 1000^{\dagger}$`},
		{3211, 53120, "3200 ± 53000†", `$3200 \pm 53\,000^{\dagger}$`},
		{1.3, 1.3, "1.3 ± 1.3", `$1.3 \pm 1.3$`},
		{7, math.Inf(1), "7.0000 ± +Inf†", `$7.0000 \pm +Inf^{\dagger}$`},
		{-1234567, 250, "-1234570 ± 250", `$-1\,234\,570 \pm 250$`},
		{3.5, 0, "3.5000 ± 0", `$3.5000 \pm 0$`},
		{154997, math.NaN(), "154997", `$154\,997$`},
		{0.0123456, math.NaN(), "0.012346", `$0.012346$`},
	} {
		e := stats.Estimate{Mean: c.mean, Half: c.half}
		if text, tex := MeanText(e), texNumber(e); text != c.text || tex != c.tex {
			t.Errorf("%v ± %v is %q and %q, want %q and %q", c.mean, c.half, text, tex, c.text, c.tex)
		}
	}
}

// A ratio has at least three significant digits and each end of its interval two, where the last
// decimal of half the interval leaves fewer.
func TestDigitsOfRatios(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		ratio, low, high float64
		text             string
	}{
		{1.7532, 0.0025992, 1182.6, "1.75 (0.0026 to 1183)"},
		{0.8656, 0.8572, 0.8741, "0.8656 (0.8572 to 0.8741)"}, // half 0.00845: four decimals
		{0.90357, 0.7571, 1.0784, "0.904 (0.76 to 1.08)"},     // half 0.161: two decimals
		{1.234, 1.231, 1.237, "1.2340 (1.2310 to 1.2370)"},    // half 0.0030: four decimals
		{12.0451, 4.0211, 36.08, "12.0 (4.0 to 36)"},
		{245.2, 31.14, 1931, "245 (31 to 1931)"},
		{0.0123456, 0.00099961, 0.15247, "0.0123 (0.0010 to 0.152)"}, // half 0.0757
		{1, 1e-9, 1e9, "1.00 (1.0e-09 to 1.0e+09)"},
		{1, 0, math.Inf(1), "1.00 (0 to +Inf)"},
		{0.5, nan, nan, "0.50000"}, {2, nan, nan, "2"}, {nan, nan, nan, ""},
	} {
		r := stats.PairedRatio{Mean: c.ratio, Low: c.low, High: c.high}
		if got := ratioText(&r); got != c.text {
			t.Errorf("%v (%v to %v) is %q, want %q", c.ratio, c.low, c.high, got, c.text)
		}
	}
	e := stats.Estimate{Mean: 1.7532, Half: 1.2}
	if text, tex := ratioOfMeansText(e), texRatio(e); text != "1.75 ± 1.2" ||
		tex != `$1.75 \pm 1.2$` {
		t.Errorf("a ratio of means is %q and %q", text, tex)
	}
}

// A table with a mark explains it below, in text, Markdown and LaTeX; a table without has no note.
func TestTablesExplainTheMark(t *testing.T) {
	of := func(number func(stats.Estimate) string, half float64) Grid {
		m := Matrix{Keys: []string{"key"}, Over: "over", Names: [][]string{{"row"}},
			Columns: []string{"a"}, Cells: [][]stats.Estimate{{{Mean: 300, Half: half}}}}
		return m.Grid(number)
	}
	for _, wide := range []bool{true, false} {
		half := map[bool]float64{true: 1000, false: 30}[wide]
		g := of(MeanText, half)
		for what, text := range map[string]string{"Markdown": g.text(markdown),
			"a terminal": g.text(terminal)} {
			if strings.HasSuffix(text, "|\n\n"+UnknownNote+"\n") != wide {
				t.Errorf("half %v in %s:\n%s", half, what, text)
			}
		}
		g = of(texNumber, half)
		if tex := g.tabular(); strings.Contains(tex, `\end{tabular}}%
\parbox{\wd0}{\usebox0\par\smallskip\raggedright\footnotesize $^{\dagger}$ The interval ($\pm$) is`,
		) != wide {
			t.Errorf("half %v in LaTeX:\n%s", half, tex)
		}
	}
}

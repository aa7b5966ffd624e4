package tables

import (
	"math"
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
		`$-5481 \pm 4758$`:      `$-5481 \pm 4758$`,
		`$12.5$`:                `$12.5$`,
		`$15\,000 \pm 11\,000$`: `$15\,000 \pm 11\,000$`,
		`$HOME$`:                `\$HOME\$`,
		`$$`:                    `\$\$`,
		`paging:1_x`:            `paging:1\_x`,
	} {
		if got := texCell(cell); got != want {
			t.Errorf("%s is %s, want %s", cell, got, want)
		}
	}
}

// Two digits of the half width decide how many a mean has.
func TestDigitsFollowUncertainty(t *testing.T) {
	for _, c := range []struct {
		mean, half float64
		text, tex  string
	}{
		{213.35, 22, "213 ± 22", `$213 \pm 22$`},
		{14832, 11380, "15000 ± 11000", `$15\,000 \pm 11\,000$`},
		{1.02081, 0.16, "1.02 ± 0.16", `$1.02 \pm 0.16$`},
		{41.88, 0.0996, "41.88 ± 0.10", `$41.88 \pm 0.10$`},
		{9.9, 9.96, "10 ± 10", `$10 \pm 10$`},
		{-0.04, 1.3, "0.0 ± 1.3", `$0.0 \pm 1.3$`},
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

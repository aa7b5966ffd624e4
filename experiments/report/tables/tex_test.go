package tables

import (
	"testing"
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
		`$-5481 \pm 4758$`: `$-5481 \pm 4758$`,
		`$12.5$`:           `$12.5$`,
		`$HOME$`:           `\$HOME\$`,
		`$$`:               `\$\$`,
		`paging:1_x`:       `paging:1\_x`,
	} {
		if got := texCell(cell); got != want {
			t.Errorf("%s is %s, want %s", cell, got, want)
		}
	}
}

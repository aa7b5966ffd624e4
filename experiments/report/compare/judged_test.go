package compare

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/experimentstest"
	"contend/experiments/report/tables"
	"contend/experiments/spec/spectest"
)

// Judge has the verdicts of Compare, and the cells they count.
func TestJudge(t *testing.T) {
	r := experimentstest.Compared(t, [][]float64{{90, 110}, {200, 210}, {290, 330}, {112, 116}, {395,
		405}, {1, 2}})
	judged := Judge(r, spectest.Names())
	for i, v := range Compare(r, spectest.Names()) {
		if diff := cmp.Diff(v.String(), judged[i].String()); diff != "" {
			t.Error(diff)
		}
	}
	var b strings.Builder
	for _, j := range judged[:2] {
		for _, c := range j.Cells {
			fmt.Fprintf(&b, "%s: %s for %g, ratio %.3f, %v\n", c.Name, tables.MeanText(c.Measured),
				c.Published,
				c.Ratio(), c.Within)
		}
	}
	want := `ring mbs: 100.00 ± 127 for 100, ratio 1.000, true
ring random: 205.00 ± 64 for 200, ratio 1.025, true
`
	if !strings.HasPrefix(b.String(), want) ||
		!strings.Contains(b.String(), "fft mbs: 114.00 ± 25 for 100, ratio 1.140, false\n") ||
		!strings.Contains(b.String(), "fft random: 3.5088 ± 0.22 for 4, ratio 0.877, false\n") {
		t.Errorf("cells:\n%s", b.String())
	}
	missing := Cell{Published: 2}
	if zero := (Cell{Run: true}); !math.IsNaN(missing.Ratio()) || !math.IsNaN(zero.Ratio()) {
		t.Error("a ratio without a number")
	}
}

// The line below the header of a table has a dash in each column, without which it is no table.
func TestMarkdownTableOfNarrowColumns(t *testing.T) {
	got := tables.MarkdownTable([][]string{{"A", "p"}, {"x", ""}}, 1)
	if want := "| A  |  p |\n| -- | -: |\n| x  |    |\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

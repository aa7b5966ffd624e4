package report

import (
	"testing"

	"contend/experiments/report/tables"
)

// The line below the header of a table has a dash in each column, without which it is no table.
func TestMarkdownTableOfNarrowColumns(t *testing.T) {
	got := tables.MarkdownTable([][]string{{"A", "p"}, {"x", ""}}, 1)
	if want := "| A  |  p |\n| -- | -: |\n| x  |    |\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

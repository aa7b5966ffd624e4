package tables

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/study"
)

// Without published figures the relative column stands alone; with them a cell
// that was not printed is left empty.
func TestRelativeColumn(t *testing.T) {
	for _, c := range []struct{ published, want string }{
		{"", `
| variant    | allocator | finish_time / first-fit | finish_time (cycles) |
| ---------- | --------- | ----------------------: | -------------------: |
| plain      | mbs       |                 0.50000 |                  100 |
| plain      | first-fit |                       1 |                  200 |
| deep, fast | mbs       |                 0.75000 |                  300 |
| deep, fast | first-fit |                       1 |                  400 |
`},
		{"\n[published]\ncsv = \"network.buffer_flits,allocator,finish_time\\n" +
			"2,mbs,3\\n2,first-fit,4\"\n", "\n" +
			"| variant    | allocator | finish_time / first-fit | published | ratio |" +
			" finish_time (cycles) | published | ratio |\n" +
			"| ---------- | --------- | ----------------------: | --------: | ----: |" +
			" -------------------: | --------: | ----: |\n" +
			"| plain      | mbs       |                 0.50000 |    0.7500 |  0.67 |" +
			"                  100 |    3.0000 | 33.33 |\n" +
			"| plain      | first-fit |                       1 |     1.000 |  1.00 |" +
			"                  200 |    4.0000 | 50.00 |\n" +
			"| deep, fast | mbs       |                 0.75000 |           |       |" +
			"                  300 |           |       |\n" +
			"| deep, fast | first-fit |                       1 |           |       |" +
			"                  400 |           |       |\n"},
	} {
		st := experimentstest.MustParse(t, configtest.VariantsStudy+
			"[table]\nrelative_to = \"first-fit\"\n"+c.published)
		if err := st.SetAxis("variant", `plain,"deep, fast"`); err != nil {
			t.Fatal(err)
		}
		st.Runs.Replications = 2
		r := experimentstest.Stored(t, st, config.Builtin(), func(i int,
			_ *study.Point) []metrics.Result {
			value := 100 * float64(i+1)
			return experimentstest.OfMetric("finish_time", value, value)
		})
		_, table, _ := strings.Cut(Markdown(r), "replications.\n")
		if diff := cmp.Diff(c.want, table); diff != "" {
			t.Error(diff)
		}
	}
}

// The line below the header of a table has a dash in each column, without which it is no table.
func TestMarkdownTableOfNarrowColumns(t *testing.T) {
	got := MarkdownTable([][]string{{"A", "p"}, {"x", ""}}, 1)
	if want := "| A  |  p |\n| -- | -: |\n| x  |    |\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

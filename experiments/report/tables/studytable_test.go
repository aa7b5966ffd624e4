package tables

import (
	"bytes"
	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/must"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Tables of waits have a column of the growth of the queue where it grows; those of finish times
// have none.
func TestGrowingQueuesHaveAColumn(t *testing.T) {
	for metric, want := range map[string]string{"wait_time": ",25", "finish_time": ""} {
		st := experimentstest.MustParse(t, "name = \"s\"\nprimary = [\""+metric+"\"]\n[workload]\n"+
			"jobs = 10\n[runs]\nreplications = 2\n[[axes]]\nkey = \"allocator\"\n"+
			"values = [\"mbs\", \"random\"]\n")
		r := experimentstest.Stored(t, st, config.Builtin(), func(i int,
			_ *study.Point) []metrics.Result {
			runs := experimentstest.OfMetric(metric, 100, 110)
			if i == 1 {
				runs[0].Metrics = append(runs[0].Metrics, metrics.Metric{Name: "queue_growth", Value: 25})
			}
			return runs
		})
		var got []string
		for _, row := range Table(r).Cells[1:] {
			got = append(got, row[2:]...)
		}
		if text := strings.Join(got, ","); text != want {
			t.Errorf("%s: the last columns are %q, want %q", metric, text, want)
		}
	}
}

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
			"| plain      | mbs       |                 0.50000 |    0.7500 | 0.667 |" +
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
		must.Have(0, st.SetAxis("variant", `plain,"deep, fast"`))
		st.Runs.Replications = 2
		r := experimentstest.Stored(t, st, config.Builtin(), func(i int,
			_ *study.Point) []metrics.Result {
			value := 100 * float64(i+1)
			return experimentstest.OfMetric("finish_time", value, value)
		})
		_, table, _ := strings.Cut(Terminal(r), "replications.\n")
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

// classed are results of one point with replications of the given metrics.
func classed(t *testing.T, text string, runs ...map[string]float64) *experiments.Results {
	t.Helper()
	st := experimentstest.MustParse(t, text)
	return experimentstest.Stored(t, st, config.Builtin(), func(i int,
		_ *study.Point) (all []metrics.Result) {
		if i > 0 {
			return nil
		}
		for _, values := range runs {
			var r metrics.Result
			for _, name := range slices.Sorted(maps.Keys(values)) {
				r.Metrics = append(r.Metrics, metrics.Metric{Name: name, Value: values[name]})
			}
			all = append(all, r)
		}
		return all
	})
}

// classes.csv by hand: waits of 10 and 14 have mean 12 and half width 12.706205 times
// sqrt(8)/sqrt(2) = 25.412, which the interval has above only; a class that one replication
// lacks has no interval.
func TestClassesFile(t *testing.T) {
	r := classed(t, "name = \"s\"\n[runs]\nreplications = 2\nsize_classes = true\n"+
		"[[axes]]\nkey = \"allocator\"\nvalues = [\"mbs\"]\n",
		map[string]float64{"wait_time": 9, "wait_time_size_4": 10, "jobs_size_4": 3},
		map[string]float64{"wait_time": 9, "wait_time_size_4": 14, "jobs_size_4": 3,
			"wait_time_size_131072": 7, "wait_time_size_1": 2})
	var b bytes.Buffer
	must.Have(0, WriteClasses(r, &b))
	want := `allocator,least_processors,most_processors,metric,unit,mean,ci_half_width,` +
		`replications,ci_low,ci_high
mbs,1,1,wait_time,cycles,2,,1,,
mbs,4,7,jobs,jobs,3,,2,,
mbs,4,7,wait_time,cycles,12,25.41241,2,0,37.41241
mbs,131072,,wait_time,cycles,7,,1,,
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// A terminal shows names as commands take them, and no escapes; Markdown has both.
func TestTerminalHasNoEscapes(t *testing.T) {
	g := Grid{Heading: "a<b", Notes: []string{"p < 1", "q"}, Cells: [][]string{{"A*", "p"},
		{"x|y", "< 0.0001"}}, Left: 1}
	for _, c := range []struct {
		f    form
		want string
	}{
		{terminal, "\n**a<b**\n\np < 1\nq\n\n| A*  |        p |\n| --- | -------: |\n" +
			"| x|y | < 0.0001 |\n"},
		{markdown, "\n**a\\<b**\n\np \\< 1\nq\n\n| A\\*  |         p |\n| ---- | --------: |\n" +
			"| x\\|y | \\< 0.0001 |\n"},
	} {
		if diff := cmp.Diff(c.want, g.text(c.f)); diff != "" {
			t.Error(diff)
		}
	}
}

// A metric of a class of jobs says which jobs these are.
func TestWordsOfClasses(t *testing.T) {
	for metric, want := range map[string]string{
		"response_time_size_128":   "Response time, jobs of 128 to 255 nodes (cycles)",
		"wait_time_size_1":         "Wait time, jobs of 1 node (cycles)",
		"wait_time_size_131072":    "Wait time, jobs of 131072 nodes or more (cycles)",
		"jobs_size_2":              "Jobs of 2 to 3 nodes (cycles)",
		"response_time_size_small": "Response time size small (cycles)",
	} {
		if got := AxisTitle(metric, "cycles"); got != want {
			t.Errorf("%s is %q, want %q", metric, got, want)
		}
	}
}

// A metric in seconds that no run has since its clock counts seconds is there under its other name;
// where the clock counts cycles both may be asked for.
func TestSecondsOfAClockInSeconds(t *testing.T) {
	const machine = "name = \"s\"\nmachine.topology = \"mesh:4x4\"\nnetwork.cycle = \"1 ns\"\n" +
		"job.quota.iterations = 1\ntable.metrics = [\"messages\", \"service_time_s\"]\n"
	for text, want := range map[string][]string{
		"workload.source = \"list\"\nworkload.list = [{ pattern = \"ring\", processes = 4 }]\n": {
			"messages", "service_time"},
		"workload.source = \"together\"\nworkload.processes = 4\n": {"messages", "service_time_s"},
	} {
		r := experimentstest.Recorded(t, machine+text, experiments.Tables{})
		if got := tableMetrics(r); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

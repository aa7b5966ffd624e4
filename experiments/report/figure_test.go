package report

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/must"
)

// A figure may show numbers in another unit than the key has; names stay.
func TestScalesOfFigures(t *testing.T) {
	r := stored(t, `
name = "scales"
[[axes]]
key = "job.pattern"
values = ["ring", "fft"]
[[axes]]
key = "job.flits"
values = [8, 512]
[[figures]]
name = "a"
kind = "lines"
x = "job.flits"
x_scale = 0.5
x_label = "Flits / 2"
series = "job.pattern"
series_scale = 2.0
metric = "latency"
[[figures]]
name = "b"
kind = "lines"
x = "job.pattern"
series = "job.flits"
series_scale = 0.001953125
metric = "latency"
`, "latency", func(i int, _ []string) []float64 { return []float64{float64(i)} })
	st := r.Study
	type line struct {
		Name string
		X, Y []float64
		At   []string // names along the abscissa
	}
	var got []line
	for _, f := range st.Figures {
		d, ok := figureOf(r, &f)
		if !ok {
			t.Fatalf("figure %s has no numbers", f.Name)
		}
		for _, s := range d.Series {
			got = append(got, line{s.Name, s.X, s.Y, d.Categories})
		}
	}
	want := []line{
		{"ring", []float64{4, 256}, []float64{0, 1}, nil},
		{"fft", []float64{4, 256}, []float64{2, 3}, nil},
		{"0.01562", nil, []float64{0, 2}, []string{"ring", "fft"}},
		{"1", nil, []float64{1, 3}, []string{"ring", "fft"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// clockStudy has an axis that changes the clock of runs: jobs of its base send messages.
const clockStudy = `
name = "clocks"
primary = ["finish_time"]
[machine]
dims = [4, 4]
[workload]
jobs = 20
side.max = 2
[job]
quota = { distribution = "fixed", messages = 20 }
[runs]
replications = 1
[[axes]]
key = "job.run"
values = ["fixed", "messages"]
[[figures]]
name = "finish"
kind = "bars"
x = "job.run"
metric = "finish_time"
`

// Labels have the unit of the runs that are shown, and not that of the study's base.
func TestUnitsAreThoseOfTheRuns(t *testing.T) {
	r := experimentstest.Recorded(t, clockStudy, experiments.Tables{Jobs: true})
	for want, where := range map[string]map[string]any{
		"(time units)":           {"job.run": "fixed"},
		"(cycles)":               {"job.run": "messages"},
		"(time units or cycles)": nil,
	} {
		f := r.Study.Figures[0]
		f.Where = where
		d, ok := figureOf(r, &f)
		if !ok || !strings.HasSuffix(d.Y.Label, want) {
			t.Errorf("bars of %v have the label %q", where, d.Y.Label)
		}
		box := draw(t, r, study.Figure{Kind: "box", Metric: "service_time", Where: where})
		if label := box.(plot.Figure).Y.Label; !strings.HasSuffix(label, want) {
			t.Errorf("boxes of %v have the label %q", where, label)
		}
	}
	if text := tables.Markdown(r); !strings.Contains(text, "Finish time (time units or cycles)") {
		t.Error(text)
	}
}

// An interval ends at the least and the greatest value possible wherever its ends are written or
// drawn. Of two values d apart its half is 12.7062 d / 2: 1 ± 12.7, 2 ± 12.7 of components, of
// which no job has less than one, 97 ± 25 of a share, and of an error, which may exceed 100%.
func TestIntervalsEndAtPossibleValues(t *testing.T) {
	for _, k := range []struct {
		metric, low, high string
		values            []float64
	}{
		{"wait_time", "0", "13.7062", []float64{0, 2}}, {"components", "1", "14.7062047", []float64{1, 3}},
		{"wait_time", "8.72938", "11.27062", []float64{9.9, 10.1}},
		{"utilization", "71.5875905", "100", []float64{95, 99}},
		{"utilization", "0", "100", []float64{3, 97}},
		{"service_time_error", "71.5875905", "122.412409", []float64{95, 99}},
	} {
		r := stored(t, "name = \"i\"\nprimary = [\""+k.metric+"\"]\n[[figures]]\nname = \"i\"\n"+
			"kind = \"bars\"\nx = \"workload.jobs\"\nmetric = \""+k.metric+"\"\n[[axes]]\n"+
			"key = \"workload.jobs\"\nvalues = [10]\n", k.metric,
			func(int, []string) []float64 { return k.values })
		var b strings.Builder
		must.Have(0, tables.WriteSummary(r, &b))
		row := strings.Split(strings.Split(b.String(), "\n")[1], ",")
		if low, high := row[len(row)-2], row[len(row)-1]; low != k.low || high != k.high {
			t.Errorf("%s %v: summary.csv has %s to %s, want %s to %s", k.metric, k.values, low, high,
				k.low, k.high)
		}
		c := (&drawing{results: r, figure: &r.Study.Figures[0]}).cellOf(0)
		unit := row[2]
		if low, high := decimal.InUnit(unit, c.low), decimal.InUnit(unit, c.high); low != k.low ||
			high != k.high {
			t.Errorf("%s %v: the figure has %s to %s", k.metric, k.values, low, high)
		}
	}
}

// Values of compared cases vary together with the draw of the jobs; their differences do not.
func TestDifferencesArePaired(t *testing.T) {
	values := func(i int, _ []string) []float64 {
		return [][]float64{{100, 200, 300}, {109, 210, 311}}[i]
	}
	r := stored(t, "name = \"d\"\n[[axes]]\nkey = \"allocator\"\nvalues = [\"mbs\", \"random\"]\n"+
		"[[figures]]\nname = \"d\"\nkind = \"difference\"\nx = \"allocator\"\n"+
		"relative_to = \"mbs\"\nmetric = \"wait_time\"\n", "wait_time", values)
	f := &r.Study.Figures[0]
	d, ok := figureOf(r, f)
	if !ok || len(d.Categories) != 1 || d.Y.Label != "Wait time − MBS (cycles)" {
		t.Fatalf("drawn %v: %v, label %q", ok, d.Categories, d.Y.Label)
	}
	s := d.Series[0]
	if s.Y[0] != 10 || s.Low[0] < 7 || s.High[0] > 13 {
		t.Errorf("%v from %v to %v, want 10 within 3", s.Y, s.Low, s.High)
	}

}

// Tables, files and captions have the error of jumps in intervals, and mark it where it is unknown:
// only at points that jump, and only for metrics without an interval of their own. With one
// replication the interval is that of jumps; a study without jumps shows nothing of it.
func TestErrorsOfJumpsStandWhereTheyAre(t *testing.T) {
	jumping := func(values, replications string, errors []float64) *experiments.Results {
		st := experimentstest.MustParse(t, `name = "j"
primary = ["service_time", "finish_time"]
[runs]
replications = `+replications+`
[[axes]]
key = "runs.fast_forward"
values = `+values+`
[[axes]]
key = "allocator"
values = ["mbs", "random"]
[[figures]]
name = "service"
kind = "bars"
x = "allocator"
series = "runs.fast_forward"
metric = "service_time"
[[figures]]
name = "finish"
kind = "bars"
x = "allocator"
series = "runs.fast_forward"
metric = "finish_time"
[[figures]]
name = "table"
kind = "table"
rows = ["runs.fast_forward"]
columns = "allocator"
metric = "finish_time"
`)
		return experimentstest.Stored(t, st, config.Builtin(), func(i int,
			p *study.Point) (runs []metrics.Result) {
			for rep, e := range errors {
				service := float64(100+10*rep) * float64(1+i)
				run := metrics.Result{Metrics: []metrics.Metric{{Name: "finish_time", Value: 9 * service},
					{Name: "service_time", Value: service}}}
				if p.Spec.FastForward > 0 {
					run.Metrics = append(run.Metrics, metrics.Metric{Name: "service_time_error", Value: e})
				}
				runs = append(runs, run)
			}
			return runs
		})
	}
	text := func(write func(*experiments.Results, io.Writer) error, r *experiments.Results) string {
		var b strings.Builder
		must.Have(0, write(r, &b))
		return b.String()
	}
	caption := func(r *experiments.Results, i int) string {
		f := &r.Study.Figures[i]
		d, _ := figureOf(r, f)
		c := captionOf(r, f, &d)
		return c.title() + " " + c.body()
	}
	const unknown = "The error that jumps over time leave in finish time is unknown "

	mixed := jumping("[0, 0.05]", "3", []float64{2, 3, 4})
	table := tables.Markdown(mixed)
	pageHas(t, table, " 110 ± 25 |            990 ± 220 |",
		" 330 ± 75 |          2970 ± 670‡ |",
		tables.JumpNote, "replications, with the error of jumps over time.")
	pageHas(t, tables.TeX(mixed), `$2970 \pm 670^{\ddagger}$`, `$^{\ddagger}$ The error that jumps`)
	pageHas(t, text(tables.WriteSummary, mixed), ",ci_high,jumps\n",
		"0.05,mbs,service_time,cycles,330,75.20543,3,,,254.7946,405.2054,included\n",
		"0.05,mbs,finish_time,cycles,2970,670.7172,3,,,2299.283,3640.717,unknown\n",
		"0,mbs,finish_time,cycles,990,223.5724,3,,,766.4276,1213.572,\n")
	pageHas(t, text(tables.WriteJSON, mixed), `"jumps": "included"`, `"jumps": "unknown"`)
	pageHas(t, caption(mixed, 0), "by Student's t, with the error of jumps over time.")
	hasNot(t, caption(mixed, 0), "unknown")
	pageHas(t, caption(mixed, 1), "by Student's t. "+unknown+"at 0.05 mbs, 0.05 random, and")
	pageHas(t, caption(mixed, 2), unknown+"at 0.05 mbs, 0.05 random, and")
	m := matrixOf(mixed, &mixed.Study.Figures[2]).Plain()
	pageHas(t, tables.MarkdownTable(m.Cells, m.Left), "990 ± 220 |", "2970 ± 670‡ |", tables.JumpNote)
	pairs := must.Have(tables.CompareBy(mixed, "allocator"))
	// Of 3 and 4 times 100, 110 and 120 jumps leave 10.1 and 10.1 · 4/3; the ratio is 0.75 always.
	pageHas(t, pairs.Markdown([]string{"service_time", "finish_time"}),
		"-110 ± 34 | 0.750 (0.705 to 0.798) |",
		"-990 ± 220‡ | 0.75000‡ |", tables.JumpNote,
		"Intervals and p have the errors of jumps over time at both values")

	one := jumping("[0.05, 0.1]", "1", []float64{3.6})
	pageHas(t, tables.Markdown(one), "One replication: intervals (95%) are of the error of jumps",
		"100.0 ± 3.6 |", "900‡ |")
	pageHas(t, caption(one, 0), "Whiskers: 95% intervals of the error of jumps over time.")
	pageHas(t, caption(one, 1), unknown+"at all points, and no interval has it.")
	pageHas(t, tables.Terminal(one), "900‡ |", tables.JumpNote)

	exact, full := jumping("[0.05]", "3", []float64{0, 0, 0}), jumping("[0]", "3", []float64{0, 0, 0})
	for _, r := range []*experiments.Results{exact, full} {
		hasNot(t, tables.Markdown(r)+caption(r, 0)+caption(r, 1), "‡", "unknown", "half width of")
	}
	hasNot(t, text(tables.WriteSummary, full), "jumps")
	pageHas(t, text(tables.WriteSummary, exact), "finish_time,cycles,990,223.5724,3,,,766.4276,1213.572,\n")
}

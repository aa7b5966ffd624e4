package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config/configtest"
	"contend/experiments/plot"
	"contend/experiments/study"
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
		d, ok := drawing(r, f, configtest.Names())
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

// axesStudy has figures of several kinds whose axes it does not name, and one whose axes it does.
const axesStudy = `
name = "axes"
[[axes]]
key = "allocator"
values = ["mbs", "random"]
[[axes]]
key = "job.flits"
values = [8, 512]
[[figures]]
name = "metric"
kind = "bars"
x = "job.flits"
series = "allocator"
metric = "response_time"
[[figures]]
name = "ratio"
kind = "lines"
x = "job.flits"
series = "allocator"
metric = "response_time"
relative_to = "mbs"
[[figures]]
name = "gain"
kind = "lines"
x = "job.flits"
series = "allocator"
metric = "response_time"
relative_to = "mbs"
gain = true
[[figures]]
name = "named"
kind = "bars"
x = "job.flits"
series = "allocator"
metric = "response_time"
x_label = "length"
y_label = "delay"
[[figures]]
name = "jobs"
kind = "scatter"
x = "submit"
series = "allocator"
metric = "wait_time"
where = { "job.flits" = 8 }
`

// An axis that a study does not name says what it shows.
func TestAxesThatNobodyNames(t *testing.T) {
	r := stored(t, axesStudy, "response_time", func(int, []string) []float64 { return []float64{1} })
	st := r.Study
	var got [][2]string
	for _, f := range st.Figures {
		d, _ := drawing(r, f, configtest.Names())
		got = append(got, [2]string{d.X.Label, d.Y.Label})
		if f.Gain && d.Legend == plot.NoLegend { // of the only line, which is not that of MBS
			t.Error("nothing says whose gain it is")
		}
	}
	for _, f := range []study.Figure{{Kind: "sizes", X: "size", Metric: "jobs"},
		{Kind: "sizes", X: "rank", Series: "allocator", Metric: "mean_hops", Relative: "mbs"}} {
		got = append(got, [2]string{sizesAbscissa(&f), sizesOrdinate(r, &f)})
	}
	want := [][2]string{{"Flits", "Response time (cycles)"}, {"Flits", "Response time / MBS"},
		{"Flits", "Response time (% below MBS)"}, {"length", "delay"},
		{"Submit (cycles)", "Wait time (cycles)"}, {"Size of jobs (processors)", "Jobs"},
		{"Size of jobs, by rank of their number", "Mean hops (% below MBS)"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("labels of axes (-want +got):\n%s", d)
	}
}

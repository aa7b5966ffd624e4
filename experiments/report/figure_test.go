package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
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
		d, ok := drawing(r, f, config.Builtin())
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

package report

import (
	"math"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/report/tables"
)

// figuresEvenStudy compares three allocators over the load, in messages of two lengths.
const figuresEvenStudy = `
name = "even"
[workload]
source = "cplant-stream"
[job]
quota.per_second = 1
[runs]
replications = 2
[[axes]]
key = "allocator"
values = ["mbs", "random", "first-fit"]
[[axes]]
key = "job.flits"
values = [4, 8]
[[axes]]
key = "workload.system_load"
values = [1.0, 2.0, 10.0]
[[break_even]]
name = "wait"
metric = "wait_time"
along = "workload.system_load"
against = "mbs"
[[figures]]
name = "f"
kind = "break-even"
metric = "wait"
x = "job.flits"
series = "allocator"
`

// A mark is where a line crosses that of the reference. Where it never does there is none, and an
// interval ends at the last value tried.
func TestFigureOfBreakEvensByHand(t *testing.T) {
	r := stored(t, figuresEvenStudy, "wait_time", func(_ int, at []string) []float64 {
		allocator, flits, load := at[0], at[1], at[2]
		switch {
		case allocator == "mbs":
			return []float64{2, 2}
		case allocator == "first-fit" && flits == "8": // never
			return []float64{3, 3}
		case allocator == "first-fit" && load == "10": // never in the second replication
			return []float64{1, 2.5}
		case load == "10":
			return []float64{1, 1}
		}
		return []float64{4, 4}
	})
	st := r.Study
	d, any := drawingOf(r, &st.Figures[0], config.Builtin())
	if !any || len(d.Series) != 2 || d.Series[0].Name != "random" || d.Series[1].Name != "first-fit" {
		t.Fatalf("%v: %+v", any, d)
	}
	random, fit := d.Series[0], d.Series[1]
	for i := range 2 {
		if math.Abs(random.Y[i]-6) > 1e-12 || random.Low[i] != random.Y[i] ||
			random.High[i] != random.Y[i] {
			t.Errorf("random at %g flits: %g, %g to %g, want 6", random.X[i], random.Y[i],
				random.Low[i], random.High[i])
		}
	}
	// the means 4 and 1.75 over 2 cross where the logarithms of their ratios do
	up, down := math.Log(4./2), math.Log(1.75/2)
	if want := 2 + 8*up/(up-down); math.Abs(fit.Y[0]-want) > 1e-12 || fit.High[0] != 10 {
		t.Errorf("first-fit at 4 flits: %g to %g, want %g to 10", fit.Y[0], fit.High[0], want)
	}
	if !math.IsNaN(fit.Y[1]) {
		t.Errorf("first-fit at 8 flits: %g, want no mark", fit.Y[1])
	}
	caption := captionOf(r, &st.Figures[0], &d, config.Builtin())
	text := strings.Join(caption.sentences, " ")
	for _, want := range []string{
		"least system load from which wait time is lower than with MBS, over flits",
		"not lower at 10", "bootstrap intervals", "Means of 2 replications",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the caption %q lacks %q", text, want)
		}
	}
}

// Something that is better at the least value tried pays from there or from less on: neither the
// table nor the caption has that value for the break-even.
func TestBreakEvenAtTheLeastValueTried(t *testing.T) {
	r := stored(t, figuresEvenStudy, "wait_time", func(_ int, at []string) []float64 {
		wait := map[string]float64{"mbs": 2, "random": 1, "first-fit": 3}[at[0]]
		return []float64{wait, wait}
	})
	st := r.Study
	table := tables.BreakEvenTables(r)
	for _, want := range []string{"| random    | 4     |     at most 1.00 | at most 1.00 |",
		"| first-fit | 8     |            never |        never |",
		"\nIntervals: 95% bootstrap intervals over the replications; with few replications they are " +
			"too narrow.\n",
		"\nAt most: it is lower at the least value tried already.\n",
		"\nNever: it is not lower at the greatest value tried.\n"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is not in\n%s", want, table)
		}
	}
	d, any := drawingOf(r, &st.Figures[0], config.Builtin())
	c := captionOf(r, &st.Figures[0], &d, config.Builtin())
	if text := c.body(); !any ||
		!strings.Contains(text, "A mark at 1, the least value tried, stands for that or less.") {
		t.Errorf("the caption %q does not say so", text)
	}
}

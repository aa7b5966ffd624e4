package tables

import (
	"math"
	"testing"

	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/study"
)

// crossing draws the lines of one run each.
func crossingAt(line, base []float64) float64 {
	var values []tried
	for i := range line {
		values = append(values, tried{x: 10 * float64(i), line: line[i : i+1], base: base[i : i+1]})
	}
	return crossingOf(values, []int{0}, 0)
}

// A line that falls by a factor from one value to the next crosses where its
// logarithm does.
func TestCrossingByHand(t *testing.T) {
	never := math.Inf(1)
	for _, c := range []struct {
		line, base []float64
		want       float64
	}{
		{[]float64{100, 10, 1, 0.1}, []float64{10, 10, 10, 10}, 10},
		{[]float64{100, 1, 1, 1}, []float64{10, 10, 10, 10}, 5},
		{[]float64{1000, 1, 1, 1}, []float64{10, 10, 10, 10}, 20. / 3},
		{[]float64{1, 1, 1, 1}, []float64{2, 2, 2, 2}, 0},
		{[]float64{3, 3, 3, 3}, []float64{2, 2, 2, 2}, never},
		{[]float64{1, 1, 1, 2}, []float64{2, 2, 2, 2}, never}, // as good is not better
		{[]float64{1, 4, 4, 1}, []float64{2, 2, 2, 2}, 25},    // the last one counts
		{[]float64{4, 4, 1, 1}, []float64{2, 2, 2, 2}, 15},
		{[]float64{1, 1, 1, 1}, []float64{0, 0, 0, 0}, never},
		{[]float64{1, 1, 1, 1}, []float64{0, 0, 2, 2}, 20},
	} {
		if got := crossingAt(c.line, c.base); math.Abs(got-c.want) > 1e-12 && got != c.want {
			t.Errorf("%v against %v: %v, want %v", c.line, c.base, got, c.want)
		}
	}
}

// --axis may give the values of an axis in any order.
func TestCrossingsOfAnAxisInAnyOrder(t *testing.T) {
	for _, loads := range []string{"1, 2, 10", "10, 1, 2"} {
		st := experimentstest.MustParse(t, `
name = "even"
[job]
run = "fixed"
[[axes]]
key = "allocator"
values = ["mbs", "random"]
[[axes]]
key = "workload.system_load"
values = [`+loads+`]
[[break_even]]
name = "one"
metric = "wait_time"
along = "workload.system_load"
against = "mbs"
`)
		r := experimentstest.Stored(t, st, config.Builtin(), func(_ int,
			p *study.Point) []metrics.Result {
			switch {
			case p.Labels[0] == "mbs":
				return experimentstest.OfMetric("wait_time", 2)
			case p.Labels[1] == "10":
				return experimentstest.OfMetric("wait_time", 1)
			}
			return experimentstest.OfMetric("wait_time", 4)
		})
		found := Crossings(r)
		if len(found) != 1 || math.Abs(found[0].At-6) > 1e-12 || found[0].Tested != 10 {
			t.Errorf("loads %s: %+v, want a crossing at 6", loads, found)
		}
	}
}

// Of two runs a resample has twice the first in a quarter of cases, twice the second
// in a quarter, and both in half of them. So an interval of 60%, which leaves out a
// fifth at each end, goes from the one to the other, and one of 40% is a point.
func TestCrossingIntervalHasItsConfidence(t *testing.T) {
	values := []tried{{0, []float64{4, 4}, []float64{2, 2}, 0},
		{1, []float64{1, 1.5}, []float64{2, 2}, 0}}
	first := crossingOf(values, []int{0, 0}, 0)
	both := crossingOf(values, []int{0, 1}, 0)
	second := crossingOf(values, []int{1, 1}, 0)
	for _, c := range []struct{ confidence, low, high float64 }{{0.6, first, second},
		{0.4, both, both}} {
		if low, high := bootstrapCrossing(values, []int{0, 1}, c.confidence); low != c.low ||
			high != c.high {
			t.Errorf("%v: %v to %v, want %v to %v", c.confidence, low, high, c.low, c.high)
		}
	}
	if !(first < both && both < second) {
		t.Errorf("%v, %v, %v do not rise", first, both, second)
	}
}

package experiments

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/metrics"
)

// runsOfValues returns results with these waiting times.
func runsOfValues(values ...float64) []metrics.Result {
	var runs []metrics.Result
	for _, v := range values {
		runs = append(runs, metrics.Result{Metrics: []metrics.Metric{{Name: "jobs", Value: 1},
			{Name: "wait_time", Value: v}}})
	}
	return runs
}

func TestPairRuns(t *testing.T) {
	nan := math.NaN()
	three, gap, two := runsOfValues(1, 2, 3), runsOfValues(10, nan, 30, 40), runsOfValues(7, 8)
	for _, c := range []struct {
		name                 string
		x, y                 []metrics.Result
		constantX, constantY bool
		a, b                 []float64
	}{
		{"replications both have", three, two, false, false, []float64{1, 2}, []float64{7, 8}},
		{"a metric missing in one", three, gap, false, false, []float64{1, 3}, []float64{10, 30}},
		{"missing in the other", gap, three, false, false, []float64{10, 30}, []float64{1, 3}},
		{"a constant", runsOfValues(5), gap, true, false, []float64{5, 5, 5},
			[]float64{10, 30, 40}},
		{"to a constant", two, runsOfValues(5), false, true, []float64{7, 8}, []float64{5, 5}},
		{"constants", runsOfValues(5), runsOfValues(6), true, true, []float64{5}, []float64{6}},
		{"no runs", three, nil, false, true, nil, nil},
		{"no metric", runsOfValues(nan), runsOfValues(1), false, false, nil, nil},
	} {
		a, b := pairRuns(c.x, c.y, c.constantX, c.constantY, "wait_time")
		if diff := cmp.Diff([][]float64{c.a, c.b}, [][]float64{a, b}); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

package main

import (
	"slices"
	"strings"
	"testing"

	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
)

// A section says how much was saved in each point, summed over its runs, and what audits have seen.
func TestJumpSection(t *testing.T) {
	r := experimentstest.Jumped(3)
	more := experimentstest.Jumped(2).Runs[0][0]
	for i, simulated := range []float64{3, 1} {
		run := &r.Runs[0]
		if i > 0 {
			*run = append(*run, more)
		}
		k := &(*run)[i]
		k.Metrics = append(k.Metrics, metrics.Metric{Name: "flit_hops", Value: 2e5},
			metrics.Metric{Name: "simulated_flit_hops", Value: simulated})
	}
	text := jumpSection(r)
	const want = "|      99.50% |     4e+05 |            100000 |" +
		"     80 |    6 |   2.5% |          7.5% |\n"
	if !strings.HasSuffix(text, want) {
		t.Errorf("%s\nwant %s", text, want)
	}
	if r.Points[0].Spec.FastForward = 0; jumpSection(r) != "" {
		t.Errorf("without jumps: %s", jumpSection(r))
	}
	idle := experimentstest.Jumped(1)
	idle.Runs[0][0].Metrics = slices.DeleteFunc(idle.Runs[0][0].Metrics,
		func(m metrics.Metric) bool { return m.Name == "time_jumped" })
	if text := jumpSection(idle); strings.Contains(text, "NaN") || strings.Contains(text, "none") {
		t.Errorf("without messages: %s", text)
	}
	for _, c := range []struct {
		simulated float64
		want      string
	}{{0, "none"}, {4, "250"}, {100, "10"}, {1, "1000"}, {3, "333"}, {0.07, "14300"}} {
		if got := saving(1000, c.simulated); got != c.want {
			t.Errorf("1000 over %v: %s, want %s", c.simulated, got, c.want)
		}
	}
}

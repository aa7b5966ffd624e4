package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
)

// jumpText returns the section on jumps of a page.
func jumpText(r *experiments.Results) string {
	p := newPage("study")
	jumpSection(p, r)
	return p.String()
}

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
	text := jumpText(r)
	const want = "|      99.50% |     4e+05 |            100000 |" +
		"     80 |    6 |   2.5% |          7.5% |\n"
	if !strings.HasSuffix(text, want) {
		t.Errorf("%s\nwant %s", text, want)
	}
	if r.Points[0].Spec.FastForward = 0; jumpText(r) != "" {
		t.Errorf("without jumps: %s", jumpText(r))
	}
	idle := experimentstest.Jumped(1)
	idle.Runs[0][0].Metrics = slices.DeleteFunc(idle.Runs[0][0].Metrics,
		func(m metrics.Metric) bool { return m.Name == "time_jumped" })
	if text := jumpText(idle); strings.Contains(text, "NaN") || strings.Contains(text, "none") {
		t.Errorf("without messages: %s", text)
	}
	for _, c := range []struct {
		simulated float64
		want      string
	}{{0, "none"}, {4, "250"}, {100, "10"}, {1, "1000"}, {3, "333"}, {0.07, "14300"}} {
		if got := saving(1000, c.simulated).text; got != c.want {
			t.Errorf("1000 over %v: %s, want %s", c.simulated, got, c.want)
		}
	}
}

// The rows of groups of points have ranges, sums of audits and jams, and the largest of what audits
// saw.
func TestGroupsOfJumps(t *testing.T) {
	none := shown{math.NaN(), ""}
	var rows []jumpRow
	for i := range 20 {
		j := jumpRow{labels: []string{[]string{"mesh", "torus"}[i%2], fmt.Sprint(i)},
			primary: []string{"5"}, hops: "1", share: shown{float64(i), fmt.Sprint(i, "%")},
			saving: none, beyond: none, largest: none}
		if i < 4 {
			j.audits, j.jams, j.beyond = i, 1, shown{float64(10 - i), fmt.Sprint(10-i, "%")}
		}
		rows = append(rows, j)
	}
	p := newPage("study")
	p.writeJumps([]string{"machine", "case", "time", "time jumped", "flit-hops", "one in", "audits",
		"jams", "beyond", "largest error"}, rows)
	for _, want := range []string{"| mesh | 10 | 0% to 18% | | 2 | 2 | 10% | |",
		"| torus | 10 | 1% to 19% | | 4 | 2 | 9% | |", "[jumps, 20 rows](study/jumps.csv)"} {
		if !strings.Contains(squeezed(p.String()), want) {
			t.Errorf("%q is not in\n%s", want, p.String())
		}
	}
	if got := p.files["jumps.csv"]; len(got) != 21 || got[2][0] != "torus" {
		t.Errorf("the rows are %v", got)
	}
}

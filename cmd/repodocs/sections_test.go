package main

import (
	"math"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/stats"
	"contend/experiments/study"
)

// Each page has the sections that the rules and the published figures of its study ask for.
func TestSectionsOfPages(t *testing.T) {
	one, two := [][]float64{{100}, {101}, nil, {50}, {49}, {60}},
		[][]float64{{90, 110}, {200, 210}, {290, 330}, {112, 116}, {395, 405}, {1, 2}}
	const flags = "\nThese runs have --axis allocator=mbs --set job.flits=4.\n"
	for name, c := range map[string]struct {
		finish     [][]float64
		change     func(r *experiments.Results)
		has, lacks []string
	}{
		"published figures": {two, func(*experiments.Results) {}, []string{
			"# compare\n", "## finish_time (cycles)", "## finish_time relative to mbs", "## utilization (%)",
			"| fft     | random    |    400.00 |  400 ± 64 |    2 | 1.000 | 0.841 to 1.159 |",
			"| ring    | mbs       |    100.00 | 100 ± 130 |    2 | 1.000 | 0.000 to 2.271 |",
			"- finish_time relative to mbs: measured over published within 10%: failed, 2 of 3 " +
				"published cells within, at least 3 wanted.",
			"Geometric mean error 3.8% over 5 cells, largest 14%.",
			"Geometric mean error 8.7% over 3 cells, largest 11%."}, nil},
		"an agreement": {one, func(r *experiments.Results) {
			r.Study.Tolerances = []study.Tolerance{{Rule: "agreement", Metric: "finish_time",
				Within: 0.01, Relative: "mbs"}}
		}, []string{"## finish_time over that of mbs", "over mbs",
			"| ring    | random    |      101 |   1.0100 |", "|       60 |   1.2000 |"}, nil},
		"no flags": {one, func(r *experiments.Results) { r.Study.Published = study.Published{} }, nil,
			[]string{flags}},
		"flags": {one, func(r *experiments.Results) {
			r.Study.Published = study.Published{}
			r.Study.Selected = []string{"--axis allocator=mbs"}
			r.Study.Changed = []string{"--set job.flits=4"}
		}, []string{flags}, nil},
		"a paper that draws and prints no figures": {two, func(r *experiments.Results) {
			clear(r.PublishedValues)
			r.Study.Tolerances, r.Study.Table.Relative = nil, "mbs"
		}, []string{"## finish_time relative to mbs",
			"| fft     | random    |   3.51 ± 0.22 |    2 |"}, []string{"| mbs "}},
		"a ranking": {[][]float64{{1}, {3}, {2}, {1}, {3}, nil}, func(r *experiments.Results) {
			clear(r.PublishedValues)
			r.Study.Tolerances = []study.Tolerance{{Rule: "ranking", Metric: "finish_time",
				Ranking: []string{"mbs", "random"}}}
		}, []string{"mbs, random: passed, 2 of 2 groups.",
			"| ring    | paging:1  |        2 |    1 |\n| fft     | mbs       |        1 |    1 |"}, nil},
		// A conclusion is no rule, so the relative table stays.
		"a conclusion": {[][]float64{{100}, {120}, {90}, {50}, {60}, {60}},
			func(r *experiments.Results) {
				clear(r.PublishedValues)
				r.Study.Tolerances = []study.Tolerance{{Name: "close", Rule: study.BoundsRule,
					Metric: "finish_time", Of: "random", Relative: "mbs", Max: new(1.3)}}
				r.Study.Table.Relative = "mbs"
			}, []string{"\nConclusions:\n\n- close: finish_time of random over that of mbs: at most 1.3: " +
				"ring: 1.200; fft: 1.200.\n", "## finish_time relative to mbs"}, []string{"\nRules:"}},
	} {
		r := experimentstest.Compared(t, c.finish)
		c.change(r)
		text, a := pageOf(r, r.Study.Name)
		for _, want := range c.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, text)
			}
		}
		for _, bad := range c.lacks {
			if strings.Contains(text, bad) {
				t.Errorf("%s: %q is in\n%s", name, bad, text)
			}
		}
		if name == "a conclusion" && a.rules != nil {
			t.Errorf("conclusions count as rules: %v", a.rules)
		}
	}
}

// A ratio to a printed figure ends where the measured one does; one of a metric
// that is in no table has no end.
func TestRatiosEndAtTheLeastValue(t *testing.T) {
	e := stats.Estimate{Mean: 1, Half: 3, N: 2}
	if got := ratioCells(e, 2, stats.AtLeast(0))[4]; got != "0.000 to 2.000" {
		t.Errorf("the interval of the ratio is %s", got)
	}
	if low, _ := e.Ends(metrics.BoundsOf("a difference", &config.Spec{})); low != -2 {
		t.Errorf("the interval of what may be negative begins at %g", low)
	}
	one := stats.Estimate{Mean: 1, Half: math.NaN(), N: 1}
	if low, high := one.Ends(stats.AtLeast(0)); low == low || high == high {
		t.Errorf("an interval of one run is %g to %g", low, high)
	}
}

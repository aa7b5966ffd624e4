package main

import (
	"math"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/stats"
	"contend/experiments/study"
)

// The document of all comparisons has the ratio of every case.
func TestAgreementInValidation(t *testing.T) {
	r := experimentstest.Compared(t, [][]float64{{100}, {101}, nil, {50}, {49}, {60}})
	r.Study.Tolerances = []study.Tolerance{{Rule: "agreement", Metric: "finish_time",
		Within: 0.01, Relative: "mbs"}}
	text, _ := pageOf(r, r.Study.Name)
	for _, want := range []string{"## finish_time over that of mbs", "over mbs",
		"| ring    | random    |      101 |   1.0100 |", "|       60 |   1.2000 |"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
}

// The document says by which flags runs differ from the study.
func TestFlagsInValidation(t *testing.T) {
	r := experimentstest.Compared(t, [][]float64{{100}, {101}, nil, {50}, {49}, {60}})
	r.Study.Published = study.Published{}
	const want = "\nThese runs have --axis allocator=mbs --set job.flits=4.\n"
	for _, flagged := range []bool{false, true} {
		if flagged {
			r.Study.Selected = []string{"--axis allocator=mbs"}
			r.Study.Changed = []string{"--set job.flits=4"}
		}
		text, _ := pageOf(r, r.Study.Name)
		if strings.Contains(text, want) != flagged {
			t.Errorf("with flags: %v. The document has\n%s", flagged, text)
		}
	}
}

func TestValidationHoldsEveryPublishedFigure(t *testing.T) {
	r := experimentstest.Compared(t, [][]float64{{90, 110}, {200, 210}, {290, 330}, {112, 116}, {395,
		405}, {1, 2}})
	text, _ := pageOf(r, r.Study.Name)
	for _, want := range []string{
		"# compare\n", "## finish_time (cycles)", "## finish_time relative to mbs",
		"## utilization (%)",
		"| fft     | random    |    400.00 |  400 ± 64 |    2 | 1.000 | 0.841 to 1.159 |",
		"| ring    | mbs       |    100.00 | 100 ± 130 |    2 | 1.000 | 0.000 to 2.271 |",
		"- finish_time relative to mbs: measured over published within 10%: failed, 2 of 3 " +
			"published cells within, at least 3 wanted.",
		"Geometric mean error 3.8% over 5 cells, largest 14%.", "Geometric mean error 8.7% over " +
			"3 cells, largest 11%.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// Conclusions have their own list and count as no rules, and the table of a study with no other
// rule stays.
func TestConclusionsInValidation(t *testing.T) {
	r := experimentstest.Compared(t, [][]float64{{100}, {120}, {90}, {50}, {60}, {60}})
	clear(r.PublishedValues)
	most := 1.3
	r.Study.Tolerances = []study.Tolerance{{Name: "close", Rule: study.BoundsRule,
		Metric: "finish_time", Of: "random", Relative: "mbs", Max: &most}}
	r.Study.Table.Relative = "mbs"
	text, a := pageOf(r, r.Study.Name)
	for _, want := range []string{"\nConclusions:\n\n- close: finish_time of random over that of " +
		"mbs: at most 1.3: ring: 1.200; fft: 1.200.\n", "## finish_time relative to mbs"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if a.rules != nil {
		t.Errorf("conclusions count as rules: %v", a.rules)
	}
}

// Where a paper draws figures and prints none, the section has the study's own
// relative column, without what all is relative to.
func TestValidationShowsWhatAPaperDraws(t *testing.T) {
	r := experimentstest.Compared(t, [][]float64{{90, 110}, {200, 210}, {290, 330}, {112, 116}, {395,
		405}, {1, 2}})
	clear(r.PublishedValues)
	r.Study.Tolerances, r.Study.Table.Relative = nil, "mbs"
	text, _ := pageOf(r, r.Study.Name)
	for _, want := range []string{"## finish_time relative to mbs",
		"| fft     | random    |   3.51 ± 0.22 |    2 |"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "| mbs ") {
		t.Errorf("mbs is relative to itself in\n%s", text)
	}
}

// Validation shows what a ranking is about, where nothing was published.
func TestValidationOfARanking(t *testing.T) {
	r := experimentstest.Compared(t, [][]float64{{1}, {3}, {2}, {1}, {3}, nil})
	for i := range r.PublishedValues {
		r.PublishedValues[i] = nil
	}
	r.Study.Tolerances = []study.Tolerance{{Rule: "ranking", Metric: "finish_time",
		Ranking: []string{"mbs", "random"}}}
	text, _ := pageOf(r, r.Study.Name)
	for _, want := range []string{"mbs, random: passed, 2 of 2 groups.",
		"| ring    | paging:1  |        2 |    1 |\n| fft     | mbs       |        1 |    1 |"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
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

package report

import (
	"contend/experiments/experimentstest"
	"contend/experiments/study"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// judged returns the verdict of one rule about finish times, by point: of ring under mbs, random
// and paging:1, then of fft.
func judged(t *testing.T, rule study.Tolerance, finish ...[]float64) Verdict {
	t.Helper()
	r := experimentstest.Compared(t, finish)
	rule.Metric = "finish_time"
	r.Study.Tolerances = []study.Tolerance{rule}
	return Compare(r)[0]
}

// Rankings, agreement with a reference, and bounds. Of bounds: Student's t of one degree of freedom
// is 12.7062. The ratios 0.5 and 0.72 have the geometric mean 0.6; the logarithm of 0.72 / 0.5 is
// 0.364643, and 12.7062 / 2 times it is 2.316614: the ends are 0.6 times e to the power of plus and
// minus that, 0.05916 and 6.085.
func TestRulesAboutMeasuredValues(t *testing.T) {
	ranking := func(t study.Tolerance) study.Tolerance {
		t.Rule = "ranking"
		return t
	}
	agreement := func(t study.Tolerance) study.Tolerance {
		t.Rule, t.Within, t.Relative = "agreement", 0.01, "mbs"
		return t
	}
	bounds := func(t study.Tolerance) study.Tolerance {
		t.Name, t.Rule = "first", "bounds"
		return t
	}
	order := []string{"mbs", "paging:1", "random"}
	paired := [][]float64{{100, 1000}, {50, 720}, {300, 400}, {10}, {9}, {10}}
	for _, c := range []struct {
		name   string
		rule   study.Tolerance
		finish [][]float64
		want   string
	}{
		{"one group falls", ranking(study.Tolerance{Ranking: order}),
			[][]float64{{1}, {3}, {2}, {1, 3}, {4}, {5}},
			"FAIL  finish_time: from least to most mbs, paging:1, random (1 of 2 groups)\n      " +
				"fft: paging:1 has 5.0000, random has 4.0000\n"},
		{"equal is no fall", ranking(study.Tolerance{Ranking: order}),
			[][]float64{{2}, {2}, {2}, {1}, {1}, {1}},
			"pass  finish_time: from least to most mbs, paging:1, random (2 of 2 groups)\n"},
		{"a small fall", ranking(study.Tolerance{Ranking: order, Within: 0.1}),
			[][]float64{{100}, {90}, {91}, {1}, {3}, {2}},
			"pass  finish_time: from least to most mbs, paging:1, random, a fall of 10% allowed " +
				"(2 of 2 groups)\n"},
		{"below 0 as above", ranking(study.Tolerance{Ranking: order, Within: 0.1}),
			[][]float64{{-10}, {-9}, {-9.9}, {-10}, {-12}, {-10.5}},
			"FAIL  finish_time: from least to most mbs, paging:1, random, a fall of 10% allowed " +
				"(1 of 2 groups)\n      fft: paging:1 has -10.500, random has -12.000\n"},
		{"enough groups", ranking(study.Tolerance{Ranking: order, AtLeast: 1}),
			[][]float64{{3}, {1}, {2}, {1}, {3}, {2}},
			"pass  finish_time: from least to most mbs, paging:1, random (1 of 2 groups)\n      " +
				"ring: mbs has 3.0000, paging:1 has 2.0000\n"},
		{"a ranking is whole", ranking(study.Tolerance{Ranking: order}),
			[][]float64{{1}, {3}, nil, {1}, {3}, {2}},
			"FAIL  finish_time: from least to most mbs, paging:1, random (1 of 2 groups)\n      " +
				"ring: no runs of paging:1\n"},
		{"along the other axis", ranking(study.Tolerance{Ranking: []string{"fft", "ring"},
			Among: "job.pattern"}), [][]float64{{1}, {3}, {2}, {1}, {3}, {4}},
			"FAIL  finish_time: from least to most fft, ring (2 of 3 groups)\n      paging:1: " +
				"fft has 4.0000, ring has 2.0000\n"},
		{"all near", agreement(study.Tolerance{}),
			[][]float64{{100}, {100.9}, {99.1}, {50}, {50.4}, {49.5, 50}},
			"pass  finish_time: within 1% of that of mbs (4 of 4 cases within, at least 4 wanted; " +
				"the worst is 0.90% off)\n"},
		{"one above, one below", agreement(study.Tolerance{}),
			[][]float64{{100}, {101.1}, {100}, {50}, {50}, {49.4}},
			"FAIL  finish_time: within 1% of that of mbs (2 of 4 cases within, at least 4 wanted; " +
				"the worst is 1.2% off)\n      ring random: +1.1%\n      fft paging:1: -1.2%\n"},
		{"not run", agreement(study.Tolerance{}), [][]float64{{100}, nil, {100}, {50}, {50}, {50}},
			"FAIL  finish_time: within 1% of that of mbs (3 of 4 cases within, at least 4 wanted)\n" +
				"      ring random: not run\n"},
		{"no reference", agreement(study.Tolerance{AtLeast: 2}),
			[][]float64{nil, {100}, {100}, {50}, {50}, {50}},
			"pass  finish_time: within 1% of that of mbs (2 of 4 cases within, at least 2 wanted)\n" +
				"      ring random: not run\n      ring paging:1: not run\n"},
		{"nothing where nothing is wanted", agreement(study.Tolerance{}),
			[][]float64{{0}, {0}, {0.5}, {50}, {50}, {50}},
			"FAIL  finish_time: within 1% of that of mbs (3 of 4 cases within, at least 4 wanted)\n" +
				"      ring paging:1: 0.5, that of mbs is 0\n"},
		{"some cases only", agreement(study.Tolerance{Where: map[string]any{"job.pattern": "fft"}}),
			[][]float64{{100}, {200}, {300}, {50}, {50}, {50}},
			"pass  finish_time: within 1% of that of mbs, where job.pattern = fft (2 of 2 cases " +
				"within, at least 2 wanted; the worst is 0% off)\n"},
		{"ratios are paired", bounds(study.Tolerance{Of: "random", Relative: "mbs", Min: new(0.55),
			Max: new(0.95)}), paired,
			"pass  first: finish_time of random over that of mbs: from 0.55 to 0.95 (2 of 2 groups " +
				"within, at least 2 wanted)\n      ring: 0.6000 (0.05916 to 6.085)\n      fft: 0.9000\n"},
		{"the whole interval, where there is one", bounds(study.Tolerance{Of: "random", Relative: "mbs",
			Max: new(1.0), Interval: true}), paired,
			"FAIL  first: finish_time of random over that of mbs: at most 1, with its interval (1 of " +
				"2 groups within, at least 2 wanted)\n      ring: 0.6000 (0.05916 to 6.085), " +
				"outside\n      fft: 0.9000\n"},
		{"the lower end too", bounds(study.Tolerance{Of: "random", Relative: "mbs", Min: new(0.5),
			Interval: true, AtLeast: 1}), paired,
			"pass  first: finish_time of random over that of mbs: at least 0.5, with its interval (1 " +
				"of 2 groups within, at least 1 wanted)\n      ring: 0.6000 (0.05916 to 6.085), " +
				"outside\n      fft: 0.9000\n"},
		{"all but the reference", bounds(study.Tolerance{Relative: "mbs", Min: new(1.0),
			Where: map[string]any{"job.pattern": "fft"}}),
			[][]float64{nil, nil, nil, {10}, {9}, {10}},
			"FAIL  first: finish_time over that of mbs: at least 1, where job.pattern = fft (1 of 2 " +
				"groups within, at least 2 wanted)\n      fft random: 0.9000, outside\n" +
				"      fft paging:1: 1.000\n"},
		{"the mean itself", bounds(study.Tolerance{Of: "mbs", Max: new(100.0), Interval: true}),
			[][]float64{{99, 101}, nil, nil, {100}, nil, nil},
			"FAIL  first: finish_time of mbs: at most 100, with its interval (1 of 2 groups within, " +
				"at least 2 wanted)\n      ring: 100.0 (87.29 to 112.7), outside\n      fft: 100.0\n"},
		{"along the other axis", bounds(study.Tolerance{Among: "job.pattern", Of: "fft", Relative: "ring",
			Max: new(0.5)}), [][]float64{{100}, {100}, {100}, {50}, {51}, nil},
			"FAIL  first: finish_time of fft over that of ring: at most 0.5 (1 of 3 groups within, at " +
				"least 3 wanted)\n      mbs: 0.5000\n      random: 0.5100, outside\n" +
				"      paging:1: not run\n"},
		{"0 has no ratio", bounds(study.Tolerance{Of: "random", Relative: "mbs", Max: new(1.0),
			Where: map[string]any{"job.pattern": "ring"}}), [][]float64{{0}, {0}, nil, nil, nil, nil},
			"FAIL  first: finish_time of random over that of mbs: at most 1, where job.pattern = ring " +
				"(0 of 1 groups within, at least 1 wanted)\n      ring: no ratio, since a value is not " +
				"above 0, outside\n"},
	} {
		if diff := cmp.Diff(c.want, judged(t, c.rule, c.finish...).String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Rules about published values are left out where there are none at all.
func TestCompareWithoutPublishedValues(t *testing.T) {
	r := experimentstest.Compared(t, [][]float64{{1}, {3}, {2}, {1}, {3}, {2}})
	clear(r.PublishedValues)
	if v := Compare(r); v != nil {
		t.Errorf("%v", v)
	}
}

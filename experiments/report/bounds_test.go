package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/study"
)

// Finish times are of ring under mbs, random and paging:1, then of fft. Student's t of one degree
// of freedom is 12.7062. The ratios 0.5 and 0.72 have the geometric mean 0.6; the logarithm of
// 0.72 / 0.5 is 0.364643, and 12.7062 / 2 times it is 2.316614: the ends are 0.6 times e to the
// power of plus and minus that, 0.05916 and 6.085.
func TestBounds(t *testing.T) {
	bound := func(x float64) *float64 { return &x }
	paired := [][]float64{{100, 1000}, {50, 720}, {300, 400}, {10}, {9}, {10}}
	for _, c := range []struct {
		name   string
		rule   study.Tolerance
		finish [][]float64
		want   string
	}{
		{"ratios are paired", study.Tolerance{Of: "random", Relative: "mbs", Min: bound(0.55),
			Max: bound(0.95)}, paired,
			"pass  first: finish_time of random over that of mbs: from 0.55 to 0.95 (2 of 2 groups " +
				"within, at least 2 wanted)\n      ring: 0.6000 (0.05916 to 6.085)\n      fft: 0.9000\n"},
		{"the whole interval, where there is one", study.Tolerance{Of: "random", Relative: "mbs",
			Max: bound(1), Interval: true}, paired,
			"FAIL  first: finish_time of random over that of mbs: at most 1, with its interval (1 of " +
				"2 groups within, at least 2 wanted)\n      ring: 0.6000 (0.05916 to 6.085), " +
				"outside\n      fft: 0.9000\n"},
		{"the lower end too", study.Tolerance{Of: "random", Relative: "mbs", Min: bound(0.5),
			Interval: true, AtLeast: 1}, paired,
			"pass  first: finish_time of random over that of mbs: at least 0.5, with its interval (1 " +
				"of 2 groups within, at least 1 wanted)\n      ring: 0.6000 (0.05916 to 6.085), " +
				"outside\n      fft: 0.9000\n"},
		{"all but the reference", study.Tolerance{Relative: "mbs", Min: bound(1), Where: map[string]any{
			"job.pattern": "fft"}}, [][]float64{nil, nil, nil, {10}, {9}, {10}},
			"FAIL  first: finish_time over that of mbs: at least 1, where job.pattern = fft (1 of 2 " +
				"groups within, at least 2 wanted)\n      fft random: 0.9000, outside\n" +
				"      fft paging:1: 1.000\n"},
		{"the mean itself", study.Tolerance{Of: "mbs", Max: bound(100), Interval: true},
			[][]float64{{99, 101}, nil, nil, {100}, nil, nil},
			"FAIL  first: finish_time of mbs: at most 100, with its interval (1 of 2 groups within, " +
				"at least 2 wanted)\n      ring: 100.0 (87.29 to 112.7), outside\n      fft: 100.0\n"},
		{"below", study.Tolerance{Of: "mbs", Min: bound(100)},
			[][]float64{{99, 101}, nil, nil, {99.9}, nil, nil},
			"FAIL  first: finish_time of mbs: at least 100 (1 of 2 groups within, at least 2 wanted)\n" +
				"      ring: 100.0 (87.29 to 112.7)\n      fft: 99.90, outside\n"},
		{"along the other axis", study.Tolerance{Among: "job.pattern", Of: "fft", Relative: "ring",
			Max: bound(0.5)}, [][]float64{{100}, {100}, {100}, {50}, {51}, nil},
			"FAIL  first: finish_time of fft over that of ring: at most 0.5 (1 of 3 groups within, at " +
				"least 3 wanted)\n      mbs: 0.5000\n      random: 0.5100, outside\n" +
				"      paging:1: not run\n"},
		{"0 has no ratio", study.Tolerance{Of: "random", Relative: "mbs", Max: bound(1),
			Where: map[string]any{"job.pattern": "ring"}}, [][]float64{{0}, {0}, nil, nil, nil, nil},
			"FAIL  first: finish_time of random over that of mbs: at most 1, where job.pattern = ring " +
				"(0 of 1 groups within, at least 1 wanted)\n      ring: no ratio, since a value is not " +
				"above 0, outside\n"},
	} {
		r := experimentstest.Compared(t, c.finish)
		c.rule.Name, c.rule.Rule, c.rule.Metric = "first", "bounds", "finish_time"
		r.Study.Tolerances = []study.Tolerance{c.rule}
		if diff := cmp.Diff(c.want, Compare(r, config.Builtin())[0].String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

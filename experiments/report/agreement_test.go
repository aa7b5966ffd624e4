package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/study"
)

// Each case is compared with the reference that has the same values on the other axes.
func TestAgreement(t *testing.T) {
	for _, c := range []struct {
		name   string
		rule   study.Tolerance
		finish [][]float64 // of ring under mbs, random and paging:1, then of fft
		want   string
	}{
		{"all near", study.Tolerance{},
			[][]float64{{100}, {100.9}, {99.1}, {50}, {50.4}, {49.5, 50}},
			"pass  finish_time: within 1% of that of mbs (4 of 4 cases within, at least 4 wanted; " +
				"the worst is 0.90% off)\n"},
		{"one above, one below", study.Tolerance{},
			[][]float64{{100}, {101.1}, {100}, {50}, {50}, {49.4}},
			"FAIL  finish_time: within 1% of that of mbs (2 of 4 cases within, at least 4 wanted; " +
				"the worst is 1.2% off)\n      ring random: +1.1%\n      fft paging:1: -1.2%\n"},
		{"enough cases", study.Tolerance{AtLeast: 3},
			[][]float64{{100}, {101.1}, {100}, {50}, {50}, {50}},
			"pass  finish_time: within 1% of that of mbs (3 of 4 cases within, at least 3 wanted; " +
				"the worst is 1.1% off)\n      ring random: +1.1%\n"},
		{"not run", study.Tolerance{}, [][]float64{{100}, nil, {100}, {50}, {50}, {50}},
			"FAIL  finish_time: within 1% of that of mbs (3 of 4 cases within, at least 4 wanted)\n" +
				"      ring random: not run\n"},
		{"no reference", study.Tolerance{AtLeast: 2},
			[][]float64{nil, {100}, {100}, {50}, {50}, {50}},
			"pass  finish_time: within 1% of that of mbs (2 of 4 cases within, at least 2 wanted)\n" +
				"      ring random: not run\n      ring paging:1: not run\n"},
		{"nothing where nothing is wanted", study.Tolerance{},
			[][]float64{{0}, {0}, {0.5}, {50}, {50}, {50}},
			"FAIL  finish_time: within 1% of that of mbs (3 of 4 cases within, at least 4 wanted)\n" +
				"      ring paging:1: 0.5, that of mbs is 0\n"},
		{"some cases only", study.Tolerance{Where: map[string]any{"job.pattern": "fft"}},
			[][]float64{{100}, {200}, {300}, {50}, {50}, {50}},
			"pass  finish_time: within 1% of that of mbs, where job.pattern = fft (2 of 2 cases " +
				"within, at least 2 wanted; the worst is 0% off)\n"},
	} {
		r := experimentstest.Compared(t, c.finish)
		c.rule.Rule, c.rule.Metric, c.rule.Within = "agreement", "finish_time", 0.01
		c.rule.Relative = "mbs"
		r.Study.Tolerances = []study.Tolerance{c.rule}
		if diff := cmp.Diff(c.want, Compare(r, config.Builtin())[0].String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

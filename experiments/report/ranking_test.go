package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/study"
)

// ranked says what a ranking makes of finish times: of ring under mbs, random
// and paging:1, then of fft.
func ranked(t *testing.T, rule study.Tolerance, finish ...[]float64) string {
	t.Helper()
	r := experimentstest.Compared(t, finish)
	rule.Rule, rule.Metric = "ranking", "finish_time"
	r.Study.Tolerances = []study.Tolerance{rule}
	return Compare(r, config.Builtin())[0].String()
}

func TestRanking(t *testing.T) {
	order := []string{"mbs", "paging:1", "random"}
	for _, c := range []struct {
		name   string
		rule   study.Tolerance
		finish [][]float64
		want   string
	}{
		{"one group falls", study.Tolerance{Ranking: order},
			[][]float64{{1}, {3}, {2}, {1, 3}, {4}, {5}},
			"FAIL  finish_time: from least to most mbs, paging:1, random (1 of 2 groups)\n      " +
				"fft: paging:1 has 5.0000, random has 4.0000\n"},
		{"equal is no fall", study.Tolerance{Ranking: order},
			[][]float64{{2}, {2}, {2}, {1}, {1}, {1}},
			"pass  finish_time: from least to most mbs, paging:1, random (2 of 2 groups)\n"},
		{"a small fall", study.Tolerance{Ranking: order, Within: 0.1},
			[][]float64{{100}, {90}, {91}, {1}, {3}, {2}},
			"pass  finish_time: from least to most mbs, paging:1, random, a fall of 10% allowed " +
				"(2 of 2 groups)\n"},
		{"below 0 as above", study.Tolerance{Ranking: order, Within: 0.1},
			[][]float64{{-10}, {-9}, {-9.9}, {-10}, {-12}, {-10.5}},
			"FAIL  finish_time: from least to most mbs, paging:1, random, a fall of 10% allowed " +
				"(1 of 2 groups)\n      fft: paging:1 has -10.500, random has -12.000\n"},
		{"enough groups", study.Tolerance{Ranking: order, AtLeast: 1},
			[][]float64{{3}, {1}, {2}, {1}, {3}, {2}},
			"pass  finish_time: from least to most mbs, paging:1, random (1 of 2 groups)\n      " +
				"ring: mbs has 3.0000, paging:1 has 2.0000\n"},
		{"a ranking is whole", study.Tolerance{Ranking: order},
			[][]float64{{1}, {3}, nil, {1}, {3}, {2}},
			"FAIL  finish_time: from least to most mbs, paging:1, random (1 of 2 groups)\n      " +
				"ring: no runs of paging:1\n"},
		{"along the other axis", study.Tolerance{Ranking: []string{"fft", "ring"},
			Among: "job.pattern"}, [][]float64{{1}, {3}, {2}, {1}, {3}, {4}},
			"FAIL  finish_time: from least to most fft, ring (2 of 3 groups)\n      paging:1: " +
				"fft has 4.0000, ring has 2.0000\n"},
		{"some points only", study.Tolerance{Ranking: order,
			Where: map[string]any{"job.pattern": "ring"}}, [][]float64{{1}, {3}, {2}, {3}, {2}, {1}},
			"pass  finish_time: from least to most mbs, paging:1, random, where job.pattern = " +
				"ring (1 of 1 groups)\n"},
		{"nothing there", study.Tolerance{Ranking: order}, make([][]float64, 6),
			"FAIL  finish_time: from least to most mbs, paging:1, random (0 of 2 groups)\n" +
				"      ring: no runs of mbs, paging:1, random\n      fft: no runs of mbs, " +
				"paging:1, random\n"},
	} {
		if d := cmp.Diff(c.want, ranked(t, c.rule, c.finish...)); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// Rules about published figures keep silent where there are none at all.
func TestCompareWithoutPublishedFigures(t *testing.T) {
	r := experimentstest.Compared(t, [][]float64{{1}, {3}, {2}, {1}, {3}, {2}})
	for i := range r.PublishedValues {
		r.PublishedValues[i] = nil
	}
	if v := Compare(r, config.Builtin()); v != nil {
		t.Errorf("%v", v)
	}
}

package experiments

import (
	"slices"
	"testing"

	"contend/experiments/config"
	"contend/experiments/study"
)

// What is wanted: no fewer than ten before the first look, half as many more at a
// time, never more than the most; without a precision exactly what is asked for.
func TestLooksAtPrecision(t *testing.T) {
	p := &study.Point{Hash: "p"}
	for _, k := range []struct {
		replications, most, want int
		precision                float64
	}{{3, 0, 3, 0}, {3, 200, 10, 0.05}, {10, 40, 10, 0.05}, {24, 400, 24, 0.05}, {2, 7, 7,
		0.05}, {1, 0, 10, 0.05}} {
		st := waitStudy(t, k.replications, k.most, k.precision)
		if got := NewMemory("").wantedRuns(p, st); got != k.want {
			t.Errorf("%+v: %d runs are wanted at first", k, got)
		}
	}
	var seen []int
	st, f, n := waitStudy(t, 3, 22, 1e-9), NewMemory(""), 0
	for wanted := f.wantedRuns(p, st); wanted != n; wanted = f.wantedRuns(p, st) {
		seen = append(seen, wanted)
		for ; n < wanted; n++ {
			f.Records[RunKey{p.Hash, n}] = runOf("wait_time", float64(n))
		}
	}
	if !slices.Equal(seen, []int{10, 15, 20, 22}) {
		t.Errorf("looks at %v, want 10, 15, 20, 22", seen)
	}
}

// waitStudy returns a study of waiting times with a precision to reach.
func waitStudy(t *testing.T, replications, most int, precision float64) *study.Study {
	t.Helper()
	st := mustParseSmall(t, "name = \"s\"\nprimary = [\"wait_time\"]\n[workload]\njobs = 10\n")
	st.Runs = config.RunsSpec{Replications: replications, Confidence: 0.95,
		MaxRelativeError: precision, MaxReplications: most}
	return st
}

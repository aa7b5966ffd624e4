package experiments

import (
	"testing"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/study"
)

// What is wanted: no fewer than ten before the first look, half as many more at a
// time, never more than the most; without a precision exactly what is asked for.
func TestLooksAtPrecision(t *testing.T) {
	for _, k := range []struct {
		replications, most, want int
		precision                float64
	}{{3, 0, 3, 0}, {3, 200, 10, 0.05}, {10, 40, 10, 0.05}, {24, 400, 24, 0.05}, {2, 7, 7,
		0.05}, {1, 0, 10, 0.05}} {
		st := mustParseSmall(t, "name = \"s\"\nprimary = [\"wait_time\"]\n[workload]\njobs = 10\n")
		st.Runs = config.RunsSpec{Replications: k.replications, Confidence: 0.95,
			MaxRelativeError: k.precision, MaxReplications: k.most}
		if got := (&Folder{Records: map[RunKey]Record{}}).wanted(&study.Point{Hash: "p"},
			st); got != k.want {
			t.Errorf("%+v: %d runs are wanted at first", k, got)
		}
	}
	var seen []int
	st := mustParseSmall(t, "name = \"s\"\nprimary = [\"wait_time\"]\n[workload]\njobs = 10\n")
	st.Runs = config.RunsSpec{Replications: 3, Confidence: 0.95, MaxRelativeError: 1e-9,
		MaxReplications: 22}
	f, n, p := &Folder{Records: map[RunKey]Record{}}, 0, &study.Point{Hash: "p"}
	for wanted := f.wanted(p, st); wanted != n; wanted = f.wanted(p, st) {
		seen = append(seen, wanted)
		for ; n < wanted; n++ {
			value := metrics.Metric{Name: "wait_time", Value: float64(n)}
			f.Records[RunKey{p.Hash,
				n}] = Record{Metrics: metrics.Result{Metrics: []metrics.Metric{value}}}
		}
	}
	if len(seen) != 4 || seen[0] != 10 || seen[1] != 15 || seen[2] != 20 || seen[3] != 22 {
		t.Errorf("looks at %v, want 10, 15, 20, 22", seen)
	}
}

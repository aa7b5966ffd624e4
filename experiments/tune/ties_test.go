package tune

import (
	"context"
	"testing"

	"contend/experiments/cosim"
	"contend/experiments/cosim/metrics"
	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

// Counting ties changes no other metric, and allocators that cannot count have
// none.
func TestCountTies(t *testing.T) {
	plan := TuneStudy("", "easy", "sum_pairwise_distance").Base
	plan.Machine.Dims, plan.Workload.Source, plan.Workload.Jobs = []int{8, 8}, "lublin", 200
	s := &cosim.Simulator{}
	for short, counts := range map[string]bool{"mc1x1": true, "mc1x1-tie:2,1,1,1": true, "mc": true,
		"gen-alg": true, "mm": true, "mm-inc": true, "random": false, "mbs": false} {
		a, err := spec.ParseAllocator(short, spec.BuiltinNames())
		if err != nil {
			t.Fatal(err)
		}
		plan.Allocator = a
		var with [2]metrics.Result
		for i := range with {
			plan.CountTies = i == 1
			r, err := spectest.Run(context.Background(), s.Run, plan, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			with[i] = r
		}
		for _, m := range with[0].Metrics {
			if v, _ := with[1].Value(m.Name); v != m.Value && m.Value == m.Value {
				t.Errorf("%s: %s is %v, with ties counted %v", short, m.Name, m.Value, v)
			}
		}
		tied, ok := with[1].Value("decisions_tied")
		percent, _ := with[1].Value("ties_percent")
		among, _ := with[1].Value("ties_mean")
		jobs, _ := with[1].Value("jobs")
		if _, without := with[0].Value("decisions_tied"); without || ok != counts {
			t.Errorf("%s: ties %v, unasked %v; want %v, false", short, ok, without, counts)
		}
		if counts && (tied < 1 || tied > jobs || percent != 100*tied/jobs || among < 2) {
			t.Errorf("%s: %v of %v decisions, %v%%, %v allocations", short, tied, jobs, percent,
				among)
		}
	}
}

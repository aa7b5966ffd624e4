package experiments

import (
	"context"
	"testing"

	"contend/allocation"
	"contend/netsim/topology"
)

// On an empty machine any single processor is as good as another, and there is
// one way to take all of them.
func TestCountedTiesOfAnEmptyMachine(t *testing.T) {
	machine, err := topology.NewCube(topology.CubeConfig{Dims: []int{4, 4}})
	if err != nil {
		t.Fatal(err)
	}
	place, err := allocation.New(allocation.Config{Name: "mc1x1"}, machine, nil)
	if err != nil {
		t.Fatal(err)
	}
	counted := countTies(place)
	for _, size := range []int{1, 16, 17, 1} {
		counted.Allocate(nil, allocation.NewFreeSet(16), allocation.Request{Size: size})
	}
	got := map[string]float64{}
	counted.metrics(func(name string, v float64) { got[name] = v })
	if got["decisions_tied"] != 2 || got["ties_percent"] != 200.0/3 || got["ties_mean"] != 16 || !allocation.CountDecides(counted) {
		t.Errorf("%v", got)
	}
}

// Counting ties changes no other metric, and allocators that cannot count have
// none.
func TestCountTies(t *testing.T) {
	spec := TuneStudy("", "easy", "sum_pairwise_distance").Base
	spec.Machine.Dims, spec.Workload.Source, spec.Workload.Jobs = []int{8, 8}, "lublin", 200
	s := &Simulator{}
	for short, counts := range map[string]bool{"mc1x1": true, "mc1x1-tie:2,1,1,1": true, "mc": true, "gen-alg": true, "mm": true, "mm-inc": true, "random": false, "mbs": false} {
		a, err := parseAllocator(short, BuiltinNames())
		if err != nil {
			t.Fatal(err)
		}
		spec.Allocator = a
		var with [2]Result
		for i := range with {
			spec.CountTies = i == 1
			r, err := s.Run(context.Background(), spec, 0, nil)
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
			t.Errorf("%s: %v of %v decisions, %v%%, %v allocations", short, tied, jobs, percent, among)
		}
	}
}

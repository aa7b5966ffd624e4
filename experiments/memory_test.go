package experiments

import (
	"runtime"
	"strings"
	"testing"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
	"contend/experiments/study"
)

// A table of distances is in the estimate, and a second run shares it.
func TestMemoryOfDistances(t *testing.T) {
	for _, set := range [][]string{
		{"machine.topology=tree", "machine.arity=2", "machine.levels=12", "allocator=gen-alg"},
		{"machine.topology=torus", "machine.dims=[30, 40]", "machine.concentration=2",
			"allocator=optimal"},
		{"machine.topology=hypercube", "machine.dims=[11]", "allocator=mm-inc"},
	} {
		st := &study.Study{Name: "x", Base: spec.DefaultSpec(), Runs: spec.Defaults().Runs}
		for _, s := range append(set, "job.run=fixed") {
			key, value, _ := strings.Cut(s, "=")
			if err := st.Set(key, value, spec.BuiltinNames()); err != nil {
				t.Fatal(err)
			}
		}
		var sim cosim.Simulator
		plan := spectest.Plan(t, st.Base)
		before := heap()
		first, err := sim.Prepare(plan, 0)
		if err != nil {
			t.Fatal(err)
		}
		one := heap()
		second, err := sim.Prepare(plan, 1)
		if err != nil {
			t.Fatal(err)
		}
		if took, want := one-before, st.Base.Memory(); want < took || want > 2*took || took < 2<<20 {
			t.Errorf("%v: %d bytes, estimated %d", set, took, want)
		}
		if more := heap() - one; more > (one-before)/2 {
			t.Errorf("%v: a second run takes %d bytes more than %d", set, more, one-before)
		}
		runtime.KeepAlive([]cosim.Setup{first, second})
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

package experiments

import (
	"runtime"
	"strings"
	"testing"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

// The estimate of memory is between that of the heap and three times as much.
func TestMemoryIsWhatTheHeapTakes(t *testing.T) {
	for name, set := range map[string][]string{
		"a mesh": {"machine.dims=[40, 40]"},
		"deep buffers": {"machine.dims=[32, 32]", "network.buffer_flits=64",
			"network.engine=cycle"},
		"deep buffers of slow links": {"machine.dims=[32, 32]", "network.buffer_flits=64",
			"network.engine=cycle", "network.flit_cycles=2"},
		"virtual channels": {"machine.dims=[32, 32]", "network.virtual_channels=8"},
		"a torus of cabinets": {"machine.topology=torus", "machine.dims=[9, 9, 9]",
			"network.virtual_channels=2", "machine.concentration=2"},
		"a tree":          {"machine.topology=tree", "machine.arity=4", "machine.levels=5"},
		"jobs of a model": {"job.run=fixed", "workload.source=lublin", "workload.jobs=50000"},
	} {
		st := &Study{Name: "x", Base: spec.DefaultSpec(), Runs: spec.Defaults().Runs,
			Primary: []string{"finish_time"}}
		for _, s := range append([]string{"job.run=messages", "allocator=random"}, set...) {
			key, value, _ := strings.Cut(s, "=")
			if err := st.Set(key, value, spec.BuiltinNames()); err != nil {
				t.Fatal(err)
			}
		}
		var sim cosim.Simulator
		if _, err := sim.Prepare(spectest.Plan(t, st.Base), 0); err != nil { // what is kept for all runs
			t.Fatal(err)
		}
		before := heap()
		u, err := sim.Prepare(spectest.Plan(t, st.Base), 0)
		if err != nil {
			t.Fatal(err)
		}
		took, want := heap()-before, st.Base.Memory()
		runtime.KeepAlive(u)
		t.Logf("%s: %d MiB, estimated %d", name, took>>20, want>>20)
		if want < took || want > 4*took {
			t.Errorf("%s: %d bytes, estimated %d", name, took, want)
		}
	}
}

// A table of distances is in the estimate, and a second run shares it.
func TestMemoryOfDistances(t *testing.T) {
	for _, set := range [][]string{
		{"machine.topology=tree", "machine.arity=2", "machine.levels=12", "allocator=gen-alg"},
		{"machine.topology=torus", "machine.dims=[30, 40]", "machine.concentration=2",
			"allocator=optimal"},
		{"machine.topology=hypercube", "machine.dims=[11]", "allocator=mm-inc"},
	} {
		st := &Study{Name: "x", Base: spec.DefaultSpec(), Runs: spec.Defaults().Runs}
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

// MM counts processors by their places where routers have several, and keeps no table.
func TestMemoryWithoutDistances(t *testing.T) {
	memory := func(concentration string) int64 {
		st := &Study{Name: "x", Base: spec.DefaultSpec()}
		for _, s := range [][2]string{{"machine.topology", "torus"}, {"machine.dims", "[30, 40]"},
			{"machine.concentration", concentration}, {"allocator", "mm"}, {"job.run", "fixed"}} {
			if err := st.Set(s[0], s[1], spec.BuiltinNames()); err != nil {
				t.Fatal(err)
			}
		}
		return st.Base.Memory()
	}
	if one, two := memory("1"), memory("2"); two > 2*one {
		t.Errorf("%d bytes with two nodes a router, %d with one", two, one)
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

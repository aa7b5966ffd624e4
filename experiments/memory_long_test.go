//go:build long

package experiments

import (
	"runtime"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/sim"
	"contend/experiments/study"
)

// The estimate of memory is between that of the heap and three times as much.
func TestLongMemoryIsWhatTheHeapTakes(t *testing.T) {
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
		st := &study.Study{Name: "x", Base: config.DefaultSpec(), Runs: config.Defaults().Runs,
			Primary: []string{"finish_time"}}
		for _, s := range append([]string{"job.run=messages", "allocator=random"}, set...) {
			key, value, _ := strings.Cut(s, "=")
			if err := st.Set(key, value, config.BuiltinNames()); err != nil {
				t.Fatal(err)
			}
		}
		var simulator sim.Simulator
		if _, err := simulator.Prepare(configtest.Plan(t, st.Base), 0); err != nil { // what is kept for all runs
			t.Fatal(err)
		}
		before := heap()
		u, err := simulator.Prepare(configtest.Plan(t, st.Base), 0)
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

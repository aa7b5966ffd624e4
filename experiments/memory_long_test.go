//go:build long

package experiments

import (
	"runtime"
	"testing"

	"contend/experiments/sim"
	"contend/internal/must"
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
		plan, want := planWith(t, append([]string{"job.run=messages", "allocator=random"}, set...)...)
		var simulator sim.Simulator
		must.Have(simulator.Prepare(plan, 0)) // what is kept for all runs
		before := heap()
		u := must.Have(simulator.Prepare(plan, 0))
		took := heap() - before
		runtime.KeepAlive(u)
		if want < took || want > 4*took {
			t.Errorf("%s: %d bytes, estimated %d", name, took, want)
		}
	}
}

package experiments

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// The estimate of memory is between that of the heap and three times as much.
func TestMemoryIsWhatTheHeapTakes(t *testing.T) {
	for name, set := range map[string][]string{
		"a mesh": {"machine.dims=[40, 40]"},
		"deep buffers": {"machine.dims=[32, 32]", "network.buffer_flits=64",
			"network.engine=cycle"},
		"virtual channels": {"machine.dims=[32, 32]", "network.virtual_channels=8"},
		"a torus of cabinets": {"machine.topology=torus", "machine.dims=[9, 9, 9]",
			"network.virtual_channels=2", "machine.concentration=2"},
		"a tree":          {"machine.topology=tree", "machine.arity=4", "machine.levels=5"},
		"jobs of a model": {"job.run=fixed", "workload.source=lublin", "workload.jobs=50000"},
	} {
		st := &Study{Name: "x", Base: DefaultSpec(), Runs: defaults().runs,
			Primary: []string{"finish_time"}}
		for _, s := range append([]string{"job.run=messages", "allocator=random"}, set...) {
			key, value, _ := strings.Cut(s, "=")
			if err := st.Set(key, value, BuiltinNames()); err != nil {
				t.Fatal(err)
			}
		}
		var sim Simulator
		if _, err := sim.prepare(&st.Base, 0); err != nil { // what is kept for all runs
			t.Fatal(err)
		}
		before := heap()
		u, err := sim.prepare(&st.Base, 0)
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

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestRunsLargerThanTheMemoryAreRefused(t *testing.T) {
	old := debug.SetMemoryLimit(1 << 30)
	defer debug.SetMemoryLimit(old)
	spec := DefaultSpec()
	spec.Job.Run, spec.Machine.Dims = "messages", []int{700, 700}
	sim := Simulator{}
	if err := sim.fits(&spec); err != nil {
		t.Error(err)
	}
	sim.AtOnce = 8
	if err := sim.fits(&spec); err == nil || !strings.Contains(err.Error(), "give --workers ") {
		t.Error(err)
	}
	spec.Machine.Dims = []int{4000, 4000}
	if err := sim.Check(spec); err == nil || !strings.Contains(err.Error(),
		"of memory, and there are 1 GiB: take a smaller machine") {
		t.Error(err)
	}
	log := filepath.Join(t.TempDir(), "x.swf")
	if err := os.WriteFile(log, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(log, 900<<20); err != nil {
		t.Fatal(err)
	}
	if _, err := readLog(log); err == nil || !strings.Contains(err.Error(), "take a part of the log") {
		t.Error(err)
	}
	debug.SetMemoryLimit(old)
	if runtime.GOOS == "linux" && availableMemory() <= 0 {
		t.Error("nothing is known of the memory")
	}
}

package cosim

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

func TestRunsLargerThanTheMemoryAreRefused(t *testing.T) {
	old := debug.SetMemoryLimit(1 << 30)
	defer debug.SetMemoryLimit(old)
	plan := spec.DefaultSpec()
	plan.Job.Run, plan.Machine.Dims = "messages", []int{700, 700}
	sim := Simulator{}
	if err := sim.Fits(plan.Memory()); err != nil {
		t.Error(err)
	}
	sim.AtOnce = 8
	if err := sim.Fits(plan.Memory()); err == nil ||
		!strings.Contains(err.Error(), "give --workers ") {
		t.Error(err)
	}
	plan.Machine.Dims = []int{4000, 4000}
	if err := spectest.Check(&sim, plan); err == nil || !strings.Contains(err.Error(),
		"of memory; 1 GiB are available: take a smaller machine") {
		t.Error(err)
	}
	debug.SetMemoryLimit(old)
	if runtime.GOOS == "linux" && AvailableMemory() <= 0 {
		t.Error("nothing is known of the memory")
	}
}

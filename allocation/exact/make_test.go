package exact

import (
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/center"
	"contend/router/topology"
)

// makeExact makes the allocator of a call, of this package or one to compare it with.
func makeExact(t testing.TB, text string, machine topology.Topology) allocation.Allocator {
	t.Helper()
	return allocationtest.Make(t, append(Allocators(), center.Allocators()...), text, machine)
}

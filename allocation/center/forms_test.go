package center_test

import (
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/center"
	"contend/allocation/exact"
	"contend/router/topology"
)

// centerForms lists the center-based allocators, which all meshes and tori of
// up to three dimensions admit.
func centerForms() []string {
	return []string{"mc", "mc:l1", "mc:greedy", "mc:node-order", "mc1x1", "mc1x1:l1", "mc1x1:greedy",
		"mc1x1:node-order",
		"mc1x1-tie:2,13,20,6", "mc1x1-tie:2,13,20,6,l1", "mc1x1-tie:2,13,20,6,twice",
		"mc1x1-tie:1,0,3,0,twice", "mc1x1-tie:1,1,0,0,greedy", "mc1x1-tie:3,0,1,0,node-order",
		"mc1x1-tie:2,0,0,1",
		"gen-alg", "gen-alg:greedy", "gen-alg:node-order", "mm", "mm:greedy", "mm:node-order",
		"mm-inc", "mm-inc:greedy", "mm-inc:node-order"}
}

// makeCenter makes the allocator of a call.
func makeCenter(t testing.TB, text string, machine topology.Topology) allocation.Allocator {
	t.Helper()
	return allocationtest.Make(t, append(center.Allocators(), exact.Allocators()...), text, machine)
}

package byname_test

import (
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/byname/bynametest"
	"contend/allocation/machinetest"
	"contend/netsim/topology"
)

// One allocation of 64 processors, requested as 8x8, on a half-free 32x32 machine.
func BenchmarkAllocate(b *testing.B) {
	machine := machinetest.Mesh(b, 32, 32)
	f := allocationtest.HalfFull(machine, bynametest.Make(b, "first-fit", machine))
	for _, short := range []string{"random", "paging:0", "paging:1", "paging:2",
		"paging:0,shuffled-snake", "buddy2d", "mbs",
		"first-fit", "best-fit", "frame-sliding", "first-fit:rotate"} {
		b.Run(short, func(b *testing.B) {
			a := bynametest.Make(b, short, machine)
			dst := make([]topology.Node, 0, machine.Nodes())
			req := allocation.Request{Size: 64, Shape: []int{8, 8}}
			placed := false
			b.ReportAllocs()
			for b.Loop() {
				_, placed = a.Allocate(dst, f, req)
			}
			if !placed {
				b.ReportMetric(1, "refused")
			}
		})
	}
}

// The quality of an allocation of 64 processors spread over the machine.
func BenchmarkMeasure(b *testing.B) {
	machine := machinetest.Mesh(b, 32, 32)
	m := allocationtest.NewMeterOf(b, machine)
	nodes, _ := bynametest.Make(b, "random", machine).Allocate(nil,
		allocation.NewFreeSet(machine.Nodes()),
		allocation.Request{Size: 64})
	b.ReportAllocs()
	for b.Loop() {
		m.Measure(nodes)
	}
}

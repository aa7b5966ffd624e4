package center_test

import (
	"fmt"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/byname/bynametest"
	"contend/allocation/machinetest"
	"contend/netsim/topology"
)

// One allocation on a machine on which each node is free with probability one half.
// With n nodes and k processors MC1x1 visits O(sqrt(k)) shells, in constant time each,
// around at most n/2 centers. Gen-Alg and MM visit O(sqrt(k)) stretches and processors
// around n/2 and n centers, and add up distances over the sides. So from 8x8 to 64x64
// at equal k the time is about proportional to n. On one machine it grows more slowly
// than sqrt(k).
func BenchmarkCenter(b *testing.B) {
	for _, short := range []string{"mc", "mc1x1", "mc1x1:greedy", "mc1x1-tie:2,13,20,6",
		"gen-alg", "mm", "mm:greedy", "mm:node-order", "mm-inc", "optimal:1000"} {
		for _, c := range []struct{ side, size int }{{8, 16}, {16, 16}, {16, 64}, {32, 16}, {32, 64},
			{32, 256}, {64, 64}, {64, 1024}} {
			if c.side != 32 && testing.Short() {
				continue
			}
			b.Run(fmt.Sprintf("%s/%dx%d/%d", short, c.side, c.side, c.size), func(b *testing.B) {
				machine := machinetest.Mesh(b, c.side, c.side)
				f, a := allocationtest.RandomlyHalfFree(machine), bynametest.Make(b, short, machine)
				dst := make([]topology.Node, 0, machine.Nodes())
				b.ReportAllocs()
				for b.Loop() {
					a.Allocate(dst, f, allocation.Request{Size: c.size})
				}
			})
		}
	}
}

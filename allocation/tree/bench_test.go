package tree

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/machinetest"
	"contend/netsim/topology"
)

// treeUnderLoad returns a free set as under load: jobs of all sizes fill the tree, and
// random ones end until half of it is free.
func treeUnderLoad(m *topology.Tree) *allocation.FreeSet {
	stream := rand.New(rand.NewPCG(7, 7))
	running, a := allocationtest.NewRunningJobs(m.Nodes()), NewSequential(m)
	for {
		nodes, ok := a.Allocate(nil, running.Set, allocation.Request{Size: 1 + stream.IntN(16)})
		if !ok {
			return running.FinishHalf(stream)
		}
		running.Start(nodes)
	}
}

func TestTreeAllocatorsTakeNoMemory(t *testing.T) {
	m := machinetest.Tree(t, 4, 5, 1000)
	f, meter := treeUnderLoad(m), allocationtest.NewTreeMeterOf(t, m)
	dst := make([]topology.Node, 0, m.Nodes())
	for _, a := range []allocation.Allocator{quasi(t, m, 0), quasi(t, m, 30), NewSequential(m)} {
		for _, size := range []int{1, 4, 15, 60, 200, 480, 900} {
			if n := testing.AllocsPerRun(20, func() {
				if got, ok := a.Allocate(dst, f, allocation.Request{Size: size}); ok {
					meter.Measure(got)
				}
			}); n != 0 {
				t.Errorf("%T, size %d: %v allocations a decision", a, size, n)
			}
		}
	}
}

// One decision on a half-free tree, by machine size and job size.
func BenchmarkTreeAllocate(b *testing.B) {
	for levels := 3; levels <= 6; levels++ {
		m := machinetest.Tree(b, 4, levels, 0)
		f := treeUnderLoad(m)
		dst := make([]topology.Node, 0, m.Nodes())
		for _, k := range []struct {
			name string
			a    allocation.Allocator
		}{{"sequential", NewSequential(m)}, {"contiguous", quasi(b, m, 0)},
			{"quasi-contiguous", quasi(b, m, 20)}} {
			for _, size := range []int{4, 15, m.Nodes() / 4} {
				b.Run(fmt.Sprintf("%s/nodes=%d/size=%d", k.name, m.Nodes(), size), func(b *testing.B) {
					placed := false
					b.ReportAllocs()
					for b.Loop() {
						_, placed = k.a.Allocate(dst, f, allocation.Request{Size: size})
					}
					if !placed {
						b.ReportMetric(1, "refused")
					}
				})
			}
		}
	}
}

func BenchmarkTreeMeasure(b *testing.B) {
	m := machinetest.Tree(b, 4, 6, 0)
	meter, err := allocation.NewTreeMeter(m)
	if err != nil {
		b.Fatal(err)
	}
	nodes, _ := NewSequential(m).Allocate(nil, treeUnderLoad(m), allocation.Request{Size: 64})
	b.ReportAllocs()
	for b.Loop() {
		meter.Measure(nodes)
	}
}

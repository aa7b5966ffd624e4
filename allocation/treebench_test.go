package allocation

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/netsim/topology"
)

// treeUnderLoad returns a free set as under load: jobs of all sizes fill the tree, and
// random ones end until half of it is free.
func treeUnderLoad(m *topology.Tree) *FreeSet {
	stream := rand.New(rand.NewPCG(7, 7))
	running, a := newRunningJobs(m.Nodes()), newSequential(m)
	for {
		nodes, ok := a.Allocate(nil, running.set, Request{Size: 1 + stream.IntN(16)})
		if !ok {
			return running.finishHalf(stream)
		}
		running.start(nodes)
	}
}

func TestTreeAllocatorsTakeNoMemory(t *testing.T) {
	m := tree(t, 4, 5, 1000)
	f, meter := treeUnderLoad(m), treeMeter(t, m)
	dst := make([]topology.Node, 0, m.Nodes())
	for _, a := range []Allocator{quasi(t, m, 0), quasi(t, m, 30), newSequential(m)} {
		for _, size := range []int{1, 4, 15, 60, 200, 480, 900} {
			if n := testing.AllocsPerRun(20, func() {
				if got, ok := a.Allocate(dst, f, Request{Size: size}); ok {
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
		m := tree(b, 4, levels, 0)
		f := treeUnderLoad(m)
		dst := make([]topology.Node, 0, m.Nodes())
		for _, k := range []struct {
			name string
			a    Allocator
		}{{"sequential", newSequential(m)}, {"contiguous", quasi(b, m, 0)},
			{"quasi-contiguous", quasi(b, m, 20)}} {
			for _, size := range []int{4, 15, m.Nodes() / 4} {
				b.Run(fmt.Sprintf("%s/nodes=%d/size=%d", k.name, m.Nodes(), size), func(b *testing.B) {
					placed := false
					b.ReportAllocs()
					for b.Loop() {
						_, placed = k.a.Allocate(dst, f, Request{Size: size})
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
	m := tree(b, 4, 6, 0)
	meter, err := NewTreeMeter(m)
	if err != nil {
		b.Fatal(err)
	}
	nodes, _ := newSequential(m).Allocate(nil, treeUnderLoad(m), Request{Size: 64})
	b.ReportAllocs()
	for b.Loop() {
		meter.Measure(nodes)
	}
}

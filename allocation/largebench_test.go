package allocation_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/internal/processortime"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// largeLoad is a machine of many nodes under load: between 70% and 90% of the nodes are busy,
// with jobs of 1 to 4,096 processors, half of them powers of two, placed and ended at random.
type largeLoad struct {
	*allocationtest.RunningJobs
	stream *rand.Rand
}

// newLargeLoad fills a machine by a fast allocator and lets 2,000 jobs come and go.
func newLargeLoad(tb testing.TB, machine topology.Topology) *largeLoad {
	l := &largeLoad{allocationtest.NewRunningJobs(machine.Nodes()), rand.New(rand.NewPCG(9, 9))}
	a, dst := allocationtest.Make(tb, entries(), "sequential", machine), []topology.Node(nil)
	if _, ok := machine.(topology.Grid); ok {
		a = allocationtest.Make(tb, entries(), "first-fit-1d", machine)
	}
	for range 2000 {
		dst = l.step(a, dst)
	}
	return l
}

// size draws a job's size.
func (l *largeLoad) size() int {
	exponent := l.stream.Float64() * 12
	if l.stream.IntN(2) == 0 {
		exponent = math.Round(exponent)
	}
	return int(math.Exp2(exponent))
}

// step places a job, after others have ended for it until 10% to 30% of the nodes are free.
func (l *largeLoad) step(a allocation.Allocator, dst []topology.Node) []topology.Node {
	size := l.size()
	l.makeRoom(size)
	got, ok := a.Allocate(dst[:0], l.Set, allocation.Request{Size: size})
	if ok {
		l.Start(append([]topology.Node(nil), got...))
	}
	return got[:0]
}

// makeRoom ends jobs at random until a job of that size leaves a tenth of the nodes free.
func (l *largeLoad) makeRoom(size int) {
	nodes := l.Set.Nodes()
	least := nodes/10 + l.stream.IntN(nodes/5)
	for l.Set.Count() < max(least, size+nodes/10) {
		l.Finish(l.stream.IntN(len(l.Jobs)))
	}
}

// largeMachines are machines of 65,536 nodes.
func largeMachines(tb testing.TB) map[string]topology.Topology {
	return map[string]topology.Topology{
		"mesh":  topologytest.Mesh(tb, 256, 256),
		"torus": topologytest.Torus(tb, []int{64, 32, 32}, true, true, true),
		"concentrated": topologytest.Cube(tb, topology.CubeConfig{Dims: []int{128, 128},
			Concentration: 4}),
		"tree":     topologytest.Tree(tb, 4, 8, 0),
		"fat-tree": topologytest.Tree(tb, 16, 4, 0),
		"tapered": topologytest.Fat(tb, topology.FatTreeConfig{Children: []int{32, 32, 64},
			Parents: []int{16, 32},
			Bundle:  []int{1, 2}}),
		"spines": topologytest.Fat(tb, topology.FatTreeConfig{Children: []int{32, 2048},
			Parents: []int{16}}),
		"dragonfly": topologytest.Dragonfly(tb, 32, 16, 16, 128),
		"hyperx":    topologytest.Hyper(tb, 16, 64, 64),
		"hyperx-3d": topologytest.Hyper(tb, 1, 64, 32, 32),
	}
}

// The mean time of a decision on 65,536 nodes, refusals included, on the clock and, where other
// programs share the machine, of the processors that work for this one. The optimum takes as
// long as its limit says.
func BenchmarkLarge(b *testing.B) {
	for name, machine := range largeMachines(b) {
		for _, info := range entries() {
			if info.Name == "optimal" {
				continue
			}
			b.Run(name+"/"+info.Name, func(b *testing.B) {
				a, err := made(info.Name, machine)
				if err != nil {
					b.Skip("of another kind of machine")
				}
				benchmarkLarge(b, machine, a)
			})
		}
	}
}

func benchmarkLarge(b *testing.B, machine topology.Topology, a allocation.Allocator) {
	l := newLargeLoad(b, machine)
	dst := make([]topology.Node, 0, machine.Nodes())
	refused, size, used := 0, 0, time.Duration(0)
	for b.Loop() {
		b.StopTimer()
		size = l.size()
		l.makeRoom(size)
		b.StartTimer()
		before := processortime.Used()
		got, ok := a.Allocate(dst[:0], l.Set, allocation.Request{Size: size})
		used += processortime.Used() - before
		b.StopTimer()
		if ok {
			l.Start(append([]topology.Node(nil), got...))
		} else {
			refused++
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(used.Nanoseconds())/float64(b.N), "processor-ns/op")
	b.ReportMetric(float64(refused)/float64(b.N), "refused/op")
}

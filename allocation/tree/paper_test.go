package tree

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// The claims of Pascual, Navaridas and Miguel-Alonso, "Effects of Topology-Aware
// Allocation Policies on Scheduling Performance" (JSSPP 2009).

// Sec. 3: "up to k^i nodes can be allocated using stage-i switches".
func TestPascualLevels(t *testing.T) {
	for k := 2; k <= 5; k++ {
		for i, power := 1, k; i <= 5; i, power = i+1, power*k {
			m := topologytest.Tree(t, k, i+1, 0).FatTree
			if span, level := allocation.LevelOf(m, power); level != i || span != power {
				t.Errorf("%d nodes, k = %d: level %d of %d", power, k, level, span)
			}
			if _, level := allocation.LevelOf(m, power+1); level != i+1 {
				t.Errorf("%d nodes, k = %d: level %d", power+1, k, level)
			}
		}
	}
}

// Sec. 3: "in favorable conditions this algorithm behaves exactly like the purely
// contiguous one", and sec. 6: it "tries always to find first a contiguous
// allocation, and only uses non-contiguous nodes as the last alternative".
func TestPascualContiguousComesFirst(t *testing.T) {
	m := topologytest.Tree(t, 4, 4, 240)
	stream := rand.New(rand.NewPCG(2, 3))
	contiguous, relaxed := quasi(t, m, 0), quasi(t, m, 40)
	near, helped := 0, 0
	for range 5000 {
		density := stream.Float64()
		free := make([]bool, 240)
		for n := range free {
			free[n] = stream.Float64() < density
		}
		f, req := allocationtest.FreeSet(free), allocation.Request{Size: 1 + stream.IntN(100)}
		a, ok := contiguous.Allocate(nil, f, req)
		b, also := relaxed.Allocate(nil, f, req)
		switch {
		case ok && (!also || !slices.Equal(a, b)):
			t.Fatalf("%v where there is the contiguous %v", b, a)
		case ok:
			near++
		case also:
			helped++
		}
	}
	if near < 500 || helped < 50 {
		t.Errorf("%d contiguous, %d quasi-contiguous: too few cases", near, helped)
	}
}

// Sec. 3, of the non-contiguous policy: "in the long run it behaves as a random
// allocation of resources". Under load the distances of its jobs are nearer to those of
// a random allocation than to those of a contiguous one.
func TestPascualSequentialScatters(t *testing.T) {
	m := topologytest.Tree(t, 4, 4, 0)
	meter := allocationtest.NewTreeMeterOf(t, m)
	mean := func(a allocation.Allocator) float64 {
		stream := rand.New(rand.NewPCG(5, 6))
		f := allocation.NewFreeSet(256)
		var jobs [][]topology.Node
		sum, count := 0.0, 0
		for step := range 20000 {
			nodes, ok := a.Allocate(nil, f, allocation.Request{Size: 2 + stream.IntN(15)})
			if ok {
				f.Take(nodes)
				jobs = append(jobs, nodes)
				if step > 1000 {
					sum += meter.Measure(nodes).PairwiseMean
					count++
				}
			}
			for (!ok || len(jobs) > 24) && len(jobs) > 0 {
				i := stream.IntN(len(jobs))
				f.Release(jobs[i])
				jobs = slices.Delete(jobs, i, i+1)
				ok = true
			}
		}
		return sum / float64(count)
	}
	random := mean(NewRandom(m, rand.New(rand.NewPCG(1, 1))))
	sequential, contiguous := mean(NewSequential(m)), mean(quasi(t, m, 0))
	if random-sequential > sequential-contiguous {
		t.Errorf("mean distances: sequential %.2f, random %.2f, contiguous %.2f", sequential,
			random, contiguous)
	}
	t.Logf("mean distances: sequential %.2f, random %.2f, contiguous %.2f", sequential,
		random, contiguous)
}

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

// freeOnly returns a machine on which only the given nodes are free.
func freeOnly(nodes int, free ...topology.Node) *allocation.FreeSet {
	f := allocation.NewFreeSet(nodes)
	f.Take(f.AppendTo(nil))
	f.Release(free)
	return f
}

// Sec. 3: "in a 4-ary 3-tree topology, if we need to allocate a 4-node job, we
// have to find a completely empty stage-1 switch".
func TestPascualFourNodesNeedAnEmptySwitch(t *testing.T) {
	m := topologytest.Tree(t, 4, 3, 0)
	a := quasi(t, m, 0)
	three := freeOnly(64, 1, 2, 3, 4, 5, 6, 9, 10, 11, 60, 61, 62)
	if got, ok := a.Allocate(nil, three, allocation.Request{Size: 4}); ok {
		t.Errorf("three free nodes at each switch: %v", got)
	}
	if got, ok := a.Allocate(nil, freeOnly(64, 1, 2, 3, 4, 5, 6, 20, 21, 22, 23, 24),
		allocation.Request{Size: 4}); !ok || !slices.Equal(got, []topology.Node{20, 21, 22, 23}) {
		t.Errorf("one empty switch: %v %v", got, ok)
	}
}

// Sec. 3: "For a 6-node job (level-2) we need to find 6 free nodes that are
// connected using only stage-1 and stage-2 switches."
func TestPascualSixNodesNeedStageTwo(t *testing.T) {
	m := topologytest.Tree(t, 4, 3, 0)
	a := quasi(t, m, 0)
	if _, level := allocation.LevelOf(m.FatTree, 6); level != 2 {
		t.Errorf("a job of 6 is of level %d", level)
	}
	if got, ok := a.Allocate(nil, freeOnly(64, 0, 4, 8, 12, 15, 16, 20, 24, 28, 31),
		allocation.Request{Size: 6}); ok {
		t.Errorf("five free nodes in each of two subtrees: %v", got)
	}
	if got, ok := a.Allocate(nil, freeOnly(64, 0, 4, 8, 12, 15, 16, 20, 24, 28, 30, 31),
		allocation.Request{Size: 6}); !ok || !slices.Equal(got, []topology.Node{16, 20, 24, 28, 30, 31}) {
		t.Errorf("six: %v %v", got, ok)
	}
}

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

// Sec. 3, Fig. 1: "Job 3 is quasi-contiguously allocated because it should be a level-1
// job (size is 4) but it requires the utilization of stage-2 switches". By Eq. 1 this
// takes a qct that allows as many processes to be away.
func TestPascualQuasiContiguous(t *testing.T) {
	m := topologytest.Tree(t, 4, 3, 0)
	f := freeOnly(64, 3, 5, 6, 8, 10, 40)
	for _, c := range []struct {
		percent int
		want    []topology.Node
	}{
		{0, nil},
		{25, nil},                         // one process may be away, the fullest switch has two
		{26, []topology.Node{5, 6, 3, 8}}, // ceil(1.04) = 2
		{100, []topology.Node{5, 6, 3, 8}},
	} {
		got, ok := quasi(t, m, c.percent).Allocate(nil, f, allocation.Request{Size: 4})
		if ok != (c.want != nil) || !slices.Equal(got, c.want) {
			t.Errorf("qct %d: %v, want %v", c.percent, got, c.want)
		}
	}
}

// Sec. 3: "it searches for the remaining nodes using switches one level above": no
// further, whatever qct is.
func TestPascualOneLevelUpOnly(t *testing.T) {
	if got, ok := quasi(t, topologytest.Tree(t, 4, 3, 0), 100).Allocate(nil, freeOnly(64, 3, 20, 40,
		60),
		allocation.Request{Size: 4}); ok {
		t.Errorf("two levels up: %v", got)
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
		t.Errorf("%d contiguous, %d quasi-contiguous: the test looks at little", near, helped)
	}
}

// Sec. 4: HPC2N's 240 nodes in a 4-ary 4-tree of 256, where "the extra
// processors are not installed and they are ignored".
func TestPascualExtraProcessors(t *testing.T) {
	m := topologytest.Tree(t, 4, 4, 240)
	a := quasi(t, m, 0)
	if err := a.Check(allocation.Request{Size: 240}); err != nil {
		t.Error(err)
	}
	if err := a.Check(allocation.Request{Size: 241}); err == nil {
		t.Error("241 processors of 240")
	}
	f := allocation.NewFreeSet(240)
	f.Take(f.AppendTo(nil)[:192])
	if got, ok := a.Allocate(nil, f, allocation.Request{Size: 48}); !ok || got[0] != 192 ||
		got[47] != 239 {
		t.Errorf("the last subtree has 48 nodes, got %v", got)
	}
	if got, ok := a.Allocate(nil, f, allocation.Request{Size: 49}); ok {
		t.Errorf("49 of 48: %v", got)
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

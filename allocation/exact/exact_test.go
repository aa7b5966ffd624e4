package exact

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// checkBounds compares the sums of the allocators with the least sum.
func checkBounds(t testing.TB, machine *topology.Cube, made map[string]allocation.Allocator,
	free []bool, size int) {
	t.Helper()
	f := allocationtest.FreeSet(free)
	least := allocationtest.LeastApart(machine.Distance, allocationtest.FreeSet(free).AppendTo(nil),
		size)
	dimensions, mesh := float64(len(machine.Dims())), !slices.Contains(machine.Wrap(), true)
	for short, a := range made {
		nodes, ok := a.Allocate(nil, f, allocation.Request{Size: size})
		if !ok || len(nodes) != size || !slices.IsSorted(nodes) ||
			len(slices.Compact(slices.Clone(nodes))) != size ||
			slices.ContainsFunc(nodes, func(n topology.Node) bool { return !free[n] }) {
			t.Fatalf("%s: %d of %v are %v, %v", short, size, free, nodes, ok)
		}
		most := 0.0
		switch {
		case short == "optimal":
			most = 1
			if _, proven := a.(allocation.Explorer).Explored(); !proven {
				t.Errorf("optimal is not proven on %v, %d of %v", machine.Dims(), size, free)
			}
		case short == "mm" && size <= 3 && mesh: // [Bender et al. 2005, sec. 2.3]
			most = 1
		case (short == "mm" || short == "mm-inc") && mesh: // [sec. 4.1]
			most = min(2-1/(2*dimensions), 2-2/float64(size))
		case short == "mc1x1": // [Theorem 2]
			most = (2 - 2/float64(size)) * dimensions
		case short == "ptas:5": // [sec. 3, at the end]
			most = 1 / (1 - 1.0/3 - 2.0/4)
		default: // in any metric space [Krumke et al. 1997]
			most = 2 - 2/float64(size)
		}
		if sum := float64(allocationtest.PairsApart(machine, nodes)); sum > most*float64(least)+1e-9 ||
			sum < float64(least) {
			t.Errorf("%s on %v wrapping %v, %d of %v: %v add up to %v, more than %v times %d", short,
				machine.Dims(), machine.Wrap(), size, free, nodes, sum, most, least)
		}
	}
}

func boundedForms(t testing.TB, machine *topology.Cube, ptas bool) map[string]allocation.Allocator {
	made := map[string]allocation.Allocator{}
	for _, short := range []string{"mc1x1", "gen-alg", "mm", "mm-inc", "optimal"} {
		made[short] = makeExact(t, short, machine)
	}
	if ptas {
		made["ptas:5"] = makeExact(t, "ptas:5", machine)
	}
	return made
}

// Every free set of small machines and every size: optimal finds the optimum, and the
// others are as near to it as the papers prove.
func TestBoundsExhaustive(t *testing.T) {
	for _, machine := range []*topology.Cube{topologytest.Mesh(t, 2, 4), topologytest.Mesh(t, 3, 3),
		topologytest.Mesh(t, 2, 2, 2),
		topologytest.Mesh(t, 9), topologytest.Torus(t, []int{10}, true),
		topologytest.Torus(t, []int{3, 3}, true, true), topologytest.Torus(t, []int{4, 2}, true, false),
		topologytest.Torus(t, []int{3, 1, 3}, true, false, false)} {
		made := boundedForms(t, machine, false)
		for free, f := range allocationtest.EveryFreeSet(machine.Nodes(), 1) {
			for size := 1; size <= f.Count(); size++ {
				checkBounds(t, machine, made, free, size)
			}
		}
	}
}

// Random machines, meshes and tori of up to three dimensions.
func TestBoundsOnRandomMachines(t *testing.T) {
	stream := rand.New(rand.NewPCG(6, 7))
	for range 1000 {
		machine := topologytest.RandomMachine(t, stream, 60)
		free := make([]bool, machine.Nodes())
		for range 1 + stream.IntN(14) {
			free[stream.IntN(len(free))] = true
		}
		size := 1 + stream.IntN(allocationtest.FreeSet(free).Count())
		checkBounds(t, machine, boundedForms(t, machine, false), free, size)
	}
}

// The searches alone: starting from one more than the least sum, or from any greater
// sum, they find it. Starting from the least sum itself they find nothing.
func TestSearchesFindTheLeast(t *testing.T) {
	stream := rand.New(rand.NewPCG(16, 17))
	for range 1500 {
		machine := topologytest.RandomMachine(t, stream, 40)
		a := makeExact(t, "optimal", machine).(*optimal)
		if a.flat {
			continue
		}
		search := newSubsets(a.start, latticeStar(machine.Nodes())).search
		if a.plane != nil && stream.IntN(4) > 0 {
			search = a.plane.search
		}
		free := make([]bool, machine.Nodes())
		for range 2 + stream.IntN(14) {
			free[stream.IntN(len(free))] = true
		}
		f := allocationtest.FreeSet(free)
		size := 1 + stream.IntN(f.Count())
		least := allocationtest.LeastApart(machine.Distance, allocationtest.FreeSet(free).AppendTo(nil),
			size)
		for _, start := range []int{least, least + 1, least + 5, 1 << 30} {
			b := bound{least: int64(start), limit: 1 << 30}
			nodes := search(nil, f, size, &b)
			if start == least && nodes != nil || start > least &&
				(len(nodes) != size || allocationtest.PairsApart(machine, nodes) != least ||
					b.least != int64(least)) {
				t.Fatalf("%v wrapping %v, %d of %v from %d: %v with %d, least is %d", machine.Dims(),
					machine.Wrap(), size, free, start, nodes, b.least, least)
			}
		}
	}
}

// From four processors on MM+Inc can miss the least sum, so that optimal has to search.
// On these free sets it gains a hop.
func TestFourProcessorsNeedTheSearch(t *testing.T) {
	for _, c := range []struct {
		dims  []int
		nodes []topology.Node
		start int // sum that MM+Inc finds
	}{
		{[]int{3, 5}, []topology.Node{1, 3, 4, 5, 7, 8, 11, 13, 14}, 9},
		{[]int{2, 2, 3}, []topology.Node{2, 4, 6, 7, 8, 9, 10, 11}, 9},
	} {
		machine := topologytest.Mesh(t, c.dims...)
		free := make([]bool, machine.Nodes())
		for _, n := range c.nodes {
			free[n] = true
		}
		sums, least := map[string]int{}, allocationtest.LeastApart(machine.Distance,
			allocationtest.FreeSet(free).AppendTo(nil), 4)
		for _, short := range []string{"mm-inc", "optimal"} {
			nodes, _ := makeExact(t, short, machine).Allocate(nil, allocationtest.FreeSet(free),
				allocation.Request{Size: 4})
			sums[short] = allocationtest.PairsApart(machine, nodes)
		}
		if sums["optimal"] != least || sums["mm-inc"] != c.start || least >= c.start {
			t.Errorf("%v, 4 of %v: %v, want %d from optimal and %d from mm-inc",
				c.dims, c.nodes, sums, least, c.start)
		}
	}
}

// The approximation scheme with the least number of strips that has a bound.
func TestBoundOfPTAS(t *testing.T) {
	stream := rand.New(rand.NewPCG(8, 9))
	machine := topologytest.Mesh(t, 3, 3)
	made := map[string]allocation.Allocator{"ptas:5": makeExact(t, "ptas:5", machine)}
	for range 12 {
		free := make([]bool, 9)
		for range 9 {
			free[stream.IntN(9)] = true
		}
		checkBounds(t, machine, made, free, allocationtest.FreeSet(free).Count()/2+1)
	}
}

// A search that stops at its limit reports so and returns the best result so far.
func TestLimit(t *testing.T) {
	machine := topologytest.Mesh(t, 12, 12)
	f := allocationtest.RandomlyHalfFree(machine)
	inc, _ := makeExact(t, "mm-inc", machine).Allocate(nil, f, allocation.Request{Size: 30})
	before := allocationtest.PairsApart(machine, inc)
	for _, limit := range []int{1, 100, 10000} {
		a := makeExact(t, fmt.Sprintf("optimal:%d", limit), machine)
		nodes, _ := a.Allocate(nil, f, allocation.Request{Size: 30})
		sum := allocationtest.PairsApart(machine, nodes)
		if explored, proven := a.(allocation.Explorer).Explored(); sum > before ||
			proven != (explored <= limit) {
			t.Errorf("limit %d: %d after %d nodes, proven %v; %d before", limit, sum,
				explored, proven, before)
		}
		before = sum
	}
	if before == 0 {
		t.Error("nothing was allocated")
	}
}

package exact

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/center"
	"contend/internal/call"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// bounded are allocators on a machine, by their calls, whose sums of distances have bounds.
type bounded struct {
	machine  topology.Topology
	distance func(a, b topology.Node) int
	// mesh says that the proofs for meshes hold: one node a router, and no wrap around.
	mesh       bool
	dimensions float64
	made       map[string]allocation.Allocator
}

// boundsOn makes those of the allocators that know a machine.
func boundsOn(t testing.TB, machine topology.Topology, forms ...string) *bounded {
	t.Helper()
	rows := must.Have(allocation.NewRows(machine))
	b := &bounded{machine: machine, made: map[string]allocation.Allocator{},
		distance: func(x, y topology.Node) int { return int(rows.Row(rows.Home[x])[rows.Home[y]]) }}
	if cube, is := machine.(*topology.Cube); is && cube.Nodes() == cube.Routers() {
		b.dimensions = float64(len(cube.Dims()))
		b.mesh = b.dimensions < 4 && !slices.Contains(cube.Wrap(), true)
	}
	for _, short := range forms {
		b.made[short] = makeExact(t, short, machine)
	}
	return b
}

// check compares the sums of the allocators with the least sum.
func (b *bounded) check(t testing.TB, free []bool, size int) {
	t.Helper()
	f := allocationtest.FreeSet(free)
	least := allocationtest.MinPairSum(b.distance, f.AppendTo(nil), size)
	for short, a := range b.made {
		nodes, ok := allocationtest.Decide(t, short, a, free, f, allocation.Request{Size: size})
		if !ok || len(nodes) != size || !slices.IsSorted(nodes) {
			t.Fatalf("%s: %d of %v are %v, %v", short, size, free, nodes, ok)
		}
		ratio := b.ratio(short, float64(size))
		if e, is := a.(allocation.Explorer); is {
			if _, proven := e.Explored(); !proven {
				t.Errorf("%s is not proven on %v, %d of %v", short, b.machine, size, free)
			}
		}
		sum := 0
		for i, x := range nodes {
			for _, y := range nodes[:i] {
				sum += b.distance(x, y)
			}
		}
		if float64(sum) > ratio*float64(least)+1e-9 || sum < least {
			t.Errorf("%s on %v, %d of %v: %v add up to %d, more than %v times %d", short, b.machine,
				size, free, nodes, sum, ratio, least)
		}
	}
}

// ratio returns the proven bound of an allocator's sum over the least sum.
func (b *bounded) ratio(short string, size float64) float64 {
	switch {
	case short == "optimal":
		return 1
	case short == "mm" && size <= 3 && b.mesh: // [Bender et al. 2005, sec. 2.3]
		return 1
	case (short == "mm" || short == "mm-inc") && b.mesh: // [sec. 4.1]
		return min(2-1/(2*b.dimensions), 2-2/size)
	case short == "mc1x1": // [Theorem 2]
		return (2 - 2/size) * b.dimensions
	case call.Name(short) == "ptas":
		return ptasRatio(short, size)
	}
	return 2 - 2/size // in any metric space [Krumke et al. 1997]
}

// ptasRatio returns the bound of an approximation scheme. Slices of one processor neglect no
// distance, so that it finds the optimum [Bender et al. 2005, Lemma 3]. For larger jobs the bound
// is that at the end of sec. 3, from five slices on.
func ptasRatio(short string, size float64) float64 {
	v, _ := call.Parse(short, Allocators()[1].Parameters)
	switch m := float64(v.Int("m")); {
	case size <= m:
		return 1
	case m < 5:
		return math.Inf(1)
	default:
		return 1 / (1 - 1/(m-2) - 2/(m-1))
	}
}

// onLattices are calls of allocators on meshes and tori.
var onLattices = []string{"mc1x1", "gen-alg", "mm", "mm-inc", "optimal"}

// Every free set of small machines and every size: optimal finds the optimum, and the
// others are as near to it as the papers prove.
func TestBoundsExhaustive(t *testing.T) {
	for _, machine := range []*topology.Cube{topologytest.Mesh(t, 2, 4), topologytest.Mesh(t, 3, 3),
		topologytest.Mesh(t, 2, 2, 2), topologytest.Mesh(t, 9), topologytest.Torus(t, []int{5}, true),
		topologytest.Torus(t, []int{10}, true),
		topologytest.Torus(t, []int{3, 3}, true, true), topologytest.Torus(t, []int{4, 2}, true, false),
		topologytest.Torus(t, []int{3, 1, 3}, true, false, false)} {
		b := boundsOn(t, machine, onLattices...)
		for free, f := range allocationtest.EveryFreeSet(machine.Nodes(), 1) {
			for size := 1; size <= f.Count(); size++ {
				b.check(t, free, size)
			}
		}
	}
}

// Random meshes and tori of up to three dimensions.
func TestBoundsOnRandomMachines(t *testing.T) {
	stream := rand.New(rand.NewPCG(6, 7))
	for range 1000 {
		machine := topologytest.RandomMachine(t, stream, 60)
		free, f := someFree(stream, machine.Nodes(), 1)
		boundsOn(t, machine, onLattices...).check(t, free, 1+stream.IntN(f.Count()))
	}
}

// someFree draws up to 14 free nodes, and more.
func someFree(stream *rand.Rand, nodes, more int) ([]bool, *allocation.FreeSet) {
	free := make([]bool, nodes)
	for range more + stream.IntN(14) {
		free[stream.IntN(nodes)] = true
	}
	return free, allocationtest.FreeSet(free)
}

// The approximation scheme on all free sets, or one in step, of planes and of meshes of three
// dimensions [Bender et al. 2005, Theorems 4 and 6].
func TestPTASExhaustive(t *testing.T) {
	for _, c := range []struct {
		dims  []int
		forms []string
		step  int
	}{
		{[]int{3, 3}, []string{"ptas:5", "ptas:9"}, 7},
		{[]int{9}, []string{"ptas:5", "ptas:9"}, 7},
		{[]int{2, 2, 2}, []string{"ptas:2", "ptas:5", "ptas:8"}, 1},
		{[]int{3, 1, 3}, []string{"ptas:5", "ptas:9"}, 13},
		{[]int{9, 1, 1}, []string{"ptas:5"}, 13},
		{[]int{2, 3, 2}, []string{"ptas:3"}, 31},
	} {
		b := boundsOn(t, topologytest.Mesh(t, c.dims...), c.forms...)
		for free, f := range allocationtest.EveryFreeSet(b.machine.Nodes(), c.step) {
			for size := 1; size <= f.Count(); size++ {
				b.check(t, free, size)
			}
		}
	}
}

// Machines that are no lattice.
func TestBoundsOnAnyMachine(t *testing.T) {
	stream := rand.New(rand.NewPCG(1, 2))
	hops := []string{"gen-alg", "gen-alg:greedy", "mm", "mm:node-order", "mm-inc", "optimal"}
	for _, b := range []*bounded{boundsOn(t, topologytest.Tree(t, 3, 2, 9), hops...),
		boundsOn(t, topologytest.Tree(t, 2, 4, 11), hops...),
		boundsOn(t, topologytest.Cube(t, topology.CubeConfig{Dims: []int{2, 3}, Concentration: 2}),
			hops...),
		boundsOn(t, topologytest.Mesh(t, 2, 2, 2, 2), hops...),
		boundsOn(t, topologytest.Cube(t, topology.CubeConfig{Dims: []int{2, 4},
			ServiceRows: []int{1}}), hops...),
		boundsOn(t, topologytest.Unnamed{Topology: topologytest.Mesh(t, 3, 4)}, hops...)} {
		for range 40 {
			free, f := allocationtest.Dense(stream, b.machine.Nodes(), 0.3+0.7*stream.Float64())
			if f.Count() > 0 {
				b.check(t, free, 1+stream.IntN(f.Count()))
			}
		}
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
		free, f := someFree(stream, machine.Nodes(), 2)
		size := 1 + stream.IntN(f.Count())
		least := allocationtest.MinPairSum(machine.Distance, f.AppendTo(nil), size)
		for _, start := range []int{least, least + 1, least + 5, 1 << 30} {
			b := bound{minSum: int64(start), limit: 1 << 30}
			nodes := search(nil, f, size, &b)
			if start == least && nodes != nil || start > least &&
				(len(nodes) != size || allocationtest.PairsApart(machine, nodes) != least ||
					b.minSum != int64(least)) {
				t.Fatalf("%v wrapping %v, %d of %v from %d: %v with %d, least is %d", machine.Dims(),
					machine.Wrap(), size, free, start, nodes, b.minSum, least)
			}
		}
	}
}

// A search that stops at its limit reports so and returns the best result so far.
func TestLimit(t *testing.T) {
	machine := topologytest.Mesh(t, 12, 12)
	_, f := allocationtest.Dense(rand.New(rand.NewPCG(11, 12)), machine.Nodes(), 0.5)
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

// Bender et al. 2005, Fig. 2: the least sums of pairwise distances of 2 to 21
// processors of an empty machine.
func TestBenderFig2(t *testing.T) {
	machine := topologytest.Mesh(t, 16, 16)
	a, free := makeExact(t, "optimal", machine), allocation.NewFreeSet(16*16)
	for i, want := range []int{1, 4, 8, 16, 25, 38, 54, 72, 96, 124, 152, 188, 227, 272, 318, 374,
		433, 496, 563, 632} {
		size := 2 + i
		nodes, _ := a.Allocate(nil, free, allocation.Request{Size: size})
		explored, proven := a.(allocation.Explorer).Explored()
		if got := allocationtest.PairsApart(machine, nodes); got != want || !proven {
			t.Errorf("%d processors: %d (proven %v after %d nodes), published %d", size, got,
				proven, explored, want)
		}
	}
}

// makeExact makes the allocator of a call, of this package or one to compare it with.
func makeExact(t testing.TB, text string, machine topology.Topology) allocation.Allocator {
	t.Helper()
	return allocationtest.Make(t, append(Allocators(), center.Allocators()...), text, machine)
}

// Decisions by hand, examples of papers, and refusals.
func TestStories(t *testing.T) {
	allocationtest.Stories(t, append(Allocators(), center.Allocators()...))
}

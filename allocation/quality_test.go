package allocation

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Random sets on meshes and tori of all parities, compared with plain counting. A meter
// is used many times, so marks of earlier sets would show.
func TestQualityAgainstCounting(t *testing.T) {
	stream := rand.New(rand.NewPCG(1, 9))
	torus := []bool{true, true}
	for _, c := range []topology.CubeConfig{
		{Dims: []int{3, 2, 4, 2}}, {Dims: []int{2, 2, 2, 2, 2}}, {Dims: []int{5, 3}, Concentration: 3},
		{Dims: []int{4, 3, 2, 3}, Wrap: []bool{true, true, true, true}, Concentration: 2},
		{Dims: []int{6, 6}, Wrap: torus, Concentration: 4, ServiceRows: []int{0, 2, 3}},
		{Dims: []int{5, 7}, ServiceRows: []int{1, 4}},
		{Dims: []int{3, 3, 5}, Wrap: []bool{false, true, true}, ServiceRows: []int{2}},
		{Dims: []int{8, 8}}, {Dims: []int{7, 5}}, {Dims: []int{9}}, {Dims: []int{3, 4, 5}},
		{Dims: []int{8, 8}, Wrap: []bool{true, true}}, {Dims: []int{7, 5}, Wrap: []bool{true, true}},
		{Dims: []int{6, 5}, Wrap: []bool{false, true}},
		{Dims: []int{3, 4, 5}, Wrap: []bool{true, true, true}},
		{Dims: []int{11}, Wrap: []bool{true}}, {Dims: []int{2, 1, 9}, Wrap: []bool{true, true, true}},
	} {
		cube := must.Have(topology.NewCube(c))
		m := meter(t, cube)
		for range 300 {
			nodes := make([]topology.Node, 0, cube.Nodes())
			for _, n := range stream.Perm(cube.Nodes())[:1+stream.IntN(cube.Nodes())] {
				nodes = append(nodes, topology.Node(n))
			}
			want := count(cube, nodes)
			if diff := cmp.Diff(want, m.Measure(nodes), nearly); diff != "" {
				t.Fatalf("%+v, %v (-want +got)\n%s", c, nodes, diff)
			}
			slices.Sort(nodes)
			if diff := cmp.Diff(want, m.Measure(nodes), nearly); diff != "" {
				t.Fatalf("%+v, sorted: the order matters (-want +got)\n%s", c, diff)
			}
		}
	}
}

// A machine without coordinates is measured by its hops, computed here by relaxing
// every channel until nothing changes. It has no boxes.
func TestQualityOfAnyMachine(t *testing.T) {
	machine := topologytest.Irregular(30)
	hops := make([][]int, len(machine.Next))
	for r := range hops {
		hops[r] = slices.Repeat([]int{1 << 20}, len(hops))
		hops[r][r] = 0
	}
	for range hops {
		for a, next := range machine.Next {
			for _, b := range next {
				for r := range hops {
					hops[r][b] = min(hops[r][b], hops[r][a]+1)
				}
			}
		}
	}
	m, stream := meter(t, machine), rand.New(rand.NewPCG(2, 2))
	if m.Boxes() {
		t.Error("an irregular machine has boxes")
	}
	for range 500 {
		var nodes []topology.Node
		for _, n := range stream.Perm(machine.Nodes())[:1+stream.IntN(machine.Nodes())] {
			nodes = append(nodes, topology.Node(n))
		}
		want := Quality{Processors: len(nodes)}
		want.PairwiseSum, want.PairwiseMean, want.Components = countPairs(func(a, b topology.Node) int {
			return hops[machine.Homes[a]][machine.Homes[b]]
		}, nodes)
		if diff := cmp.Diff(want, m.Measure(nodes)); diff != "" {
			t.Fatalf("%v (-want +got)\n%s", nodes, diff)
		}
	}
}

// Spans over an order, compared with the formulas of [Leung et al. 2002, sec. 2.3] as
// printed, of the sorted ranks.
func TestSpans(t *testing.T) {
	stream := rand.New(rand.NewPCG(8, 8))
	for _, machine := range []topology.Topology{topologytest.Mesh(t, 3, 3),
		topologytest.Mesh(t, 16, 8), topologytest.Mesh(t, 1), topologytest.Cplant(t),
		topologytest.Irregular(50)} {
		order := numbered(machine)
		stream.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		m := meter(t, machine)
		m.Along(order)
		for range 300 {
			k := 1 + stream.IntN(len(order))
			var nodes []topology.Node
			ranks := stream.Perm(len(order))[:k]
			for _, rank := range ranks {
				nodes = append(nodes, order[rank])
			}
			slices.Sort(ranks)
			gap := len(order) - 1 - ranks[k-1] + ranks[0]
			for i := 0; i <= k-2; i++ {
				gap = max(gap, ranks[i+1]-ranks[i]-1)
			}
			q := m.Measure(nodes)
			if linear, ring := ranks[k-1]-ranks[0]+1, len(order)-gap; q.LinearSpan != linear ||
				q.RingSpan != ring || q.StretchSpan() != float64(ring)/float64(k) {
				t.Fatalf("ranks %v of %d: spans %d and %d, want %d and %d", ranks, len(order), q.LinearSpan,
					q.RingSpan, linear, ring)
			}
		}
	}
	m, longer := meter(t, topologytest.Mesh(t, 4)), numbered(topologytest.Mesh(t, 5))
	if must.Panic(func() { m.Along(longer) }) == "" {
		t.Error("an order of another machine was taken")
	}
}

// After 2^32 measurements the marks of the first ones are not valid.
func TestMarksRunOut(t *testing.T) {
	m := meter(t, topologytest.Mesh(t, 4, 4))
	m.round = ^uint32(0)
	if q := m.Measure([]topology.Node{0, 3}); q.Components != 2 {
		t.Errorf("%d components, want 2", q.Components)
	}
}

func TestMeterRefuses(t *testing.T) {
	parts := topologytest.Graph{Next: [][]int{{1}, {0}, nil}, Homes: []int{0, 1, 2}}
	want := "the quality of allocations: this machine is not connected: there is no path from " +
		"router 0 " +
		"to router 2"
	if _, err := NewMeter(parts); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if must.Panic(func() { meter(t, topologytest.Mesh(t, 2, 2)).Measure(nil) }) == "" {
		t.Error("no nodes have a quality")
	}
}

func TestMeasureTakesNoMemory(t *testing.T) {
	for _, machine := range []topology.Topology{topologytest.Mesh(t, 16, 16), topologytest.Cplant(t),
		topologytest.Irregular(150)} {
		m := meter(t, machine)
		m.Along(numbered(machine))
		nodes := []topology.Node{0, 1, 2, 3, 40, 80, 99}
		if n := testing.AllocsPerRun(100, func() { m.Measure(nodes) }); n != 0 {
			t.Errorf("%v allocations a measurement", n)
		}
	}
}

// numbered lists the nodes of a machine in the order of their numbers.
func numbered(machine topology.Topology) (order []topology.Node) {
	for n := range topology.Node(machine.Nodes()) {
		order = append(order, n)
	}
	return order
}

func meter(t testing.TB, machine topology.Topology) *Meter {
	t.Helper()
	return must.Have(NewMeter(machine))
}

// nearly allows rounding errors in the ratio of cubes.
var nearly = cmpopts.EquateApprox(1e-12, 0)

// count measures by visiting all pairs, all boxes, and all nodes of a box.
func count(cube *topology.Cube, nodes []topology.Node) Quality {
	q := Quality{Processors: len(nodes), Sides: [3]int{1, 1, 1}}
	q.PairwiseSum, q.PairwiseMean, q.Components = countPairs(cube.Distance, nodes)
	var first, sides []int
	for d, n := range cube.Dims() {
		start, side := shortest(cube, nodes, d, n)
		first, sides = append(first, start), append(sides, side)
		if d < 3 {
			q.Sides[d] = side
		}
		q.SideSum += side
	}
	for n := range topology.Node(cube.Nodes()) {
		within := true
		for d, length := range cube.Dims() {
			within = within && (cube.Coordinate(cube.RouterOf(n), d)-first[d]+length)%length < sides[d]
		}
		if within {
			q.Box++
		}
	}
	q.Dispersal = (float64(q.Box) - float64(len(nodes))) / float64(q.Box)
	q.WeightedDispersal = q.Dispersal * float64(len(nodes))
	most, dims := 0, 0.0
	for r := range topology.Router(cube.Routers()) {
		_, n := cube.NodesAt(r)
		most = max(most, n)
	}
	for _, n := range cube.Dims() {
		if n > 1 {
			dims++
		}
	}
	q.Cube = float64(most)
	for range int(dims) {
		q.Cube *= float64(slices.Max(sides))
	}
	least := 1.0
	for math.Pow(least, dims)*float64(most) < float64(len(nodes)) {
		least++
	}
	q.CubeRatio = math.Pow(float64(slices.Max(sides))/least, dims)
	return q
}

// countPairs visits all pairs for their distances and for the pairs that join two
// parts.
func countPairs(distance func(a, b topology.Node) int, nodes []topology.Node) (sum int64,
	mean float64, components int) {
	joined := make([]int, len(nodes))
	for i := range joined {
		joined[i] = i
	}
	components = len(nodes)
	pairs := 0
	for i, a := range nodes {
		for j, b := range nodes[:i] {
			pairs++
			sum += int64(distance(a, b))
			if from, to := joined[i], joined[j]; distance(a, b) < 2 && from != to {
				components--
				for k := range joined {
					if joined[k] == from {
						joined[k] = to
					}
				}
			}
		}
	}
	if pairs > 0 {
		mean = float64(sum) / float64(pairs)
	}
	return sum, mean, components
}

// shortest tries every length and start of an interval along dimension d.
func shortest(cube *topology.Cube, nodes []topology.Node, d, n int) (first, length int) {
	for length := 1; ; length++ {
		for start := range n {
			if start+length > n && !cube.Wrap()[d] {
				continue
			}
			if !slices.ContainsFunc(nodes, func(k topology.Node) bool {
				return (cube.Coordinate(cube.RouterOf(k), d)-start+n)%n >= length
			}) {
				return start, length
			}
		}
	}
}

// Groups are counted as a set of their numbers counts them, one time after the other.
func TestGroupsSpanned(t *testing.T) {
	machine := topologytest.Machine(t, "dragonfly:a4h2p2g7").(topology.Grouped)
	m := must.Have(NewGroupMeter(machine))
	stream := rand.New(rand.NewPCG(3, 1))
	for range 200 {
		var nodes []topology.Node
		groups := map[int]bool{}
		for _, n := range stream.Perm(machine.Nodes())[:1+stream.IntN(12)] {
			nodes = append(nodes, topology.Node(n))
			groups[n/8] = true // four routers of two nodes
		}
		if got := m.Spanned(nodes); got != len(groups) {
			t.Fatalf("nodes %v: %d groups, want %d", nodes, got, len(groups))
		}
	}
	for _, short := range []string{"mesh:4x4", "dragonfly:a4h2p2g1"} {
		if _, err := NewGroupMeter(topologytest.Machine(t, short)); err == nil {
			t.Errorf("%s has several groups", short)
		}
	}
}

func treeMeter(t testing.TB, machine topology.Topology) *TreeMeter {
	t.Helper()
	return must.Have(NewTreeMeter(machine))
}

// Random sets compared with counting over all pairs and all subtrees. A meter is used
// many times, so counts left over would show.
func TestTreeQualityAgainstCounting(t *testing.T) {
	stream := rand.New(rand.NewPCG(1, 9))
	for _, machine := range []*topology.FatTree{topologytest.Tree(t, 4, 3, 0).FatTree,
		topologytest.Tree(t, 4, 3, 41).FatTree,
		topologytest.Tree(t, 2, 5, 0).FatTree, topologytest.Tree(t, 3, 4, 0).FatTree, topologytest.Tree(t,
			6, 1, 0).FatTree,
		topologytest.Fat(t, topology.FatTreeConfig{Children: []int{5, 2, 1, 4}, Parents: []int{2},
			Nodes: 37}),
		topologytest.Fat(t, topology.FatTreeConfig{Children: []int{1, 3, 6}, Rails: 2})} {
		m := treeMeter(t, machine)
		for range 300 {
			var nodes []topology.Node
			from, most := 0, machine.Nodes()
			if stream.IntN(2) == 0 { // close together
				most = 1 + stream.IntN(machine.Nodes())
				from = stream.IntN(machine.Nodes() - most + 1)
			}
			for _, n := range stream.Perm(most)[:1+stream.IntN(most)] {
				nodes = append(nodes, topology.Node(from+n))
			}
			if diff := cmp.Diff(countTree(machine, nodes), m.Measure(nodes)); diff != "" {
				t.Fatalf("%v (-want +got)\n%s", nodes, diff)
			}
		}
	}
}

func countTree(machine *topology.FatTree, nodes []topology.Node) TreeQuality {
	q := TreeQuality{Processors: len(nodes)}
	pairs := 0
	for i, a := range nodes {
		for _, b := range nodes[:i] {
			q.PairwiseSum += int64(machine.Distance(a, b))
			pairs++
		}
	}
	if pairs > 0 {
		q.PairwiseMean = float64(q.PairwiseSum) / float64(pairs)
	}
	most := func(span int) int {
		in, best := map[int]int{}, 0
		for _, n := range nodes {
			in[int(n)/span]++
			best = max(best, in[int(n)/span])
		}
		return best
	}
	children := topologytest.ChildrenOf(machine)
	span := 1
	for ; span < len(nodes); q.JobLevel++ {
		span *= children[q.JobLevel]
	}
	q.Away = len(nodes) - most(span)
	for span := 1; most(span) < len(nodes); q.Level++ {
		span *= children[q.Level]
	}
	return q
}

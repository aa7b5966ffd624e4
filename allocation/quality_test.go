package allocation

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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

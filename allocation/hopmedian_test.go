package allocation

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/netsim/topology"
)

// gridOnly is a grid under another type, and unnamed a machine without coordinates:
// allocators know both by their hops.
type (
	gridOnly struct{ topology.Grid }
	unnamed  struct{ topology.Topology }
)

// On a lattice the allocators that count hops decide as those that know coordinates.
func TestHopsAgreeWithCoordinates(t *testing.T) {
	forms := []string{"gen-alg", "gen-alg:greedy", "gen-alg:node-order", "mm", "mm:greedy",
		"mm:node-order", "mm-inc", "mm-inc:greedy", "mm-inc:node-order"}
	for _, machine := range []*topology.Cube{mesh(t, 7), mesh(t, 5, 4), mesh(t, 3, 4, 3),
		torus(t, []int{6, 5}, true, true), torus(t, []int{5, 4}, false, true),
		cube(t, topology.CubeConfig{Dims: []int{5, 4}, Concentration: 3}),
		cube(t, topology.CubeConfig{Dims: []int{5, 4}, Wrap: []bool{true, true}, Concentration: 2}),
		cube(t, topology.CubeConfig{Dims: []int{3, 4, 3}, Concentration: 2, Wrap: []bool{false, true,
			false}}),
		cube(t, topology.CubeConfig{Dims: []int{4, 5}, Concentration: 3, ServiceRows: []int{1, 3}})} {
		for _, short := range forms {
			exact, hops := makeAllocator(t, short, machine), makeAllocator(t, short, gridOnly{machine})
			if _, is := hops.(*median); is {
				t.Fatalf("%s counts along coordinates", short)
			}
			exact.(TieCounter).CountTies(true)
			hops.(TieCounter).CountTies(true)
			stream := rand.New(rand.NewPCG(7, 8))
			for range 60 {
				free := drawnFree(stream, machine.Nodes(), 1+stream.IntN(machine.Nodes()))
				req := Request{Size: 1 + stream.IntN(free.Count())}
				want, _ := exact.Allocate(nil, free, req)
				got, ok := hops.Allocate(nil, free, req)
				ties, wanted := hops.(TieCounter).Ties(), exact.(TieCounter).Ties()
				if !ok || !slices.Equal(got, want) || ties != wanted {
					t.Fatalf("%s, %d of %v on %v: %v of %d ties, not %v of %d", short, req.Size, free,
						machine.Dims(), got, ties, want, wanted)
				}
			}
		}
	}
}

// drawnFree returns a set of drawn free nodes.
func drawnFree(stream *rand.Rand, nodes, free int) *FreeSet {
	f := NewFreeSet(nodes)
	for _, n := range stream.Perm(nodes)[free:] {
		f.Take([]topology.Node{topology.Node(n)})
	}
	return f
}

// byHopsMachines are machines that are no lattice.
func byHopsMachines(t *testing.T) map[string]topology.Topology {
	return map[string]topology.Topology{
		"tree": tree(t, 3, 2, 9), "uneven tree": tree(t, 2, 4, 11),
		"concentrated": cube(t, topology.CubeConfig{Dims: []int{2, 3}, Concentration: 2}),
		"hypercube":    mesh(t, 2, 2, 2, 2),
		"service rows": cube(t, topology.CubeConfig{Dims: []int{2, 4}, ServiceRows: []int{1}}),
		"plain":        unnamed{mesh(t, 3, 4)},
	}
}

// The least sum on a machine is that of all subsets, and the others keep the bound of
// Krumke et al. 1997 in any metric space.
func TestHopsOnAnyMachine(t *testing.T) {
	for name, machine := range byHopsMachines(t) {
		d, err := newDistances(machine)
		if err != nil {
			t.Fatal(err)
		}
		meter, stream := newPairMeter(d), rand.New(rand.NewPCG(1, 2))
		for range 40 {
			free := drawnFree(stream, machine.Nodes(), 1+stream.IntN(machine.Nodes()))
			size := 1 + stream.IntN(free.Count())
			least := leastOfSubsets(meter, free, size)
			for _, short := range []string{"gen-alg", "gen-alg:greedy", "mm", "mm:node-order", "mm-inc",
				"optimal"} {
				a := makeAllocator(t, short, machine)
				got, ok := a.Allocate(nil, free, Request{Size: size})
				sum := meter.sum(got)
				if !ok || len(slices.Compact(slices.Clone(got))) != size || !slices.IsSorted(got) ||
					slices.ContainsFunc(got, func(n topology.Node) bool { return !free.Free(n) }) {
					t.Fatalf("%s, %s: %d of %v are %v", name, short, size, free, got)
				}
				most := float64(least) * (2 - 2/float64(size))
				if e, is := a.(Explorer); is {
					if most = float64(least); !proved(e) {
						t.Errorf("%s: %d of %v is not proven", name, size, free)
					}
				}
				if sum < least || float64(sum) > most+1e-9 {
					t.Errorf("%s, %s: %d of %v are %v, %d in all; the least is %d", name, short, size, free,
						got, sum, least)
				}
			}
		}
	}
}

func proved(e Explorer) bool { _, proven := e.Explored(); return proven }

// leastOfSubsets tries all subsets.
func leastOfSubsets(meter *pairMeter, free *FreeSet, size int) int64 {
	nodes, least := free.AppendTo(nil), int64(math.MaxInt64)
	for set := range uint(1) << len(nodes) {
		if bits.OnesCount(set) != size {
			continue
		}
		var subset []topology.Node
		for i, n := range nodes {
			if set>>i&1 == 1 {
				subset = append(subset, n)
			}
		}
		least = min(least, meter.sum(subset))
	}
	return least
}

// Allocators by hops keep to the rules of all: they wait where too few nodes are free,
// and numbers of nodes decide.
func TestHopsRefuseAndCount(t *testing.T) {
	machine := tree(t, 2, 3, 8)
	for _, short := range []string{"gen-alg", "mm", "mm-inc", "optimal"} {
		a := makeAllocator(t, short, machine)
		if err := a.Check(Request{Size: 9}); err == nil {
			t.Errorf("%s takes more than the machine has", short)
		}
		free := NewFreeSet(8)
		free.Take([]topology.Node{0, 7})
		if got, ok := a.Allocate(nil, free, Request{Size: 7}); ok || got != nil {
			t.Errorf("%s places 7 on 6: %v", short, got)
		}
		c, _ := Parse(short)
		if !CountDecides(a) || !c.CountDecides() {
			t.Errorf("%s: counts do not decide", short)
		}
	}
}

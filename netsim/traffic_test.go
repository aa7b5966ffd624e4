package netsim

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
)

// Messages are created cycle by cycle and in a cycle node by node, their gaps and
// destinations drawn in that order: as by a program that looks at every node in
// every cycle.
func TestTrafficIsDrawnInOrder(t *testing.T) {
	for _, load := range []float64{0, 0.05, 0.9, 4} {
		const nodes, flits, until = 20, 4, 3000
		type sent struct {
			cycle    Cycle
			from, to topology.Node
		}
		var got, want []sent
		n := must.Have(New(Default(cube(t, false, 5, 4))))
		uniform := Uniform(nodes)
		tr := started(n, Traffic{Load: load, Flits: flits, Destination: func(from topology.Node,
			rng *rand.Rand) topology.Node {
			to := uniform(from, rng)
			got = append(got, sent{n.Now(), from, to})
			return to
		}}, 3, 4)
		run(t, n, tr, until)
		rng := rand.New(rand.NewPCG(3, 4))
		gap := func() Cycle {
			if p := load / flits; p < 1 {
				return 1 + Cycle(math.Log1p(-rng.Float64())/math.Log1p(-p))
			}
			return 1
		}
		var due [nodes]Cycle
		for i := range due {
			due[i] = until
			if load > 0 {
				due[i] = gap() - 1
			}
		}
		for now := range Cycle(until) {
			for from := range topology.Node(nodes) {
				if due[from] == now {
					want = append(want, sent{now, from, uniform(from, rng)})
					due[from] += gap()
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("load %v: %d messages, want %d, or others", load, len(got), len(want))
		}
	}
}

// Where permutations send, by hand: half-way round less one, for odd rings too.
func TestPermutationsByHand(t *testing.T) {
	for _, c := range []struct {
		name string
		dims []int
		to   []topology.Node
	}{
		{"tornado", []int{4}, []topology.Node{1, 2, 3, 0}},
		{"tornado", []int{5}, []topology.Node{2, 3, 4, 0, 1}},
		{"tornado", []int{3, 2}, []topology.Node{1, 2, 0, 4, 5, 3}},
		{"neighbour", []int{3, 2}, []topology.Node{4, 5, 3, 1, 2, 0}},
		{"bit-complement", []int{3, 2}, []topology.Node{5, 4, 3, 2, 1, 0}},
		{"bit-transpose", []int{8, 2}, []topology.Node{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11,
			15}},
		{"transpose", []int{3, 3}, []topology.Node{0, 3, 6, 1, 4, 7, 2, 5, 8}},
	} {
		cube := must.Have(topology.NewCube(topology.CubeConfig{Dims: c.dims}))
		to := must.Have(TrafficByName(c.name, cube))
		for n, want := range c.to {
			if got := to(topology.Node(n), nil); got != want {
				t.Errorf("%s on %v: %d sends to %d, want %d", c.name, c.dims, n, got, want)
			}
		}
	}
}

// On a HyperX they go by coordinates too, and the nodes of a router send to those of another in
// turn. Adversarial traffic goes to a router whose first coordinate is the next one.
func TestTrafficOfHyperXByHand(t *testing.T) {
	for _, c := range []struct {
		name  string
		dims  []int
		nodes int
		to    []topology.Node
	}{
		{"tornado", []int{4}, 2, []topology.Node{2, 3, 4, 5, 6, 7, 0, 1}},
		{"tornado", []int{5, 2}, 1, []topology.Node{2, 3, 4, 0, 1, 7, 8, 9, 5, 6}},
		{"neighbour", []int{3, 2}, 2, []topology.Node{8, 9, 10, 11, 6, 7, 2, 3, 4, 5, 0, 1}},
		{"transpose", []int{2, 2}, 2, []topology.Node{0, 1, 4, 5, 2, 3, 6, 7}},
	} {
		hyperX := must.Have(topology.NewHyperX(topology.HyperXConfig{Dims: c.dims,
			Concentration: c.nodes}))
		to := must.Have(TrafficByName(c.name, hyperX))
		for n, want := range c.to {
			if got := to(topology.Node(n), nil); got != want {
				t.Errorf("%s on %v: %d sends to %d, want %d", c.name, c.dims, n, got, want)
			}
		}
	}
	hyperX := must.Have(topology.NewHyperX(topology.HyperXConfig{Dims: []int{3, 2},
		Concentration: 2}))
	rng := rand.New(rand.NewPCG(1, 2))
	for name, want := range map[string][]topology.Node{
		"adversarial":          {0, 1, 6, 7}, // of node 4, whose router has x = 2
		"adversarial:groups=2": {2, 3, 8, 9},
	} {
		to, got := must.Have(TrafficByName(name, hyperX)), map[topology.Node]bool{}
		for range 100 {
			got[to(4, rng)] = true
		}
		if nodes := slices.Sorted(maps.Keys(got)); !slices.Equal(nodes, want) {
			t.Errorf("%s goes to %v, want %v", name, nodes, want)
		}
	}
	line := must.Have(topology.NewHyperX(topology.HyperXConfig{Dims: []int{1, 4}}))
	if _, err := TrafficByName("adversarial", line); err == nil {
		t.Error("a HyperX of one group has adversarial traffic")
	}
}

// A window counts the messages created from its first cycle to before its end: of
// nodes that create one in every cycle, as many as it has cycles.
func TestWindowCountsItsCycles(t *testing.T) {
	cube := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{3, 3}}))
	for _, window := range []Window{{From: 0, Until: 1}, {From: 7, Until: 7}, {From: 7, Until: 19}} {
		n := must.Have(New(Default(cube)))
		tr := started(n, Traffic{Load: 1, Flits: 1, Count: window}, 1, 2)
		run(t, n, tr, 40)
		if want := 9 * (window.Until - window.From); tr.Count.N != want {
			t.Errorf("%d messages from %d to before %d, want %d", tr.Count.N, window.From, window.Until,
				want)
		}
	}
}

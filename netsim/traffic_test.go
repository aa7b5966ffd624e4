package netsim

import (
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

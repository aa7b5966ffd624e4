package netsim

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/netsim/topology"
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
		n, err := New(Default(cube(t, false, 5, 4)))
		if err != nil {
			t.Fatal(err)
		}
		uniform := Uniform(nodes)
		tr := Traffic{Load: load, Flits: flits, Destination: func(from topology.Node, rng *rand.Rand) topology.Node {
			to := uniform(from, rng)
			got = append(got, sent{n.Now(), from, to})
			return to
		}}
		tr.Start(nodes, rand.New(rand.NewPCG(3, 4)))
		if err := tr.Run(n, until); err != nil {
			t.Fatal(err)
		}
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

//go:build long

package netsim

import (
	"math/rand/v2"
	"testing"

	"contend/router/topology"
)

// All p nodes of a router send to the next one of a row of S routers. Dimension order takes the
// one link between them, which carries a flit a cycle: it saturates at 1/p flits per node and
// cycle. With detours of two hops a router also has the S-2 other links of its row. What goes
// straight takes one of these S-1 links, what takes a detour two of the S-2: 1 + (S-2)/2 flits
// a cycle for the p nodes, S/2p for each. The routing comes within 5% of both bounds.
func TestLongDALMeetsItsBoundOnARow(t *testing.T) {
	if testing.Short() || slow {
		t.Skip("saturates four networks")
	}
	for _, dims := range [][]int{{8}, {4, 4}} {
		for routing, share := range map[string]float64{"dimension-order": 1,
			"dal": float64(dims[0]) / 2} {
			m, c := hyper(t, routing, dims...)
			bound := share / float64(dims[0])
			got := carryTo(t, c, toNextOfRow(m), 0.9).accepted
			if got > 1.001*bound || got < 0.95*bound {
				t.Errorf("on %v %s accepts %.4f flits per node and cycle, the links of a row carry %.4f",
					dims, routing, got, bound)
			}
		}
	}
}

// Under uniform traffic, which needs no detours, it accepts what minimal-adaptive routing does
// with as many virtual channels, within 10%.
func TestLongDALCarriesUniformTraffic(t *testing.T) {
	if testing.Short() || slow {
		t.Skip("saturates two networks")
	}
	_, c := hyper(t, "minimal-adaptive", 4, 4)
	minimal := carry(t, c, "uniform", 1).accepted
	c.Routing = "dal"
	if got := carry(t, c, "uniform", 1).accepted / minimal; got < 0.9 {
		t.Errorf("under uniform traffic dal accepts %.3f of what minimal-adaptive routing does", got)
	}
}

// UGAL accepts what the better of dimension order and Valiant's routing does, within 10%. It
// accepts 0.99 of it or more, but for 0.946 on two dimensions under uniform traffic of 1.
func TestLongUGALOnHyperXIsNearTheBetter(t *testing.T) {
	if testing.Short() || slow {
		t.Skip("many runs of a network")
	}
	for _, dims := range [][]int{{8}, {4, 4}} {
		for _, traffic := range []string{"uniform", "to the next of a row"} {
			nearTheBetter(t, traffic, []float64{0.3, 0.6, 1}, []string{"dimension-order", "valiant"},
				[]string{"ugal"}, func(routing string, load float64) float64 {
					m, c := hyper(t, routing, dims...)
					if traffic == "uniform" {
						return carry(t, c, traffic, load).accepted
					}
					return carryTo(t, c, toNextOfRow(m), load).accepted
				})
		}
	}
}

// toNextOfRow sends from all nodes of a router to those of the next one of its first dimension.
func toNextOfRow(m *topology.HyperX) func(topology.Node, *rand.Rand) topology.Node {
	per, side := m.Nodes()/m.Routers(), m.Dims()[0]
	return func(n topology.Node, rng *rand.Rand) topology.Node {
		r := m.RouterOf(n)
		x := m.Coordinate(r, 0)
		return topology.Node((int(r)-x+(x+1)%side)*per + rng.IntN(per))
	}
}

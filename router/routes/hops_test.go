package routes_test

import (
	"testing"

	"contend/netsim/topology"
	"contend/netsim/topology/topologytest"
	"contend/router"
	"contend/router/routes/dragonfly"
)

// A packet on a dragonfly takes one global link at most and the fewest channels that way.
func TestHopsOnDragonflies(t *testing.T) {
	for _, size := range []string{"a4h2p2g9", "a4h2g5:relative", "a3h1g4", "a4h2g7:circulant", "a1h4",
		"a5h1g1", "a3h3g4:relative"} {
		m := topologytest.Machine(t, "dragonfly:"+size).(*topology.Dragonfly)
		w := router.NewWiring(m, 2, 1)
		x, err := dragonfly.NewMinimal(w)
		if err != nil {
			t.Fatal(err)
		}
		for a := range topology.Node(m.Nodes()) {
			for b := range topology.Node(m.Nodes()) {
				want, got, at := m.MinimalHops(m.RouterOf(a), m.RouterOf(b)), -1, w.Injection(a)
				for h := (router.Header{Source: a, Destination: b}); w.Enters(at) >= 0; got++ {
					at = x.Route(nil, w.Enters(at), at, &h, nil)[0]
				}
				if got != want {
					t.Fatalf("%s: from node %d to node %d in %d hops, want %d", size, a, b, got, want)
				}
			}
		}
	}
}

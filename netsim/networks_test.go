package netsim

import (
	"testing"

	"contend/netsim/topology"
)

// On an empty dragonfly, HyperX or graph a packet takes what the closed form says for the hops
// of its route, and in every engine that is exact there. A route on a HyperX is a shortest
// path; on the others it has the hops that the routing promises.
func TestZeroLoadLatencyOfNetworks(t *testing.T) {
	fly, err := topology.NewDragonfly(topology.DragonflyConfig{GroupRouters: 4, GlobalLinks: 2,
		Concentration: 2, Groups: 5})
	if err != nil {
		t.Fatal(err)
	}
	hyper, err := topology.NewHyperX(topology.HyperXConfig{Dims: []int{3, 4}, Width: []int{2, 1},
		Concentration: 2})
	if err != nil {
		t.Fatal(err)
	}
	// A ring of six, doubled on one side. Up/down from router 0, which has most links, goes the
	// other way round between routers 2 and 4, whose shortest path is over the last router.
	c := topology.GraphConfig{Routers: 6, Nodes: []topology.Router{0, 1, 2, 3, 4, 5, 0}}
	for r := range topology.Router(6) {
		c.Links = append(c.Links, topology.GraphLink{From: r, To: (r + 1) % 6})
	}
	c.Links = append(c.Links, topology.GraphLink{From: 0, To: 1})
	ring, err := topology.NewGraph(c)
	if err != nil {
		t.Fatal(err)
	}
	overRoot := func(a, b topology.Node) int {
		if d := ring.Distance(a, b); d != 2 || min(a, b) != 2 || max(a, b) != 4 {
			return d
		}
		return 4
	}
	for name, k := range map[string]struct {
		m    topology.Topology
		hops func(a, b topology.Node) int
	}{
		"dragonfly": {fly, func(a, b topology.Node) int {
			return fly.MinimalHops(fly.RouterOf(a), fly.RouterOf(b))
		}},
		"hyperx": {hyper, hyper.Distance},
		"graph":  {ring, overRoot},
	} {
		for _, engine := range []string{"cycle", "auto"} {
			config := Default(k.m)
			config.Engine = engine
			zeroLoad(t, name, config, k.hops)
		}
	}
}

// zeroLoad sends one packet at a time between all nodes.
func zeroLoad(t *testing.T, name string, c Config, hops func(a, b topology.Node) int) {
	t.Helper()
	n, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	for a := range topology.Node(c.Topology.Nodes()) {
		for b := range topology.Node(c.Topology.Nodes()) {
			n.Send(Message{From: a, To: b, Flits: int32(c.PacketFlits)})
			_, d, err := n.Advance(1 << 40)
			if err != nil {
				t.Fatal(err)
			}
			h := hops(a, b)
			if want := c.ZeroLoadLatency(h, c.PacketFlits); d[0].Latency != want || d[0].Hops != Cycle(h) {
				t.Fatalf("%s, %s: from %d to %d in %d cycles over %d hops, want %d over %d", name, c.Engine, a,
					b, d[0].Latency, d[0].Hops, want, h)
			}
			if _, _, err := n.Advance(n.Now() + 1000); err != nil {
				t.Fatal(err)
			}
		}
	}
}

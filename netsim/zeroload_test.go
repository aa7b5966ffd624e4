package netsim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/routes"
	"contend/router/topology"
)

// machine is a topology that counts hops.
type machine interface {
	topology.Topology
	topology.Metric
}

// lone is a kind of network on which packets are sent one at a time.
type lone struct {
	c        Config
	routings []string
	hops     func(a, b topology.Node) int
}

// lones are networks of all kinds. A route has the hops of a shortest path, but on dragonflies,
// and on graphs under up/down routing.
func lones(t *testing.T) map[string]lone {
	c := topology.GraphConfig{Routers: 6, Nodes: []topology.Router{0, 1, 2, 3, 4, 5, 0}}
	for r := range topology.Router(6) {
		c.Links = append(c.Links, topology.GraphLink{From: r, To: (r + 1) % 6})
	}
	// One side is doubled. Router 0, which has most links, is the root: from router 2 to 4 a
	// packet goes over it, and not over the last router, which is nearer.
	c.Links = append(c.Links, topology.GraphLink{From: 0, To: 1})
	ring := must.Have(topology.NewGraph(c))
	flies := must.Have(topology.NewDragonfly(topology.DragonflyConfig{GroupRouters: 4,
		GlobalLinks: 2, Concentration: 2, Groups: 5}))
	list := map[string]lone{
		"dragonfly": {Default(flies), nil, func(a, b topology.Node) int {
			return flies.MinimalHops(flies.RouterOf(a), flies.RouterOf(b))
		}},
		"graph": {Default(ring), nil, func(a, b topology.Node) int {
			if d := ring.Distance(a, b); d != 2 || min(a, b) != 2 || max(a, b) != 4 {
				return d
			}
			return 4
		}},
	}
	for name, m := range map[string]machine{
		"mesh": cube(t, false, 6, 5), "mesh of 3 dimensions": cube(t, false, 3, 4, 3),
		"torus": cube(t, true, 6, 5), "hypercube": cube(t, false, 2, 2, 2, 2),
		"hyperx": must.Have(topology.NewHyperX(topology.HyperXConfig{Dims: []int{3, 4},
			Width: []int{2, 1}, Concentration: 2})),
	} {
		list[name] = lone{Default(m), nil, m.Distance}
	}
	for name, m := range map[string]machine{"tree": tree(t, 2, 4), "one switch": tree(t, 5, 1),
		"slim tree": treeOf(t, 23, 3, 3, 2), "rails": railed(t),
		"fat tree": fatTree(t, topology.FatTreeConfig{Children: []int{2, 3, 2},
			Parents: []int{1, 2}, Bundle: []int{3, 1}})} {
		list[name] = lone{Default(m), append(treeRoutings, "adaptive-credits", "adaptive-random"),
			m.Distance}
	}
	rails := Default(railed(t))
	rails.Rail = RailByDestination
	list["rails by destination"] = lone{rails, treeRoutings, railed(t).Distance}
	for _, dims := range [][]int{{5}, {3, 4}, {2, 2, 3}} { // no detour is worth its way
		m, c := hyper(t, "dal", dims...)
		list[fmt.Sprint("dal ", dims)] = lone{c, nil, m.Distance}
	}
	return list
}

// On an empty network a packet takes exactly what the closed form says, from every node to every
// other and whatever way, in every engine.
func TestZeroLoadLatency(t *testing.T) {
	for name, k := range lones(t) {
		if slow && k.c.Topology.Nodes() > 12 {
			continue
		}
		if k.routings == nil {
			k.routings = []string{k.c.Routing}
		}
		for i, x := range []struct{ l, b, r, d, f, c int }{
			{8, 2, 2, 1, 1, 1}, // the defaults: 3H + 11
			{8, 1, 4, 1, 3, 1}, // ProcSimity: 5H + 27
			{8, 8, 0, 3, 1, 2}, // BookSim 2's speculative pipeline
			{1, 1, 2, 1, 1, 1},
			{16, 1, 1, 1, 1, 1},
			{16, 2, 3, 3, 1, 1},
			{5, 3, 0, 2, 1, 1},
			{8, 4, 2, 4, 2, 4},
			{64, 64, 2, 1, 2, 1},
			{7, 6, 1, 2, 1, 4},
		} {
			if slow && i > 1 {
				break
			}
			c := k.c
			c.PacketFlits, c.BufferFlits, c.RoutingCycles = x.l, x.b, x.r
			c.LinkCycles, c.FlitCycles, c.CreditCycles = x.d, x.f, x.c
			for _, c.Switching = range []router.Switching{router.Wormhole, router.VirtualCutThrough,
				router.StoreAndForward} {
				if c.Switching != router.Wormhole && x.b < x.l {
					continue
				}
				for _, c.Routing = range k.routings {
					for _, engine := range []string{"cycle", "auto", "closed form"} {
						c.Engine, c.MessageFlits = engine, 0
						if engine == "closed form" {
							c.Engine, c.MessageFlits = "auto", c.PacketFlits
						}
						if problem := allPairs(t, c, k.hops); problem != "" {
							t.Errorf("%s, %+v, switching %d, %s, %s: %s", name, x, c.Switching, c.Routing, engine,
								problem)
						}
					}
				}
			}
		}
	}
}

// allPairs sends a packet from every third node to every other, one at a time, and returns what is
// wrong with the first. Which nodes send depends on packets and buffers, so that all do.
func allPairs(t *testing.T, c Config, hops func(a, b topology.Node) int) string {
	n := must.Have(New(c))
	nodes := topology.Node(c.Topology.Nodes())
	for a := topology.Node(c.PacketFlits+c.BufferFlits) % min(3, nodes); a < nodes; a += 3 {
		for b := range nodes {
			n.Send(Message{From: a, To: b, Flits: int32(c.PacketFlits)})
			d, h := drain(t, n)[0], hops(a, b)
			if want := c.ZeroLoadLatency(h, c.PacketFlits); d.Latency != want ||
				d.NetworkLatency != want || d.Hops != Cycle(h) {
				return fmt.Sprintf("from %d to %d in %d cycles over %d hops, want %d over %d", a, b,
					d.Latency, d.Hops, want, h)
			}
			advance(t, n, n.Now()+1000) // the credits come home before the next packet
		}
	}
	return ""
}

// The figures that the documentation has of the defaults, and of the setting of ProcSimity (Lo,
// Windisch, Liu and Nitzberg 1994, App. A).
func TestZeroLoadOfPresets(t *testing.T) {
	c := Default(cube(t, false, 8, 8))
	if got := c.ZeroLoadLatency(14, 8); got != 3*14+11 {
		t.Errorf("defaults: %d cycles, want %d", got, 3*14+11)
	}
	c.RoutingCycles, c.FlitCycles, c.BufferFlits = 4, 3, 1
	if got := c.ZeroLoadLatency(14, 8); got != 5*14+27 {
		t.Errorf("ProcSimity: %d cycles, want %d", got, 5*14+27)
	}
}

// Where every link has a delay and a width of its own the closed form still is what a packet
// takes, in all engines. Of links that are alike it is the other one.
func TestZeroLoadLatencyWhereLinksDiffer(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 150 {
		c := Default(cube(t, false, 3, 3))
		if rng.IntN(2) == 0 {
			c.Topology = tree(t, 2, 3)
		}
		c.RoutingCycles, c.LinkCycles, c.CreditCycles = rng.IntN(7), 1+rng.IntN(9), 1+rng.IntN(9)
		c.BufferFlits, c.PacketFlits = 1+rng.IntN(6), 1+rng.IntN(40)
		c.Switching = []router.Switching{router.Wormhole, router.Wormhole, router.VirtualCutThrough,
			router.StoreAndForward}[rng.IntN(4)]
		if c.Switching != router.Wormhole {
			c.BufferFlits = c.PacketFlits + rng.IntN(3)
		}
		if c.Switching == router.VirtualCutThrough && rng.IntN(2) == 0 {
			c.PacketsHoldLinks, c.VirtualChannels, c.InputSpeedup = true, 1+rng.IntN(3), rng.IntN(3)
		}
		c.EjectionCreditCycles = max(0, rng.IntN(16)-8)
		seed, slow := rng.Uint64(), 1+rng.IntN(8)
		c.OwnLinks = func(_ *router.Wiring, l router.Link) (delay, flit int) {
			own := rand.New(rand.NewPCG(seed, uint64(l)))
			return 1 + own.IntN(12), 1 + own.IntN(slow)
		}
		for _, c.Engine = range []string{"cycle", "auto"} {
			for range 5 {
				nodes := c.Topology.Nodes()
				checkOneWay(t, c, topology.Node(rng.IntN(nodes)), topology.Node(rng.IntN(nodes)))
			}
		}
	}
}

// checkOneWay sends a packet through an empty network.
func checkOneWay(t *testing.T, c Config, from, to topology.Node) {
	t.Helper()
	n := must.Have(New(c))
	p := &headersWay{n: n}
	n.Trace(p)
	n.Send(Message{From: from, To: to, Flits: int32(c.PacketFlits)})
	d := drain(t, n)
	if want := c.ZeroLoadLatencyOver(p.way, c.PacketFlits); d[0].Latency != want {
		t.Fatalf("%s, %d flits over %+v, R %d, B %d, switching %d: latency %d, closed form %d", c.Engine,
			c.PacketFlits, p.way, c.RoutingCycles, c.BufferFlits, c.Switching, d[0].Latency, want)
	}
	same := make([]router.LinkTiming, len(p.way))
	for i := range same {
		same[i] = router.LinkTiming{Delay: int32(c.LinkCycles), Flit: int32(c.FlitCycles),
			Credit: int32(c.CreditCycles)}
	}
	if a, b := c.ZeroLoadLatencyOver(same, c.PacketFlits),
		c.ZeroLoadLatency(len(same)-2, c.PacketFlits); a != b {
		t.Fatalf("over links that are alike %d cycles, by their number %d", a, b)
	}
}

// The way of a packet that is alone is the one that its head takes, over links that differ.
// Routings with a choice between links, or that draw, do not know it of all packets.
func TestUncontendedPathIsThatOfThePacket(t *testing.T) {
	for _, k := range []struct {
		routing string
		m       topology.Topology
		sole    bool
	}{
		{"dimension-order", cube(t, false, 4, 3), true}, {"dateline", cube(t, true, 4, 4), true},
		{"west-first", cube(t, false, 4, 3), false}, {"valiant", cube(t, false, 4, 3), false},
		{"d-mod-k", railed(t), true}, {"s-mod-k", railed(t), true}, {"random", railed(t), false}, {"ecmp",
			railed(t), false},
		{"adaptive", railed(t), false}, {"minimal", fly(t, "minimal").Topology, true},
		{"par", fly(t, "par").Topology, false},
	} {
		c := Default(k.m)
		c.Routing, c.NodeLinkCycles, c.NodeCreditCycles = k.routing, 5, 13
		seed := rand.New(rand.NewPCG(3, 4)).Uint64()
		c.OwnLinks = func(_ *router.Wiring, l router.Link) (delay, flit int) {
			own := rand.New(rand.NewPCG(seed, uint64(l)))
			return 1 + own.IntN(9), 1 + own.IntN(3)
		}
		open := 0
		for a := range topology.Node(k.m.Nodes()) {
			n := must.Have(New(c))
			p := &headersWay{n: n}
			n.Trace(p)
			b := (a*a + 5) % topology.Node(k.m.Nodes())
			way := n.UncontendedPath(router.Header{Source: a, Destination: b,
				Packet: router.Identity(uint64(a), 0)})
			if sole, ok := n.SolePath(a, b); !ok {
				open++
			} else if !slices.Equal(sole, way) {
				t.Fatalf("%s: from %d to %d the only way is %v, and that of a packet %v", k.routing, a,
					b, sole, way)
			}
			n.Send(Message{From: a, To: b, Flits: int32(c.PacketFlits)})
			d := drain(t, n)
			config := n.Config()
			if want := c.ZeroLoadLatencyOver(way, c.PacketFlits); d[0].Latency != want &&
				!config.PacedByInputs(way) || !slices.Equal(p.way, way) {
				t.Fatalf("%s: from %d to %d in %d cycles over %d links, want %d over %d", k.routing, a, b,
					d[0].Latency, len(p.way), want, len(way))
			}
		}
		if (open == 0) != k.sole {
			t.Errorf("%s: %d ways are open", k.routing, open)
		}
	}
}

// Where routings draw nothing all lonely packets between two nodes take the same way.
func TestDrawsPaths(t *testing.T) {
	tested, drawn := 0, 0
	for _, m := range []topology.Topology{cube(t, false, 4, 4), cube(t, true, 4, 4), tree(t, 2, 3),
		must.Have(topology.NewHyperX(topology.HyperXConfig{Dims: []int{3, 3}})),
		must.Have(topology.NewDragonfly(topology.DragonflyConfig{GroupRouters: 4, GlobalLinks: 2}))} {
		for _, k := range routes.Builtin() {
			if k.Suits != nil && !k.Suits(m) {
				continue
			}
			c := Default(m)
			c.Routing, c.VirtualChannels = k.Name, 6
			n, err := New(c)
			if err != nil {
				continue
			}
			from, to, differ := topology.Node(1), topology.Node(m.Nodes()-1), false
			way := lonelyLinks(n, from, to, 0)
			for packet := range int64(64) {
				differ = differ || !slices.Equal(way, lonelyLinks(n, from, to, packet))
			}
			tested++
			if differ {
				drawn++
			}
			if differ && !n.DrawsPaths() {
				t.Errorf("%T, %s: packets take different ways, and nothing is drawn", m, k.Name)
			}
		}
	}
	if tested < 20 || drawn < 3 {
		t.Errorf("%d routings tested, of which %d draw", tested, drawn)
	}
}

// lonelyLinks returns the links of a lonely packet of a flow of its own.
func lonelyLinks(n *Network, from, to topology.Node, packet int64) []router.Link {
	return slices.Clone(n.UncontendedLinks(router.Header{Source: from, Destination: to, Packet: packet,
		Flow: int32(packet)}))
}

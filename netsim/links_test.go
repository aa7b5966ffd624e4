package netsim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// linkCarries returns what the link from one router to another carries, of its bandwidth, if the
// nodes of the one send without a pause to those of the other. Links of nodes are short and as wide
// as the network's, so that only the link and the buffers behind it are a limit; there are several
// nodes, as their buffers take time to route too.
func linkCarries(t *testing.T, c Config, nodes int) float64 {
	t.Helper()
	c.Topology = must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{2}, Concentration: nodes}))
	c.NodeLinkCycles, c.NodeCreditCycles, c.NodeVirtualChannels = 1, 1, 0
	n := must.Have(New(c))
	tr := started(n, Traffic{Load: 1, Flits: int32(c.PacketFlits),
		Destination: func(from topology.Node, _ *rand.Rand) topology.Node {
			if int(from) < nodes {
				return from + topology.Node(nodes)
			}
			return from
		}}, 1, 1)
	packet := Cycle(c.PacketFlits * max(c.FlitCycles, (c.LinkCycles+c.CreditCycles)/c.BufferFlits))
	warm, window := 100*packet+1000, 400*packet+4000
	run(t, n, tr, warm)
	before := n.Totals().Flits
	run(t, n, tr, warm+window)
	return float64(n.Totals().Flits-before) * float64(c.FlitCycles) / float64(window)
}

// No link carries more than LinkShare, and one that is asked for more carries it: the formula
// against the engines, with buffers from too shallow to deep, for packets shorter and longer.
func TestLinkShareIsWhatALinkCarries(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 10))
	draw := func(of ...int) int { return of[random.IntN(len(of))] }
	draws := 150
	if slow {
		draws = 20
	}
	for range draws {
		c := Default(nil)
		c.InputSpeedup = 0
		c.VirtualChannels, c.FlitCycles = draw(1, 1, 1, 2, 3), draw(1, 1, 2, 3)
		c.PacketFlits, c.BufferFlits = draw(1, 2, 5, 8, 16, 64), draw(1, 2, 3, 5, 8, 13, 16, 48)
		c.RoutingCycles, c.LinkCycles, c.CreditCycles = draw(0, 1, 2, 6), draw(1, 3, 20), draw(1, 2, 20)
		c.Switching = []router.Switching{router.Wormhole, router.Wormhole, router.VirtualCutThrough,
			router.StoreAndForward}[random.IntN(4)]
		if c.Switching != router.Wormhole {
			c.BufferFlits = max(c.BufferFlits, c.PacketFlits)
		}
		c.Topology = cube(t, false, 2)
		k := must.Have(c.LinkShare())
		name := fmt.Sprintf("switching %d V=%d B=%d L=%d R=%d D=%d C=%d F=%d", c.Switching,
			c.VirtualChannels,
			c.BufferFlits, c.PacketFlits, c.RoutingCycles, c.LinkCycles, c.CreditCycles, c.FlitCycles)
		got := linkCarries(t, c, 6)
		least := k.Share * 0.95
		if c.Switching != router.Wormhole && c.VirtualChannels > 1 {
			least = 0 // packets that take turns are longer on their way to a whole buffer
		}
		if got > k.Share*1.01 || got < least {
			t.Errorf("%s: the link carries %.4f of its bandwidth, want %.4f", name, got, k.Share)
		}
		if c.BufferFlits = k.Buffer; math.Abs(must.Have(c.LinkShare()).Share-k.Best) > 1e-9 {
			t.Errorf("%s: with buffers of %d flits the share is %.4f, want %.4f", name, k.Buffer,
				must.Have(c.LinkShare()).Share, k.Best)
		}
	}
}

// By hand: with the defaults and packets of 8 flits a buffer gets a packet in 8 cycles, and waits 2
// more for the next head to be routed: 0.8. With D + C = 22 it gets 2 flits in 22 cycles: four
// times that a packet, and twice the routing in the first. A message of a flit takes 1 cycle of 3.
func TestLinkShareByHand(t *testing.T) {
	for _, k := range []struct {
		name           string
		change         func(*Config)
		cycles, share  float64
		buffer, enough int
	}{
		{"defaults", func(*Config) {}, 10, 0.8, 2, 2},
		{"two virtual channels", func(c *Config) { c.VirtualChannels = 2 }, 10, 1, 2, 2},
		{"long links", func(c *Config) { c.LinkCycles = 21 }, 4*22 + 2, 8.0 / 90, 22, 12},
		{"long links, three", func(c *Config) { c.LinkCycles, c.VirtualChannels = 21, 3 }, 90, 24.0 / 90,
			8, 12}, // 8·22/N + 2 <= 3·8
		{"messages of a flit", func(c *Config) { c.MessageFlits = 1 }, 3, 1.0 / 3, 2, 3},
		{"slow links", func(c *Config) { c.FlitCycles = 3 }, 24, 1, 2, 1}, // R + D + C - 3N <= 0
		{"no routing", func(c *Config) { c.RoutingCycles, c.BufferFlits = 0, 1 }, 16, 0.5, 2, 2},
		{"cut-through", func(c *Config) {
			c.Switching, c.BufferFlits = router.VirtualCutThrough, 8
		}, 1 + 2 + 1 + 7, 8.0 / 11, 9, 2}, // all 8 places are free before the next head is sent
		{"store-and-forward", func(c *Config) {
			c.Switching, c.BufferFlits = router.StoreAndForward, 16
		}, 10, 0.8, 9, 2},
	} {
		c := Default(cube(t, false, 4))
		k.change(&c)
		got := must.Have(c.LinkShare())
		if math.Abs(got.Cycles-k.cycles) > 1e-9 || math.Abs(got.Share-k.share) > 1e-9 ||
			got.Buffer != k.buffer || got.Enough != k.enough || got.Kind != router.Network {
			t.Errorf("%s: %+v, want %+v", k.name, got, k)
		}
	}
	c := Default(cube(t, false, 4))
	c.VirtualChannels, c.NodeVirtualChannels = 4, 1
	if got := must.Have(c.LinkShare()); got.Kind != router.Injection || got.Share != 0.8 {
		t.Errorf("one virtual channel at nodes: %+v, want 0.8 at an injection channel", got)
	}
	c.LinkCycles, c.NodeLinkCycles = 7, 1 // 32/34 of a link between routers
	if got := must.Have(c.LinkShare()); got.Kind != router.Injection || got.RoundTrip != 8 {
		t.Errorf("links of 7 cycles: %+v, want 8 flits of a round trip", got)
	}
	c.FlitCycles = 3
	if got := must.Have(c.LinkShare()); got.RoundTrip != 3 {
		t.Errorf("flits of 3 cycles: %+v, want 3 of a round trip of 8", got)
	}
}

// A link of a graph has its own delay and its own width in each direction: with room in the
// buffers the flits of a packet follow each other as the narrowest link of the way lets them.
func TestGraphLinksOfTheirOwn(t *testing.T) {
	g := must.Have(topology.NewGraph(topology.GraphConfig{Routers: 3,
		Nodes: []topology.Router{0, 1, 2},
		Links: []topology.GraphLink{{From: 0, To: 1, Cycles: 3, FlitCycles: 4},
			{From: 2, To: 1, FlitCycles: 5, BackFlit: 2}}}))
	c := Default(g)
	c.BufferFlits = 8
	for _, engine := range []string{"auto", "cycle"} {
		c.Engine = engine
		for _, k := range []struct {
			from, to topology.Node
			want     Cycle
		}{
			// The head is sent to the narrowest link after one link and one routing; the tail
			// leaves seven flits later, and catches up with those before it.
			{0, 1, 1 + 2 + 7*4 + 3 + 1},
			{1, 0, 1 + 2 + 1 + 2 + 7*1 + 1}, // all links are alike: as wide as the last
			{0, 2, 1 + 2 + 7*4 + 3 + 1 + 1},
			{2, 0, 1 + 2 + 7*5 + 1 + 1 + 1},
			{1, 2, 1 + 2 + 7*2 + 1 + 1},
		} {
			n := must.Have(New(c))
			n.Send(Message{From: k.from, To: k.to, Flits: 8})
			if _, got, err := n.Advance(1000); err != nil || len(got) != 1 || got[0].Latency != k.want {
				t.Errorf("%s: from %d to %d %+v, %v, want %d cycles", engine, k.from, k.to, got, err, k.want)
			}
		}
	}
}

// A message of n full packets from a node at G cycles a flit: packet i begins
// i·ceil(L·G) cycles after the first, and all travel as on an empty network.
func TestSlowNodeBeginsPacketsAtItsOwnRate(t *testing.T) {
	for _, g := range []float64{1, 1.25, 2.0588, 3, 11.6667, 1000} {
		for _, length := range []int{1, 8, 64} {
			for _, engine := range []string{"cycle", "worm", "closed"} {
				c := Default(cube(t, false, 6))
				c.PacketFlits, c.InjectionFlitCycles, c.BufferFlits, c.CreditCycles, c.RoutingCycles = length,
					g, 4, 3, 0
				if c.Engine = engine; engine == "closed" {
					c.Engine, c.MessageFlits = "worm", 5*length
				}
				n := must.Have(New(c))
				n.Send(Message{From: 0, To: 4, Flits: int32(5 * length)})
				d := drain(t, n)
				want := 4*Cycle(math.Ceil(float64(length)*g)) + c.ZeroLoadLatency(4, length)
				if d[0].Delivered != want {
					t.Errorf("G = %v, L = %d, %s: %d cycles, want %d", g, length, engine, d[0].Delivered, want)
				}
			}
		}
	}
}

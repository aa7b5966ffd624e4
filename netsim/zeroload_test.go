package netsim

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/netsim/topology"
	"contend/router"
)

func cube(t testing.TB, wrap bool, dims ...int) *topology.Cube {
	t.Helper()
	c := topology.CubeConfig{Dims: dims}
	for range dims {
		c.Wrap = append(c.Wrap, wrap)
	}
	m, err := topology.NewCube(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestZeroLoadLatency: on an empty network a packet takes exactly what the
// closed form says, from every node to every other.
func TestZeroLoadLatency(t *testing.T) {
	machines := []*topology.Cube{cube(t, false, 8, 8), cube(t, false, 4, 4, 4), cube(t, true, 8, 8),
		cube(t, false, 2, 2, 2, 2)}
	if slow {
		machines = []*topology.Cube{cube(t, false, 3, 3), cube(t, true, 4, 3)}
	}
	for _, m := range machines {
		for _, k := range []struct{ l, b, r, d, f, c int }{
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
			c := Default(m)
			c.PacketFlits, c.BufferFlits, c.RoutingCycles, c.LinkCycles, c.FlitCycles, c.CreditCycles = k.l,
				k.b, k.r, k.d, k.f, k.c
			for _, s := range []router.Switching{router.Wormhole, router.VirtualCutThrough,
				router.StoreAndForward} {
				c.Switching = s
				if s != router.Wormhole && k.b < k.l {
					continue
				}
				t.Run(fmt.Sprintf("%v wrap=%v %+v switching=%d", m.Dims(), m.Wrap()[0], k, s),
					func(t *testing.T) {
						for _, c.Engine = range []string{"cycle", "auto"} {
							allPairs(t, c, m)
						}
						c.MessageFlits = c.PacketFlits
						allPairs(t, c, m)
					})
			}
		}
	}
}

// machine is a topology that counts hops.
type machine interface {
	topology.Topology
	topology.Metric
}

func allPairs(t *testing.T, c Config, m machine) {
	t.Helper()
	n, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	for a := range topology.Node(m.Nodes()) {
		for b := range topology.Node(m.Nodes()) {
			n.Send(Message{From: a, To: b, Flits: int32(c.PacketFlits)})
			_, d, err := n.Advance(1 << 40)
			if err != nil {
				t.Fatal(err)
			}
			h := m.Distance(a, b)
			if want := c.ZeroLoadLatency(h,
				c.PacketFlits); d[0].Latency != want || d[0].NetworkLatency != want || d[0].Hops != Cycle(h) {
				t.Fatalf("from %d to %d, %d hops: latency %d over %d hops, closed form %d", a, b, h,
					d[0].Latency, d[0].Hops, want)
			}
			// Let the credits come home before the next packet.
			if _, _, err := n.Advance(n.Now() + 1000); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The two figures network-model.md and the paper's preset stand for.
func TestZeroLoadOfPresets(t *testing.T) {
	m := cube(t, false, 8, 8)
	for h := range 15 {
		if got := Default(m).ZeroLoadLatency(h, 8); got != Cycle(3*h+11) {
			t.Errorf("defaults, %d hops: %d, want %d", h, got, 3*h+11)
		}
		if got := ProcSimity(m).ZeroLoadLatency(h, 8); got != Cycle(5*h+27) {
			t.Errorf("procsimity, %d hops: %d, want %d", h, got, 5*h+27)
		}
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
	n, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
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

// headersWay collects the links that a header passes. It is a router.Tracer.
type headersWay struct {
	n   *Network
	way []router.LinkTiming
}

// Sent implements router.Tracer.
func (p *headersWay) Sent(_ int64, c router.Channel, _ int64, index int32, _ int64) {
	if index == 0 {
		p.way = append(p.way, p.n.LinkTimings()[p.n.Wiring().LinkOf(c)])
	}
}

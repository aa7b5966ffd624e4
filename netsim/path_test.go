package netsim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

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

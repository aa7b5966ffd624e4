package netsim

import (
	"math"
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// Tornado traffic saturates a torus with datelines and two virtual channels at a fifth to a third
// of what its channels could carry. These tests show why. Every packet goes up its ring, in one
// class while it has the end to cross, and in the other one before and after. So on most channels
// all packets share the one virtual channel of a class, while the other one is idle. In saturation
// every packet holds a channel and waits for the next one, which is held too: places come free
// at the dateline only, and travel back round the ring. So a ring carries as much as one channel,
// however long it is.

// ahead returns a network of routers in a line or a ring, and the accepted load of each node in
// saturation where each sends three routers ahead, in a line as far as there are such.
func ahead(t *testing.T, wrap bool, routers, virtualChannels int) float64 {
	t.Helper()
	c := Default(cube(t, wrap, routers))
	c.VirtualChannels = virtualChannels
	if wrap {
		c.Routing = "dateline"
	}
	n := must.Have(New(c))
	tr := started(n, Traffic{Load: 0.9, Flits: 8,
		Destination: func(from topology.Node, _ *rand.Rand) topology.Node {
			if to := int(from) + 3; wrap || to < routers {
				return topology.Node(to % routers)
			}
			return from
		}}, 1, 1)
	run(t, n, tr, 4000)
	before := n.Totals().Flits
	run(t, n, tr, 24_000)
	return float64(n.Totals().Flits-before) / 20_000 / float64(routers)
}

// A ring with datelines accepts in saturation what a line with one virtual channel does: datelines
// take nothing away but the second virtual channel. All nodes of a ring together get as much,
// however many there are. A second virtual channel of each class more than doubles that.
func TestSaturatedRingIsALineOfOneVirtualChannel(t *testing.T) {
	if slow {
		return // other tests check invariants on this network
	}
	ring := ahead(t, true, 32, 2)
	if line := ahead(t, false, 32, 1); math.Abs(ring/line-1) > 0.05 {
		t.Errorf("the ring accepts %.4f flits per node and cycle, the line %.4f", ring, line)
	}
	if long := ahead(t, true, 64, 2); math.Abs(2*long/ring-1) > 0.05 {
		t.Errorf("64 nodes accept %.4f each, 32 nodes %.4f: want half", long, ring)
	}
	if more := ahead(t, true, 32, 4); more < 2*ring {
		t.Errorf("two virtual channels a class accept %.4f, one %.4f", more, ring)
	}
}

// The defaults of a torus carry what BookSim 2 (commit 28f4329) carries near its saturation, with
// the buffers, links and stages of the study booksim and two virtual channels
// (experiments/studies/booksim.csv): 0.148966 flits per node and cycle of tornado traffic, at a
// latency of 53.8 cycles, and 0.348923 of uniform traffic. Plain datelines are saturated at both.
func TestDefaultTorusCarriesWhatBookSimDoes(t *testing.T) {
	if slow {
		return // other tests check invariants on tori
	}
	tornado := func(from topology.Node, _ *rand.Rand) topology.Node {
		x, y := from%8, from/8
		return (x+3)%8 + 8*((y+3)%8)
	}
	uniform := func(_ topology.Node, r *rand.Rand) topology.Node { return topology.Node(r.IntN(64)) }
	carries := func(routing string, load float64, to func(topology.Node, *rand.Rand) topology.Node,
	) (accepted, latency float64) {
		c := Default(cube(t, true, 8, 8))
		c.BufferFlits, c.LinkCycles, c.CreditCycles, c.RoutingCycles = 8, 3, 2, 0
		c.Routing = routing
		n := must.Have(New(c))
		tr := started(n, Traffic{Load: load, Flits: 8, Destination: to, Self: true}, 1, 1)
		var packets, sum float64
		n.Watch(func(p *router.Arrival) {
			if p.Created >= 6000 {
				packets, sum = packets+1, sum+float64(p.Delivered-p.Created)
			}
		})
		run(t, n, tr, 6000)
		before := n.Totals().Flits
		run(t, n, tr, 24_000)
		return float64(n.Totals().Flits-before) / 18_000 / 64, sum / packets
	}
	if got, latency := carries("auto", 0.15, tornado); got < 0.99*0.148966 || latency > 1.5*53.7572 {
		t.Errorf("tornado: the defaults accept %.4f of 0.15 in %.1f cycles", got, latency)
	}
	if _, latency := carries("dateline", 0.15, tornado); latency < 1.5*53.7572 {
		t.Errorf("tornado: plain datelines take %.1f cycles: nothing is shown", latency)
	}
	if got, _ := carries("auto", 0.35, uniform); got < 0.99*0.348923 {
		t.Errorf("uniform: the defaults accept %.4f of 0.35", got)
	}
	if got, _ := carries("dateline", 0.35, uniform); got >= 0.99*0.348923 {
		t.Errorf("uniform: plain datelines accept %.4f of 0.35: nothing is shown", got)
	}
}

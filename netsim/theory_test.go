package netsim

import (
	"math"
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// Theory: what every queueing network obeys, whatever its routers are like.

// An ejection channel that N nodes share is a queue with one server, which each
// packet takes for L cycles. Were arrivals Poisson, the mean wait would be that of
// M/D/1 (Pollaczek and Khinchine), ρ·L / (2(1-ρ)) with ρ the channel's load. Of
// Bernoulli trials of N nodes in each cycle, as here, it is ρ·(L - 1/N) / (2(1-ρ)):
// the work found, (ρ²(N-1)/N + ρ(L-1)) / (2(1-ρ)), and that of the packets of the
// same cycle that go first, ρ(N-1)/N/2.
func TestWaitOfOneChannel(t *testing.T) {
	if slow {
		return // other tests check invariants on this network
	}
	const flits, nodes, batches = 16, 64, 20
	for _, rho := range []float64{0.3, 0.6} {
		m := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{1}, Concentration: nodes}))
		c := Default(m)
		c.PacketFlits, c.BufferFlits, c.RoutingCycles = flits, 2*flits, 0
		n := must.Have(New(c))
		// All go to node 0; the nodes' own channels are never waited for but by
		// packets of the same node, which belong to the queue.
		to := func(topology.Node, *rand.Rand) topology.Node { return 0 }
		tr := started(n, Traffic{Destination: to, Load: rho / nodes, Flits: flits, Self: true}, 11, 12)
		var sum, count float64
		idle := float64(c.ZeroLoadLatency(0, flits))
		n.Watch(func(p *router.Arrival) { sum += float64(p.Delivered-p.Created) - idle; count++ })
		var waits []float64
		for b := range batches + 1 {
			run(t, n, tr, Cycle(b+1)*300_000)
			if b > 0 {
				waits = append(waits, sum/count)
			}
			sum, count = 0, 0
		}
		mean, half := interval99(waits)
		want := rho * (flits - 1.0/nodes) / (2 * (1 - rho))
		if math.Abs(mean-want) > half {
			t.Errorf("at %.1f of its capacity a channel has packets wait %.3f ± %.3f cycles, want %.3f",
				rho, mean, half, want)
		}
	}
}

// interval99 returns the mean of 20 values and half the width of its 99% interval.
func interval99(x []float64) (mean, half float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		half += (v - mean) * (v - mean)
	}
	return mean, 2.861 * math.Sqrt(half/(n-1)/n)
}

// What a channel carries is never more than a flit every F cycles, and a network accepts no more
// than the channels across its middle let through.
func TestChannelLoadBound(t *testing.T) {
	if slow {
		return // other tests check invariants on this network
	}
	const warm, until = 2000, 8000
	for _, wrap := range []bool{false, true} {
		c := Default(cube(t, wrap, 6, 6))
		c.VirtualChannels, c.BufferFlits, c.FlitCycles = 2, 4, 2
		n := must.Have(New(c))
		tr := started(n, Traffic{Load: 1, Flits: 8}, 1, 2)
		run(t, n, tr, warm)
		n.ResetUsage()
		run(t, n, tr, until)
		w := n.Wiring()
		for l := range router.Link(w.Links()) {
			// A hold that began before the reset counts as a whole: L flits a virtual channel.
			most := int64(until-warm)/int64(c.FlitCycles) + 8*int64(c.VirtualChannels)
			if got := n.Usage(l).Flits; got > most {
				t.Errorf("%s carries %d flits, at most %d fit", w.Describe(w.First(l)), got, most)
			}
		}
		accepted, cut := float64(n.Totals().Flits)/(until-warm)/36, 6.0 // channels one way
		if wrap {
			cut = 12
		}
		if bound := cut / float64(c.FlitCycles) / (36 * 36 / 4 / 35.0); accepted > bound*1.01 ||
			accepted < bound/10 {
			t.Errorf("accepted %.4f flits per node and cycle, the middle lets %.4f through", accepted, bound)
		}
	}
}

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

// Theory of detours on dragonflies (Kim et al. 2008, sec. 4). The dragonfly has a routers a
// group, h global links and p nodes a router with a = 2p = 2h: see fly.

// carried is what a network accepts of an offered load, in flits per node and cycle, the mean
// latency of its packets in cycles, and the flits per cycle of a link between groups.
type carried struct{ accepted, latency, global float64 }

// carry runs a network under traffic: "uniform", or "adversarial" from each group to the next.
func carry(t *testing.T, c Config, traffic string, load float64) carried {
	t.Helper()
	return carryTo(t, c, destinationsOf(t, traffic, c.Topology, false).To, load)
}

// carryTo runs a network under traffic to destinations.
func carryTo(t *testing.T, c Config, to func(topology.Node, *rand.Rand) topology.Node,
	load float64) carried {
	t.Helper()
	const warm, until = 4000, 10_000
	n := must.Have(New(c))
	nodes := c.Topology.Nodes()
	tr := started(n, Traffic{Destination: to, Load: load, Flits: 4}, 21, 22)
	run(t, n, tr, warm)
	n.ResetUsage()
	run(t, n, tr, until)
	total := n.Totals()
	return carried{float64(total.Flits) / (until - warm) / float64(nodes),
		float64(total.Latency) / float64(total.Packets), betweenGroups(n) / (until - warm)}
}

// betweenGroups returns the mean flits that a link between groups of a dragonfly has carried, 0
// on other networks.
func betweenGroups(n *Network) float64 {
	m, ok := n.Config().Topology.(*topology.Dragonfly)
	if !ok {
		return 0
	}
	w, flits, links := n.Wiring(), 0.0, 0.0
	for l := range router.Link(w.Links()) {
		from, to := w.Ends(l)
		if w.Kind(l) == router.Network && m.Group(from.Router) != m.Group(to.Router) {
			flits += float64(n.Usage(l).Flits)
			links++
		}
	}
	return flits / links
}

// Under adversarial traffic all a·p nodes of a group send over one global link, which carries a
// flit a cycle: minimal routing saturates at 1/(a·p) flits per node and cycle.
func TestMinimalOnDragonflyMeetsItsBound(t *testing.T) {
	if slow {
		return // other tests check invariants on this network
	}
	const bound = 1.0 / (flyRouters * flyNodes)
	got := carry(t, fly(t, "minimal"), "adversarial", 0.5).accepted
	if got > bound*1.001 || got < 0.95*bound {
		t.Errorf("minimal routing accepts %.4f flits per node and cycle, the global link carries %.4f",
			got, bound)
	}
}

// portMeter sees, of every flit sent, the input port it left.
type portMeter struct {
	w      *router.Wiring
	path   map[int64][]router.Channel // of each packet, the channels its head was sent on
	flits  map[int64][]int            // of each packet, how many channels each flit was sent on
	cycles map[router.Link][]Cycle    // in which network ports sent, in order
}

func (m *portMeter) Sent(cycle int64, c router.Channel, packet int64, index int32, _ int64) {
	for int(index) >= len(m.flits[packet]) {
		m.flits[packet] = append(m.flits[packet], 0)
	}
	if index == 0 {
		m.path[packet] = append(m.path[packet], c)
	}
	k := m.flits[packet][index]
	m.flits[packet][index]++
	if k == 0 {
		return // it comes from its node
	}
	if in := m.w.LinkOf(m.path[packet][k-1]); m.w.Kind(in) == router.Network {
		m.cycles[in] = append(m.cycles[in], cycle)
	}
}

// most returns the most flits an input port sent in so many cycles on end.
func (m *portMeter) most(window Cycle) int {
	most := 0
	for _, list := range m.cycles {
		for i := range list {
			n := 1
			for n <= i && list[i-n] > list[i]-window {
				n++
			}
			most = max(most, n)
		}
	}
	return most
}

// overloaded runs a network under more than it accepts and watches its inputs.
func overloaded(t *testing.T, c Config) *portMeter {
	t.Helper()
	n := must.Have(New(c))
	m := &portMeter{w: n.Wiring(), path: map[int64][]router.Channel{}, flits: map[int64][]int{},
		cycles: map[router.Link][]Cycle{}}
	n.Trace(m)
	tr := started(n, Traffic{Load: 0.6, Flits: 4}, 5, 6)
	run(t, n, tr, 1500)
	return m
}

// An input port sends as many flits as its speedup says and no more, on meshes,
// tori and trees; a crossbar without limit has one port send several at once.
func TestInputSpeedup(t *testing.T) {
	for name, machine := range map[string]topology.Topology{
		"mesh": cube(t, false, 4, 4), "torus": cube(t, true, 4, 4), "tree": tree(t, 3, 2),
	} {
		for _, flit := range []int{1, 3} {
			c := Default(machine)
			c.VirtualChannels, c.FlitCycles, c.BufferFlits = 4, flit, 4
			c.InputSpeedup = 0
			free := overloaded(t, c).most(Cycle(flit))
			if free < 2 {
				t.Errorf("%s, F = %d: without limit no input port sends two flits in F cycles", name, flit)
			}
			for c.InputSpeedup = 1; c.InputSpeedup < 4; c.InputSpeedup++ {
				most, want := overloaded(t, c).most(Cycle(flit)), min(free, c.InputSpeedup)
				if most != want {
					t.Errorf("%s, F = %d, S = %d: an input port sends %d flits in F cycles, want %d",
						name, flit, c.InputSpeedup, most, want)
				}
			}
		}
	}
}

// When every node sends to all of 8 in every cycle its port has flits for nearly all of them. Of 8
// nominees that do not know of each other each output gets none with probability (7/8)^8, so 0.656
// of the outputs send at most. Where outputs begin, ports come to be sought by different ones.
func TestISLIPFillsOutputs(t *testing.T) {
	if slow {
		return // other tests check invariants on this network
	}
	accepted := func(how router.SwitchAllocator) float64 {
		c := Default(fatTree(t, topology.FatTreeConfig{Children: []int{8}}))
		c.PacketFlits, c.BufferFlits, c.RoutingCycles, c.VirtualChannels = 1, 4, 0, 64
		c.Arbiter, c.SwitchAllocator = router.RoundRobin, how
		n := must.Have(New(c))
		run(t, n, started(n, Traffic{Load: 1, Flits: 1}, 5, 6), 2000)
		return float64(n.Totals().Packets) / (2000 * 8)
	}
	bound := 1 - math.Pow(7./8, 8)
	if got := accepted(router.InputFirst); got > bound || got < 0.9*bound {
		t.Errorf("input first accepts %.3f flits a node and cycle, want at most %.3f, and nearly so", got,
			bound)
	}
	if got := accepted(router.ISLIP); got < 1.2*bound {
		t.Errorf("iSLIP accepts %.3f flits a node and cycle, input first no more than %.3f", got, bound)
	}
}

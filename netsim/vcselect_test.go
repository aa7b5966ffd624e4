package netsim

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/netsim/topology"
	"contend/router"
)

var vcSelects = []router.VCSelect{router.SelectMostCredits, router.SelectRoundRobin,
	router.SelectFirst}

var vcNames = map[router.VCSelect]string{router.SelectMostCredits: "most-credits",
	router.SelectRoundRobin: "round-robin", router.SelectFirst: "first"}

// uniformTraffic runs uniform traffic on a machine with four virtual channels, and returns the
// mean latency over that without load of packets created from cycle 500 on, and the share of the
// flits on network channels that each virtual channel carried.
func uniformTraffic(t *testing.T, c Config, load float64, until Cycle) (float64, []float64) {
	t.Helper()
	m := c.Topology.(*topology.Cube)
	n, flits := must.Have(New(c)), flitsOf{}
	n.Trace(flits)
	packets := arrivals(n)
	tr := started(n, Traffic{Load: load, Flits: int32(c.PacketFlits)}, 1, 2)
	run(t, n, tr, until)
	var latency, zero Cycle
	for _, p := range *packets {
		if p.Created >= 500 {
			latency += p.Delivered - p.Created
			zero += n.Config().ZeroLoadLatency(m.Distance(p.From, p.To), int(p.Length))
		}
	}
	w, shares, total := n.Wiring(), make([]float64, c.VirtualChannels), 0.0
	for channel, k := range flits {
		if l := w.LinkOf(channel); w.Kind(l) == router.Network {
			shares[channel-w.First(l)] += float64(k)
			total += float64(k)
		}
	}
	for v := range shares {
		shares[v] /= total
	}
	return float64(latency) / float64(zero), shares
}

// A packet of one flit holds a virtual channel for a cycle, so the first one is
// free whenever a header asks: if it is taken, all queue in one FIFO while three
// stand empty.
func TestSingleFlitsUseAllVirtualChannels(t *testing.T) {
	until, least := Cycle(6000), 3.0
	if slow { // queues have not grown yet
		until, least = 1500, 2
	}
	c := Default(cube(t, false, 8, 8))
	c.PacketFlits, c.BufferFlits, c.RoutingCycles, c.VirtualChannels = 1, 8, 1, 4
	// the crossbar adds a tenth, whatever the selection
	c.InputSpeedup = 0
	if r, _ := uniformTraffic(t, c, 0.3, until); r > 1.25 { // the default
		t.Errorf("latency is %.2f of that without load, want about 1.2", r)
	}
	for how, name := range vcNames {
		c.VCSelect = how
		r, s := uniformTraffic(t, c, 0.3, until)
		if how == router.SelectFirst {
			if s[0] < 0.7 || r < least {
				t.Errorf("first: latency ratio %.2f with %.2f of the flits on VC 0, want at least "+
					"%v and 0.7", r, s[0], least)
			}
			continue
		}
		if r > 1.3 {
			t.Errorf("%s: latency ratio %.2f, want about 1.2", name, r)
		}
		if slices.Max(s) > 0.26 || slices.Min(s) < 0.24 {
			t.Errorf("%s: the shares of the virtual channels are %.3f, want a quarter each", name, s)
		}
	}
}

// The classes of a torus are chosen in separately: packets that have yet to cross
// the dateline and packets that need not do not push each other to one channel.
func TestClassesAreUsedEvenly(t *testing.T) {
	c := Default(cube(t, true, 8, 8))
	c.PacketFlits, c.BufferFlits, c.VirtualChannels = 1, 4, 4
	until := Cycle(5000)
	if slow {
		until = 1000
	}
	for _, c.VCSelect = range []router.VCSelect{router.SelectMostCredits, router.SelectRoundRobin} {
		_, s := uniformTraffic(t, c, 0.2, until)
		for v := 0; v < 4; v += 2 { // the lower class and the upper one
			if d := math.Abs(s[v]-s[v+1]) / (s[v] + s[v+1]); d > 0.04 {
				t.Errorf("%s: shares of a class %.3f and %.3f", vcNames[c.VCSelect], s[v], s[v+1])
			}
		}
	}
}

// fingerprint is a digest of every flit sent under a burst of random messages.
func fingerprint(t *testing.T, c Config) string {
	t.Helper()
	n := must.Have(New(c))
	var tr tracer
	n.Trace(&tr)
	rng := rand.New(rand.NewPCG(3, 4))
	nodes := c.Topology.Nodes()
	for range 400 {
		n.Send(Message{From: topology.Node(rng.IntN(nodes)), To: topology.Node(rng.IntN(nodes)),
			Flits: int32(1 + rng.IntN(20))})
		advance(t, n, n.Now()+1)
	}
	drain(t, n)
	h := fnv.New64a()
	for _, s := range tr.sorted() {
		fmt.Fprintln(h, s)
	}
	fmt.Fprintln(h, n.Totals())
	return fmt.Sprintf("%016x", h.Sum64())
}

// Where there is nothing to choose, nothing depends on how it is chosen; and first
// is what all versions did that had no choice. The digests are theirs, and so is
// the crossbar without limit; with one virtual channel the limit changes nothing.
func TestSelectionsWithoutChoice(t *testing.T) {
	const fcfs, inTurn = router.FirstCome, router.RoundRobin
	for _, k := range []struct {
		name    string
		machine topology.Topology
		routing string
		arbiter router.Arbiter
		virtual int
		engine  string
		choice  bool
		want    string
	}{
		{"mesh V=1", cube(t, false, 4, 4), "", fcfs, 1, "cycle", false, "70b15fd4df67550f"},
		{"mesh V=1 worm", cube(t, false, 4, 4), "", fcfs, 1, "worm", false, "70b15fd4df67550f"},
		{"mesh V=1 in turn", cube(t, false, 4, 4), "", inTurn, 1, "cycle", false, "6f74cd97f6074fcd"},
		{"tree V=1", tree(t, 4, 2), "adaptive", fcfs, 1, "cycle", false, "6227c1a4a9cbcf23"},
		{"torus V=2", cube(t, true, 4, 4), "", fcfs, 2, "cycle", false, "b6f66c371d8e2515"},
		{"mesh V=4", cube(t, false, 4, 4), "", fcfs, 4, "cycle", true, "659c01c91f5859fe"},
		{"torus V=4 in turn", cube(t, true, 4, 4), "", inTurn, 4, "cycle", true, "8f1eb3ff3b3b8e31"},
		{"tree V=2", tree(t, 4, 2), "adaptive", fcfs, 2, "cycle", true, "9dbfce329c177e70"},
	} {
		c := Default(k.machine)
		c.Routing, c.Arbiter, c.VirtualChannels, c.Engine = k.routing, k.arbiter, k.virtual, k.engine
		if k.virtual > 1 {
			c.InputSpeedup = 0
		}
		for how, name := range vcNames {
			c.VCSelect = how
			switch got := fingerprint(t, c); {
			case got != k.want && (!k.choice || how == router.SelectFirst):
				t.Errorf("%s, %s: digest %s, want %s", k.name, name, got, k.want)
			case got == k.want && k.choice && how != router.SelectFirst:
				t.Errorf("%s, %s: as with first", k.name, name)
			}
		}
	}
}

// An adaptive routing lists the first virtual channel of each port up, then the
// second, so that an idle port is taken before a busy one is shared. So it stays
// where the busy channel is not the first one.
func TestIdleLinkBeforeSharedOne(t *testing.T) {
	for how, name := range vcNames {
		c := Default(tree(t, 4, 2))
		c.Routing, c.VirtualChannels, c.VCSelect = "adaptive", 2, how
		// All three prefer one port. The first turns the pointer; the second
		// holds a channel when the third asks.
		up := firstLinks(t, c, []timed{{0, Message{From: 0, To: 4, Flits: 1}},
			{50, Message{From: 0, To: 4, Flits: 8}}, {54, Message{From: 1, To: 8, Flits: 8}}})
		if up[0] != up[1] || up[1] == up[2] {
			t.Errorf("%s: links up %v, want the first two the same and the third another", name, up)
		}
	}
}

// firstLinks returns, by packet, the first network link of messages of one packet.
func firstLinks(t *testing.T, c Config, messages []timed) map[int64]router.Link {
	t.Helper()
	n := must.Have(New(c))
	var tr tracer
	n.Trace(&tr)
	play(t, n, messages)
	w, links := n.Wiring(), map[int64]router.Link{}
	for _, k := range tr.sorted() {
		if l := w.LinkOf(k.On); k.Index == 0 && w.Kind(l) == router.Network {
			if _, ok := links[k.Packet]; !ok {
				links[k.Packet] = l
			}
		}
	}
	return links
}

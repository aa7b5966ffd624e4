package netsim

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/netsim/topology"
	"contend/router"
)

var vcSelects = []router.VCSelect{router.SelectMostCredits, router.SelectRoundRobin,
	router.SelectFirst, router.SelectRandom}

var vcNames = map[router.VCSelect]string{router.SelectMostCredits: "most-credits",
	router.SelectRoundRobin: "round-robin", router.SelectFirst: "first", router.SelectRandom: "random"}

// usage counts the flits sent on each virtual channel.
type usage struct{ flits []int }

func (u *usage) Sent(_ int64, c router.Channel, _ int64, _ int32, _ int64) { u.flits[c]++ }

// uniformTraffic runs uniform traffic, and returns the mean latency over that
// without load of packets created from cycle 500 on, and the flits by channel.
func uniformTraffic(t *testing.T, c Config, m machine, load float64, until Cycle) (
	ratio float64, n *Network, flits []int) {
	t.Helper()
	n, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	u := &usage{make([]int, n.Wiring().Channels())}
	n.Trace(u)
	var latency, zero Cycle
	n.Watch(func(p *router.Arrival) {
		if p.Created >= 500 {
			latency += p.Delivered - p.Created
			zero += n.Config().ZeroLoadLatency(m.Distance(p.From, p.To), int(p.Length))
		}
	})
	tr := Traffic{Destination: Uniform(m.Nodes()), Load: load, Flits: int32(c.PacketFlits)}
	tr.Start(m.Nodes(), rand.New(rand.NewPCG(1, 2)))
	if err := tr.Run(n, until); err != nil {
		t.Fatal(err)
	}
	return float64(latency) / float64(zero), n, u.flits
}

// shares returns the share of the flits on network channels each virtual channel
// carried, over all links.
func shares(w *router.Wiring, flits []int) []float64 {
	s, total := make([]float64, w.VirtualChannels), 0.0
	for l := range router.Link(w.Links()) {
		if w.Kind(l) == router.Network {
			for v := range s {
				n := float64(flits[w.First(l)+router.Channel(v)])
				s[v] += n
				total += n
			}
		}
	}
	for v := range s {
		s[v] /= total
	}
	return s
}

// A packet of one flit holds a virtual channel for a cycle, so the first one is
// free whenever a header asks: if it is taken, all queue in one FIFO while three
// stand empty.
func TestSingleFlitsUseAllVirtualChannels(t *testing.T) {
	m, until, least := cube(t, false, 8, 8), Cycle(6000), 3.0
	if slow { // queues have not grown yet
		until, least = 1500, 2
	}
	c := Default(m)
	c.PacketFlits, c.BufferFlits, c.RoutingCycles, c.VirtualChannels = 1, 8, 1, 4
	// the crossbar adds a tenth, whatever the selection
	c.InputSpeedup = 0
	if r, _, _ := uniformTraffic(t, c, m, 0.3, until); r > 1.25 { // the default
		t.Errorf("latency is %.2f of that without load, want about 1.2", r)
	}
	for how, name := range vcNames {
		c.VCSelect = how
		r, n, flits := uniformTraffic(t, c, m, 0.3, until)
		s := shares(n.Wiring(), flits)
		t.Logf("%s: %.2f of the latency without load, shares %.3f", name, r, s)
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
	m := cube(t, true, 8, 8)
	c := Default(m)
	c.PacketFlits, c.BufferFlits, c.VirtualChannels = 1, 4, 4
	until := Cycle(5000)
	if slow {
		until = 1000
	}
	for _, c.VCSelect = range []router.VCSelect{router.SelectMostCredits, router.SelectRoundRobin} {
		_, n, flits := uniformTraffic(t, c, m, 0.2, until)
		s := shares(n.Wiring(), flits)
		if d := math.Abs(s[0]-s[1]) / (s[0] + s[1]); d > 0.04 {
			t.Errorf("%s: lower class %.3f and %.3f", vcNames[c.VCSelect], s[0], s[1])
		}
		if d := math.Abs(s[2]-s[3]) / (s[2] + s[3]); d > 0.04 {
			t.Errorf("%s: upper class %.3f and %.3f", vcNames[c.VCSelect], s[2], s[3])
		}
	}
}

// fingerprint is a digest of every flit sent under a burst of random messages.
func fingerprint(t *testing.T, c Config) string {
	t.Helper()
	n, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	var tr tracer
	n.Trace(&tr)
	rng := rand.New(rand.NewPCG(3, 4))
	nodes := c.Topology.Nodes()
	for range 400 {
		n.Send(Message{From: topology.Node(rng.IntN(nodes)), To: topology.Node(rng.IntN(nodes)),
			Flits: int32(1 + rng.IntN(20))})
		if _, _, err := n.Advance(n.Now() + 1); err != nil {
			t.Fatal(err)
		}
	}
	for n.Pending() > 0 {
		if _, _, err := n.Advance(1 << 30); err != nil {
			t.Fatal(err)
		}
	}
	sortSendings(tr.sent)
	h := fnv.New64a()
	for _, s := range tr.sent {
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

// A drawn virtual channel hangs on the seed; no other does.
func TestSeedOfSelection(t *testing.T) {
	c := Default(cube(t, false, 4, 4))
	c.VirtualChannels = 4
	for how, name := range vcNames {
		c.VCSelect, c.RoutingSeed = how, 1
		one := fingerprint(t, c)
		c.RoutingSeed = 2
		if same := one == fingerprint(t, c); same != (how != router.SelectRandom) {
			t.Errorf("%s: the same with another seed: %v", name, same)
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

// timed is a message and when it is sent.
type timed struct {
	at Cycle
	Message
}

// firstLinks returns, by packet, the first network link of messages of one packet.
func firstLinks(t *testing.T, c Config, messages []timed) map[int64]router.Link {
	t.Helper()
	n, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	var tr tracer
	n.Trace(&tr)
	for _, m := range messages {
		for n.Now() < m.at {
			if _, _, err := n.Advance(m.at); err != nil {
				t.Fatal(err)
			}
		}
		n.Send(m.Message)
	}
	for n.Pending() > 0 {
		if _, _, err := n.Advance(1 << 30); err != nil {
			t.Fatal(err)
		}
	}
	sortSendings(tr.sent)
	w, links := n.Wiring(), map[int64]router.Link{}
	for _, k := range tr.sent {
		if l := w.LinkOf(k.On); k.Index == 0 && w.Kind(l) == router.Network {
			if _, ok := links[k.Packet]; !ok {
				links[k.Packet] = l
			}
		}
	}
	return links
}

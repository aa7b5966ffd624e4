package netsim

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/netsim/topology"
	"contend/router"
	"contend/router/deadlock"
)

// One channel shared by several streams of packets saturates at one flit every
// F cycles: two nodes send to a third through one ejection channel.
func TestSharedChannelSaturates(t *testing.T) {
	for _, k := range []struct {
		f      int
		engine string
		length int
	}{{1, "cycle", 0}, {2, "cycle", 0}, {3, "cycle", 0}, {1, "worm", 0}, {3, "worm", 0}, {1, "worm",
		8}, {2, "worm", 8}} {
		f := k.f
		c := Default(cube(t, false, 3))
		c.FlitCycles, c.BufferFlits, c.Engine, c.MessageFlits = f, 8, k.engine, k.length
		n := must.Have(New(c))
		for range 500 {
			n.Send(Message{From: 0, To: 1, Flits: 8})
			n.Send(Message{From: 2, To: 1, Flits: 8})
		}
		drain(t, n)
		if got, want := float64(1000*8)/float64(n.Now()), 1/float64(f); math.Abs(got-want) > want/100 {
			t.Errorf("F = %d: %.3f flits per cycle, want %.3f", f, got, want)
		}
	}
}

// Full throughput of one flit every F cycles needs B·F >= D+C.
func TestThroughputOfAStream(t *testing.T) {
	for _, k := range []struct{ b, d, f, c int }{{1, 1, 1, 1}, {2, 1, 1, 1}, {1, 1, 3, 1}, {2, 3, 1,
		2}, {5, 3, 1, 2}, {3, 4, 2, 3}} {
		c := Default(cube(t, false, 4))
		c.PacketFlits, c.BufferFlits, c.LinkCycles, c.FlitCycles, c.CreditCycles, c.RoutingCycles = 4000,
			k.b, k.d, k.f, k.c, 0
		n := must.Have(New(c))
		n.Send(Message{From: 0, To: 3, Flits: 4000})
		advance(t, n, 1<<40)
		want := math.Min(1/float64(k.f), float64(k.b)/float64(k.d+k.c))
		if got := 4000 / float64(n.Now()); math.Abs(got-want) > want/50 {
			t.Errorf("%+v: %.3f flits per cycle, want %.3f", k, got, want)
		}
	}
}

func TestTorusWithoutDatelineIsRefused(t *testing.T) {
	c := Default(cube(t, true, 4, 4))
	c.Routing = "dimension-order"
	err := c.CheckDeadlock()
	var cycle *deadlock.CycleError
	if !errors.As(err, &cycle) {
		t.Fatalf("got %v, want a cycle", err)
	}
	if len(cycle.Channels) != 4 || !strings.Contains(err.Error(),
		"router (3,0)->(0,0), router (0,0)->(1,0), router (1,0)->(2,0), router (2,0)->(3,0)") {
		t.Errorf("the cycle is not named: %v", err)
	}
	c.Routing, c.VirtualChannels = "dateline", 1
	if err := c.CheckDeadlock(); err == nil || !strings.Contains(err.Error(),
		"at least 2 virtual channels") {
		t.Errorf("dateline routing with one virtual channel: %v", err)
	}
}

func TestRoutingsFreeOfDeadlock(t *testing.T) {
	for _, m := range []*topology.Cube{cube(t, false, 8, 8), cube(t, false, 3, 4, 5), cube(t, true, 4,
		4), cube(t, true, 5, 3, 4), cube(t, true, 9), cube(t, false, 2, 2, 2, 2)} {
		for _, v := range []int{2, 3, 4} {
			c := Default(m)
			c.VirtualChannels = v
			if err := c.CheckDeadlock(); err != nil {
				t.Errorf("%v wrap %v V=%d: %v", m.Dims(), m.Wrap(), v, err)
			}
		}
	}
}

// A ring whose every node sends to the one opposite does run into a deadlock
// without datelines; the network notices and says who waits for whom.
func TestStuckNetworkIsExplained(t *testing.T) {
	c := Default(cube(t, true, 8))
	c.Routing, c.VirtualChannels, c.BufferFlits = "dimension-order", 1, 1
	n, err := New(c)
	for i := range topology.Node(8) {
		n.Send(Message{From: i, To: (i + 4) % 8, Flits: 64})
	}
	for err == nil && n.Pending() > 0 {
		_, _, err = n.Advance(1 << 40)
	}
	var stuck *router.StuckError
	if !errors.As(err, &stuck) {
		t.Fatalf("got %v, want a stuck network", err)
	}
	if len(stuck.Channels) != 8 || !strings.Contains(err.Error(), "waits for router 0->1") {
		t.Errorf("not explained: %v", err)
	}
	c.Routing, c.VirtualChannels = "dateline", 2
	if n, err = New(c); err != nil {
		t.Fatal(err)
	}
	for i := range topology.Node(8) {
		n.Send(Message{From: i, To: (i + 4) % 8, Flits: 64})
	}
	drain(t, n)
}

// Every flit offered arrives, and the links carried each once a hop.
func TestFlitsAreConserved(t *testing.T) {
	for _, k := range []struct {
		m      *topology.Cube
		engine string
		buffer int
	}{{cube(t, false, 6, 5), "cycle", 2}, {cube(t, false, 6, 5), "worm", 2}, {cube(t, false, 6, 5),
		"worm", 1}, {cube(t, true, 4, 4), "auto", 2}, {cube(t, true, 3, 3, 3), "auto", 2}} {
		m, c := k.m, Default(k.m)
		c.Engine, c.BufferFlits = k.engine, k.buffer
		if k.buffer == 1 {
			c.FlitCycles = 2 // full throughput, as the closed form needs
		}
		n := must.Have(New(c))
		rng := rand.New(rand.NewPCG(7, 7))
		flits, flitHops := int64(0), int64(0)
		for range 3000 {
			k := Message{From: topology.Node(rng.IntN(m.Nodes())), To: topology.Node(rng.IntN(m.Nodes())),
				Flits: int32(1 + rng.IntN(30))}
			flits += int64(k.Flits)
			flitHops += int64(k.Flits) * int64(m.Distance(k.From, k.To)+2)
			n.Send(k)
			advance(t, n, n.Now()+Cycle(rng.IntN(8)))
		}
		drain(t, n)
		carried := int64(0)
		for l := range router.Link(n.Wiring().Links()) {
			carried += n.Usage(l).Flits
		}
		if got := n.Totals(); got.Flits != flits || got.Messages != 3000 || carried != flitHops {
			t.Errorf("%v: %d of %d flits arrived, links carried %d, want %d", m.Dims(), got.Flits, flits,
				carried, flitHops)
		}
	}
}

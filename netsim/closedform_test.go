package netsim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/netsim/topology"
	"contend/router"
)

// The closed form in all small settings in which it is exact, those among them in
// which it just about is and in which it just about needs no earlier header times:
// the cycle-driven engine has the same packets and the same use of every channel.
func TestClosedFormInAllSettings(t *testing.T) {
	cube, err := topology.NewCube(topology.CubeConfig{Dims: []int{4, 3}})
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for i := range 4 * 3 * 2 * 3 * 4 {
		c := Default(cube)
		c.RoutingCycles, i = i%4, i/4
		c.LinkCycles, i = 1+i%3, i/3
		c.FlitCycles, i = 1+i%2, i/2
		c.CreditCycles, i = 1+i%3, i/3
		c.BufferFlits = 1 + i
		c.PacketFlits, c.MessageFlits = 4*c.BufferFlits, 3*c.BufferFlits
		if c.BufferFlits*c.FlitCycles < c.LinkCycles+c.CreditCycles {
			continue
		}
		tried++
		c.Engine = "cycle"
		want := playedOut(t, c)
		c.Engine = "worm"
		if got := playedOut(t, c); !slices.Equal(got, want) {
			t.Errorf("R %d, D %d, F %d, C %d, B %d: the closed form differs",
				c.RoutingCycles, c.LinkCycles, c.FlitCycles, c.CreditCycles, c.BufferFlits)
		}
	}
	if tried < 50 {
		t.Errorf("%d settings", tried)
	}
}

// The closed form where links differ in delay, and so in credit: every link on its own, drawn so
// that a buffer is just enough for the longest, or for more.
func TestClosedFormWhereLinksDiffer(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 7))
	tried, early := 0, 0
	for range 400 {
		c := Default(cube(t, false, 4, 3))
		c.RoutingCycles, c.LinkCycles, c.FlitCycles, c.CreditCycles = rng.IntN(12), 1+rng.IntN(3),
			1+rng.IntN(3), 1+rng.IntN(3)
		longest, seed := 1+rng.IntN(6), rng.Uint64()
		c.OwnLinks = func(_ *router.Wiring, l router.Link) (delay, flit int) {
			return 1 + rand.New(rand.NewPCG(seed, uint64(l))).IntN(longest), 0
		}
		c.BufferFlits = (2*longest+2+c.FlitCycles-1)/c.FlitCycles - rng.IntN(3)
		if c.BufferFlits < 1 {
			continue
		}
		c.PacketFlits, c.MessageFlits = 4*c.BufferFlits, 3*c.BufferFlits
		w, x, timing := engineParts(t, c)
		if c.engine(w, x, timing) != router.ClosedForm {
			continue
		}
		tried++
		if slices.ContainsFunc(timing.Links, func(k router.LinkTiming) bool {
			return int(k.Delay+k.Credit)+c.RoutingCycles < c.BufferFlits*c.FlitCycles
		}) {
			early++
		}
		c.Engine = "cycle"
		want := playedOut(t, c)
		c.Engine = "worm"
		if got := playedOut(t, c); !slices.Equal(got, want) {
			t.Errorf("R %d, D %d, F %d, C %d, B %d, delays to %d: the closed form differs",
				c.RoutingCycles, c.LinkCycles, c.FlitCycles, c.CreditCycles, c.BufferFlits, longest)
		}
	}
	if tried < 100 || early < 50 || early > tried-50 {
		t.Errorf("%d settings, %d with earlier header times", tried, early)
	}
}

// One width of all links is a condition of the closed form, and that of the link from a router
// to its node is none of its delay.
func TestClosedFormAsksEveryLink(t *testing.T) {
	for _, k := range []struct {
		own    func(w *router.Wiring, l router.Link) (delay, flit int)
		closed bool
	}{
		{func(*router.Wiring, router.Link) (int, int) { return 0, 0 }, true},
		{func(_ *router.Wiring, l router.Link) (int, int) { return 0, 1 + int(l)%2 }, false},
		{func(_ *router.Wiring, l router.Link) (int, int) { return 0, 2 }, true},
		{func(_ *router.Wiring, l router.Link) (int, int) { return 1 + int(l)%9, 0 }, false},
		{func(w *router.Wiring, l router.Link) (int, int) {
			if w.Kind(l) == router.Ejection {
				return 9, 0
			}
			return 0, 0
		}, true},
	} {
		c := Default(cube(t, false, 4, 3))
		c.MessageFlits, c.OwnLinks = 8, k.own
		if w, x, timing := engineParts(t, c); (c.engine(w, x, timing) == router.ClosedForm) != k.closed {
			t.Errorf("links of %+v: the closed form is taken: %v", timing.Links[:9], !k.closed)
		}
	}
}

// engineParts returns what the choice of an engine depends on.
func engineParts(t *testing.T, c Config) (*router.Wiring, router.Routing, router.Timing) {
	t.Helper()
	c, err := c.Resolved()
	if err != nil {
		t.Fatal(err)
	}
	w, x, err := c.Wire()
	if err != nil {
		t.Fatal(err)
	}
	return w, x, c.timing(w)
}

// playedOut returns what becomes of some messages in a network, packet by packet
// and then channel by channel.
func playedOut(t *testing.T, c Config) (lines []string) {
	t.Helper()
	n, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	n.Watch(func(p *router.Arrival) { lines = append(lines, fmt.Sprintf("%+v", *p)) })
	rng := rand.New(rand.NewPCG(3, uint64(c.MessageFlits)))
	for range 60 {
		until := n.Now() + Cycle(rng.IntN(4*c.FlitCycles))
		for n.Now() < until {
			if _, _, err := n.Advance(until); err != nil {
				t.Fatal(err)
			}
		}
		n.Send(Message{From: topology.Node(rng.IntN(12)), To: topology.Node(rng.IntN(12)),
			Flits: int32(c.MessageFlits), Job: int32(rng.IntN(2))})
	}
	drain(t, n)
	for l := range router.Link(n.Wiring().Links()) {
		lines = append(lines, fmt.Sprintf("%d %+v", l, n.Usage(l)))
	}
	return lines
}

// drain lets all messages arrive.
func drain(t *testing.T, n *Network) (deliveries []Delivery) {
	t.Helper()
	for n.Pending() > 0 {
		_, d, err := n.Advance(n.Now() + 1_000_000)
		if err != nil {
			t.Fatal(err)
		}
		deliveries = append(deliveries, d...)
	}
	return deliveries
}

package netsim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/netsim/topology"
	"contend/router"
)

// closedFormAgrees compares the closed form with the cycle-driven engine, packet by packet and
// channel by channel.
func closedFormAgrees(t *testing.T, c Config) {
	t.Helper()
	c.PacketFlits, c.MessageFlits = 4*c.BufferFlits, 3*c.BufferFlits
	c.Engine = "cycle"
	want := playedOut(t, c)
	c.Engine = "worm"
	if got := playedOut(t, c); !slices.Equal(got, want) {
		t.Errorf("R %d, D %d, F %d, C %d, B %d: the closed form differs",
			c.RoutingCycles, c.LinkCycles, c.FlitCycles, c.CreditCycles, c.BufferFlits)
	}
}

// playedOut returns what becomes of some messages in a network of 12 nodes, packet by packet and
// then channel by channel.
func playedOut(t *testing.T, c Config) (lines []string) {
	t.Helper()
	n := must.Have(New(c))
	packets := arrivals(n)
	rng := rand.New(rand.NewPCG(3, uint64(c.MessageFlits)))
	for range 60 {
		advanceTo(t, n, n.Now()+Cycle(rng.IntN(4*c.FlitCycles)))
		n.Send(Message{From: topology.Node(rng.IntN(12)), To: topology.Node(rng.IntN(12)),
			Flits: int32(c.MessageFlits), Job: int32(rng.IntN(2))})
	}
	drain(t, n)
	for l := range router.Link(n.Wiring().Links()) {
		lines = append(lines, fmt.Sprintf("%d %+v", l, n.Usage(l)))
	}
	return append(lines, fmt.Sprintf("%+v", *packets))
}

// The closed form in all small settings in which it is exact, those among them in
// which it just about is and in which it just about needs no earlier header times.
func TestClosedFormInAllSettings(t *testing.T) {
	tried := 0
	for i := range 4 * 3 * 2 * 3 * 4 {
		c := Default(cube(t, false, 4, 3))
		c.RoutingCycles, i = i%4, i/4
		c.LinkCycles, i = 1+i%3, i/3
		c.FlitCycles, i = 1+i%2, i/2
		c.CreditCycles, i = 1+i%3, i/3
		c.BufferFlits = 1 + i
		if c.BufferFlits*c.FlitCycles >= c.LinkCycles+c.CreditCycles {
			tried++
			closedFormAgrees(t, c)
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
		engine, timing := engineOf(t, c)
		if engine != router.ClosedForm {
			continue
		}
		tried++
		if slices.ContainsFunc(timing.Links, func(k router.LinkTiming) bool {
			return int(k.Delay+k.Credit)+c.RoutingCycles < c.BufferFlits*c.FlitCycles
		}) {
			early++
		}
		closedFormAgrees(t, c)
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
		if engine, timing := engineOf(t, c); (engine == router.ClosedForm) != k.closed {
			t.Errorf("links of %+v: the closed form is taken: %v", timing.Links[:9], !k.closed)
		}
	}
}

// A promise about the lengths of messages is what lets the closed form be used,
// where every packet they are cut into is a multiple of a FIFO.
func TestPromisesChooseTheEngine(t *testing.T) {
	for _, k := range []struct {
		packet, buffer, flitCycles int
		flits, multiple            int
		want                       router.Engine
	}{
		{8, 2, 1, 0, 0, router.Worms},
		{8, 2, 1, 6, 0, router.ClosedForm},
		{8, 2, 1, 7, 0, router.Worms},
		{8, 2, 1, 0, 1, router.Worms},
		{8, 2, 1, 0, 2, router.ClosedForm},
		{8, 2, 1, 0, 3, router.Worms}, // 6, but 9 leaves a packet of one
		{8, 2, 1, 0, 6, router.ClosedForm},
		{8, 2, 1, 0, 16, router.ClosedForm},
		{8, 4, 1, 0, 6, router.Worms}, // 6 is a packet
		{8, 4, 1, 0, 12, router.ClosedForm},
		{9, 4, 1, 0, 12, router.Worms}, // 9 and 3
		{8, 8, 1, 0, 4, router.Worms},
		{8, 1, 1, 0, 1, router.Worms}, // FIFOs of one cannot keep up
		{8, 1, 3, 0, 0, router.ClosedForm},
		{7, 1, 2, 0, 5, router.ClosedForm},
	} {
		c := Default(cube(t, false, 3))
		c.PacketFlits, c.BufferFlits, c.FlitCycles, c.MessageFlits, c.MessageMultiple = k.packet,
			k.buffer, k.flitCycles, k.flits, k.multiple
		if got, _ := engineOf(t, c); got != k.want {
			t.Errorf("%+v: engine %v, want %v", k, got, k.want)
		}
	}
}

// engineOf returns the engine that a network has, and its times.
func engineOf(t *testing.T, c Config) (router.Engine, router.Timing) {
	t.Helper()
	c = must.Have(c.Resolved())
	w, x, err := c.Wire()
	if err != nil {
		t.Fatal(err)
	}
	timing := c.timing(w)
	return c.engine(w, x, timing), timing
}

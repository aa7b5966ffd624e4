package router

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/netsim/topology"
)

// turning routes on a mesh of 2x2 routers, numbered
//
//	2 3
//	0 1
//
// by dimension order, and clockwise round the square where clockwise says so:
// 0, 2, 3, 1, 0. Four packets that go clockwise to the opposite corner, one from
// each corner, wait for each other in a ring.
type turning struct {
	*DimensionOrder
	wiring    *Wiring
	clockwise func(r topology.Router, in Channel, h Header) bool
	asked     func(r topology.Router, in Channel, h Header) // told of all questions
}

// Possible implements Routing.
func (x turning) Possible(dst []Channel, r topology.Router, in Channel, h *Header) []Channel {
	if x.asked != nil {
		x.asked(r, in, *h)
	}
	if topology.Router(h.Destination) == r || !x.clockwise(r, in, *h) {
		return x.DimensionOrder.Possible(dst, r, in, h)
	}
	const lowX, highX, lowY, highY = 0, 1, 2, 3
	l, _ := x.wiring.Out(r, [4]topology.Port{0: highY, 2: highX, 3: lowY, 1: lowX}[r])
	return append(dst, x.wiring.First(l))
}

// square returns a turning routing that looks at sources.
func square(t *testing.T) *turning {
	t.Helper()
	w, x := onMesh(t, 1, inOrder, 2, 2)
	return &turning{DimensionOrder: x, wiring: w}
}

// SourceGroup takes back what DimensionOrder says of itself.
func (x turning) SourceGroup(_ topology.Router, _ Channel,
	h *Header) int32 {
	return int32(h.Source)
}

// A routing that turns for packets of real sources is refused: without a source
// it goes by dimension order.
func TestCycleOfRealSources(t *testing.T) {
	x := square(t)
	x.clockwise = func(_ topology.Router, _ Channel, h Header) bool {
		return h.Source >= 0 && h.Source^h.Destination == 3
	}
	var cycle *CycleError
	if err := CheckDeadlock(x.wiring, x); !errors.As(err, &cycle) || len(cycle.Channels) != 4 {
		t.Errorf("a cycle of four channels was found to be %v", err)
	}
	if text := "each waiting for the next and the last for the first: router "; cycle != nil &&
		(!strings.Contains(cycle.Error(), text) || strings.Contains(cycle.Error(), "\n")) {
		t.Errorf("the error has several lines, or does not name the channels: %v", cycle)
	}
	x.clockwise = func(_ topology.Router, _ Channel, h Header) bool { // the same, one source left out
		return h.Source > 0 && h.Source^h.Destination == 3
	}
	if err := CheckDeadlock(x.wiring, x); err != nil {
		t.Errorf("three packets were found to wait for each other: %v", err)
	}
}

// A routing that would turn only for packets that cannot be where they would
// turn is accepted: those without a source, and those whose source sends other ways.
func TestCycleOfImpossibleSources(t *testing.T) {
	x := square(t)
	for name, clockwise := range map[string]func(topology.Router, Channel, Header) bool{
		"no source": func(_ topology.Router, _ Channel, h Header) bool { return h.Source < 0 },
		"elsewhere": func(r topology.Router, in Channel, h Header) bool {
			return in != x.wiring.Injection(h.Source) && !x.comesBy(in, h)
		},
	} {
		x.clockwise = clockwise
		if err := CheckDeadlock(x.wiring, x); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// comesBy reports whether dimension order takes a packet over a channel.
func (x turning) comesBy(c Channel, h Header) bool {
	for at := x.wiring.Injection(h.Source); at != x.wiring.Ejection(h.Destination); {
		_, here := x.wiring.Ends(x.wiring.LinkOf(at))
		if at = x.DimensionOrder.Possible(nil, here.Router, at, &h)[0]; at == c {
			return true
		}
	}
	return false
}

// Every question has a real source and destination, and is of a channel on a way
// between them.
func TestOnlyRealHeadersAreFollowed(t *testing.T) {
	x := square(t)
	x.clockwise = func(topology.Router, Channel, Header) bool { return false }
	count := 0
	x.asked = func(_ topology.Router, in Channel, h Header) {
		count++
		if h.Source < 0 || h.Destination < 0 || in != x.wiring.Injection(h.Source) && !x.comesBy(in, h) {
			t.Errorf("%s was asked about for %+v", x.wiring.Describe(in), h)
		}
	}
	// injections; hops of eight pairs one apart, of four two apart
	if Dependencies(x.wiring, x); count != 16+8+4*2 {
		t.Errorf("asked %d times, want 32", count)
	}
}

// plainly hides what a routing says of its sources.
type plainly struct{ Routing }

// Traits implements Described.
func (plainly) Traits() Traits { return Traits{NoEscape: true} }

// Following one source of each group gives the same graph as following all.
func TestGroupsOfSourcesAreAlike(t *testing.T) {
	compare := func(name string, w *Wiring, x Routing) {
		grouped := Dependencies(w, x)
		for c, want := range Dependencies(w, plainly{x}) {
			if got := grouped[c]; !slices.Equal(got, want) {
				t.Fatalf("%s: %s is followed by %v, by every source %v", name, w.Describe(Channel(c)), got,
					want)
			}
		}
	}
	for i, m := range machines(t)[:6] {
		w := NewWiring(m, 2, 2)
		for k, x := range dimensionOrders(t, w) {
			compare(fmt.Sprint("cube ", i, " routing ", k), w, x)
		}
	}
	for i, m := range trees(t) {
		if m.Nodes() > 100 {
			continue
		}
		for _, choice := range everyChoice {
			w, x := upDown(t, m, 1, choice)
			compare(fmt.Sprint("tree ", i, " choice ", choice), w, x)
		}
	}
}

func BenchmarkCheckDeadlockMesh(b *testing.B) {
	for _, side := range []int{16, 64} {
		b.Run(fmt.Sprint(side), func(b *testing.B) {
			m, err := topology.NewCube(topology.CubeConfig{Dims: []int{side, side}})
			if err != nil {
				b.Fatal(err)
			}
			w := NewWiring(m, 1, 1)
			x, err := NewDimensionOrder(w, false)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := CheckDeadlock(w, x); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

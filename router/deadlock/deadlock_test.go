package deadlock_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/routes"
	"contend/router/topology"
	"contend/router/topology/topologytest"
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
	*routes.DimensionOrder
	wiring    *router.Wiring
	clockwise func(r topology.Router, in router.Channel, h router.Header) bool
}

// Possible implements Routing.
func (x turning) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
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
	w, x := inOrder(t, 2, 2)
	return &turning{DimensionOrder: x, wiring: w}
}

// SourceGroup takes back what DimensionOrder says of itself.
func (x turning) SourceGroup(_ topology.Router, _ router.Channel,
	h *router.Header) int32 {
	return int32(h.Source)
}

// A routing that turns for packets of real sources is refused: without a source
// it goes by dimension order.
func TestCycleOfRealSources(t *testing.T) {
	x := square(t)
	x.clockwise = func(_ topology.Router, _ router.Channel, h router.Header) bool {
		return h.Source >= 0 && h.Source^h.Destination == 3
	}
	var cycle *deadlock.CycleError
	if err := deadlock.CheckDeadlock(x.wiring, x); !errors.As(err, &cycle) ||
		len(cycle.Channels) != 4 {
		t.Errorf("a cycle of four channels was found to be %v", err)
	}
	if text := "each waiting for the next and the last for the first: router "; cycle != nil &&
		(!strings.Contains(cycle.Error(), text) || strings.Contains(cycle.Error(), "\n")) {
		t.Errorf("the error has several lines, or does not name the channels: %v", cycle)
	}
	// The same, one source left out.
	x.clockwise = func(_ topology.Router, _ router.Channel, h router.Header) bool {
		return h.Source > 0 && h.Source^h.Destination == 3
	}
	if err := deadlock.CheckDeadlock(x.wiring, x); err != nil {
		t.Errorf("three packets were found to wait for each other: %v", err)
	}
}

// plainly hides what a routing says of its sources.
type plainly struct{ router.Routing }

// Following one source of each group gives the same graph as following all.
func TestGroupsOfSourcesAreAlike(t *testing.T) {
	compare := func(name string, w *router.Wiring, x router.Routing) {
		grouped := deadlock.Dependencies(w, x)
		for c, want := range deadlock.Dependencies(w, plainly{x}) {
			if got := grouped[c]; !slices.Equal(got, want) {
				t.Fatalf("%s: %s is followed by %v, by every source %v", name, w.Describe(router.Channel(c)),
					got,
					want)
			}
		}
	}
	for _, text := range []string{"mesh:9", "mesh:3x4x2", "torus:8x8", "torus:5x4", "torus:3x3x3",
		"tree:4x1", "tree:3x3", "fat-tree:3x2:1:b3", "fat-tree:2x2x2:3"} {
		m := topologytest.Machine(t, text)
		for _, k := range routes.Builtin() {
			if k.Suits(m) {
				w, x := over(t, k, m, 1)
				if _, ok := x.(router.Branching); !ok {
					compare(text+" "+k.Name, w, x)
				}
			}
		}
	}
}

// Dependencies are exactly what a route takes one after the other.
func TestDependenciesOfALine(t *testing.T) {
	w, x := inOrder(t, 3)
	next := deadlock.Dependencies(w, x)
	right, _ := w.Out(0, 1)
	on, _ := w.Out(1, 1)
	got := next[w.First(right)]
	if len(got) != 2 || got[0] != w.First(on) || got[1] != w.Ejection(1) {
		t.Errorf("0->1 is followed by %v, want 1->2 (%d) and node 1 (%d)", got, w.First(on),
			w.Ejection(1))
	}
	if got := next[w.Injection(1)]; len(got) != 3 { // left, right, itself
		t.Errorf("node 1 is followed by %v", got)
	}
}

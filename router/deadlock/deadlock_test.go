package deadlock_test

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
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

// What routings do with virtual channels against deadlock is needed: without it there are cycles.
func TestWithoutClassesThereAreCycles(t *testing.T) {
	for _, text := range []string{"mesh:4x4", "mesh:3x3x3", "torus:5x4", "dragonfly:a4h2p1",
		"hyperx:3:p1", "hyperx:3x3:p1", "hyperx:3x3x2:p1"} {
		m := topologytest.Machine(t, text)
		for _, maker := range routes.Builtin() {
			if !maker.Suits(m) || maker.VirtualChannels == nil || maker.VirtualChannels(m) == 1 ||
				text == "hyperx:3:p1" && maker.Name != "dal" {
				continue
			}
			w := router.NewWiring(m, maker.VirtualChannels(m), 1)
			x := must.Have(maker.New(w, 1))
			if b, ok := x.(router.Branching); ok {
				refused(t, maker.Name+" on "+text, w, flat{x, b, w})
			} else {
				refused(t, maker.Name+" on "+text, w, flat{x, alone{}, w})
			}
		}
	}
}

// flat has the packets of a routing use the first virtual channel of each link alone, and none
// for escapes.
type flat struct {
	router.Routing
	router.Branching
	w *router.Wiring
}

func (x flat) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	for _, c := range x.Routing.Possible(nil, r, in, h) {
		if c = x.w.First(x.w.LinkOf(c)); !slices.Contains(dst, c) {
			dst = append(dst, c)
		}
	}
	return dst
}

// alone is the Branching of routings that have none.
type alone struct{}

func (alone) Branches(dst []router.Header, _ topology.Router, _ router.Channel,
	h router.Header) []router.Header {
	return append(dst, h)
}

// odd is dimension order that lists other channels at one router, with all channels for escapes.
type odd struct {
	*routes.DimensionOrder
	at                      topology.Router
	route, possible, escape func([]router.Channel) []router.Channel
}

func (x odd) change(by func([]router.Channel) []router.Channel, list []router.Channel,
	r topology.Router) []router.Channel {
	if by == nil || r != x.at {
		return list
	}
	return by(list)
}

// Route implements Routing.
func (x odd) Route(dst []router.Channel, r topology.Router, in router.Channel, h *router.Header,
	v router.View) []router.Channel {
	return x.change(x.route, x.DimensionOrder.Route(dst, r, in, h, v), r)
}

// Possible implements Routing.
func (x odd) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return x.change(x.possible, x.DimensionOrder.Possible(dst, r, in, h), r)
}

// Escape implements Routing.
func (x odd) Escape(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return x.change(x.escape, x.DimensionOrder.Possible(dst, r, in, h), r)
}

// A routing that lists no channel, or one that a packet cannot take, is refused before a
// packet meets it.
func TestRoutingsThatListWrongChannels(t *testing.T) {
	c := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{3, 3}}))
	w := router.NewWiring(c, 1, 1)
	x := must.Have(routes.NewDimensionOrder(w, false))
	none := func(list []router.Channel) []router.Channel { return list[:0] }
	also := func(c router.Channel) func([]router.Channel) []router.Channel {
		return func(list []router.Channel) []router.Channel { return append(list, c) }
	}
	far, _ := w.Out(0, 1)
	for _, k := range []struct {
		x    odd
		want string
	}{
		{odd{possible: none}, "Possible lists no channel"},
		{odd{possible: also(-1)}, "Possible lists channel -1 (there is no such), which does not leave"},
		{odd{possible: also(42)}, "Possible lists channel 42 (there is no such), which does not leave"},
		{odd{possible: also(w.First(far))}, "Possible lists router (0,0)->(1,0), which does not leave"},
		{odd{possible: also(w.Injection(4))}, "Possible lists node 4->router 4, which does not leave"},
		{odd{escape: also(-1)}, "Escape lists channel -1 (there is no such), which does not leave"},
		{odd{escape: also(w.Ejection(3))}, "Escape lists router 3->node 3, which does not leave"},
		{odd{escape: none}, "Route offers no escape channel"},
		{odd{route: also(-1)},
			"Route offers channel -1 (there is no such), which Possible does not list"},
	} {
		k.x.DimensionOrder, k.x.at = x, 4
		if err := deadlock.CheckDeadlock(w, k.x); err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("got %v, want an error with %q", err, k.want)
		}
	}
}

// sameLadder checks that witnesses make the ladder that all packets make, and that it says of
// deadlock what the extended dependency graph says.
func sameLadder(t *testing.T, name string, w *router.Wiring, x router.Routing) {
	t.Helper()
	all, err := deadlock.LadderOf(w, x, false)
	few, err2 := deadlock.LadderOf(w, x, true)
	if err := cmp.Or(err, err2); err != nil {
		t.Fatal(err)
	}
	for c := range all.Next {
		if !slices.Equal(all.Next[c], few.Next[c]) || !slices.Equal(all.Rungs[c], few.Rungs[c]) {
			t.Fatalf("%s: behind %s come %v, rungs %v; by all packets %v, rungs %v", name,
				w.Describe(router.Channel(c)), few.Next[c], few.Rungs[c], all.Next[c], all.Rungs[c])
		}
	}
	cycle := deadlock.Cycle(deadlock.Extended(w, x))
	if all.Ascends != few.Ascends || all.Ascends != (cycle == nil) {
		t.Fatalf("%s: the ladder ascends: %v, by witnesses %v; the extended graph has a cycle: %v",
			name, all.Ascends, few.Ascends, cycle)
	}
}

// undated is dimension order with the first virtual channels for escapes, without datelines.
type undated struct{ *routes.DimensionOrder }

func onRings(dims ...int) (*router.Wiring, undated) {
	m := must.Have(topology.NewCube(topology.CubeConfig{Dims: dims,
		Wrap: slices.Repeat([]bool{true}, len(dims))}))
	w := router.NewWiring(m, 2, 1)
	return w, undated{must.Have(routes.NewDimensionOrder(w, false))}
}

// Escape implements Escaping.
func (x undated) Escape(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return append(dst, x.Possible(nil, r, in, h)[0])
}

// Witnesses implements Witnessing.
func (x undated) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	_, headers := x.DimensionOrder.Witnesses()
	return x, headers
}

// A routing that can deadlock is found, on small machines and on large ones, with the same cycle
// that all packets have.
func TestLadderOfRoutingsThatDeadlock(t *testing.T) {
	for _, dims := range [][]int{{5}, {6, 2}, {4, 5}, {3, 3}} {
		w, x := onRings(dims...)
		sameLadder(t, fmt.Sprint("without datelines ", dims), w, x)
	}
	w, x := onRings(deadlock.FollowEscapes + 1)
	if !deadlock.ByWitnesses(w, x) {
		t.Fatal("no witnesses on a large machine")
	}
	if made, err := deadlock.LadderOf(w, x, true); err != nil || made.Ascends {
		t.Error("the ladder of a ring without datelines ascends")
	}
	var cycle *deadlock.CycleError
	if err := deadlock.CheckDeadlock(w, x); !errors.As(err, &cycle) || len(cycle.Channels) < 3 {
		t.Errorf("a large ring without datelines: %v", err)
	}
}

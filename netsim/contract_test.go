package netsim_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/netsim"
	"contend/netsim/topology"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/routertest"
)

// onMesh is what the routings of this file have in common.
type onMesh struct {
	w    *router.Wiring
	mesh *topology.Cube
}

// towards returns the first of the links that lead from router r nearer to another,
// dimension by dimension from d on.
func (x onMesh) towards(r, goal topology.Router, d int) (router.Link, int, bool) {
	for ; d < len(x.mesh.Dims()); d++ {
		if here, there := x.mesh.Coordinate(r, d), x.mesh.Coordinate(goal, d); here != there {
			port := topology.Port(2 * d)
			if there > here {
				port++
			}
			l, ok := x.w.Out(r, port)
			return l, d, ok
		}
	}
	return 0, 0, false
}

// eject appends the channels to a node.
func (x onMesh) eject(dst []router.Channel, to topology.Node) []router.Channel {
	for v := range router.Channel(x.w.NodeVirtualChannels) {
		dst = append(dst, x.w.Ejection(to)+v)
	}
	return dst
}

// spill is minimal-adaptive routing that escapes by dimension order on the first
// virtual channel. It puts the link first that fewest flits wait for, of equals the
// one with most credits on channels that are free.
type spill struct{ onMesh }

func (x spill) Route(dst []router.Channel, r topology.Router, in router.Channel, h *router.Header,
	v router.View) []router.Channel {
	list := x.nearer(nil, r, h)
	slices.SortStableFunc(list, func(a, b router.Channel) int { return x.cost(a, v) - x.cost(b, v) })
	return x.Escape(append(dst, list...), r, in, h)
}

// cost is what Route sorts by.
func (x spill) cost(c router.Channel, v router.View) int {
	cost := 1000 * int(v.Queued(c))
	if v.Free(c) {
		cost -= int(v.Credits(c))
	}
	return cost
}

func (x spill) nearer(dst []router.Channel, r topology.Router, h *router.Header) []router.Channel {
	goal := x.mesh.RouterOf(h.Destination)
	for l, d, ok := x.towards(r, goal, 0); ok; l, d, ok = x.towards(r, goal, d+1) {
		for v := 1; v < x.w.VirtualChannels; v++ {
			dst = append(dst, x.w.First(l)+router.Channel(v))
		}
	}
	return dst
}

func (x spill) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return x.Escape(x.nearer(dst, r, h), r, in, h)
}

func (x spill) Escape(dst []router.Channel, r topology.Router, _ router.Channel,
	h *router.Header) []router.Channel {
	if l, _, ok := x.towards(r, x.mesh.RouterOf(h.Destination), 0); ok {
		return append(dst, x.w.First(l))
	}
	return x.eject(dst, h.Destination)
}

// careless is spill of which all channels are said to be escape channels.
type careless struct{ spill }

func (x careless) Escape(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return x.Possible(dst, r, in, h)
}

func (x careless) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return x.spill.Possible(dst, r, in, h)
}

// detour is Valiant's routing: by dimension order to a router drawn for each packet,
// on the lower half of the virtual channels, and on to the destination on the upper
// half (Valiant and Brebner, STOC 1981).
type detour struct{ onMesh }

// Phases of a detour; before the first it is 0.
const outward, homeward = 1, 2

func (x detour) Route(dst []router.Channel, r topology.Router, in router.Channel, h *router.Header,
	_ router.View) []router.Channel {
	if h.Phase == 0 {
		h.Phase = outward
		h.Via = topology.Router(uint64(h.Packet) * 0x9e3779b97f4a7c15 % uint64(x.mesh.Routers()))
	}
	return x.Possible(dst, r, in, h)
}

// turn has a packet that is where it was sent go to its destination.
func (x detour) turn(r topology.Router, h *router.Header) {
	if h.Phase == outward && h.Via == r {
		h.Phase, h.Via = homeward, 0
	}
}

func (x detour) Branches(dst []router.Header, r topology.Router, _ router.Channel,
	h router.Header) []router.Header {
	if h.Phase > 0 {
		x.turn(r, &h)
		return append(dst, h)
	}
	for via := range topology.Router(x.mesh.Routers()) {
		drawn := h
		drawn.Phase, drawn.Via = outward, via
		x.turn(r, &drawn)
		dst = append(dst, drawn)
	}
	return dst
}

func (x detour) Possible(dst []router.Channel, r topology.Router, _ router.Channel,
	h *router.Header) []router.Channel {
	x.turn(r, h)
	goal, low, high := x.mesh.RouterOf(h.Destination), x.w.VirtualChannels/2, x.w.VirtualChannels
	if h.Phase == outward {
		goal, low, high = h.Via, 0, low
	}
	l, _, ok := x.towards(r, goal, 0)
	if !ok {
		return x.eject(dst, h.Destination)
	}
	for v := low; v < high; v++ {
		dst = append(dst, x.w.First(l)+router.Channel(v))
	}
	return dst
}

func (x detour) SourceGroup(topology.Router, router.Channel, *router.Header) int32 { return 0 }

// forMesh returns what Config.Route needs to route by what of makes.
func forMesh(of func(onMesh) router.Routing) func(*router.Wiring, uint64) (router.Routing, error) {
	return func(w *router.Wiring, _ uint64) (router.Routing, error) {
		return of(onMesh{w, w.Topology.(*topology.Cube)}), nil
	}
}

var (
	bySpill    = forMesh(func(x onMesh) router.Routing { return spill{x} })
	byDetour   = forMesh(func(x onMesh) router.Routing { return detour{x} })
	byCareless = forMesh(func(x onMesh) router.Routing { return careless{spill{x}} })
)

// The routings keep their contracts, and none of them can deadlock, but for the one
// that escapes by any channel: that has a cycle.
func TestOwnRoutingsConform(t *testing.T) {
	for _, dims := range [][]int{{3, 3}, {4, 3}, {2, 2, 2}, {5}} {
		w := router.NewWiring(meshOf(dims...), 3, 1)
		for name, c := range map[string]struct {
			route   func(*router.Wiring, uint64) (router.Routing, error)
			minimal bool
		}{"spill": {bySpill, true}, "detour": {byDetour, false}} {
			x, _ := c.route(w, 0)
			if err := routertest.Check(w, x, routertest.Options{Minimal: c.minimal}); err != nil {
				t.Errorf("%s on %v: %v", name, dims, err)
			}
		}
		x, _ := byCareless(w, 0)
		var cycle *deadlock.CycleError
		if err := deadlock.CheckDeadlock(w, x); len(dims) > 1 && !errors.As(err, &cycle) {
			t.Errorf("on %v a cycle was found to be %v", dims, err)
		}
	}
}

// A small mesh far beyond saturation gets stuck where any channel is granted with
// packets in its buffer, and never where there are escape channels.
func TestEscapesKeepNetworksMoving(t *testing.T) {
	if n := countStuck(t, bySpill); n > 0 {
		t.Errorf("with escape channels %d networks got stuck", n)
	}
	if n := countStuck(t, byCareless); n == 0 {
		t.Error("without escape channels nothing got stuck: the test shows nothing")
	}
}

// countStuck returns how many of some overloaded networks get stuck.
func countStuck(t *testing.T, route func(*router.Wiring, uint64) (router.Routing,
	error)) (stuck int) {
	t.Helper()
	for _, flits := range [][2]int{{1, 1}, {2, 4}, {9, 4}} { // of a packet, of a buffer
		for seed := range uint64(3) {
			c := netsim.Default(meshOf(4, 4))
			c.Route, c.VirtualChannels, c.RoutingCycles, c.VCSelect = route, 2, 0, router.SelectFirst
			c.PacketFlits, c.BufferFlits = flits[0], flits[1]
			var bad *router.StuckError
			if err := overload(t, c, seed); errors.As(err, &bad) {
				stuck++
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	return stuck
}

// overload sends more than a network can carry and lets it run empty.
func overload(t *testing.T, c netsim.Config, seed uint64) error {
	t.Helper()
	n := must.Have(netsim.New(c))
	nodes := c.Topology.Nodes()
	tr := netsim.Traffic{Destination: netsim.Uniform(nodes), Load: 1, Flits: int32(c.PacketFlits)}
	tr.Start(nodes, rand.New(rand.NewPCG(seed, 0)))
	if err := tr.Run(n, 2000); err != nil {
		return err
	}
	for n.Pending() > 0 {
		if _, _, err := n.Advance(n.Now() + 1_000_000); err != nil {
			return err
		}
	}
	return nil
}

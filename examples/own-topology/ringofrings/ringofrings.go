// Package ringofrings is a topology of its own, and the routing for it: rings of
// routers, of which the first router of each is joined to those of the rings beside
// it.
package ringofrings

import (
	"fmt"

	"contend/router"
	"contend/router/topology"
)

// Rings is a ring of rings. Router and node number: place + length·ring. Ports 0 and
// 1 lead to the lower and the higher place in the ring, ports 2 and 3 of place 0 to
// the lower and the higher ring, and port 4 carries the node.
type Rings struct {
	count, length int
}

// New returns a ring of rings: the number of rings and that of routers of each, at least three.
func New(rings, length int) (*Rings, error) {
	if rings < 3 || length < 3 || rings*length > topology.MaxNodes {
		return nil, fmt.Errorf("a ring of %d rings of %d routers: give at least 3 of each", rings, length)
	}
	return &Rings{rings, length}, nil
}

// Nodes implements topology.Topology.
func (t *Rings) Nodes() int { return t.count * t.length }

// Routers implements topology.Topology.
func (t *Rings) Routers() int { return t.count * t.length }

// Ports implements topology.Topology.
func (t *Rings) Ports() int { return 5 }

// Attach implements topology.Topology.
func (t *Rings) Attach(n topology.Node) (topology.Router, topology.Port) {
	return topology.Router(n), 4
}

// Peer implements topology.Topology.
func (t *Rings) Peer(r topology.Router, p topology.Port) (topology.Router, topology.Port, bool) {
	ring, place := t.at(r)
	step := 2*int(p&1) - 1
	switch {
	case p == 0 || p == 1:
		return t.router(ring, place+step), p ^ 1, true
	case (p == 2 || p == 3) && place == 0:
		return t.router(ring+step, 0), p ^ 1, true
	}
	return 0, 0, false
}

// Distance implements topology.Metric.
func (t *Rings) Distance(a, b topology.Node) int {
	ra, pa := t.at(topology.Router(a))
	rb, pb := t.at(topology.Router(b))
	if ra == rb {
		return apart(pa, pb, t.length)
	}
	return apart(pa, 0, t.length) + apart(ra, rb, t.count) + apart(0, pb, t.length)
}

// Family implements topology.Routed.
func (t *Rings) Family() string { return "a ring of rings" }

// DefaultRouting implements topology.Routed.
func (t *Rings) DefaultRouting(int) string { return RoutingName }

// Label implements topology.Labelled.
func (t *Rings) Label(r topology.Router) string {
	ring, place := t.at(r)
	return fmt.Sprintf("%d/%d", ring, place)
}

// at returns where a router is.
func (t *Rings) at(r topology.Router) (ring, place int) {
	return int(r) / t.length, int(r) % t.length
}

// router returns the router at a place, counted round the rings.
func (t *Rings) router(ring, place int) topology.Router {
	return topology.Router((ring+t.count)%t.count*t.length + (place+t.length)%t.length)
}

// apart returns how far two places of a ring are apart.
func apart(a, b, length int) int {
	d := max(a-b, b-a)
	return min(d, length-d)
}

// RoutingName is the name of the routing.
const RoutingName = "ring-dateline"

// Routing makes the routing, for the table of a network.
func Routing() router.Maker {
	return router.Maker{Name: RoutingName,
		Doc:             "up the ring, round the rings, down the ring, with a dateline in each",
		Suits:           func(t topology.Topology) bool { _, ok := t.(*Rings); return ok },
		VirtualChannels: func(topology.Topology) int { return 2 },
		New: func(w *router.Wiring, _ uint64) (router.Routing,
			error) {
			return newDateline(w)
		},
	}
}

// dateline takes the shortest way. The virtual channels of a link fall into two
// classes. A packet uses the lower half until it has been at place 0 of its ring, or
// at ring 0 of the rings, and the upper half from then on. No packet comes to those
// places twice, so no cycle of channels is left.
type dateline struct {
	w *router.Wiring
	t *Rings
}

func newDateline(w *router.Wiring) (*dateline, error) {
	t, ok := w.Topology.(*Rings)
	if !ok {
		return nil, fmt.Errorf("%s routing needs a ring of rings", RoutingName)
	}
	if w.VirtualChannels < 2 {
		return nil, fmt.Errorf("%s routing needs at least 2 virtual channels, not %d", RoutingName,
			w.VirtualChannels)
	}
	return &dateline{w, t}, nil
}

// Traits implements router.Described.
func (x *dateline) Traits() router.Traits {
	return router.Traits{Oblivious: true}
}

// Route implements router.Routing.
func (x *dateline) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, _ router.View) []router.Channel {
	return x.Possible(dst, r, in, h)
}

// Possible implements router.Routing.
func (x *dateline) Possible(dst []router.Channel, r topology.Router, _ router.Channel,
	h *router.Header) []router.Channel {
	home, start := x.t.at(topology.Router(h.Source))
	ring, place := x.t.at(r)
	goal, end := x.t.at(topology.Router(h.Destination))
	switch {
	case ring != goal && place != 0: // up to the gateway
		return x.along(dst, r, 0, place, 0, x.t.length, false)
	case ring != goal: // round the rings
		return x.along(dst, r, 2, ring, goal, x.t.count, passed(home, ring, goal, x.t.count))
	case place != end: // in the ring of the destination
		past := home != goal || passed(start, place, end, x.t.length)
		return x.along(dst, r, 0, place, end, x.t.length, past)
	}
	for v := range router.Channel(x.w.NodeVirtualChannels) {
		dst = append(dst, x.w.Ejection(h.Destination)+v)
	}
	return dst
}

// along appends the channels of one class that lead from a place to another of a
// ring, by the ports from first on.
func (x *dateline) along(dst []router.Channel, r topology.Router, first topology.Port, from, to,
	length int, upper bool) []router.Channel {
	l, ok := x.w.Out(r, first+topology.Port(direction(from, to, length)))
	if !ok {
		panic("ringofrings: there is no such link")
	}
	low, high := 0, x.w.VirtualChannels/2
	if upper {
		low, high = high, x.w.VirtualChannels
	}
	for v := low; v < high; v++ {
		dst = append(dst, x.w.First(l)+router.Channel(v))
	}
	return dst
}

// direction returns 1 where the shorter way between two places goes up, else 0.
func direction(from, to, length int) int {
	if ahead := (to - from + length) % length; 2*ahead <= length {
		return 1
	}
	return 0
}

// passed reports whether the way from a place by another one to an end has been at
// place 0 or begins there.
func passed(start, place, end, length int) bool {
	if direction(start, end, length) == 1 {
		return start == 0 || place < start
	}
	return start == 0 || place == 0 || place > start
}

package hyperx

import (
	"contend/netsim/topology"
	"contend/router"
	"contend/router/routes/frame"
)

// Detour routes on a HyperX in two phases as TwoPhase does on a grid: by dimension order
// to a router drawn from all, then by dimension order to the destination. The first phase has
// the lower half of the virtual channels. The second phase has both halves as long as its channels
// ascend: those of the lower half by dimensions, then those of the upper half. So a packet that
// goes straight may take all virtual channels, and one that comes from a detour those of the
// lower half only if it goes on in a higher dimension than before.
//
// Valiant's routing always does so (Valiant and Brebner 1981). With UGAL a packet goes straight
// to its destination, as in the second phase, if q·H is no larger there than on the detour
// (Singh, "Load-balanced routing in interconnection networks", PhD thesis, Stanford 2005; for
// flattened butterflies Kim, Dally and Abts, ISCA 2007, sec. 4.1). H is the number of network
// channels of a path, q the queue of its first link as with Detour; of parallel links
// the shortest queue counts. Where both paths begin on one link the mean queues of the virtual
// channels are compared that the packet may take on each: of all, and of the lower half. A packet
// between nodes of one router goes there directly.
type Detour struct {
	frame.TwoPhase
	order *Order
	ugal  bool
	seed  uint64
	half  router.Channel // virtual channels of the first phase
}

var valiant = router.Maker{
	Name:            "valiant",
	Draws:           true,
	Suits:           frame.Is[*topology.HyperX],
	VirtualChannels: frame.Two,
	Classes:         frame.Two,
	New:             frame.DrawingWith(NewDetour, false),
}

var ugal = router.Maker{
	Name: "ugal",
	Doc: "hyperx: valiant, or straight to the destination where hops times queue are no more " +
		"by what the first router sees; 2 virtual channels",
	Source:          "Singh 2005",
	Draws:           true,
	Suits:           frame.Is[*topology.HyperX],
	VirtualChannels: frame.Two,
	Classes:         frame.Two,
	New:             frame.DrawingWith(NewDetour, true),
}

// NewDetour returns Valiant's routing over the channels of w, which must be those of a
// HyperX, at least two a link, or UGAL. The routers drawn depend on the seed.
func NewDetour(w *router.Wiring, ugal bool, seed uint64) (*Detour, error) {
	if _, err := frame.Over[*topology.HyperX](w, "two-phase", 2); err != nil {
		return nil, err
	}
	order, err := NewOrder(w)
	x := &Detour{order: order, ugal: ugal, seed: seed, half: router.Channel(w.VirtualChannels / 2)}
	x.TwoPhase = frame.TwoPhase{Decide: x.decide, Decisions: x.decisions, Next: x.next,
		Arrived: frame.There}
	return x, err
}

// Traits implements Described.
func (x *Detour) Traits() router.Traits {
	return router.Traits{Choices: max(x.order.most*x.order.virtual, int(x.order.ejection)),
		OneLink: x.order.most <= 1, Oblivious: !x.ugal}
}

// decide draws a router, and decides whether a packet is sent to it.
func (x *Detour) decide(r topology.Router, _ router.Channel, h *router.Header, v router.View) {
	via := topology.Router(router.Draw(x.seed, h.Packet, 0, int32(x.order.hyper.Routers())))
	h.Phase = frame.Homeward
	if goal := x.goal(h); goal != r && via != r && !x.straight(r, via, goal, v) {
		h.Phase, h.Via = frame.Outward, via
	}
}

// goal returns the router of the destination.
func (x *Detour) goal(h *router.Header) topology.Router {
	return x.order.hyper.RouterOf(h.Destination)
}

// straight reports whether a packet at router r that could be sent to another one goes straight
// to its destination, by what v shows.
func (x *Detour) straight(r, via, goal topology.Router, v router.View) bool {
	if !x.ugal {
		return false
	}
	direct, detour := x.hops(r, goal), x.hops(r, via)+x.hops(via, goal)
	a, b := x.order.links(r, goal), x.order.links(r, via)
	all := router.Channel(x.order.virtual)
	if a[0] != b[0] {
		return direct*x.least(r, a, 0, all, v) <= detour*x.least(r, b, 0, all, v)
	}
	// Means, times half and all: the straight way has more virtual channels to take.
	return direct*int32(x.half)*x.least(r, a, 0, all, v) <=
		detour*int32(all)*x.least(r, b, 0, x.half, v)
}

// hops returns how many network channels two routers are apart.
func (x *Detour) hops(r, goal topology.Router) (hops int32) {
	for d := range x.order.hyper.Dims() {
		if x.order.hyper.Coordinate(r, d) != x.order.hyper.Coordinate(goal, d) {
			hops++
		}
	}
	return hops
}

// least returns the shortest queue of parallel links, over their virtual channels from low to
// below high.
func (x *Detour) least(r topology.Router, links []router.Channel, low, high router.Channel,
	v router.View) int32 {
	least := frame.Queue(x.order.wiring, r, links[0]+low, high-low, v)
	for _, first := range links[1:] {
		least = min(least, frame.Queue(x.order.wiring, r, first+low, high-low, v))
	}
	return least
}

// decisions appends the headers of a packet that goes straight to its destination, by Valiant's
// routing too since this router may be drawn, and of one that is sent to any other router.
func (x *Detour) decisions(dst []router.Header, r topology.Router,
	h router.Header) []router.Header {
	h.Phase = frame.Homeward
	dst = append(dst, h)
	if x.goal(&h) == r {
		return dst
	}
	h.Phase = frame.Outward
	for h.Via = range topology.Router(x.order.hyper.Routers()) {
		if h.Via != r {
			dst = append(dst, h)
		}
	}
	return dst
}

// next appends the channels of the phase in which a packet is.
func (x *Detour) next(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	goal := x.goal(h)
	switch {
	case h.Phase == frame.Outward:
		return x.order.toward(dst, r, h.Via, h.Destination, 0, x.half)
	case goal == r:
		return x.order.toward(dst, r, goal, h.Destination, 0, x.half)
	}
	return x.order.toward(dst, r, goal, h.Destination, x.lowest(r, goal, in),
		router.Channel(x.order.virtual))
}

// lowest returns the first virtual channel by which a packet may leave router r for its goal that
// came by in. Those of the lower half ascend by dimensions before those of the upper half do.
func (x *Detour) lowest(r, goal topology.Router, in router.Channel) router.Channel {
	w := x.order.wiring
	l := w.LinkOf(in)
	if w.Kind(l) != router.Network {
		return 0
	}
	if in-w.First(l) < x.half && x.order.dimension(w.Leaves(l), r) < x.order.dimension(r, goal) {
		return 0
	}
	return x.half
}

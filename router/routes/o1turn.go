package routes

import (
	"iter"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// o1TurnRouting routes on a mesh of two dimensions with one turn at most (Seo, Ali, Lim, Rafique
// and Thottethodi, "Near-optimal worst-case throughput routing for two-dimensional mesh networks",
// ISCA 2005). For each packet the order of dimensions is drawn: x first or y first, one as likely
// as the other. Packets that go x first have the lower half of the virtual channels, the others the
// upper half. Each half is dimension order, free of cycles.
type o1TurnRouting struct {
	anySource
	order *DimensionOrder
	seed  uint64
	half  router.Channel // virtual channels of packets that go x first
}

// o1turnMaker makes o1TurnRouting.
var o1turnMaker = router.Maker{
	Name: "o1turn",
	Doc: "mesh of two dimensions: x first or y first, drawn for each packet; 2 virtual " +
		"channels",
	Source:          "Seo et al. 2005",
	Draws:           true,
	Suits:           isPlane,
	VirtualChannels: needsTwo,
	Classes:         needsTwo,
	New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
		return newO1Turn(w, seed)
	},
}

// newO1Turn returns the routing over the channels of w, which must be those of a mesh of two
// dimensions, at least two a link. The orders drawn depend on the seed.
func newO1Turn(w *router.Wiring, seed uint64) (*o1TurnRouting, error) {
	order, err := NewDimensionOrder(w, false)
	return &o1TurnRouting{order: order, seed: seed, half: router.Channel(w.VirtualChannels / 2)}, err
}

// Traits implements Described.
func (x *o1TurnRouting) Traits() router.Traits {
	return router.Traits{Choices: int(max(x.order.virtual-x.half, x.order.ejection)), OneLink: true,
		Oblivious: true, Stateless: true}
}

// Route implements Routing.
func (x *o1TurnRouting) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, _ router.View) []router.Channel {
	first := int(router.Draw(x.seed, h.Packet, 0, 2))
	if class, ok := x.classOf(in); ok {
		first = class
	}
	return x.along(dst, r, h, first)
}

// Possible implements Routing: where the order is drawn, both.
func (x *o1TurnRouting) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	if class, ok := x.classOf(in); ok {
		return x.along(dst, r, h, class)
	}
	dst = x.along(dst, r, h, 0)
	if x.order.grid.RouterOf(h.Destination) != r {
		dst = x.along(dst, r, h, 1)
	}
	return dst
}

// classOf returns the dimension in which a packet on VC c goes first, which depends on the half to
// which the VC belongs. It reports false for a VC from a node.
func (x *o1TurnRouting) classOf(c router.Channel) (first int, ok bool) {
	if x.order.isBetweenRouters(c) && x.order.indexOnLink(c) >= x.half {
		first = 1
	}
	return first, x.order.isBetweenRouters(c)
}

// along appends the VCs of the next link of a packet that goes in dimension first first.
func (x *o1TurnRouting) along(dst []router.Channel, r topology.Router, h *router.Header,
	first int) []router.Channel {
	goal, low, high := x.order.grid.RouterOf(h.Destination), router.Channel(0), x.half
	if first == 1 {
		low, high = high, x.order.virtual
	}
	for _, d := range [2]int{first, 1 - first} {
		if ahead := x.order.ahead(r, goal, d); ahead != 0 {
			from, n := x.order.class(r, d, ahead, low, high)
			return router.AppendRun(dst, from, n)
		}
	}
	return x.order.eject(dst, h.Destination)
}

// Witnesses implements Witnessing. Each half of the VCs is dimension order on two dimensions, so
// the witnesses are the same.
func (x *o1TurnRouting) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(x.order.near(false))
}

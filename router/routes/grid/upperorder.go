package grid

import (
	"fmt"

	"contend/netsim/topology"
	"contend/router"
	"contend/router/routes/frame"
)

// UpperOrder is dimension order on all virtual channels of a link but the first, which stays idle.
// It is what min_adapt of BookSim 2 (Jiang et al. 2013, commit 28f4329) comes to on a mesh with
// piggyback allocation of virtual channels. That routing adds the next link of dimension order on
// the first virtual channel, then every link on a shortest path on the others. But a set of
// outputs keeps one entry a priority there, and of the links it is the lowest dimension's that is
// added first. And a header is refused by the switch as long as one of its two entries has no
// virtual channel that is free and has room; where both have, the one of the first entry is taken.
// While a header is refused it goes on to request the switch: see Timing.SpeculativeRequests.
type UpperOrder struct{ order *DimensionOrder }

// NewUpperOrder returns the routing over the channels of w, which must be those of a mesh or
// hypercube, at least two a link.
func NewUpperOrder(w *router.Wiring) (*UpperOrder, error) {
	if !isMesh(w.Topology) {
		return nil, fmt.Errorf("booksim-min-adapt routing needs a mesh or hypercube")
	}
	if err := frame.AtLeast("booksim-min-adapt", w, 2); err != nil {
		return nil, err
	}
	order, err := NewDimensionOrder(w, false)
	return &UpperOrder{order}, err
}

// Traits implements Described.
func (x *UpperOrder) Traits() router.Traits {
	return router.Traits{Choices: int(max(x.order.ejects, x.order.virtual-1)), OneLink: true,
		Oblivious: true, NoEscape: true, Stateless: true}
}

// Route implements Routing.
func (x *UpperOrder) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header,
	_ router.View) []router.Channel {
	return x.Possible(dst, r, in, h)
}

// Possible implements Routing.
func (x *UpperOrder) Possible(dst []router.Channel, r topology.Router, _ router.Channel,
	h *router.Header) []router.Channel {
	d, ahead := x.order.away(r, h.Destination)
	if ahead == 0 {
		return x.order.eject(dst, h.Destination)
	}
	first, low, high := x.order.class(r, d, ahead, 1, x.order.virtual)
	return router.AppendRun(dst, first+low, high-low)
}

// Escape implements Routing: there are no escape channels.
func (x *UpperOrder) Escape(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return x.Possible(dst, r, in, h)
}

// SourceGroup implements Grouping: sources do not matter.
func (x *UpperOrder) SourceGroup(topology.Router, router.Channel, *router.Header) int32 { return 0 }

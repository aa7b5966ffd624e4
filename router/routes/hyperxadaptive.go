package routes

import (
	"iter"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// hyperxAdaptive routes on a HyperX along any shortest path: dimensions in any order, with
// dimension order to escape to on the first virtual channel of each link (Duato 1993). Of the
// links that bring a packet to the right coordinate in some dimension, parallel ones among
// them, the router takes the best by what it sees: see selection. On a flattened butterfly it
// is minimal adaptive routing (Kim, Dally and Abts, ISCA 2007, sec. 4.1).
type hyperxAdaptive struct {
	adaptiveRule
	order *HyperXOrder
}

// hyperxAdaptiveMaker makes hyperxAdaptive.
var hyperxAdaptiveMaker = router.Maker{
	Name:            "minimal-adaptive",
	Suits:           isKind[*topology.HyperX],
	VirtualChannels: needsTwo,
	Classes:         needsTwo,
	New: func(w *router.Wiring, _ uint64) (router.Routing, error) {
		return newHyperXAdaptive(w), nil
	},
}

// newHyperXAdaptive returns the routing over the channels of w, which must be those of a HyperX,
// at least two a link.
func newHyperXAdaptive(w *router.Wiring) *hyperxAdaptive {
	x := &hyperxAdaptive{order: NewHyperXOrder(w)}
	x.listLinks, x.appendRest = x.nearer, x.Escape
	return x
}

// Traits implements Described.
func (x *hyperxAdaptive) Traits() router.Traits {
	most := x.order.maxWidth
	for d, width := range x.order.hyper.Width() {
		if x.order.hyper.Dims()[d] > 1 {
			most += width * int(x.order.virtual-1)
		}
	}
	return router.Traits{Choices: max(most, int(x.order.ejection)), EscapesLast: true, Stateless: true}
}

// Escape implements Routing: dimension order, on the first virtual channels.
func (x *hyperxAdaptive) Escape(dst []router.Channel, r topology.Router, _ router.Channel,
	h *router.Header) []router.Channel {
	return x.order.escape(dst, r, h)
}

// nearer lists the links that bring a packet nearer, without their escape channels.
func (x *hyperxAdaptive) nearer(r topology.Router, _ router.Channel, h *router.Header) {
	x.options = x.options[:0]
	to := x.order.hyper.RouterOf(h.Destination)
	for d := range x.order.hyper.Dims() {
		if x.order.coordinate(r, d) != x.order.coordinate(to, d) {
			for _, first := range x.order.along(r, to, d) {
				x.options.add(first+1, x.order.virtual-1)
			}
		}
	}
}

// Witnesses implements Witnessing. The escape channels at a router are those to the
// goal's coordinate in the lowest dimension d in which the packet has hops to go. A hop in a
// higher dimension leaves them those of d. A hop in d is the last one there, and the escape
// channels after it are those of the next higher dimension. So packets that have hops to go in
// one dimension, or in two, show all hops.
func (x *hyperxAdaptive) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(x.order.pairs())
}

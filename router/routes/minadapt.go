package routes

import (
	"iter"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// MinimalAdaptive routes on a Cube along any shortest path, with dimension order to escape to
// (Duato, "A new theory of deadlock-free adaptive routing in wormhole networks", IEEE Trans.
// Parallel and Distributed Systems 4(12), 1993). The first virtual channel of a link is the
// escape channel, of which there are two, on both sides of a dateline, where a dimension
// wraps. The others are taken in any direction that brings the packet nearer; the router
// chooses between these by what it sees: see selection. A packet takes an escape channel only
// where no other is to be had.
//
// A packet leaves the escape channels again as soon as it can. With stays it does not: then
// it goes on in dimension order to its destination, as with min_adapt of BookSim 2 (Jiang et
// al. 2013).
type MinimalAdaptive struct {
	adaptiveRule
	order        *DimensionOrder
	escapes      router.Channel // virtual channels of a link that are escape channels
	staysEscaped bool           // a packet that has escaped stays on escape channels
}

// minimalAdaptiveMaker makes MinimalAdaptive whose packets leave escape channels again.
var minimalAdaptiveMaker = router.Maker{
	Name: "minimal-adaptive",
	Doc: "any shortest path, by the link with most credits, and dimension order to escape to; " +
		"2 virtual channels, 3 where a dimension wraps; on a hyperx too",
	Source:          "Duato 1993",
	Suits:           isKind[*topology.Cube],
	VirtualChannels: forEscapes,
	Classes:         forEscapes,
	New: func(w *router.Wiring, _ uint64) (router.Routing, error) {
		return NewMinimalAdaptive(w, false)
	},
}

// minAdaptMaker makes MinimalAdaptive whose packets stay on escape channels.
var minAdaptMaker = router.Maker{
	Name: "min-adapt",
	Doc: "minimal-adaptive; a packet that escapes stays on the escape channels, as the source " +
		"of BookSim 2 has it",
	Source:          "Jiang et al. 2013",
	Suits:           isKind[*topology.Cube],
	VirtualChannels: forEscapes,
	Classes:         forEscapes,
	New: func(w *router.Wiring, _ uint64) (router.Routing, error) {
		return NewMinimalAdaptive(w, true)
	},
}

// NewMinimalAdaptive returns the routing over the channels of w, which must be those of a
// Cube: at least two a link, three where a dimension wraps.
func NewMinimalAdaptive(w *router.Wiring, stays bool) (*MinimalAdaptive, error) {
	order, err := NewDimensionOrder(w, topology.Wraps(w.Topology))
	x := &MinimalAdaptive{order: order, escapes: router.Channel(forDateline(w.Topology)),
		staysEscaped: stays}
	x.listLinks, x.appendRest = x.nearer, x.Escape
	return x, err
}

// forEscapes returns the VCs that the routing needs: one more than dimension order.
func forEscapes(t topology.Topology) int { return forDateline(t) + 1 }

// Traits implements Described.
func (x *MinimalAdaptive) Traits() router.Traits {
	links := x.order.dims
	for _, n := range x.order.wrap {
		if n > 0 && n%2 == 0 {
			links++ // half-way round both directions are as long
		}
	}
	most := links*int(x.order.virtual-x.escapes) + 1
	return router.Traits{Choices: max(most, int(x.order.ejection)), EscapesLast: true, Stateless: true}
}

// Escape implements Routing: dimension order, on the escape channels.
func (x *MinimalAdaptive) Escape(dst []router.Channel, r topology.Router, _ router.Channel,
	h *router.Header) []router.Channel {
	d, ahead := x.order.away(r, h.Destination)
	if ahead == 0 {
		return x.order.eject(dst, h.Destination)
	}
	first, _ := x.order.class(r, d, ahead, 0, x.escapes)
	return append(dst, first)
}

// nearer lists the links that bring a packet nearer, without their escape channels. Where
// both directions are as long there are two in a dimension.
func (x *MinimalAdaptive) nearer(r topology.Router, in router.Channel, h *router.Header) {
	x.options = x.options[:0]
	if x.staysEscaped && x.escaped(in) {
		return
	}
	goal := x.order.grid.RouterOf(h.Destination)
	for d := range x.order.dims {
		ahead := x.order.ahead(r, goal, d)
		if ahead == 0 {
			continue
		}
		up := x.order.upwards(d, ahead)
		x.add(r, d, up)
		if n := int32(x.order.wrap[d]); n > 0 && 2*max(ahead, -ahead) == n {
			x.add(r, d, 1-up)
		}
	}
}

// add lists the link that leaves router r down or up dimension d.
func (x *MinimalAdaptive) add(r topology.Router, d, up int) {
	x.options.add(x.order.out(r, topology.Port(2*d+up))+x.escapes, x.order.virtual-x.escapes)
}

// escaped reports whether a channel is an escape channel.
func (x *MinimalAdaptive) escaped(c router.Channel) bool {
	return x.order.isBetweenRouters(c) && x.order.indexOnLink(c) < x.escapes
}

// Witnesses implements Witnessing.
//
// The escape channel at a router is that of dimension order: it leads along the lowest
// dimension d in which the packet has hops to go. Beside the router it depends on the direction
// of these hops, and where d wraps on whether the packet has yet to cross the end. A packet that
// begins at a router may take what any packet may take there. So these are all hops:
//
//   - In a higher dimension e. The escape channel after it depends on the hops in d as before. A
//     packet that has one hop to go in e and any number in d shows the hop.
//   - In d, with hops to go there still. A packet with hops in d alone shows it, of two hops or
//     more.
//   - In d, the last one there. The escape channel after it depends on the hops in the next
//     higher dimension. A packet with one hop to go in d and hops in that one shows it.
//
// Whether a packet has to cross the end is, for a router and a direction, a question of how far it
// goes: if the farthest packet need not, none need, and if the nearest must, all must. A hop over
// the end itself is before the end for all packets that take it, and behind it after. Half-way
// round a packet may go in either direction, and it is among the farthest. So the nearest and the
// farthest packets in one dimension, or in two, will do.
func (x *MinimalAdaptive) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(x.order.near(true))
}

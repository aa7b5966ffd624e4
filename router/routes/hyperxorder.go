package routes

import (
	"iter"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// HyperXOrder is dimension-order routing on a HyperX: in each dimension in turn one hop to the
// coordinate of the destination. Every path is a shortest path. A packet may take any of several
// parallel links, and prefers the one that its destination chooses. A channel is followed by
// channels of higher dimensions, so there is no cycle with any number of virtual channels, all of
// which are candidates.
type HyperXOrder struct {
	anySource
	outputs
	hyper    *topology.HyperX
	maxWidth int     // parallel links of the dimension that has most
	place    []int16 // coordinates of router r from place[r·dimensions]
}

// hyperxOrderMaker makes HyperXOrder.
var hyperxOrderMaker = router.Maker{
	Name: "dimension-order", Display: "Dimension-order",
	Suits: isKind[*topology.HyperX],
	Alike: true,
	New:   func(w *router.Wiring, _ uint64) (router.Routing, error) { return NewHyperXOrder(w), nil },
}

// NewHyperXOrder returns dimension-order routing over the channels of w, which must be those
// of a HyperX.
func NewHyperXOrder(w *router.Wiring) *HyperXOrder {
	t := w.Topology.(*topology.HyperX)
	x := &HyperXOrder{outputs: newOutputs(w), hyper: t}
	for d, n := range t.Width() {
		if t.Dims()[d] > 1 {
			x.maxWidth = max(x.maxWidth, n)
		}
	}
	for r := range topology.Router(t.Routers()) {
		for d := range t.Dims() {
			x.place = append(x.place, int16(t.Coordinate(r, d)))
		}
	}
	return x
}

// coordinate returns the coordinate of router r in dimension d, without division.
func (x *HyperXOrder) coordinate(r topology.Router, d int) int {
	return int(x.place[int(r)*len(x.hyper.Width())+d])
}

// Traits implements Described.
func (x *HyperXOrder) Traits() router.Traits {
	return router.Traits{Choices: x.maxChoices(), OneLink: x.maxWidth <= 1,
		Oblivious: true, Stateless: true}
}

// maxChoices returns the maximum number of VCs that toward appends.
func (x *HyperXOrder) maxChoices() int {
	return max(x.maxWidth*int(x.virtual), int(x.ejection))
}

// Route implements Routing.
func (x *HyperXOrder) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, _ router.View) []router.Channel {
	return x.Possible(dst, r, in, h)
}

// Possible implements Routing. The first virtual channel of each parallel link comes before
// the second ones, so that an idle link is taken before a busy one is shared.
func (x *HyperXOrder) Possible(dst []router.Channel, r topology.Router, _ router.Channel,
	h *router.Header) []router.Channel {
	to := x.hyper.RouterOf(h.Destination)
	return x.toward(dst, r, to, h.Destination, 0, x.virtual)
}

// courses implements coursed.
func (x *HyperXOrder) courses() (router.Routing, func(topology.Router, *router.Header) course) {
	return x, nil
}

// toward appends the VCs from low to below high of each link to a router, and at that router the
// VCs to node n.
func (x *HyperXOrder) toward(dst []router.Channel, r, to topology.Router, n topology.Node, low,
	high router.Channel) []router.Channel {
	if r == to {
		return x.eject(dst, n)
	}
	links := x.links(r, to)
	for v := low; v < high; v++ {
		for i := range links {
			dst = append(dst, links[(int(n)+i)%len(links)]+v)
		}
	}
	return dst
}

// escape appends the first VC of each link that dimension order takes: the escape channels.
func (x *HyperXOrder) escape(dst []router.Channel, r topology.Router,
	h *router.Header) []router.Channel {
	return x.toward(dst, r, x.hyper.RouterOf(h.Destination), h.Destination, 0, 1)
}

// links returns the first channels of the parallel links from router r towards another one.
func (x *HyperXOrder) links(r, to topology.Router) []router.Channel {
	return x.along(r, to, x.dimension(r, to))
}

// dimension returns the lowest dimension in which two routers differ.
func (x *HyperXOrder) dimension(r, to topology.Router) int {
	d := 0
	for x.coordinate(r, d) == x.coordinate(to, d) {
		d++
	}
	return d
}

// along returns the first channels of the parallel links from router r to the coordinate of
// another one in dimension d.
func (x *HyperXOrder) along(r, to topology.Router, d int) []router.Channel {
	return x.across(r, d, x.coordinate(to, d))
}

// across returns the first channels of the parallel links from router r to another coordinate
// of dimension d.
func (x *HyperXOrder) across(r topology.Router, d, to int) []router.Channel {
	port := x.hyper.PortBetween(d, x.coordinate(r, d), to)
	return x.firstVC[int(r)*x.ports+int(port):][:x.hyper.Width()[d]]
}

// Witnesses implements Witnessing. A channel is followed by those of one other dimension, so
// packets that move in one dimension or in two cause all dependencies.
func (x *HyperXOrder) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(x.pairs())
}

// pairs returns the pairs of nodes whose routers differ in at most two dimensions.
func (x *HyperXOrder) pairs() iter.Seq2[topology.Node, topology.Node] {
	nodes := deadlock.NodesOf(x.wiring)
	return func(yield func(from, to topology.Node) bool) {
		for to := range topology.Router(x.hyper.Routers()) {
			ok := nodes.Join(to, to, yield) && x.row(to, 0, func(s topology.Router, d int) bool {
				return nodes.Join(s, to, yield) && x.row(s, d+1, func(s topology.Router, _ int) bool {
					return yield(nodes[s][0], nodes[to][0])
				})
			})
			if !ok {
				return
			}
		}
	}
}

// row calls f with each router that differs from r in one dimension, d or a higher one, and with
// the dimension. It stops and reports false if f does.
func (x *HyperXOrder) row(r topology.Router, d int, f func(s topology.Router, d int) bool) bool {
	stride := 1
	for e, n := range x.hyper.Dims() {
		if e >= d {
			at := x.coordinate(r, e)
			for c := range n {
				if c != at && !f(r+topology.Router((c-at)*stride), e) {
					return false
				}
			}
		}
		stride *= n
	}
	return true
}

// hyperxAdaptive routes on a HyperX along any shortest path: dimensions in any order, with
// dimension order to escape to on the first virtual channel of each link (Duato 1993). Of the
// links, parallel ones included, that bring a packet to its destination's coordinate in some
// dimension, the router takes the best by its View: see selection. On a flattened butterfly it is
// minimal adaptive routing (Kim, Dally and Abts, ISCA 2007, sec. 4.1).
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
	Alike:           true,
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
	return router.Traits{Choices: max(most, int(x.order.ejection)), EscapesLast: true, EscapeVCs: 1,
		Stateless: true}
}

// Escape implements Routing: dimension order, on the first virtual channels.
func (x *hyperxAdaptive) Escape(dst []router.Channel, r topology.Router, _ router.Channel,
	h *router.Header) []router.Channel {
	return x.order.escape(dst, r, h)
}

// courses implements coursed.
func (x *hyperxAdaptive) courses() (router.Routing,
	func(topology.Router, *router.Header) course) {
	return x, nil
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

// Witnesses implements Witnessing. The escape channels at a router are those to the goal's
// coordinate in the lowest dimension d in which the packet has hops to go. After a hop in a higher
// dimension they are still those of d. A hop in d is the last one there, and the escape channels
// after it are those of the next higher dimension. So packets with hops to go in one dimension, or
// in two, show all hops.
func (x *hyperxAdaptive) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(x.order.pairs())
}

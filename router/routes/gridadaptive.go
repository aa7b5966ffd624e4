package routes

import (
	"iter"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// MinimalAdaptive routes on a Cube along any shortest path, with dimension order to escape to
// (Duato, "A new theory of deadlock-free adaptive routing in wormhole networks", IEEE Trans.
// Parallel and Distributed Systems 4(12), 1993). The first virtual channel of a link is the escape
// channel, of which there are two, on both sides of a dateline, where a dimension wraps. The other
// channels may be taken in any direction that brings the packet nearer; the router chooses between
// these by its View: see selection. A packet takes an escape channel only if no other channel is
// available.
//
// A packet leaves the escape channels again as soon as it can. With stays it stays on them, and
// continues in dimension order to its destination, as with min_adapt of BookSim 2 (Jiang et al.
// 2013).
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
	Name: "min-adapt", Display: "Min-adapt",
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
	return router.Traits{Choices: max(most, int(x.order.ejection)), EscapesLast: true,
		EscapeVCs: int(x.escapes), Stateless: true}
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

// courses implements coursed: escape channels are those of dimension order.
func (x *MinimalAdaptive) courses() (router.Routing,
	func(topology.Router, *router.Header) course) {
	return x, nil
}

// nearer lists the links that bring a packet nearer, without their escape channels. If both
// directions of a dimension have the same length it lists two for that dimension.
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
// The escape channel at a router is that of dimension order: it leads along the lowest dimension d
// in which the packet has hops to go. Besides the router it depends on the direction of these hops,
// and if d wraps on whether the packet has yet to cross the end. A packet that begins at a router
// may take all channels that any packet may take there. So these are all hops:
//
//   - In a higher dimension e. The escape channel after it depends on the hops in d as before. A
//     packet that has one hop to go in e and any number in d shows the hop.
//   - In d, with hops to go there still. A packet with hops in d alone shows it, of two hops or
//     more.
//   - In d, the last one there. The escape channel after it depends on the hops in the next
//     higher dimension. A packet with one hop to go in d and hops in that one shows it.
//
// For a router and a direction, the distance decides whether a packet has to cross the end: if the
// farthest packet need not, no packet must, and if the nearest must, all must. A hop over the end
// itself is before the end for all packets that take it, and behind it after. Half-way round a
// packet may go in either direction, and it is among the farthest. So the nearest and the farthest
// packets in one dimension, or in two, suffice.
func (x *MinimalAdaptive) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(x.order.near(true))
}

// turns names a turn model of Glass and Ni. In each model a packet takes certain directions first
// and never turns back into them.
type turns uint8

// The three models, on n dimensions as the paper extends them.
const (
	// westFirst goes down in all dimensions but the last first. In more than two
	// dimensions the paper calls it all-but-one-negative-first.
	westFirst turns = iota
	// northLast goes up in all dimensions but the first last. In more than two
	// dimensions the paper calls it all-but-one-positive-last.
	northLast
	// negativeFirst goes down in all dimensions first.
	negativeFirst
)

// turnModelRouting routes on a mesh by a turn model (Glass and Ni, "The turn model for adaptive
// routing", ISCA 1992; Journal of the ACM 41(5), 1994). A packet takes shortest paths. While hops
// in the first directions remain, it takes any of these, and then any of the other directions that
// bring it nearer. The turns that are left out break all cycles, so any number of virtual channels
// suffices, and all of them are candidates. Among several directions the router chooses by its
// View: see selection.
type turnModelRouting struct {
	freeTurns
	early []bool // of direction 2d, down dimension d, and 2d+1, up: taken first
}

// turnModelMakers make turnModelRouting, one for each model.
var turnModelMakers = []router.Maker{
	turnMaker("west-first", "West-first",
		"mesh: shortest paths; a packet goes down in all dimensions but the last before it "+
			"goes elsewhere, and of several links takes that with most credits", westFirst),
	turnMaker("north-last", "North-last",
		"mesh: shortest paths; a packet goes up in all dimensions but the first last, and of "+
			"several links takes that with most credits", northLast),
	turnMaker("negative-first", "Negative-first",
		"mesh: shortest paths; a packet goes down in all dimensions before it goes up, and of "+
			"several links takes that with most credits", negativeFirst),
}

// turnMaker returns the maker of the routing with a turn model.
func turnMaker(name, display, doc string, turns turns) router.Maker {
	return router.Maker{Name: name, Display: display, Doc: doc, Source: "Glass and Ni 1992",
		Suits: isMesh,
		New: func(w *router.Wiring, _ uint64) (router.Routing, error) {
			return newTurnModelRouting(w, turns)
		}}
}

// newTurnModelRouting returns the routing over the channels of w, which must be those of a mesh or
// hypercube.
func newTurnModelRouting(w *router.Wiring, turns turns) (*turnModelRouting, error) {
	free, err := newFreeTurns(w)
	if err != nil {
		return nil, err
	}
	x := &turnModelRouting{free, make([]bool, 2*free.order.dims)}
	x.listLinks, x.appendRest = x.allowed, x.arrived
	for d := range free.order.dims {
		switch turns {
		case westFirst:
			x.early[2*d] = d < free.order.dims-1
		case northLast:
			x.early[2*d], x.early[2*d+1] = true, d == 0
		case negativeFirst:
			x.early[2*d] = true
		}
	}
	return x, nil
}

// allowed lists the links that the model allows, the lowest dimension first, and no link at the
// destination.
func (x *turnModelRouting) allowed(r topology.Router, _ router.Channel, h *router.Header) {
	goal := x.order.grid.RouterOf(h.Destination)
	for _, early := range []bool{true, false} {
		x.options = x.options[:0]
		for d := range x.order.dims {
			ahead := x.order.ahead(r, goal, d)
			if ahead == 0 || x.early[2*d+x.order.upwards(d, ahead)] != early {
				continue
			}
			x.options.add(x.order.class(r, d, ahead, 0, x.order.virtual))
		}
		if len(x.options) > 0 {
			return
		}
	}
}

// Witnesses implements Witnessing. The directions that a packet still has to go in decide whether
// it may take two channels one after the other. A packet between the ends of these two channels has
// no other directions, so it may take them too.
func (x *turnModelRouting) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(x.order.near(false))
}

// oddEvenTurns routes on a mesh of two dimensions by the odd-even turn model (Chiu, "The odd-even
// turn model for adaptive routing", IEEE Trans. Parallel and Distributed Systems 11(7), 2000: its
// algorithm ROUTE). Packets take shortest paths. A packet that goes east turns north or south only
// in odd columns and in the column of its source; a packet that goes north or south turns west only
// in even columns. That breaks all cycles and leaves out the same share of turns everywhere. Any
// number of virtual channels suffices, and all of them are candidates. Between two directions the
// router chooses by its View: see selection.
type oddEvenTurns struct{ freeTurns }

// oddEvenMaker makes oddEvenTurns.
var oddEvenMaker = router.Maker{
	Name: "odd-even", Display: "Odd-even",
	Doc: "mesh of two dimensions: shortest paths that turn where the parity of the column " +
		"allows it; of several links that with most credits",
	Source: "Chiu 2000",
	Suits:  isPlane,
	New:    func(w *router.Wiring, _ uint64) (router.Routing, error) { return newOddEven(w) },
}

// newOddEven returns the routing over the channels of w, which must be those of a mesh of two
// dimensions.
func newOddEven(w *router.Wiring) (*oddEvenTurns, error) {
	free, err := newFreeTurns(w)
	x := &oddEvenTurns{free}
	x.listLinks, x.appendRest = x.allowed, x.arrived
	return x, err
}

// allowed lists the links that the model allows, the link along a row first, and no link at the
// destination.
func (x *oddEvenTurns) allowed(r topology.Router, _ router.Channel, h *router.Header) {
	x.options = x.options[:0]
	goal := x.order.grid.RouterOf(h.Destination)
	east, north := x.order.ahead(r, goal, 0), x.order.ahead(r, goal, 1)
	column, last := x.column(r), x.column(goal)
	along, across := east != 0, north != 0
	switch {
	case east > 0 && north != 0:
		// The turn into an even column, where it could not turn, would be too late.
		along = last%2 == 1 || east != 1
		across = column%2 == 1 || x.fromColumn(r, h)
	case east < 0:
		across = across && column%2 == 0
	}
	if along {
		x.options.add(x.order.class(r, 0, east, 0, x.order.virtual))
	}
	if across {
		x.options.add(x.order.class(r, 1, north, 0, x.order.virtual))
	}
}

// column returns the coordinate of a router in the first dimension.
func (x *oddEvenTurns) column(r topology.Router) int16 { return x.order.place[int(r)*x.order.dims] }

// fromColumn reports whether the source of a packet is in the column of router r.
func (x *oddEvenTurns) fromColumn(r topology.Router, h *router.Header) bool {
	return x.column(r) == x.column(x.order.grid.RouterOf(h.Source))
}

// SourceGroup implements Grouping: whether the packet is still in the column of its source.
func (x *oddEvenTurns) SourceGroup(r topology.Router, _ router.Channel, h *router.Header) int32 {
	if x.fromColumn(r, h) {
		return 1
	}
	return 0
}

// Witnesses implements Witnessing. The column decides whether a packet may turn, and a packet
// between the ends of the two channels turns there too.
func (x *oddEvenTurns) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(x.order.near(false))
}

// freeTurns is the common part of adaptive routings on a mesh that need no escape channels, because
// the allowed turns form no cycle.
type freeTurns struct {
	adaptiveRule
	order *DimensionOrder
}

// newFreeTurns returns the part for the channels of w, a mesh.
func newFreeTurns(w *router.Wiring) (x freeTurns, err error) {
	x.order, err = NewDimensionOrder(w, false)
	return x, err
}

// arrived appends the VCs to the node of a packet that is at its destination: see appendRest.
func (x *freeTurns) arrived(dst []router.Channel, _ topology.Router, _ router.Channel,
	h *router.Header) []router.Channel {
	if len(x.options) == 0 {
		return x.order.eject(dst, h.Destination)
	}
	return dst
}

// Traits implements Described.
func (x *freeTurns) Traits() router.Traits {
	return router.Traits{Choices: x.order.maxVCs(), Stateless: true}
}

// isPlane reports whether a topology is a mesh of two dimensions.
func isPlane(t topology.Topology) bool {
	return isMesh(t) && len(t.(*topology.Cube).Dims()) == 2
}

// isMesh reports whether a topology is a Cube without a dimension that wraps.
func isMesh(t topology.Topology) bool { return isKind[*topology.Cube](t) && !topology.Wraps(t) }

// maxVCs returns the number of channels offered to a head that may take all virtual channels of
// one link in each dimension.
func (x *DimensionOrder) maxVCs() int {
	return max(x.dims*int(x.virtual), int(x.ejection))
}

// ahead returns the coordinate of the goal in dimension d less that of router r.
func (x *DimensionOrder) ahead(r, goal topology.Router, d int) int32 {
	return int32(x.place[int(goal)*x.dims+d]) - int32(x.place[int(r)*x.dims+d])
}

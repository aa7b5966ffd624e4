package routes

import (
	"iter"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// oddEvenTurns routes on a mesh of two dimensions by the odd-even turn model (Chiu, "The odd-even
// turn model for adaptive routing", IEEE Trans. Parallel and Distributed Systems 11(7), 2000:
// its algorithm ROUTE). Packets take shortest paths. One that goes east turns north or south
// only in odd columns and in that of its source; one that goes north or south turns west only
// in even columns. That breaks all cycles and leaves out the same share of turns everywhere.
// Any number of virtual channels will do, and all of them are candidates. Of two directions
// the router chooses by what it sees: see selection.
type oddEvenTurns struct{ freeTurns }

// oddEvenMaker makes oddEvenTurns.
var oddEvenMaker = router.Maker{
	Name: "odd-even",
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

// allowed lists the links that the model allows, that along a row first; none at the
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

// Witnesses implements Witnessing. A packet that turns somewhere is allowed to by the column,
// and a packet between the ends of the two channels turns there too.
func (x *oddEvenTurns) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(x.order.near(false))
}

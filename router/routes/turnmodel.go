package routes

import (
	"iter"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// turns names a turn model of Glass and Ni. Each has some directions that a packet takes
// first; it never turns back into them.
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
// routing", ISCA 1992; Journal of the ACM 41(5), 1994). A packet takes shortest paths. While
// it has to go in one of the directions that come first, it goes in any of those, then in any
// of the others that bring it nearer. The turns that are left out break all cycles, so any
// number of virtual channels will do, and all of them are candidates. Of several directions
// the router chooses by what it sees: see selection.
type turnModelRouting struct {
	freeTurns
	early []bool // of direction 2d, down dimension d, and 2d+1, up: taken first
}

// turnModelMakers make turnModelRouting, one for each model.
var turnModelMakers = []router.Maker{
	turnMaker("west-first",
		"mesh: shortest paths; a packet goes down in all dimensions but the last before it "+
			"goes elsewhere, and of several links takes that with most credits", westFirst),
	turnMaker("north-last",
		"mesh: shortest paths; a packet goes up in all dimensions but the first last, and of "+
			"several links takes that with most credits", northLast),
	turnMaker("negative-first",
		"mesh: shortest paths; a packet goes down in all dimensions before it goes up, and of "+
			"several links takes that with most credits", negativeFirst),
}

// turnMaker returns the maker of the routing with a turn model.
func turnMaker(name, doc string, turns turns) router.Maker {
	return router.Maker{Name: name, Doc: doc, Source: "Glass and Ni 1992", Suits: isMesh,
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

// allowed lists the links that the model allows, the lowest dimension first; none at the
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

// Witnesses implements Witnessing. A packet that may take two channels one after the other is
// allowed to by the directions it still has to go in. A packet between the ends of these two
// has no others, so it may do so too.
func (x *turnModelRouting) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(x.order.near(false))
}

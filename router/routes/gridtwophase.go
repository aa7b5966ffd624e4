package routes

import (
	"contend/router"
	"contend/router/topology"
)

// gridTwoPhase routes on a Cube in two phases: by dimension order to a router that is drawn for
// each packet, then by dimension order to its destination. The first phase has the lower half
// of the virtual channels, the second the upper half; where a dimension wraps each half has
// datelines of its own.
//
// Valiant's routing draws from all routers (Valiant and Brebner, "Universal schemes for
// parallel communication", STOC 1981), for packets between nodes of one router too, and of a node
// to itself. Every pattern then loads the channels like two of uniform traffic. ROMM draws from
// those on shortest paths to the destination, so that all paths stay shortest ones (Nesson and
// Johnsson, "ROMM routing on mesh and torus networks", SPAA 1995).
type gridTwoPhase struct {
	twoPhase
	order   *DimensionOrder
	seed    uint64
	minimal bool
	half    router.Channel // number of VCs of the first phase
}

// gridValiantMaker makes gridTwoPhase over any router.
var gridValiantMaker = router.Maker{
	Name: "valiant",
	Doc: "dimension order to a router drawn for each packet, then to its destination; 2 " +
		"virtual channels, 4 where a dimension wraps. On a dragonfly minimal to a drawn " +
		"group, then to the destination; 3 virtual channels",
	Source:          "Valiant and Brebner 1981",
	Draws:           true,
	Suits:           isKind[*topology.Cube],
	VirtualChannels: forPhases,
	Classes:         fewestOfPhases,
	New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
		return NewGridTwoPhase(w, false, seed)
	},
}

// rommMaker makes gridTwoPhase on shortest paths.
var rommMaker = router.Maker{
	Name:            "romm",
	Doc:             "valiant by a router drawn from those on shortest paths",
	Source:          "Nesson and Johnsson 1995",
	Draws:           true,
	Suits:           isKind[*topology.Cube],
	VirtualChannels: forPhases,
	Classes:         fewestOfPhases,
	New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
		return NewGridTwoPhase(w, true, seed)
	},
}

// NewGridTwoPhase returns Valiant's routing over the channels of w, which must be those of a
// Cube, at least two a link, four where a dimension wraps. If minimal is set it returns ROMM.
// The routers drawn depend on the seed.
func NewGridTwoPhase(w *router.Wiring, minimal bool, seed uint64) (*gridTwoPhase, error) {
	order, err := NewDimensionOrder(w, topology.Wraps(w.Topology))
	x := &gridTwoPhase{order: order, seed: seed, minimal: minimal,
		half: router.Channel(w.VirtualChannels / 2)}
	x.twoPhase = twoPhase{choosePhase: x.decide, phaseHeads: x.decisions, nextVCs: x.next,
		reached: sameRouter}
	return x, err
}

// forPhases returns the VCs that two phases need: those of dimension order, twice.
func forPhases(t topology.Topology) int { return 2 * forDateline(t) }

// fewestOfPhases returns the classes of a link: those of dimension order, twice.
func fewestOfPhases(t topology.Topology) int { return 2 * fewestHalves(t) }

// Traits implements Described.
func (x *gridTwoPhase) Traits() router.Traits {
	most := x.order.virtual - x.half
	return router.Traits{Choices: int(max(most, x.order.ejection)), OneLink: true, Oblivious: true}
}

// decide begins the first phase of a packet, to a drawn router.
func (x *gridTwoPhase) decide(r topology.Router, _ router.Channel, h *router.Header,
	_ router.View) {
	h.Phase, h.Via = outward, x.draw(r, h)
}

// draw returns the router drawn for a packet at its first router r.
func (x *gridTwoPhase) draw(r topology.Router, h *router.Header) topology.Router {
	if !x.minimal {
		return topology.Router(router.Draw(x.seed, h.Packet, 0, int32(x.order.grid.Routers())))
	}
	via, goal := r, x.order.grid.RouterOf(h.Destination)
	for d := range x.order.dims {
		by := router.Draw(x.seed, h.Packet, int64(d), x.between(r, goal, d)+1)
		via = x.moved(via, goal, d, by)
	}
	return via
}

// between returns the number of hops between two routers in dimension d.
func (x *gridTwoPhase) between(r, goal topology.Router, d int) int32 {
	ahead := x.order.ahead(r, goal, d)
	ahead = max(ahead, -ahead)
	if n := int32(x.order.wrap[d]); n > 0 {
		ahead = min(ahead, n-ahead)
	}
	return ahead
}

// moved returns the router that is by hops from router r towards the goal in dimension d.
func (x *gridTwoPhase) moved(r, goal topology.Router, d int, by int32) topology.Router {
	ahead := x.order.ahead(r, goal, d)
	if ahead == 0 {
		return r
	}
	if x.order.upwards(d, ahead) == 0 {
		by = -by
	}
	via, _ := x.order.grid.Beside(r, d, int(by))
	return via
}

// decisions appends the headers that decide may make, one for each router that may be drawn.
func (x *gridTwoPhase) decisions(dst []router.Header, r topology.Router,
	h router.Header) []router.Header {
	h.Phase = outward
	if x.minimal {
		return x.box(dst, r, r, x.order.grid.RouterOf(h.Destination), 0, h)
	}
	for h.Via = range topology.Router(x.order.grid.Routers()) {
		dst = append(dst, h)
	}
	return dst
}

// box appends the headers for all routers between router at and the goal, in dimensions d and
// above, of a packet at router r.
func (x *gridTwoPhase) box(dst []router.Header, r, at, goal topology.Router, d int,
	h router.Header) []router.Header {
	if d == x.order.dims {
		h.Via = at
		return append(dst, h)
	}
	for by := range x.between(r, goal, d) + 1 {
		dst = x.box(dst, r, x.moved(at, goal, d, by), goal, d+1, h)
	}
	return dst
}

// next appends the VCs that a packet may take in its phase.
func (x *gridTwoPhase) next(dst []router.Channel, r topology.Router, _ router.Channel,
	h *router.Header) []router.Channel {
	goal, low, high := h.Via, router.Channel(0), x.half
	if h.Phase == homeward {
		goal, low, high = x.order.grid.RouterOf(h.Destination), x.half, x.order.virtual
	}
	d, ahead := x.order.apart(r, goal)
	if ahead == 0 {
		return x.order.eject(dst, h.Destination)
	}
	first, n := x.order.class(r, d, ahead, low, high)
	return router.AppendRun(dst, first, n)
}

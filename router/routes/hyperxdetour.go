package routes

import (
	"contend/router"
	"contend/router/topology"
)

// hyperxDetour routes on a HyperX in two phases as gridTwoPhase does on a grid: by dimension order
// to a router drawn from all, then by dimension order to the destination. The first phase has
// the lower half of the virtual channels. The second phase has both halves as long as its channels
// ascend: those of the lower half by dimensions, then those of the upper half. So a packet that
// goes straight may take all virtual channels, and one that comes from a detour those of the
// lower half only if it goes on in a higher dimension than before.
//
// Valiant's routing always does so (Valiant and Brebner 1981). With UGAL a packet goes straight
// to its destination, as in the second phase, by the rule of takesMinimal (for flattened
// butterflies Kim, Dally and Abts, ISCA 2007, sec. 4.1). Going straight it may take all virtual
// channels, on a detour the lower half. A packet between nodes of one router goes there directly.
type hyperxDetour struct {
	twoPhase
	order *HyperXOrder
	ugal  bool           // packets may go straight; otherwise all take a detour
	seed  uint64         // of the draws
	half  router.Channel // virtual channels of the first phase
}

// hyperxValiantMaker makes hyperxDetour that always takes a detour.
var hyperxValiantMaker = router.Maker{
	Name:            "valiant",
	Draws:           true,
	Suits:           isKind[*topology.HyperX],
	VirtualChannels: needsTwo,
	Classes:         needsTwo,
	New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
		return newHyperXDetour(w, false, seed), nil
	},
}

// hyperxUGALMaker makes hyperxDetour that compares queues.
var hyperxUGALMaker = router.Maker{
	Name: "ugal",
	Doc: "hyperx: valiant, or straight to the destination where hops times queue are no more " +
		"by what the first router sees; 2 virtual channels",
	Source:          "Singh 2005",
	Draws:           true,
	Suits:           isKind[*topology.HyperX],
	VirtualChannels: needsTwo,
	Classes:         needsTwo,
	New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
		return newHyperXDetour(w, true, seed), nil
	},
}

// newHyperXDetour returns Valiant's routing over the channels of w, which must be those of a
// HyperX, at least two a link, or UGAL. The routers drawn depend on the seed.
func newHyperXDetour(w *router.Wiring, ugal bool, seed uint64) *hyperxDetour {
	x := &hyperxDetour{order: NewHyperXOrder(w), ugal: ugal, seed: seed,
		half: router.Channel(w.VirtualChannels / 2)}
	x.twoPhase = twoPhase{choosePhase: x.decide, phaseHeads: x.decisions, nextVCs: x.next,
		reached: sameRouter}
	return x
}

// Traits implements Described.
func (x *hyperxDetour) Traits() router.Traits {
	return router.Traits{Choices: x.order.maxChoices(),
		OneLink: x.order.maxWidth <= 1, Oblivious: !x.ugal}
}

// decide draws a router, and decides whether a packet is sent to it.
func (x *hyperxDetour) decide(r topology.Router, _ router.Channel, h *router.Header,
	v router.View) {
	via := topology.Router(router.Draw(x.seed, h.Packet, 0, int32(x.order.hyper.Routers())))
	h.Phase = homeward
	if goal := x.goal(h); goal != r && via != r && !x.straight(r, via, goal, v) {
		h.Phase, h.Via = outward, via
	}
}

// goal returns the router of the destination.
func (x *hyperxDetour) goal(h *router.Header) topology.Router {
	return x.order.hyper.RouterOf(h.Destination)
}

// straight reports whether a packet at router r that could be sent to another one goes straight
// to its destination, by what v shows.
func (x *hyperxDetour) straight(r, via, goal topology.Router, v router.View) bool {
	hops := x.order.hyper.Hops
	direct := ugalPath{hops: hops(r, goal), firstVCs: x.order.links(r, goal),
		vcs: x.order.virtual}
	detour := ugalPath{hops: hops(r, via) + hops(via, goal), firstVCs: x.order.links(r, via),
		vcs: x.half}
	return x.ugal && takesMinimal(x.order.wiring, r, direct, detour, v)
}

// decisions appends the headers that decide may make: that of a packet that goes straight to its
// destination, as under Valiant's routing if this router is drawn, and those for all other routers.
func (x *hyperxDetour) decisions(dst []router.Header, r topology.Router,
	h router.Header) []router.Header {
	h.Phase = homeward
	dst = append(dst, h)
	if x.goal(&h) == r {
		return dst
	}
	h.Phase = outward
	for h.Via = range topology.Router(x.order.hyper.Routers()) {
		if h.Via != r {
			dst = append(dst, h)
		}
	}
	return dst
}

// next appends the VCs that a packet may take in its phase.
func (x *hyperxDetour) next(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	goal := x.goal(h)
	switch {
	case h.Phase == outward:
		return x.order.toward(dst, r, h.Via, h.Destination, 0, x.half)
	case goal == r:
		return x.order.toward(dst, r, goal, h.Destination, 0, x.half)
	}
	return x.order.toward(dst, r, goal, h.Destination, x.lowest(r, goal, in),
		x.order.virtual)
}

// lowest returns the lowest VC on which a packet that came by VC in may leave router r for its
// goal. The VCs of the lower half come by ascending dimensions before those of the upper half.
func (x *hyperxDetour) lowest(r, goal topology.Router, in router.Channel) router.Channel {
	w := x.order.wiring
	if !x.order.isBetweenRouters(in) || x.order.indexOnLink(in) < x.half &&
		x.order.dimension(w.Leaves(w.LinkOf(in)), r) < x.order.dimension(r, goal) {
		return 0
	}
	return x.half
}

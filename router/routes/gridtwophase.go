package routes

import (
	"iter"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// gridTwoPhase routes on a Cube in two phases: by dimension order to a router that is drawn for
// each packet, then by dimension order to its destination. The first phase has the lower half of
// the virtual channels, the second the upper half; if a dimension wraps, each half has its own
// datelines.
//
// Valiant's routing draws from all routers (Valiant and Brebner, "Universal schemes for parallel
// communication", STOC 1981), also for packets between nodes of one router and from a node to
// itself. Every pattern then loads the channels like twice uniform traffic. ROMM draws from the
// routers on shortest paths to the destination, so that all paths are shortest (Nesson and
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
	Name: "romm", Display: "ROMM",
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

// forPhases returns the number of VCs that two phases need: twice that of dimension order.
func forPhases(t topology.Topology) int { return 2 * forDateline(t) }

// fewestOfPhases returns the number of classes of a link: twice that of dimension order.
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

// moved returns the router at a distance of by hops from router r, towards the goal in dimension d.
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

// courses implements coursed.
func (x *gridTwoPhase) courses() (router.Routing, func(topology.Router, *router.Header) course) {
	return x, x.courseOf(x.order.grid.RouterOf,
		func(_, via topology.Router) topology.Router { return via })
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

// Witnesses implements Witnessing: see twoPhaseWitnesses. Within a phase the channels are those of
// dimension order. Between the phases, the last channel to the drawn router may be any that leads
// there, which packets from its neighbours show. The first channel from it depends on the direction
// and on whether the packet has to cross the end of a dimension, which the nearest and the farthest
// packets show.
func (x *gridTwoPhase) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	near := x.order.near(false)
	if near == nil {
		return x, nil
	}
	node := func(r topology.Router) topology.Node {
		n, _ := x.order.grid.NodesAt(r)
		return n
	}
	return x, twoPhaseWitnesses(near, x.order.grid.RouterOf, node, x.order.grid.Routers(), x.turns,
		x.mayDraw)
}

// turns returns lists of routers. coming has a list for each channel to router via: the sources of
// packets whose last channel to via it is. leaving has a list for each channel from via: the goals
// of packets whose first channel from via it is.
func (x *gridTwoPhase) turns(via topology.Router) (coming, leaving [][]topology.Router) {
	for d := range x.order.dims {
		coming = append(coming, x.coming(via, d, 1), x.coming(via, d, -1))
		for _, far := range x.hops(d) {
			if r, ok := x.order.grid.Beside(via, d, -far); ok {
				leaving = append(leaving, x.beside([]topology.Router{r}, d+1, x.order.dims))
			}
		}
	}
	return coming, leaving
}

// coming returns the neighbour before router via in a direction of dimension d, and some routers
// whose packets come by that neighbour. These matter if the neighbour is also the goal: under ROMM
// a router sends no packets to itself over others.
func (x *gridTwoPhase) coming(via topology.Router, d, by int) (list []topology.Router) {
	for _, hops := range []int{by, 2 * by} {
		r, ok := x.order.grid.Beside(via, d, -hops)
		if ok && (x.order.upwards(d, x.order.ahead(r, via, d)) == 1) == (by > 0) {
			list = append(list, r)
		}
	}
	return x.beside(list, 0, d)
}

// beside appends the neighbours of the first router of a list in the dimensions from low to below
// high.
func (x *gridTwoPhase) beside(list []topology.Router, low, high int) []topology.Router {
	for d := low; d < high && len(list) > 0; d++ {
		for _, by := range []int{-1, 1} {
			if r, ok := x.order.grid.Beside(list[0], d, by); ok {
				list = append(list, r)
			}
		}
	}
	return list
}

// hops returns the distances of the nearest and the farthest routers in dimension d, with signs. A
// packet on a shortest path that comes from a neighbour goes one hop less far.
func (x *gridTwoPhase) hops(d int) []int {
	list := x.order.offsets(d, false, true)
	if n := int(x.order.wrap[d]); n > 0 {
		list = append(list, n/2-1, 1-n/2, (n-1)/2-1, 1-(n-1)/2)
	}
	return list
}

// mayDraw reports whether router via may be drawn for a packet between two routers.
func (x *gridTwoPhase) mayDraw(source, goal, via topology.Router) bool {
	for d := range x.order.dims {
		by := x.between(source, via, d)
		if at := x.moved(source, goal, d, by); x.minimal && (by > x.between(source, goal, d) ||
			x.order.ahead(at, via, d) != 0) {
			return false
		}
	}
	return true
}

// o1TurnRouting routes on a mesh of two dimensions with one turn at most (Seo, Ali, Lim, Rafique
// and Thottethodi, "Near-optimal worst-case throughput routing for two-dimensional mesh networks",
// ISCA 2005). For each packet the order of dimensions is drawn: x first or y first, with equal
// probability. Packets that go x first have the lower half of the virtual channels, the others the
// upper half. Each half is dimension order, free of cycles.
type o1TurnRouting struct {
	anySource
	order *DimensionOrder
	seed  uint64
	half  router.Channel // virtual channels of packets that go x first
}

// o1turnMaker makes o1TurnRouting.
var o1turnMaker = router.Maker{
	Name: "o1turn", Display: "O1TURN",
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

// Possible implements Routing: both orders where one is drawn.
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

package routes

import (
	"fmt"
	"iter"
	"math"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// hyperxDetour routes on a HyperX in two phases as gridTwoPhase does on a grid: by dimension order
// to a router drawn from all, then by dimension order to the destination. The first phase has the
// lower half of the virtual channels. The second phase may take both halves as long as its channels
// ascend: the channels of the lower half by dimensions, then those of the upper half. So a packet
// that goes straight may take all virtual channels, and a packet that comes from a detour may take
// the lower half only if it continues in a higher dimension.
//
// Under Valiant's routing every packet goes to a drawn router (Valiant and Brebner 1981). Under
// UGAL a packet goes straight to its destination, as in the second phase, by the rule of
// takesMinimal (for flattened butterflies Kim, Dally and Abts, ISCA 2007, sec. 4.1). A packet
// between nodes of one router is ejected at once.
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
	Alike:           true,
	New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
		return newHyperXDetour(w, false, seed), nil
	},
}

// hyperxUGALMaker makes hyperxDetour that compares queues.
var hyperxUGALMaker = router.Maker{
	Name: "ugal", Display: "UGAL",
	Doc: "hyperx: valiant, or straight to the destination where hops times queue are no more " +
		"by what the first router sees; 2 virtual channels",
	Source:          "Singh 2005",
	Draws:           true,
	Suits:           isKind[*topology.HyperX],
	VirtualChannels: needsTwo,
	Classes:         needsTwo,
	Alike:           true,
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

// straight reports whether a packet at router r goes straight to its destination, and not over
// router via, by the queues that v shows.
func (x *hyperxDetour) straight(r, via, goal topology.Router, v router.View) bool {
	hops := x.order.hyper.Hops
	direct := ugalPath{hops: hops(r, goal), firstVCs: x.order.links(r, goal),
		vcs: x.order.virtual}
	detour := ugalPath{hops: hops(r, via) + hops(via, goal), firstVCs: x.order.links(r, via),
		vcs: x.half}
	return x.ugal && takesMinimal(x.order.wiring, r, direct, detour, v)
}

// decisions appends the headers that decide may make: the header of a packet that goes straight to
// its destination, which Valiant's routing makes if it draws router r, and the headers for all
// other routers.
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

// courses implements coursed.
func (x *hyperxDetour) courses() (router.Routing, func(topology.Router, *router.Header) course) {
	return x, x.courseOf(x.order.hyper.RouterOf,
		func(_, via topology.Router) topology.Router { return via })
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

// Witnesses implements Witnessing: see twoPhaseWitnesses. Within a phase the channels are those of
// dimension order. Between the phases a packet takes the last channel to the drawn router, from any
// other one of a row, and the first one from it, to any other one of a row.
func (x *hyperxDetour) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	nodes := deadlock.NodesOf(x.order.wiring)
	return x, twoPhaseWitnesses(x.order.pairs(), x.order.hyper.RouterOf,
		func(r topology.Router) topology.Node { return nodes[r][0] }, x.order.hyper.Routers(),
		func(via topology.Router) (coming, leaving [][]topology.Router) {
			x.order.row(via, 0, func(s topology.Router, d int) bool {
				coming, leaving = append(coming, x.beside(s, 0, d)), append(leaving, x.beside(s, d+1, 64))
				return true
			})
			return coming, leaving
		}, differ)
}

// differ reports whether two routers differ: then a packet between them may be sent over any third
// router.
func differ(source, goal, _ topology.Router) bool { return source != goal }

// beside returns router r, and a router that differs from it in one of the dimensions from low to
// below high if there is one. Packets between the second and a router that differs from r in none
// of these dimensions go by r.
func (x *hyperxDetour) beside(r topology.Router, low, high int) []topology.Router {
	list := []topology.Router{r}
	x.order.row(r, low, func(s topology.Router, d int) bool {
		if d < high {
			list = append(list, s)
		}
		return false
	})
	return list
}

// dalRouting routes on a HyperX by dimensionally adaptive, load-balanced routing (Ahn et al.,
// "HyperX: Topology, Routing, and Packaging of Efficient Large-Scale Networks", SC 2009, sec.
// 4): dimensions in any order, and in each dimension either one hop to the coordinate of the
// destination or, once, a detour of two hops over another coordinate.
//
// Each router decides by q·H: q is the queue of a link as with hyperxDetour, and H the remaining
// hops over that link, one more if the link is a detour. The packet is offered all links to
// coordinates of the destination, and the detours with a lower q·H than all of these, in ascending
// order. If no flit waits, no packet takes a detour. Detours with equal q·H come in turn from a
// coordinate drawn for each packet and dimension.
//
// Deadlock is avoided as with hyperxAdaptive: the first virtual channel of each link is an escape
// channel, taken in dimension order (Duato 1993). A packet never leaves the coordinate of its
// destination. So behind an escape channel of one dimension it needs only those of higher ones,
// whatever detours it takes in between, and the extended dependency graph has no cycle. A packet
// leaves the escape channels again as soon as it can, so that it may still take its remaining
// detours. The alternative, a virtual channel for each hop, needs no escape channels and no empty
// buffers, but two virtual channels for each dimension (McDonald et al., "Practical and efficient
// incremental adaptive routing for HyperX networks", SC 2019).
type dalRouting struct {
	anySource
	order *HyperXOrder
	seed  uint64 // of the draws
	// flag is the bit of Header.Phase of each dimension that says that the packet has taken its
	// detour there; 0 where there is none to take, in dimensions of two routers or one.
	flag  []uint8
	along []int8     // by link: its dimension; none if it comes from or leads to a node
	hops  []hyperHop // scratch: links that a packet may take
	apart []int      // scratch: dimensions in which it has hops to go
}

// hyperHop is a link that a packet may take: its first channel, and q·H.
type hyperHop struct {
	first  router.Channel
	weight int32
}

// dalMaker makes dalRouting.
var dalMaker = router.Maker{
	Name: "dal", Display: "DAL",
	Doc: "hyperx: dimensions in any order, in each straight on or once over another coordinate " +
		"where hops times queue are less by what each router sees, and dimension order to " +
		"escape to; 2 virtual channels",
	Source:          "Ahn et al. 2009",
	Draws:           true,
	Suits:           isKind[*topology.HyperX],
	VirtualChannels: needsTwo,
	Classes:         needsTwo,
	Alike:           true,
	New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
		return newDALRouting(w, seed)
	},
}

// newDALRouting returns the routing over the channels of w, which must be those of a HyperX, at
// least two a link. It remembers detours in at most eight dimensions of three or more routers.
// The coordinates drawn depend on the seed.
func newDALRouting(w *router.Wiring, seed uint64) (*dalRouting, error) {
	order := NewHyperXOrder(w)
	x := &dalRouting{order: order, seed: seed, flag: make([]uint8, len(order.hyper.Dims()))}
	for l := range router.Link(w.Links()) {
		d := none
		if w.Kind(l) == router.Network {
			d = order.dimension(w.Leaves(l), w.Enters(w.First(l)))
		}
		x.along = append(x.along, int8(d))
	}
	bits := 0
	for d, n := range order.hyper.Dims() {
		if n < 3 {
			continue
		}
		if bits == 8 {
			return nil, fmt.Errorf("dal routing takes at most 8 dimensions of three or more routers, "+
				"and the HyperX is %v", order.hyper.Dims())
		}
		x.flag[d] = 1 << bits
		bits++
	}
	return x, nil
}

// Traits implements Described.
func (x *dalRouting) Traits() router.Traits {
	most := x.order.maxWidth
	for d, width := range x.order.hyper.Width() {
		most += (x.order.hyper.Dims()[d] - 1) * width * int(x.order.virtual-1)
	}
	return router.Traits{Choices: max(most, int(x.order.ejection)), EscapesLast: true, EscapeVCs: 1}
}

// Route implements Routing.
func (x *dalRouting) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	goal := x.order.hyper.RouterOf(h.Destination)
	x.noteDetour(r, in, goal, h)
	x.listDirect(r, goal)
	lowest := x.weigh(0, int32(len(x.apart)), r, v)
	if lowest > 0 { // nothing is less than 0
		first := len(x.hops)
		x.listDetours(r, goal, h, true)
		x.weigh(first, int32(len(x.apart))+1, r, v)
		better := x.hops[:first]
		for _, k := range x.hops[first:] {
			if k.weight < lowest {
				better = append(better, k)
			}
		}
		x.hops = better
	}
	for i := range x.hops { // by insertion, because they are few
		for j := i; j > 0 && x.hops[j].weight < x.hops[j-1].weight; j-- {
			x.hops[j], x.hops[j-1] = x.hops[j-1], x.hops[j]
		}
	}
	return x.order.escape(x.offer(dst), r, h)
}

// Possible implements Routing.
func (x *dalRouting) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	goal := x.order.hyper.RouterOf(h.Destination)
	x.noteDetour(r, in, goal, h)
	x.listDirect(r, goal)
	x.listDetours(r, goal, h, false)
	return x.order.escape(x.offer(dst), r, h)
}

// Escape implements Routing: dimension order, on the first virtual channels.
func (x *dalRouting) Escape(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	x.noteDetour(r, in, x.order.hyper.RouterOf(h.Destination), h)
	return x.order.escape(dst, r, h)
}

// courses implements coursed: escape channels are those of dimension order.
func (x *dalRouting) courses() (router.Routing, func(topology.Router, *router.Header) course) {
	return x, nil
}

// noteDetour marks in the header the dimension in which the packet has come to router r on a
// detour: to a coordinate that is not that of its goal.
func (x *dalRouting) noteDetour(r topology.Router, in router.Channel, goal topology.Router,
	h *router.Header) {
	d := int(x.along[x.order.wiring.LinkOf(in)])
	if d != none && x.order.coordinate(r, d) != x.order.coordinate(goal, d) {
		h.Phase |= x.flag[d]
	}
}

// listDirect lists the links to coordinates of the goal, and the dimensions in which there are any.
func (x *dalRouting) listDirect(r, goal topology.Router) {
	x.hops, x.apart = x.hops[:0], x.apart[:0]
	for d := range x.flag {
		if x.order.coordinate(r, d) != x.order.coordinate(goal, d) {
			x.apart = append(x.apart, d)
			x.add(x.order.along(r, goal, d))
		}
	}
}

// listDetours lists the links to other coordinates, in the dimensions in which the packet has taken
// no detour yet. In each it begins at a drawn coordinate, or at the lowest.
func (x *dalRouting) listDetours(r, goal topology.Router, h *router.Header, drawn bool) {
	for _, d := range x.apart {
		if x.flag[d] == 0 || h.Phase&x.flag[d] != 0 {
			continue
		}
		others, start := int32(x.order.hyper.Dims()[d]-2), int32(0)
		if drawn {
			start = router.Draw(x.seed, h.Packet, int64(r)*int64(len(x.flag))+int64(d), others)
		}
		at, to := x.order.coordinate(r, d), x.order.coordinate(goal, d)
		low, high := min(at, to), max(at, to)
		for i := range others {
			over := int((start + i) % others)
			if over >= low {
				over++
			}
			if over >= high {
				over++
			}
			x.add(x.order.across(r, d, over))
		}
	}
}

// add lists parallel links.
func (x *dalRouting) add(links []router.Channel) {
	for _, first := range links {
		x.hops = append(x.hops, hyperHop{first: first})
	}
}

// weigh sets the weights of the links from index from on, over which left hops remain, and returns
// the lowest.
func (x *dalRouting) weigh(from int, left int32, r topology.Router, v router.View) int32 {
	lowest := int32(math.MaxInt32)
	links, ok := v.(router.LinkView)
	for i := range x.hops[from:] {
		k := &x.hops[from+i]
		if ok {
			k.weight = links.QueueOf(k.first, x.order.virtual) * left
		} else {
			k.weight = queueOf(x.order.wiring, r, k.first, x.order.virtual, v) * left
		}
		lowest = min(lowest, k.weight)
	}
	return lowest
}

// offer appends the virtual channels of the links, without those for escapes.
func (x *dalRouting) offer(dst []router.Channel) []router.Channel {
	for _, k := range x.hops {
		dst = router.AppendRun(dst, k.first+1, x.order.virtual-1)
	}
	return dst
}

// Witnesses implements Witnessing as hyperxAdaptive does. After a detour in a dimension hops remain
// there, so the lowest dimension with hops to go is unchanged. A packet without detours so far, as
// at its source, may take all channels that other packets may take.
func (x *dalRouting) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(x.order.pairs())
}

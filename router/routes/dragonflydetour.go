package routes

import (
	"iter"

	"contend/router"
	"contend/router/topology"
)

// detourRule is the rule by which a packet on a dragonfly takes a detour over a third group.
type detourRule uint8

// The rules.
const (
	// alwaysDetour is Valiant's routing over a group drawn for each packet (Kim et al. 2008,
	// sec. 4.1, VAL).
	alwaysDetour detourRule = iota
	// localUGAL compares, at the first router, the queues of the two links by which that
	// router would send the packet. Where both paths begin on one link it compares the mean
	// queues of the virtual channels that the packet may take on each (Kim et al. 2008, sec.
	// 4.3, UGAL-L with VCH, where each has one).
	localUGAL
	// globalUGAL compares the queues of the two global links, which may begin at other routers of the
	// group (Kim et al. 2008, sec. 4.1, UGAL-G). No real router knows these queues: the rule is an
	// ideal for comparison.
	globalUGAL
	// progressive is localUGAL with a second decision at the router where the global link begins, if
	// the packet has taken a local channel of the minimal path to it (Jiang, Kim and Dally, "Indirect
	// adaptive routing on large scale interconnection networks", ISCA 2009, sec. 3.4, PAR).
	progressive
)

// dragonflyDetour routes on a Dragonfly by the minimal path or over a third group, which is drawn
// for each packet: minimally to that group, and minimally on. With UGAL a packet takes the minimal
// path if q·H is at most that of the detour. H is the number of network channels of a path, and q
// its queue in flits: the flits that wait at the router for the link, and those in the buffers
// behind the link as far as the router knows. A packet for a node of its own group takes the local
// channel.
//
// The classes of channels ascend along all paths. With the global channels of a detour
// numbered 0 and 1, its local channels are 0, 1 and 2: before the first one, between them,
// after both. A minimal path takes any of these that ascend: local channel 0 or 1, global channel
// 0 or 1, the last local channel 1 or 2. With progressive the local channel before a decision that
// may change has a class of its own below these. Each class has its part of the virtual channels.
type dragonflyDetour struct {
	twoPhase
	minimal    *dragonflyMinimal
	classes    *classes
	rule       detourRule
	seed       uint64
	maxEntries int // routers of a group that may be drawn: maximum number of links between two groups
}

// dragonflyDetourMakers make dragonflyDetour, one for each rule.
var dragonflyDetourMakers = []router.Maker{
	detourMaker("valiant", "", "", "", alwaysDetour),
	detourMaker("ugal-l", "UGAL-L",
		"dragonfly: valiant, or minimal where hops times queue are no more by what the first "+
			"router sees; 3 virtual channels", "Kim et al. 2008", localUGAL),
	detourMaker("ugal-g", "UGAL-G",
		"dragonfly: ugal-l by the queues of the global links, wherever they begin, which no "+
			"router could see: an ideal", "Kim et al. 2008", globalUGAL),
	detourMaker("par", "PAR",
		"dragonfly: ugal-l that decides again where the global link begins; 4 virtual channels",
		"Jiang et al. 2009", progressive),
}

// detourMaker returns the maker of the routing with a rule.
func detourMaker(name, display, doc, source string, how detourRule) router.Maker {
	return router.Maker{Name: name, Display: display, Doc: doc, Source: source, Draws: true,
		Suits: isKind[*topology.Dragonfly], VirtualChannels: forDetours(how), Alike: true,
		New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
			return newDragonflyDetour(w, how, seed), nil
		}}
}

// newDragonflyDetour returns the routing over the channels of w, which must be those of a
// Dragonfly: at least three a link where there are several groups, four with progressive. The
// groups drawn depend on the seed.
func newDragonflyDetour(w *router.Wiring, how detourRule, seed uint64) *dragonflyDetour {
	minimal := newDragonflyMinimal(w)
	x := &dragonflyDetour{minimal: minimal, rule: how, seed: seed, maxEntries: 1}
	x.twoPhase = twoPhase{choosePhase: x.decide, phaseHeads: x.decisions, nextVCs: x.offer,
		reached: x.inGroup}
	x.classes = newClasses(w, minimal.fly, router.Channel(forDetours(how)(minimal.fly)))
	for g := range minimal.fly.Groups() {
		for h := range minimal.fly.Groups() {
			x.maxEntries = max(x.maxEntries, min(minimal.fly.LinksBetween(g, h), minimal.fly.GroupRouters()))
		}
	}
	return x
}

// forDetours returns the number of VCs that a rule needs: one for each class of local channels.
func forDetours(how detourRule) func(t topology.Topology) int {
	return func(t topology.Topology) int {
		k, ok := t.(*topology.Dragonfly)
		switch {
		case ok && k.Groups() == 1:
			return 1
		case how == progressive:
			return 4
		}
		return 3
	}
}

// Traits implements Described.
func (x *dragonflyDetour) Traits() router.Traits {
	return router.Traits{Choices: int(max(x.minimal.virtual, x.minimal.ejection)), OneLink: true,
		Oblivious: x.rule == alwaysDetour, SeesAll: x.rule == globalUGAL}
}

// decide chooses the phase and the third group of a packet that is in the group of its source.
func (x *dragonflyDetour) decide(r topology.Router, in router.Channel, h *router.Header,
	v router.View) {
	goal := x.goal(h)
	h.Phase, h.Via = x.minimalPhase(r, goal), 0
	if !x.mayDetour(r, goal) {
		return
	}
	via := x.draw(r, h)
	if x.rule == alwaysDetour || !x.minimalIsBetter(r, via, in, h, v) {
		h.Phase, h.Via = outward, via
	}
}

// minimalPhase returns the phase in which a packet leaves router r, in the group of its source,
// on the minimal path.
func (x *dragonflyDetour) minimalPhase(r, goal topology.Router) uint8 {
	if x.rule == progressive && x.mayDetour(r, goal) && x.minimal.exit(r, goal).begin != r {
		return provisional
	}
	return homeward
}

// goal returns the router of the destination.
func (x *dragonflyDetour) goal(h *router.Header) topology.Router {
	return x.minimal.fly.RouterOf(h.Destination)
}

// mayDetour reports whether the machine has a third group for a detour.
func (x *dragonflyDetour) mayDetour(r, goal topology.Router) bool {
	fly := x.minimal.fly
	return fly.Group(r) != fly.Group(goal) && fly.Groups() > 2
}

// draw draws a group other than those of router r and of the destination, and one of its
// first routers, so that all links between two groups are used. It returns that router.
func (x *dragonflyDetour) draw(r topology.Router, h *router.Header) topology.Router {
	fly := x.minimal.fly
	k := int(router.Draw(x.seed, h.Packet, int64(r), int32((fly.Groups()-2)*x.maxEntries)))
	return x.third(r, x.goal(h), k)
}

// third returns the router for draw k of a packet at router r.
func (x *dragonflyDetour) third(r, goal topology.Router, k int) topology.Router {
	fly := x.minimal.fly
	group, low, high := k/x.maxEntries, fly.Group(r), fly.Group(goal)
	if low > high {
		low, high = high, low
	}
	if group >= low {
		group++
	}
	if group >= high {
		group++
	}
	return topology.Router(group*fly.GroupRouters() + k%x.maxEntries)
}

// Branches implements Branching. A packet at its source that has decided keeps its decision.
func (x *dragonflyDetour) Branches(dst []router.Header, r topology.Router, in router.Channel,
	h router.Header) []router.Header {
	w := x.minimal.wiring
	if h.Phase == provisional && w.Kind(w.LinkOf(in)) != router.Network {
		return append(dst, h)
	}
	return x.twoPhase.Branches(dst, r, in, h)
}

// decisions appends the headers that decide may make: for the minimal path, and for a detour over
// each group that may be drawn.
func (x *dragonflyDetour) decisions(dst []router.Header, r topology.Router,
	h router.Header) []router.Header {
	goal := x.goal(&h)
	if x.mayGoMinimally(r, goal) {
		h.Phase, h.Via = x.minimalPhase(r, goal), 0
		dst = append(dst, h)
	}
	if x.mayDetour(r, goal) {
		h.Phase = outward
		for k := range (x.minimal.fly.Groups() - 2) * x.maxEntries {
			h.Via = x.third(r, goal, k)
			dst = append(dst, h)
		}
	}
	return dst
}

// mayGoMinimally reports whether a packet at router r, in the group of its source, may take the
// minimal path.
func (x *dragonflyDetour) mayGoMinimally(r, goal topology.Router) bool {
	return x.rule != alwaysDetour || !x.mayDetour(r, goal)
}

// inGroup reports whether two routers are in one group.
func (x *dragonflyDetour) inGroup(r, via topology.Router) bool {
	return x.minimal.fly.Group(r) == x.minimal.fly.Group(via)
}

// courses implements coursed.
func (x *dragonflyDetour) courses() (router.Routing,
	func(topology.Router, *router.Header) course) {
	return x, x.courseOf(x.minimal.fly.RouterOf,
		func(r, via topology.Router) topology.Router { return x.minimal.exit(r, via).end })
}

// OutputTables implements Tabled.
func (x *dragonflyDetour) OutputTables() (router.Routing, *router.OutputTables) {
	run := func(r topology.Router, in router.Channel, h *router.Header,
		v router.View) (first, n router.Channel) {
		if h.Phase == 0 || h.Phase == provisional {
			x.decide(r, in, h, v)
		}
		x.turnHomeward(r, h)
		return x.next(r, in, h)
	}
	return x, &router.OutputTables{OutputRun: run}
}

// Ranks implements Ranking: the steps of classes.
func (x *dragonflyDetour) Ranks() (router.Routing, func(router.Channel) int,
	iter.Seq[router.Header]) {
	return x, func(c router.Channel) int { return int(x.classes.step[c]) }, x.minimal.samples()
}

// offer appends the VCs that a packet may take in its phase.
func (x *dragonflyDetour) offer(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	first, n := x.next(r, in, h)
	return router.AppendRun(dst, first, n)
}

// next returns the VCs that a packet which came by VC in may take: n from first on.
func (x *dragonflyDetour) next(r topology.Router, in router.Channel, h *router.Header) (first,
	n router.Channel) {
	goal := x.goal(h)
	if r == goal {
		return x.minimal.wiring.Ejection(h.Destination), x.minimal.ejection
	}
	if h.Phase == outward {
		goal = h.Via
	}
	return x.toward(r, goal, in, h.Phase)
}

// toward returns the VCs that a packet in a phase, which came by VC in, may take to another router.
func (x *dragonflyDetour) toward(r, goal topology.Router, in router.Channel, phase uint8) (first,
	n router.Channel) {
	fly, after := x.minimal.fly, uint8(0) // channels that follow at most behind the group of the goal
	if phase == outward {
		after = 2
	}
	if fly.Group(r) == fly.Group(goal) {
		return x.classes.between(x.minimal.out(r, fly.LocalPort(r, goal)), localKind, in, after)
	}
	exit := x.minimal.exit(r, goal)
	if exit.begin == r {
		return x.classes.between(exit.first, globalKind, in, after+1)
	}
	if phase == provisional {
		after = 3 // a whole path over a third group follows
	}
	return x.classes.between(x.minimal.out(r, fly.LocalPort(r, exit.begin)), localKind, in, after+2)
}

// minimalIsBetter reports whether a packet at router r that came by VC in takes the minimal path,
// given the queues that v shows, rather than the path over the group of router via.
func (x *dragonflyDetour) minimalIsBetter(r, via topology.Router, in router.Channel,
	h *router.Header, v router.View) bool {
	goal, w := x.goal(h), x.minimal.wiring
	a, n := x.toward(r, goal, in, x.minimalPhase(r, goal))
	b, others := x.toward(r, via, in, outward)
	if x.rule == globalUGAL {
		a, b = x.minimal.exit(r, goal).first, x.minimal.exit(r, via).first
	}
	direct := ugalPath{hops: x.hops(r, goal), firstVCs: []router.Channel{a}, vcs: n}
	detour := ugalPath{hops: x.detourHops(r, via, goal), firstVCs: []router.Channel{b}, vcs: others}
	return takesMinimal(w, r, direct, detour, v)
}

// hops returns the number of network channels of the minimal path from router r to the goal.
func (x *dragonflyDetour) hops(r, goal topology.Router) int32 {
	fly := x.minimal.fly
	if r == goal {
		return 0
	}
	if fly.Group(r) == fly.Group(goal) {
		return 1
	}
	hops, entry := x.toGroup(r, goal)
	if entry != goal {
		hops++
	}
	return hops
}

// detourHops returns the number of network channels of the path over the group of router via.
func (x *dragonflyDetour) detourHops(r, via, goal topology.Router) int32 {
	hops, entry := x.toGroup(r, via)
	return hops + x.hops(entry, goal)
}

// toGroup returns the number of network channels that a packet takes from router r to the group of
// the goal, and the router at which it enters the group.
func (x *dragonflyDetour) toGroup(r, goal topology.Router) (hops int32, entry topology.Router) {
	exit := x.minimal.exit(r, goal)
	if exit.begin != r {
		return 2, exit.end
	}
	return 1, exit.end
}

package routes

import (
	"iter"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// dragonflyMinimal routes on a Dragonfly over one global link at most: in its group to a router
// with a link to the group of the destination, over that link, and on to the router of the
// destination (Kim et al. 2008, sec. 4.1, minimal routing). Of several links a packet prefers those
// that begin at its router, and among these those that end at its destination's router; the
// destination chooses among the rest.
//
// Local channels fall into two classes. A packet outside of the group of its destination takes the
// lower half of the virtual channels, and a packet inside of it the upper half. So the channels of
// a packet ascend: lower local, global, upper local. There is no cycle of channels.
type dragonflyMinimal struct {
	fixedRule
	outputs
	fly     *topology.Dragonfly
	ascends bool         // lower half of the VCs before the global link, upper half from it on
	single  []globalLink // from group g to group h, at g·groups + h, if it is the only one
}

// globalLink is a link from one group to another: its routers, and its first VC. first is none if
// it stands for several links.
type globalLink struct {
	begin, end topology.Router
	first      router.Channel
}

// dragonflyMinimalMaker makes dragonflyMinimal.
var dragonflyMinimalMaker = router.Maker{
	Name: "minimal",
	Doc: "dragonfly: over one global link at most, with other virtual channels in the last " +
		"group",
	Source:          "Kim et al. 2008",
	Suits:           isKind[*topology.Dragonfly],
	VirtualChannels: forDragonfly,
	Alike:           true,
	New: func(w *router.Wiring, _ uint64) (router.Routing, error) {
		return newDragonflyMinimal(w), nil
	},
}

// ascendingMaker makes dragonflyMinimal on the upper half of the VCs from the global link on.
var ascendingMaker = router.Maker{
	Name: "minimal-ascending",
	Doc: "dragonfly: minimal, with other virtual channels from the global link on, as in " +
		"BookSim 2",
	Source:          "Jiang et al. 2013",
	Suits:           isKind[*topology.Dragonfly],
	VirtualChannels: forDragonfly,
	Alike:           true,
	New: func(w *router.Wiring, _ uint64) (router.Routing, error) {
		return newDragonflyAscending(w), nil
	},
}

// newDragonflyMinimal returns minimal routing over the channels of w, which must be those of
// a Dragonfly, at least two a link where there are several groups.
func newDragonflyMinimal(w *router.Wiring) *dragonflyMinimal {
	x := &dragonflyMinimal{outputs: newOutputs(w), fly: w.Topology.(*topology.Dragonfly)}
	x.maxChoices, x.nextRange = max(x.virtual, x.ejection), x.next
	for g := range x.fly.Groups() {
		for h := range x.fly.Groups() {
			k := globalLink{first: none}
			if g != h && x.fly.LinksBetween(g, h) == 1 {
				k = x.globalLink(g, h, 0)
			}
			x.single = append(x.single, k)
		}
	}
	return x
}

// globalLink returns global link i between two groups.
func (x *dragonflyMinimal) globalLink(from, to, i int) globalLink {
	begin, port := x.fly.GlobalLink(from, to, i)
	return globalLink{begin, x.fly.Far(begin, port), x.out(begin, port)}
}

// exit returns the global link by which a packet goes from router r to the group of another one.
func (x *dragonflyMinimal) exit(r, to topology.Router) globalLink {
	g, h := x.fly.Group(r), x.fly.Group(to)
	if k := &x.single[g*x.fly.Groups()+h]; k.first != none {
		return *k
	}
	return x.globalLink(g, h, x.link(r, to))
}

// courses implements coursed.
func (x *dragonflyMinimal) courses() (router.Routing,
	func(topology.Router, *router.Header) course) {
	return x, nil
}

// OutputTables implements Tabled.
func (x *dragonflyMinimal) OutputTables() (router.Routing, *router.OutputTables) {
	run := func(r topology.Router, in router.Channel, h *router.Header,
		_ router.View) (first, n router.Channel) {
		return x.next(r, in, h)
	}
	return x, &router.OutputTables{OutputRun: run}
}

// newDragonflyAscending returns minimal routing that takes the upper half of the virtual channels
// from the global link on, including the link to the node, and the lower half before the global
// link and within a group, as BookSim 2 does (min of dragonflynew). Half of the buffers of global
// links then remain unused, and a packet that waits for its flits from another group holds half of
// the channels to its node.
func newDragonflyAscending(w *router.Wiring) *dragonflyMinimal {
	x := newDragonflyMinimal(w)
	x.ascends = true
	return x
}

// forDragonfly returns the number of VCs that minimal routing needs: one for each class of local
// channels.
func forDragonfly(t topology.Topology) int {
	if k, ok := t.(*topology.Dragonfly); ok && k.Groups() > 1 {
		return 2
	}
	return 1
}

// next returns the channels that a packet may take from router r: n from first on.
func (x *dragonflyMinimal) next(r topology.Router, _ router.Channel,
	h *router.Header) (first, n router.Channel) {
	to := x.fly.RouterOf(h.Destination)
	switch {
	case r == to && !x.ascends:
		return x.wiring.Ejection(h.Destination), x.ejection
	case r == to:
		return half(x.wiring.Ejection(h.Destination), x.ejection, 1-x.SourceGroup(r, 0, h))
	case x.fly.Group(r) == x.fly.Group(to):
		return half(x.out(r, x.fly.LocalPort(r, to)), x.virtual, 1-x.SourceGroup(r, 0, h))
	}
	exit := x.exit(r, to)
	switch {
	case exit.begin != r:
		return half(x.out(r, x.fly.LocalPort(r, exit.begin)), x.virtual, 0)
	case x.ascends:
		return half(exit.first, x.virtual, 1)
	default:
		return exit.first, x.virtual
	}
}

// half returns the lower (0) or the upper half (1) of the n VCs of a link, which are from first on.
// A single VC is in both halves.
func half(first, n router.Channel, upper int32) (router.Channel, router.Channel) {
	if n == 1 {
		return first, 1
	}
	low, high := classRange(n, router.Channel(upper), 2)
	return first + low, high - low
}

// SourceGroup implements Grouping: 1 for packets within a group, if the halves of the virtual
// channels ascend.
func (x *dragonflyMinimal) SourceGroup(_ topology.Router, _ router.Channel,
	h *router.Header) int32 {
	if !x.ascends {
		return 0
	}
	from, to := x.fly.RouterOf(h.Source), x.fly.RouterOf(h.Destination)
	if x.fly.Group(from) == x.fly.Group(to) {
		return 1
	}
	return 0
}

// link returns the global link, of those between two groups, that a packet at router r takes to the
// group of router to.
func (x *dragonflyMinimal) link(r, to topology.Router) int {
	g, h := x.fly.Group(r), x.fly.Group(to)
	links := x.fly.LinksBetween(g, h)
	if links == 1 {
		return 0
	}
	var buffer [16]int
	best, equal := -1, buffer[:0]
	for i := range links {
		k := x.rank(g, h, i, r, to)
		if k > best {
			best, equal = k, equal[:0]
		}
		if k == best {
			equal = append(equal, i)
		}
	}
	return equal[int(to)%len(equal)]
}

// rank returns the rank of global link i from group g to group h for a packet at router r: 2 if the
// link begins there, and 1 more if it ends at router to.
func (x *dragonflyMinimal) rank(g, h, i int, r, to topology.Router) int {
	begin, port := x.fly.GlobalLink(g, h, i)
	rank := 0
	if begin == r {
		rank = 2
	}
	if x.wiring.Enters(x.out(begin, port)) == to {
		rank++
	}
	return rank
}

// Ranks implements Ranking: lower local channels, global ones, upper local ones.
func (x *dragonflyMinimal) Ranks() (router.Routing, func(router.Channel) int,
	iter.Seq[router.Header]) {
	w := x.wiring
	_, lower := classRange(x.virtual, 0, 2)
	return x, func(c router.Channel) int {
		l := w.LinkOf(c)
		switch from, to := w.Ends(l); {
		case x.fly.Group(from.Router) != x.fly.Group(to.Router):
			return 1
		case c-w.First(l) < lower:
			return 0
		}
		return 2
	}, x.samples()
}

// samples returns packets that show each rule by which a routing chooses channels. A rule depends
// on the kinds of links, on whether a router has a link to a group, on the last VC and on the
// phase, and not on the numbers of routers and groups. So packets go from the routers of the first
// group to those of the first two, where one of the two routers is the first of its group.
func (x *dragonflyMinimal) samples() iter.Seq[router.Header] {
	return deadlock.Packets(func(yield func(from, to topology.Node) bool) {
		nodes, each := deadlock.NodesOf(x.wiring), x.fly.GroupRouters()
		for to := range min(2*each, x.fly.Routers()) {
			for from := range each {
				if goals := nodes[to]; (from == 0 || to%each == 0) &&
					!yield(nodes[from][0], goals[len(goals)-1]) {
					return
				}
			}
		}
	})
}

// classes is an order of the virtual channels of a dragonfly that all paths ascend. The channels of
// a path over a third group are local, global, local, global, local. Each is a step: on the links
// of its kind it has a class of virtual channels, a part of about the same size as the others of
// that kind. The rule progressive has a step below these, for the local channel of a packet that
// may still take a detour. Channels from nodes are below all steps.
//
// A packet may take the virtual channels of all steps that are above the step of its last channel
// and leave enough steps above for the rest of its path. So a path over a third group with all of
// its channels has no choice of steps. On a minimal path the first local channel and the global one
// may be in the classes of either half of a detour, and the last local one in any class above.
type classes struct {
	last uint8   // the step of the last local channel
	step []uint8 // by VC; 0 of VCs that are not between routers
	// upTo[k][s] is the number of VCs up to step s on a link of kind k, which are its lowest VCs.
	upTo [2][]router.Channel
}

// The numbers of kinds of links in classes.
const (
	localKind = iota
	globalKind
)

// newClasses returns the classes of the links of w, with a number of classes of local links.
func newClasses(w *router.Wiring, fly *topology.Dragonfly, locals router.Channel) *classes {
	x := &classes{last: 5, step: make([]uint8, w.Channels())}
	if locals > 3 {
		x.last = 6
	}
	var steps [2][]uint8 // of the virtual channels of a link
	for k, count := range []router.Channel{locals, 2} {
		for class := range count {
			step := max(1, int(x.last)-k-2*int(count-1-class))
			low, high := classRange(router.Channel(w.VirtualChannels), class, count)
			for range high - low {
				steps[k] = append(steps[k], uint8(step))
			}
		}
		x.upTo[k] = make([]router.Channel, x.last+1)
		for s := range x.upTo[k] {
			for _, step := range steps[k] {
				if int(step) <= s {
					x.upTo[k][s]++
				}
			}
		}
	}
	for l := range router.Link(w.Links()) {
		if w.Kind(l) != router.Network {
			continue
		}
		kind := localKind
		if from, to := w.Ends(l); fly.Group(from.Router) != fly.Group(to.Router) {
			kind = globalKind
		}
		copy(x.step[w.First(l):], steps[kind])
	}
	return x
}

// between returns the VCs of a link that a packet may take, n from low on: those above the step of
// VC in, by which it came, with at least after steps left above them for the channels that follow.
// first is the first VC of the link.
func (x *classes) between(first router.Channel, kind int, in router.Channel, after uint8) (low,
	n router.Channel) {
	at := x.upTo[kind][x.step[in]]
	return first + at, x.upTo[kind][x.last-after] - at
}

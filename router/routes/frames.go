package routes

import (
	"iter"

	"contend/router"
	"contend/router/topology"
)

// anySource is the part of a routing that does not depend on the sources of packets.
type anySource struct{}

// SourceGroup implements Grouping: all sources are one group.
func (anySource) SourceGroup(topology.Router, router.Channel, *router.Header) int32 { return 0 }

// fixedRule is the frame of routings without a choice between links and without draws. Most of them
// do not depend on sources. A routing embeds it.
type fixedRule struct {
	anySource
	// maxChoices is the maximum number of channels that nextRange returns.
	maxChoices router.Channel
	// nextRange returns the channels that a packet may take from router r, to which it came by channel
	// in: n from first on.
	nextRange func(r topology.Router, in router.Channel, h *router.Header) (first,
		n router.Channel)
}

// Traits implements Described.
func (x *fixedRule) Traits() router.Traits {
	return router.Traits{Choices: int(x.maxChoices), OneLink: true, Oblivious: true, Stateless: true}
}

// Route implements Routing.
func (x *fixedRule) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, _ router.View) []router.Channel {
	first, n := x.nextRange(r, in, h)
	return router.AppendRun(dst, first, n)
}

// Possible implements Routing.
func (x *fixedRule) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return x.Route(dst, r, in, h, nil)
}

// adaptiveRule is the frame of routings that list links among which the router chooses by its View.
// They do not depend on sources. A routing embeds it and declares its traits.
type adaptiveRule struct {
	anySource
	options selection
	// listLinks lists in options the links that a packet may take.
	listLinks func(r topology.Router, in router.Channel, h *router.Header)
	// appendRest appends the channels that a packet is offered after those of listLinks.
	appendRest func(dst []router.Channel, r topology.Router, in router.Channel,
		h *router.Header) []router.Channel
}

// Route implements Routing.
func (x *adaptiveRule) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	x.listLinks(r, in, h)
	x.options.rank(v)
	return x.appendRest(x.options.appendVCs(dst), r, in, h)
}

// Possible implements Routing.
func (x *adaptiveRule) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	x.listLinks(r, in, h)
	return x.appendRest(x.options.appendVCs(dst), r, in, h)
}

// option is a link that a head flit may take, with the VCs of it that the routing offers.
type option struct {
	first, n router.Channel // VCs offered: n from first on
	credits  int32          // credits of the free VCs
	queued   int32          // flits that wait to be sent on the VCs; none: not yet counted
}

// none marks the absence of a router, port, channel or number.
const none = -1

// selection is the list of links between which an adaptive routing chooses by its View.
//
// The link with the most credits comes first, counted over those of its VCs that no packet holds.
// Among equals the link with the fewest flits waiting for it at this router comes first, and then
// the link that was added first.
type selection []option

// add adds a link, of which the routing offers the n VCs from first on.
func (s *selection) add(first, n router.Channel) {
	*s = append(*s, option{first: first, n: n, queued: none})
}

// rank sorts the links, best first, by insertion, because they are few.
func (s selection) rank(v router.View) {
	if len(s) < 2 {
		return
	}
	for i := range s {
		s[i].countCredits(v)
		for j := i; j > 0 && s[j].better(&s[j-1], v); j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
}

// alike returns the number of links at the front of a ranked selection that are equally good.
func (s selection) alike(v router.View) int32 {
	n := 1
	for n < len(s) && !s[0].better(&s[n], v) {
		n++
	}
	return int32(n)
}

// countCredits sets o.credits to the credits of those offered VCs that no packet holds.
func (o *option) countCredits(v router.View) {
	o.credits = 0
	for c := o.first; c < o.first+o.n; c++ {
		if v.Free(c) {
			o.credits += v.Credits(c)
		}
	}
}

// better reports whether a link comes before another one that was added earlier.
func (o *option) better(other *option, v router.View) bool {
	if o.credits != other.credits {
		return o.credits > other.credits
	}
	return o.queuedFlits(v) < other.queuedFlits(v)
}

// queuedFlits returns the number of flits at this router that wait for the offered VCs, free or
// held. It counts at its first call only: counting is slow, and only ties need the number.
func (o *option) queuedFlits(v router.View) int32 {
	if o.queued == none {
		o.queued = 0
		for c := o.first; c < o.first+o.n; c++ {
			o.queued += v.Queued(c)
		}
	}
	return o.queued
}

// appendVCs appends the offered VCs of all links to dst, in the order of s.
func (s selection) appendVCs(dst []router.Channel) []router.Channel {
	for _, o := range s {
		dst = router.AppendRun(dst, o.first, o.n)
	}
	return dst
}

// outputs are the output VCs of all routers. A routing embeds it.
type outputs struct {
	wiring   *router.Wiring
	firstVC  []router.Channel // first VC that leaves router r by port p, at r·ports+p
	ports    int              // of a router
	virtual  router.Channel   // VCs of a network channel
	ejection router.Channel   // VCs of an ejection channel
}

// newOutputs returns the output VCs of a wiring.
func newOutputs(w *router.Wiring) outputs {
	return outputs{wiring: w, firstVC: w.Outs(), ports: w.Topology.Ports(),
		virtual:  router.Channel(w.VirtualChannels),
		ejection: router.Channel(w.NodeVirtualChannels)}
}

// out returns the first VC that leaves router r by port p.
func (x *outputs) out(r topology.Router, p topology.Port) router.Channel {
	return x.firstVC[int(r)*x.ports+int(p)]
}

// eject appends the VCs to a node.
func (x *outputs) eject(dst []router.Channel, to topology.Node) []router.Channel {
	return router.AppendRun(dst, x.wiring.Ejection(to), x.ejection)
}

// isBetweenRouters reports whether VC c belongs to a network channel.
func (x *outputs) isBetweenRouters(c router.Channel) bool {
	return x.wiring.Kind(x.wiring.LinkOf(c)) == router.Network
}

// indexOnLink returns the place of VC c among those of its link, from 0.
func (x *outputs) indexOnLink(c router.Channel) router.Channel {
	return c - x.wiring.First(x.wiring.LinkOf(c))
}

// classRange returns the VCs, of n, of one of several classes: those from low to below high.
func classRange(n, class, classes router.Channel) (low, high router.Channel) {
	return class * n / classes, (class + 1) * n / classes
}

// Phases of a packet that goes to a drawn router first, and then to its destination. Before its
// first router the phase is 0.
const (
	outward  = 1
	homeward = 2
	// provisional is the phase of a packet on a minimal path that may still be sent on a detour.
	provisional = 3
)

// twoPhase is the frame of routings that draw a router for each packet, Header.Via, and send the
// packet to it first and then to its destination.
type twoPhase struct {
	anySource // past its first router
	// choosePhase sets the phase of a packet, and Via if the packet goes to a drawn router.
	choosePhase func(r topology.Router, in router.Channel, h *router.Header, v router.View)
	// phaseHeads appends the headers that choosePhase may make.
	phaseHeads func(dst []router.Header, r topology.Router, h router.Header) []router.Header
	// nextVCs appends the channels that a packet may take in its phase.
	nextVCs func(dst []router.Channel, r topology.Router, in router.Channel,
		h *router.Header) []router.Channel
	// reached reports whether a packet at router r has reached the router via to which it is sent.
	reached func(r, via topology.Router) bool
}

// Route implements Routing.
func (x *twoPhase) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	if h.Phase == 0 || h.Phase == provisional {
		x.choosePhase(r, in, h, v)
	}
	return x.Possible(dst, r, in, h)
}

// Possible implements Routing.
func (x *twoPhase) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	x.turnHomeward(r, h)
	return x.nextVCs(dst, r, in, h)
}

// Branches implements Branching.
func (x *twoPhase) Branches(dst []router.Header, r topology.Router, _ router.Channel,
	h router.Header) []router.Header {
	first := len(dst)
	if h.Phase == 0 || h.Phase == provisional {
		dst = x.phaseHeads(dst, r, h)
	} else {
		dst = append(dst, h)
	}
	for i := range dst[first:] {
		x.turnHomeward(r, &dst[first+i])
	}
	return dst
}

// turnHomeward begins the second phase of a packet that has reached its drawn router.
func (x *twoPhase) turnHomeward(r topology.Router, h *router.Header) {
	if h.Phase == outward && x.reached(r, h.Via) {
		h.Phase, h.Via = homeward, 0
	}
}

// courseOf returns the courses of packets: see coursed. home returns the router of a node, and end
// the router at which a packet for router via at router r begins its second phase.
func (x *twoPhase) courseOf(home func(topology.Node) topology.Router,
	end func(r, via topology.Router) topology.Router) func(topology.Router, *router.Header) course {
	return func(r topology.Router, h *router.Header) course {
		switch {
		case h.Phase != outward:
			return course{h.Phase, home(h.Destination), none}
		case x.reached(r, h.Via):
			return course{homeward, home(h.Destination), none}
		}
		return course{outward, h.Via, end(r, h.Via)}
	}
}

// sameRouter implements twoPhase.reached for packets that go to the drawn router itself.
func sameRouter(r, via topology.Router) bool { return r == via }

// twoPhaseWitnesses returns the witnesses (see deadlock.Witnessing) of a routing in two phases,
// each of which has the dependencies of one routing. pairs has the witnesses of that routing.
// Packets whose drawn router is their destination's cause the dependencies of the first phase, and
// packets whose drawn router is their source's those of the second.
//
// Between the phases a packet takes the last channel to the drawn router and the first one from it.
// For each drawn router turns returns lists of sources, one for each last channel, and lists of
// goals, one for each first channel. may reports whether a packet between two routers may be sent
// over a third one. home returns the router of a node, node a node of a router.
func twoPhaseWitnesses(pairs iter.Seq2[topology.Node, topology.Node],
	home func(topology.Node) topology.Router, node func(topology.Router) topology.Node, routers int,
	turns func(via topology.Router) (coming, leaving [][]topology.Router),
	may func(source, goal, via topology.Router) bool) iter.Seq[router.Header] {
	return func(yield func(router.Header) bool) {
		for from, to := range pairs {
			h := router.Header{Source: from, Destination: to, Phase: homeward}
			if !yield(h) {
				return
			}
			if h.Phase, h.Via = outward, home(to); home(from) != h.Via && !yield(h) {
				return
			}
		}
		for via := range topology.Router(routers) {
			coming, leaving := turns(via)
			for _, sources := range coming {
				for _, goals := range leaving {
					from, to, ok := firstTurn(sources, goals, via, may)
					if ok && !yield(router.Header{Source: node(from), Destination: node(to), Phase: outward,
						Via: via}) {
						return
					}
				}
			}
		}
	}
}

// firstTurn returns the first pair of a source and a goal whose packets may be sent over router
// via. It reports false if there is none.
func firstTurn(sources, goals []topology.Router, via topology.Router,
	may func(source, goal, via topology.Router) bool) (from, to topology.Router, ok bool) {
	for _, from := range sources {
		for _, to := range goals {
			if may(from, to, via) {
				return from, to, true
			}
		}
	}
	return 0, 0, false
}

// ugalPath is a path that a packet may take from a router.
type ugalPath struct {
	hops     int32            // network channels
	firstVCs []router.Channel // of each parallel link by which it begins: the first VC it may take
	vcs      router.Channel   // number of VCs of each link that the packet may take
}

// takesMinimal reports whether a packet at router r takes the minimal path: if its q·H is at most
// that of the detour (Singh, "Load-balanced routing in interconnection networks", PhD thesis,
// Stanford 2005). H is the number of hops, and q the queue of the first link, or the shortest queue
// of parallel links. If both paths begin on one link it compares the mean queues of the VCs that
// the packet may take on each.
func takesMinimal(w *router.Wiring, r topology.Router, minimal, detour ugalPath,
	v router.View) bool {
	if w.LinkOf(minimal.firstVCs[0]) != w.LinkOf(detour.firstVCs[0]) {
		width := router.Channel(w.VirtualChannels)
		queue := minimal.queue(w, r, width, v)
		return queue == 0 || minimal.hops*queue <= detour.hops*detour.queue(w, r, width, v)
	}
	// Means, times the VCs of both: the packet may take more VCs on one path.
	return minimal.hops*int32(detour.vcs)*minimal.queue(w, r, minimal.vcs, v) <=
		detour.hops*int32(minimal.vcs)*detour.queue(w, r, detour.vcs, v)
}

// queue returns the shortest queue of the parallel links, over n VCs of each.
func (k *ugalPath) queue(w *router.Wiring, r topology.Router, n router.Channel,
	v router.View) int32 {
	shortest := int32(1<<31 - 1)
	for _, first := range k.firstVCs {
		if n == router.Channel(w.VirtualChannels) {
			first = w.First(w.LinkOf(first))
		}
		shortest = min(shortest, queueOf(w, r, first, n, v))
	}
	return shortest
}

// queueOf returns the flits that wait to be sent on n channels from first on, and those in the
// buffers at their ends, as far as router r knows when a head computes its route. The channel to
// the node at its last port, which must be there, has the size of a buffer as its credits.
func queueOf(w *router.Wiring, r topology.Router, first, n router.Channel,
	v router.View) (flits int32) {
	if k, ok := v.(router.LinkView); ok {
		return k.QueueOf(first, n)
	}
	room := v.Credits(w.Outs()[(int(r)+1)*w.Topology.Ports()-1])
	for c := first; c < first+n; c++ {
		flits += v.Queued(c) + room - v.Credits(c)
	}
	return flits
}

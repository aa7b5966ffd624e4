package deadlock

import (
	"iter"
	"slices"

	"contend/router"
	"contend/router/topology"
)

// Dependencies returns, for every channel, the channels that a packet may request while it holds
// that channel, in ascending order. It follows packets of each source and destination from the
// injection channels of the source over all channels that the routing may offer, through all states
// of the header. So every dependency belongs to a packet that can exist.
func Dependencies(w *router.Wiring, x router.Routing) [][]router.Channel {
	k := newWalk(w, x)
	k.followAll()
	return k.sorted()
}

// none marks the absence of a channel or router, as in Wiring.
const none = -1

// visit is the last state in which a channel was reached by packets without a routing state. It is
// not followed again for an equal visit.
type visit struct {
	to    topology.Node // destination
	group int32         // SourceGroup of the source
}

// state is the state of a packet for the current destination whose header has a routing state, or
// whose last escape channel is part of the state.
type state struct {
	c, held router.Channel  // as in step
	group   int32           // SourceGroup of the source
	phase   uint8           // of the header
	via     topology.Router // of the header
}

// step is a packet on a channel, to be followed from there.
type step struct {
	c    router.Channel // the channel
	held router.Channel // escape channel that the packet has used last, or none
	h    router.Header  // of the packet
}

// walk follows packets over all channels that they may take.
type walk struct {
	wiring *router.Wiring
	x      router.Routing
	// group is the routing's SourceGroup, or the source itself.
	group    func(r topology.Router, in router.Channel, h *router.Header) int32
	branch   router.Branching   // nil: a header is in one state
	escaping router.Escaping    // nil: there are no escape channels
	next     [][]router.Channel // dependencies found, by channel
	queue    []step             // still to be followed
	seen     []visit            // by channel
	states   map[state]bool     // reached for the current destination

	// escapes marks the channels that are escape channels for some packet. The first walk over a
	// routing with escape channels finds them; nil if there are none.
	escapes []bool
	// extended makes the second walk collect the dependencies between escape channels.
	extended bool
	err      error   // the first breach of the routing's contract
	ladder   *ladder // receives the hops of packets; nil: no ladder is made
	// rank is that of a Ranking, which the walk then checks; nil to collect dependencies.
	rank func(c router.Channel) int
	// firstHops makes the walk follow packets no further than from their sources.
	firstHops bool
	// use receives the links that packets may use; nil to collect dependencies. With use each pair of
	// nodes has a number, which replaces the group.
	use    func(router.Link)
	number int32

	// Scratch.
	now           step // the current step: routings get a pointer to its header
	out, escape   []router.Channel
	list, offered []router.Channel
	branches      []router.Header
}

// newWalk returns a walk over the channels of a wiring under a routing.
func newWalk(w *router.Wiring, x router.Routing) *walk {
	k := &walk{wiring: w, x: x, next: make([][]router.Channel, w.Channels()),
		seen: make([]visit, w.Channels()), states: map[state]bool{}}
	k.group = func(_ topology.Router, _ router.Channel, h *router.Header) int32 {
		return int32(h.Source)
	}
	if g, ok := x.(router.Grouping); ok {
		k.group = g.SourceGroup
	}
	k.branch, _ = x.(router.Branching)
	k.escaping, _ = x.(router.Escaping)
	k.reset()
	return k
}

// reset forgets all dependencies and visits.
func (k *walk) reset() {
	for i := range k.seen {
		k.seen[i].to = -1
	}
	clear(k.next)
	clear(k.states)
}

// sorted returns the dependencies found, in ascending order for each channel.
func (k *walk) sorted() [][]router.Channel {
	for c := range k.next {
		slices.Sort(k.next[c])
	}
	return k.next
}

// follow takes the steps in the queue until none is left.
func (k *walk) follow() {
	for len(k.queue) > 0 && k.err == nil {
		at := k.queue[len(k.queue)-1]
		k.queue = k.queue[:len(k.queue)-1]
		if k.branch == nil {
			k.take(at)
		} else {
			r := k.wiring.Enters(at.c)
			k.branches = k.branch.Branches(k.branches[:0], r, at.c, at.h)
			for _, h := range k.branches {
				k.take(step{at.c, at.held, h})
			}
		}
		if k.findsEscapes() {
			k.checkOffer(at)
		}
	}
}

// findsEscapes reports whether the walk collects escape channels.
func (k *walk) findsEscapes() bool { return k.escapes != nil && !k.extended && k.ladder == nil }

// take adds the dependencies of a step, and enters the steps after it in the queue.
func (k *walk) take(at step) {
	r := k.wiring.Enters(at.c)
	if k.findsEscapes() {
		k.now = at
		k.escape = k.escaping.Escape(k.escape[:0], r, at.c, &k.now.h)
		for _, d := range k.escape {
			if !k.leaves(r, d) {
				k.refuse(at, "Escape lists %s, which does not leave the router", k.name(d))
				return
			}
			k.escapes[d] = true
		}
	}
	k.now = at
	k.out = k.x.Possible(k.out[:0], r, at.c, &k.now.h)
	if k.use != nil {
		for _, d := range k.out {
			k.reach(d, none)
		}
		return
	}
	if k.checkPossible(at, r); k.err == nil && k.rank != nil {
		k.ascends(at)
	}
	if k.err != nil {
		return
	}
	if k.ladder != nil {
		k.addHops(at, r)
	}
	if k.firstHops {
		return
	}
	for _, d := range k.out {
		from, held := at.c, router.Channel(none)
		if k.extended {
			if from = at.held; k.escapes[at.c] {
				from = at.c
			}
			if held = from; k.escapes[d] {
				held = none // it will be d itself
			} else {
				k.reach(d, held)
				continue
			}
		}
		if from != none && k.ladder == nil && k.rank == nil {
			k.next[from] = including(k.next[from], d)
		}
		k.reach(d, held)
	}
}

// reach enters a step on channel c with the header of now in the queue, unless the channel ends at
// a node or was reached in this state before.
func (k *walk) reach(c, held router.Channel) {
	if k.use != nil {
		k.use(k.wiring.LinkOf(c))
	}
	r := k.wiring.Enters(c)
	if r < 0 {
		return
	}
	h := &k.now.h
	now := visit{to: h.Destination, group: k.number}
	if k.use == nil {
		now.group = k.group(r, c, h)
	}
	if held == none && h.Phase == 0 && h.Via == 0 {
		if k.seen[c] == now {
			return
		}
		k.seen[c] = now
	} else {
		s := state{c, held, now.group, h.Phase, h.Via}
		if k.states[s] {
			return
		}
		k.states[s] = true
	}
	k.queue = append(k.queue, step{c, held, *h})
}

// including returns a list with a channel appended unless the list has it.
func including(list []router.Channel, c router.Channel) []router.Channel {
	if slices.Contains(list, c) {
		return list
	}
	return append(list, c)
}

// Which packets a walk follows.

// followAll follows the packets between all pairs of nodes.
func (k *walk) followAll() { k.followHeaders(k.allHeaders()) }

// allHeaders returns the headers of packets from every node to every node, or from every network
// interface to the interfaces with its number.
func (k *walk) allHeaders() iter.Seq[router.Header] {
	return Packets(func(yield func(from, to topology.Node) bool) {
		nodes := topology.Node(k.wiring.Topology.Nodes())
		for to := range topology.Node(k.wiring.Nodes()) {
			first := to / nodes * nodes
			for from := first; from < first+nodes; from++ {
				if !yield(from, to) {
					return
				}
			}
		}
	})
}

// followHeaders follows packets with these headers at their sources.
func (k *walk) followHeaders(list iter.Seq[router.Header]) {
	last := topology.Node(-1)
	for h := range list {
		if h.Destination != last {
			clear(k.states)
			last = h.Destination
		}
		if k.followHeader(h); k.err != nil {
			return
		}
	}
}

// followHeader follows a packet from all injection channels of its source.
func (k *walk) followHeader(h router.Header) {
	for i := range router.Channel(k.wiring.InjectionPorts * k.wiring.NodeVirtualChannels) {
		k.now.h = h
		k.reach(k.wiring.Injection(h.Source)+i, none)
		k.follow()
	}
}

// ladder is a graph of escape channels that shows without long paths that the extended
// dependency graph of CheckDeadlock has no cycle. Let a packet be offered the escape channels L
// at one router, take channel c, and be offered the escape channels U at the next one.
//
//   - If c is an escape channel for no packet, the graph has an edge from each of L to each of U.
//   - If c is an escape channel, the graph has an edge from c to each of U, which is a rung, and an
//     edge from each of L to c.
//
// If no rung lies on a cycle of the ladder, the extended graph has no cycle. The proof: take an
// edge of the extended graph from e to f. A packet takes e, then possibly channels that are escape
// channels for no packet, then f. The ladder has a path from e to f for this packet: a rung from e
// to the escape channels offered behind e, from there an edge to those offered behind each next
// channel, and f is among the last of these or has an edge from them. So a cycle of the extended
// graph is a closed path of the ladder with a rung.
//
// The converse is false: a ladder joins paths of different packets. If a rung is on a cycle the
// extended graph decides. The extended graph has a state for each node, channel and last used
// escape channel, and up to one edge for each pair of escape channels. The ladder needs the hops of
// packets alone.
type ladder struct {
	next  [][]router.Channel // edges, by the channel where they begin
	rungs [][]router.Channel // the edges that are rungs
	lower []router.Channel   // scratch: escape channels offered before a hop
	upper []router.Channel   // scratch: escape channels offered after it
}

// checkSources checks the channels offered to packets at their sources, and collects the escape
// channels there.
func (k *walk) checkSources(headers iter.Seq[router.Header]) {
	k.firstHops = true
	k.followHeaders(headers)
	k.firstHops = false
}

// newLadder returns the ladder of the first hops of some packets, or of all hops of all packets if
// headers is nil.
func (k *walk) newLadder(headers iter.Seq[router.Header]) *ladder {
	k.reset()
	made := &ladder{next: k.next, rungs: make([][]router.Channel, len(k.next))}
	k.ladder, k.firstHops = made, headers != nil
	if headers == nil {
		headers = k.allHeaders()
	}
	k.followHeaders(headers)
	k.ladder, k.firstHops = nil, false
	return made
}

// isAcyclic reports whether no rung is on a cycle.
func (k *ladder) isAcyclic() bool {
	part := make([]int32, len(k.next))
	for i, channels := range components(k.next) {
		for _, c := range channels {
			part[c] = int32(i) + 1
		}
	}
	for c, rungs := range k.rungs {
		for _, d := range rungs {
			if d == router.Channel(c) || part[c] > 0 && part[c] == part[d] {
				return false
			}
		}
	}
	return true
}

// addHops adds the edges of a packet's hops from router r, over each channel of k.out.
func (k *walk) addHops(at step, r topology.Router) {
	after, l := k.now.h, k.ladder // the header as Possible leaves it
	k.now.h = at.h
	l.lower = k.escaping.Escape(l.lower[:0], r, at.c, &k.now.h)
	for _, c := range k.out {
		far := k.wiring.Enters(c)
		if far < 0 {
			continue // no channel follows
		}
		k.now.h = after
		l.upper = k.escaping.Escape(l.upper[:0], far, c, &k.now.h)
		for _, u := range l.upper {
			if k.wiring.Enters(u) < 0 {
				continue
			}
			if k.escapes[c] {
				l.rungs[c] = including(l.rungs[c], u)
				l.next[c] = including(l.next[c], u)
				continue
			}
			for _, e := range l.lower {
				l.next[e] = including(l.next[e], u)
			}
		}
		if k.escapes[c] {
			for _, e := range l.lower {
				if e != c {
					l.next[e] = including(l.next[e], c)
				}
			}
		}
	}
	k.now.h = after
}

package deadlock

import (
	"slices"

	"contend/router"
	"contend/router/topology"
)

// Dependencies returns, for every channel, the channels a packet that holds it
// may ask for, in ascending order. Each pair of source and destination is
// followed from the injection channels of the source over all channels that
// the routing may offer, through all states of the header. So a dependency is
// there only if a packet that can exist may bring it about.
func Dependencies(w *router.Wiring, x router.Routing) [][]router.Channel {
	k := newWalk(w, x)
	k.all()
	return k.sorted()
}

// none is no channel and no router, as in Wiring.
const none = -1

// visit is the last state in which a channel was reached: for which destination,
// from which group of sources. All that follows from that state is known.
type visit struct {
	to    topology.Node
	group int32
}

// state is a visit of a packet whose routing keeps a state, or whose last escape
// channel matters.
type state struct {
	c, held router.Channel
	group   int32
	phase   uint8
	via     topology.Router
}

// step is a channel to be followed by a packet: with which header, and which
// escape channel the packet has used last, or none.
type step struct {
	c, held router.Channel
	h       router.Header
}

// walk follows every packet that can exist, or those of a pair of nodes.
type walk struct {
	wiring *router.Wiring
	x      router.Routing
	group  func(r topology.Router, in router.Channel, h *router.Header) int32
	branch router.Branching // nil: a header is in one state
	rely   router.Escaping  // nil: there are no escape channels
	next   [][]router.Channel
	queue  []step
	seen   []visit
	states map[state]bool // visits for the current destination that are more than a visit

	// escapes are the channels that a packet may rely on somewhere, found by the
	// first walk over a routing that has such channels; nil otherwise
	// about them. between has the second walk collect what follows one of them.
	escapes []bool
	between bool
	err     error

	// ladder is made of the hops where it is not nil. With here only those from the sources
	// of packets are followed.
	ladder *ladder
	here   bool

	// use receives the links that packets may use; nil to collect dependencies. Then
	// pairs have numbers, and each is a group of its own.
	use    func(router.Link)
	number int32

	now           step // the step that is taken: routings get a pointer to its header
	out, escape   []router.Channel
	list, offered []router.Channel
	branches      []router.Header
}

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
	k.rely, _ = x.(router.Escaping)
	k.forget()
	return k
}

// forget makes the walk ready to be made once more.
func (k *walk) forget() {
	for i := range k.seen {
		k.seen[i].to = -1
	}
	clear(k.next)
	clear(k.states)
}

// sorted returns the dependencies in ascending order.
func (k *walk) sorted() [][]router.Channel {
	for c := range k.next {
		slices.Sort(k.next[c])
	}
	return k.next
}

// follow takes all steps there are.
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
		if k.collecting() {
			k.checkOffer(at)
		}
	}
}

// collecting reports whether the walk finds out which channels are escape channels.
func (k *walk) collecting() bool { return k.escapes != nil && !k.between && k.ladder == nil }

// take adds the dependencies of a step, and the steps after it.
func (k *walk) take(at step) {
	r := k.wiring.Enters(at.c)
	if k.collecting() {
		k.now = at
		k.escape = k.rely.Escape(k.escape[:0], r, at.c, &k.now.h)
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
	if k.checkPossible(at, r); k.err != nil {
		return
	}
	if k.ladder != nil {
		k.climb(at, r)
	}
	if k.here {
		return
	}
	for _, d := range k.out {
		from, held := at.c, router.Channel(none)
		if k.between {
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
		if from != none && k.ladder == nil {
			k.next[from] = including(k.next[from], d)
		}
		k.reach(d, held)
	}
}

// reach enters channel c to be followed with the header of now, unless it ends at
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

// including returns a list with a channel.
func including(list []router.Channel, c router.Channel) []router.Channel {
	if slices.Contains(list, c) {
		return list
	}
	return append(list, c)
}

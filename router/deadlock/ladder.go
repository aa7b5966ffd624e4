package deadlock

import (
	"iter"

	"contend/netsim/topology"
	"contend/router"
)

// EscapeWitnessing is a Routing with escape channels that knows packets which show, each at the
// router of its source, all that the check of a ladder needs to see. On machines of more than a
// few hundred nodes the deadlock check looks at these only.
type EscapeWitnessing interface {
	// EscapeWitnesses returns pairs of a source and a destination. Take any packet at any
	// router: the escape channels that it is offered there, a channel that it may take, and
	// the escape channels that it is offered behind that. A packet of one of the pairs may do
	// the same from its source. It returns nil where Witnesses would.
	EscapeWitnesses(x router.Routing) iter.Seq2[topology.Node, topology.Node]
}

// followEscapes is the number of nodes up to which the deadlock check follows every packet of a
// routing with escape channels, which takes about a second.
const followEscapes = 256

// escapeWitnesses returns the pairs to look at, nil for all.
func escapeWitnesses(w *router.Wiring, x router.Routing) iter.Seq2[topology.Node, topology.Node] {
	k, ok := x.(EscapeWitnessing)
	if !ok || w.Topology.Nodes() <= followEscapes {
		return nil
	}
	return k.EscapeWitnesses(x)
}

// ladder is a graph of escape channels that shows without long ways that the extended
// dependency graph of CheckDeadlock has no cycle. Let a packet be offered the escape channels L
// at one router, take channel c, and be offered the escape channels U at the next one.
//
//   - If c is an escape channel for nobody, the graph has an edge from each of L to each of U.
//   - If c is an escape channel, it has an edge from c to each of U, which is a rung. And an edge
//     from each of L to c.
//
// If no rung lies on a cycle of the ladder, the extended graph has no cycle. For take an edge of
// that one from e to f: a packet takes e, then perhaps channels that are escape channels for
// nobody, then f. The ladder has a way from e to f for it: a rung from e to what the packet is
// offered behind e, from there an edge to what it is offered behind each next channel, and at
// last f is one of these or has an edge from them. So a cycle of the extended graph is a closed way
// of the ladder with a rung.
//
// The converse does not hold: a ladder joins ways of different packets. Where a rung is on a cycle
// the extended graph decides. It is made of as many states as there are nodes, channels and
// escape channels that a packet may have used last, and may have an edge for each two escape
// channels. The ladder is made of the hops of packets alone.
type ladder struct {
	next  [][]router.Channel // all edges
	rungs [][]router.Channel
	// what is offered to a packet before and behind a hop
	lower, upper []router.Channel
}

// offers checks what packets are offered at their sources, and finds the escape channels there.
func (k *walk) offers(pairs iter.Seq2[topology.Node, topology.Node]) {
	k.here = true
	k.pairs(pairs)
	k.here = false
}

// climbing returns the ladder of the first hops of some packets, or of all hops of all packets
// if pairs is nil.
func (k *walk) climbing(pairs iter.Seq2[topology.Node, topology.Node]) *ladder {
	k.forget()
	made := &ladder{next: k.next, rungs: make([][]router.Channel, len(k.next))}
	k.ladder, k.here = made, pairs != nil
	if pairs == nil {
		pairs = k.everyone()
	}
	k.pairs(pairs)
	k.ladder, k.here = nil, false
	return made
}

// ascends reports whether no rung is on a cycle.
func (k *ladder) ascends() bool {
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

// climb adds the edges of a packet's hops from router r, to the channels of k.out.
func (k *walk) climb(at step, r topology.Router) {
	after, l := k.now.h, k.ladder // the header as Possible leaves it
	k.now.h = at.h
	l.lower = k.x.Escape(l.lower[:0], r, at.c, &k.now.h)
	for _, c := range k.out {
		far := k.wiring.Enters(c)
		if far < 0 {
			continue // nothing follows
		}
		k.now.h = after
		l.upper = k.x.Escape(l.upper[:0], far, c, &k.now.h)
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

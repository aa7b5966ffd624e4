package deadlock

import (
	"iter"

	"contend/router"
	"contend/router/topology"
)

// ladder is a graph of escape channels that shows without long paths that the extended
// dependency graph of CheckDeadlock has no cycle. Let a packet be offered the escape channels L
// at one router, take channel c, and be offered the escape channels U at the next one.
//
//   - If c is an escape channel for nobody, the graph has an edge from each of L to each of U.
//   - If c is an escape channel, it has an edge from c to each of U, which is a rung. And an edge
//     from each of L to c.
//
// If no rung lies on a cycle of the ladder, the extended graph has no cycle. For take an edge of
// that one from e to f: a packet takes e, then perhaps channels that are escape channels for
// nobody, then f. The ladder has a path from e to f for it: a rung from e to what the packet is
// offered behind e, from there an edge to what it is offered behind each next channel, and at last
// f is one of these or has an edge from them. So a cycle of the extended graph is a closed path of
// the ladder with a rung.
//
// The converse does not hold: a ladder joins paths of different packets. Where a rung is on a cycle
// the extended graph decides. It has as many states as there are nodes, channels and
// escape channels that a packet may have used last, and may have an edge for each two escape
// channels. The ladder is made of the hops of packets alone.
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

// Package deadlock checks whether packets under a routing could wait for each other for ever: see
// CheckDeadlock.
//
// Example: dimension order on a ring of four routers with one virtual channel. A packet from node 0
// to node 2 may hold the channel 0->1 and request 1->2. Packets from nodes 1, 2 and 3, each to the
// node opposite, hold and request the others:
//
//	0->1 -> 1->2 -> 2->3 -> 3->0 -> 0->1
//
// The dependencies form a cycle of four channels, so CheckDeadlock returns a CycleError with them.
// With two virtual channels and a dateline a packet changes to the other channel behind 3->0. The
// cycle is cut there, and CheckDeadlock returns nil (ExampleCheckDeadlock).
package deadlock

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"contend/router"
	"contend/router/topology"
)

// A CycleError reports that a routing can deadlock: its channel dependency graph
// has a cycle (Dally and Seitz 1987, Theorem 1).
type CycleError struct {
	// Channels has the channels of one cycle. Each waits for the next, the last for the first.
	Channels []router.Channel
	text     string
}

// Error names the channels of the cycle.
func (e *CycleError) Error() string { return e.text }

// CheckDeadlock returns an error if packets under a routing could wait for each other for ever. A
// *CycleError names a short cycle of channels. Another error means that the routing breaks its
// contract.
//
// Without escape channels the channel dependency graph must be free of cycles (Dally and Seitz
// 1987). The graph is built from all packets that can exist: see Dependencies. On large machines it
// is built from packets that, as the routing promises, cause all dependencies: see Witnessing. If
// the routing numbers the channels in an order that all packets follow, no graph is built: see
// Ranking.
//
// With escape channels (Duato 1993) two properties are checked. First, every head is always offered
// an escape channel; Route is called with no channel free and with all free. Second, the extended
// dependency graph has no cycle. Its vertices are the channels that are escape channels for some
// packet. It has an edge from e to f if one packet may hold e and request f next (a direct
// dependency), or hold e, then only channels that are escape channels for no packet, and then
// request f (an indirect dependency).
//
// These two properties suffice. Suppose that no flit can move. A head at the front of its buffer
// that holds no output channel waits for an escape channel f, and all channels offered to it are
// held. Follow the packet that holds f, and repeat the argument for it. If that packet is on
// channels that are escape channels for no packet, it is alone in their buffers, which were empty
// when they were granted. So its head is at the front of its buffer and waits for an escape channel
// too. A head can be behind other packets only in buffers of escape channels; then the first packet
// there is followed. Each escape channel on this path is a successor in the graph of the escape
// channel before it, so the path never ends and contains a cycle.
//
// The extended graph grows with the square of the machine. So a smaller graph is checked first,
// which may show that the extended graph has no cycle: see ladder. On large machines the smaller
// graph is built from packets that show all of its edges: see Witnessing.
func CheckDeadlock(w *router.Wiring, x router.Routing) error {
	next, escapes, err := dependencyGraph(w, x)
	if err != nil {
		return err
	}
	if cycle := shortCycle(next); cycle != nil {
		return cycleError(w, cycle, escapes)
	}
	return nil
}

// dependencyGraph returns the graph that must be free of cycles, and whether it is the extended
// graph of escape channels. The graph is nil if a ladder, or ranks, have shown that it has no
// cycle.
func dependencyGraph(w *router.Wiring, x router.Routing) (next [][]router.Channel, escapes bool,
	err error) {
	k := newWalk(w, x)
	headers := iter.Seq[router.Header](nil)
	if k.rank, headers = ranks(w, x); k.rank != nil {
		k.followHeaders(headers)
		return nil, false, k.err
	}
	headers = witnesses(w, x)
	if k.escaping == nil {
		if headers == nil {
			headers = k.allHeaders()
		}
		k.followHeaders(headers)
		return k.sorted(), false, k.err
	}
	k.escapes = make([]bool, w.Channels())
	if headers != nil {
		if k.checkSources(headers); k.err != nil || k.newLadder(headers).isAcyclic() {
			return nil, true, k.err
		}
		k.reset()
	}
	k.followAll()
	if k.err != nil {
		return nil, true, k.err
	}
	for c := range k.next {
		escapes = escapes || slices.ContainsFunc(k.next[c],
			func(d router.Channel) bool { return !k.escapes[d] })
	}
	if !escapes {
		return k.sorted(), false, nil
	}
	if k.branch == nil && k.newLadder(nil).isAcyclic() {
		return nil, true, nil
	}
	k.reset()
	k.extended = true
	k.followAll()
	return k.sorted(), true, nil
}

// shortCycle returns a short cycle of a graph, or nil without a cycle. It prefers a channel that
// follows itself. Otherwise it finds a shortest cycle through the lowest channel of each strongly
// connected component, and returns the shortest of these; among equals, the cycle of the lowest
// channel. A shortest cycle of the whole graph would need a search from every channel.
func shortCycle(next [][]router.Channel) []router.Channel {
	for c := range next {
		if slices.Contains(next[c], router.Channel(c)) {
			return []router.Channel{router.Channel(c)}
		}
	}
	var best []router.Channel
	for _, part := range components(next) {
		in := make(map[router.Channel]bool, len(part))
		for _, c := range part {
			in[c] = true
		}
		cycle := shortestCycle(next, in, slices.Min(part))
		if best == nil || len(cycle) < len(best) || len(cycle) == len(best) && cycle[0] < best[0] {
			best = cycle
		}
	}
	return best
}

// shortestCycle returns a shortest cycle through start, by breadth-first search. in holds the
// channels of the strongly connected component of start.
func shortestCycle(next [][]router.Channel, in map[router.Channel]bool,
	start router.Channel) []router.Channel {
	from := map[router.Channel]router.Channel{}
	queue := []router.Channel{start}
	for len(queue) > 0 {
		c := queue[0]
		queue = queue[1:]
		for _, d := range next[c] {
			if d == start {
				cycle := []router.Channel{c}
				for c != start {
					c = from[c]
					cycle = append(cycle, c)
				}
				slices.Reverse(cycle)
				return cycle
			}
			if _, known := from[d]; in[d] && !known {
				from[d] = c
				queue = append(queue, d)
			}
		}
	}
	panic("router: no cycle in a strongly connected component")
}

// cycleError returns the CycleError for a cycle. escapes reports whether the cycle is in the
// extended graph of escape channels.
func cycleError(w *router.Wiring, cycle []router.Channel, escapes bool) error {
	names := make([]string, 0, len(cycle))
	for _, c := range cycle {
		names = append(names, w.Describe(c))
	}
	what := "channel dependency graph"
	if escapes {
		what = "extended dependency graph of escape channels"
	}
	return &CycleError{Channels: cycle, text: fmt.Sprintf(
		"the routing can deadlock: its %s has a cycle of %d channels, each waiting for the next and the "+
			"last for the first: %s", what, len(cycle), strings.Join(names, ", "))}
}

// The walk checks the contract of a routing: it offers channels that exist and leave the router,
// and Route, Possible and Escape agree.

// checkPossible refuses a routing if Possible lists no channel for a packet at router r, or a
// channel that does not leave the router.
func (k *walk) checkPossible(at step, r topology.Router) {
	if len(k.out) == 0 {
		k.refuse(at, "Possible lists no channel")
	}
	for _, d := range k.out {
		if !k.leaves(r, d) {
			k.refuse(at, "Possible lists %s, which does not leave the router", k.name(d))
		}
	}
}

// leaves reports whether channel c exists and begins at router r.
func (k *walk) leaves(r topology.Router, c router.Channel) bool {
	if !k.wiring.Has(c) {
		return false
	}
	l := k.wiring.LinkOf(c)
	return k.wiring.Leaves(l) == r
}

// name returns a channel in words, for errors. The channel need not exist.
func (k *walk) name(c router.Channel) string {
	if !k.wiring.Has(c) {
		return fmt.Sprintf("channel %d (there is no such)", c)
	}
	return k.wiring.Describe(c)
}

// checkOffer refuses a routing that breaks its contract for the packet of a step, with no channel
// free or with all free. Route must offer at least one channel of Escape, and Possible must list
// every channel that Route offers or Escape lists.
func (k *walk) checkOffer(at step) {
	r := k.wiring.Enters(at.c)
	k.list = k.list[:0]
	if k.branch == nil {
		k.branches = append(k.branches[:0], at.h)
	}
	for _, h := range k.branches {
		k.now.h = h
		k.list = k.x.Possible(k.list, r, at.c, &k.now.h)
	}
	for _, v := range []router.IdleView{{Waiting: 1 << 15}, {Room: 1 << 15}} {
		k.now.h = at.h
		k.offered = k.x.Route(k.offered[:0], r, at.c, &k.now.h, v)
		if k.branch == nil {
			k.now.h = at.h
		}
		k.escape = k.escaping.Escape(k.escape[:0], r, at.c, &k.now.h)
		for _, o := range k.offered {
			if !slices.Contains(k.list, o) {
				k.refuse(at, "Route offers %s, which Possible does not list", k.name(o))
			}
		}
		if !slices.ContainsFunc(k.escape,
			func(e router.Channel) bool { return slices.Contains(k.offered, e) }) {
			k.refuse(at, "Route offers no escape channel")
		}
		for _, e := range k.escape {
			if !slices.Contains(k.list, e) {
				k.refuse(at, "Escape lists %s, which Possible does not", k.name(e))
			}
		}
	}
}

// refuse records that the routing breaks its contract for the packet of a step, which ends the
// walk. The first error counts.
func (k *walk) refuse(at step, format string, args ...any) {
	if k.err == nil {
		k.err = fmt.Errorf("the routing breaks its contract: of a packet from node %d to node %d that "+
			"comes by %s, %s",
			at.h.Source, at.h.Destination, k.wiring.Describe(at.c), fmt.Sprintf(format, args...))
	}
}

// acyclic reports whether every channel of a graph comes after all of its successors in the order
// of depthFirstOrder, so that the graph has no cycle.
func acyclic(next [][]router.Channel, order []router.Channel) bool {
	left := make([]bool, len(next))
	for _, c := range order {
		for _, d := range next[c] {
			if !left[d] {
				return false
			}
		}
		left[c] = true
	}
	return true
}

// components returns the strongly connected components of a graph that have more than one channel
// (Sharir, Computers & Mathematics with Applications 7, 1981). It takes the channels in reverse
// order of depthFirstOrder. A channel without a component starts one, of itself and of all channels
// without a component from which a path leads to it.
func components(next [][]router.Channel) (parts [][]router.Channel) {
	order := depthFirstOrder(next)
	if acyclic(next, order) {
		return nil // without prior, which takes as much memory as next
	}
	prior := make([][]router.Channel, len(next))
	for c := range next {
		for _, d := range next[c] {
			prior[d] = append(prior[d], router.Channel(c))
		}
	}
	taken := make([]bool, len(next))
	for _, c := range slices.Backward(order) {
		if taken[c] {
			continue
		}
		taken[c] = true
		part := []router.Channel{c}
		for i := 0; i < len(part); i++ {
			for _, d := range prior[part[i]] {
				if !taken[d] {
					taken[d] = true
					part = append(part, d)
				}
			}
		}
		if len(part) > 1 {
			parts = append(parts, part)
		}
	}
	return parts
}

// depthFirstOrder returns all channels in the order in which a depth-first search leaves them. The
// search keeps its path in a slice and does not recurse, because a path may contain all channels.
func depthFirstOrder(next [][]router.Channel) (order []router.Channel) {
	found, visited := make([]bool, len(next)), make([]int32, len(next)) // visited: successors
	var path []router.Channel
	for start := range next {
		if !found[start] {
			found[start], path = true, append(path, router.Channel(start))
		}
		for len(path) > 0 {
			c := path[len(path)-1]
			if i := visited[c]; int(i) == len(next[c]) {
				path, order = path[:len(path)-1], append(order, c)
			} else if visited[c]++; !found[next[c][i]] {
				found[next[c][i]], path = true, append(path, next[c][i])
			}
		}
	}
	return order
}

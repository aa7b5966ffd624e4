package routes

import (
	"fmt"
	"slices"
	"sync/atomic"

	"contend/router"
	"contend/router/topology"
)

// shortestPaths routes on any connected graph along all shortest paths: at each router a packet or
// flow draws one of the links, parallel ones included, that lead nearer to the destination. With
// each hop the packet goes to the next class of virtual channels, so that there is no cycle of
// channels (Günther, "Prevention of deadlocks in packet-switched data transport systems", IEEE
// Trans. Commun. 29(4), 1981). There is a class for each hop of the longest shortest path. Classes
// count back from the destination, so that packets need no state.
type shortestPaths struct {
	anySource
	outputs
	*pathHops
	seed   uint64
	byFlow bool            // draws for flows, not for packets
	near   []topology.Port // scratch of nearer
	failed []bool          // links that are not on the paths; nil if all are
}

// pathHops has the hops between the routers of a graph.
type pathHops struct {
	graph *topology.Graph
	home  []topology.Router // of each node
	hops  [][]uint16        // hops[to][r] is the number of hops from router r to router to
	most  int               // maximum number of hops between two nodes
}

// lastHops has the hops of the last graph.
var lastHops lastGraph[*pathHops]

// shortestMaker makes shortestPaths that are drawn for packets.
var shortestMaker = router.Maker{
	Name: "shortest",
	Doc: "graph: shortest paths, of several links one drawn for each packet and router; a " +
		"virtual channel for each hop of the longest",
	Source:          "Günther 1981",
	Draws:           true,
	Suits:           isKind[*topology.Graph],
	VirtualChannels: forShortest,
	New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
		return newShortest(w, false, seed)
	},
}

// ecmpMaker makes shortestPaths that are drawn for flows.
var ecmpMaker = router.Maker{Name: "ecmp", Draws: true, Flows: true, Suits: shortestMaker.Suits,
	VirtualChannels: forShortest,
	New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
		return newShortest(w, true, seed)
	},
}

// newShortest returns the routing over the channels of w, which must be those of a Graph of
// at most 2048 routers and at least as many a link as there are classes. What it draws, for each
// flow or packet, depends on the seed.
func newShortest(w *router.Wiring, byFlow bool, seed uint64) (*shortestPaths, error) {
	t := w.Topology.(*topology.Graph)
	if t.Routers() > layerRouters {
		return nil, fmt.Errorf("shortest-path routing needs a graph of at most %d routers, not %d",
			layerRouters, t.Routers())
	}
	x := &shortestPaths{outputs: newOutputs(w), pathHops: hopsOf(t), seed: seed, byFlow: byFlow}
	if x.most > maxLayers {
		return nil, fmt.Errorf("shortest-path routing needs a virtual channel for each hop, and paths "+
			"have up to %d: take lash", x.most)
	}
	return x, nil
}

// forShortest returns the VCs that the routing needs: one for each hop of the longest path.
func forShortest(t topology.Topology) int {
	k, ok := t.(*topology.Graph)
	if !ok || k.Routers() > layerRouters {
		return 1
	}
	return max(1, min(hopsOf(k).most, maxLayers))
}

// hopsOf returns the hops of a graph.
func hopsOf(t *topology.Graph) *pathHops { return lastHops.of(t, countHops) }

// countHops counts the hops of a graph.
func countHops(t *topology.Graph) *pathHops {
	x := &pathHops{graph: t, home: homesOf(t), hops: make([][]uint16, t.Routers())}
	for _, to := range x.home {
		if x.hops[to] != nil {
			continue
		}
		x.hops[to] = make([]uint16, t.Routers())
		t.HopsFrom(to, x.hops[to])
		for _, r := range x.home {
			if hops := x.hops[to][r]; hops != topology.Unreached {
				x.most = max(x.most, int(hops))
			}
		}
	}
	return x
}

// Reroute implements Rerouting: the shortest paths over the links that have not failed, if they have
// no more hops than the longest without failures. A packet goes to a higher class with each hop, so
// one whose path grows while it is under way may have none.
func (x *shortestPaths) Reroute(failed []bool) (of, left router.Routing) {
	k := *x
	k.failed, k.near = failed, nil
	k.pathHops = &pathHops{graph: x.graph, home: x.home, most: x.most,
		hops: make([][]uint16, len(x.hops))}
	for to, hops := range x.hops {
		if hops != nil {
			k.hops[to] = k.hopsLeft(topology.Router(to))
		}
	}
	return x, &k
}

// hopsLeft returns the hops from each router to router to over the links that have not failed.
func (x *shortestPaths) hopsLeft(to topology.Router) []uint16 {
	hops := slices.Repeat([]uint16{topology.Unreached}, x.graph.Routers())
	hops[to] = 0
	for list := []topology.Router{to}; len(list) > 0; list = list[1:] {
		r := list[0]
		for p := range topology.Port(x.graph.Links(r)) {
			next, back, _ := x.graph.Peer(r, p)
			if hops[next] == topology.Unreached && !x.failed[x.wiring.LinkOf(x.out(next, back))] {
				hops[next] = hops[r] + 1
				list = append(list, next)
			}
		}
	}
	return hops
}

// Traits implements Described.
func (x *shortestPaths) Traits() router.Traits {
	classes := max(1, x.most)
	maxClass := (int(x.virtual) + classes - 1) / classes // VCs of the largest class
	return router.Traits{Choices: max(maxClass, int(x.ejection)), OneLink: true,
		Oblivious: true, Stateless: true, Flows: x.byFlow}
}

// Route implements Routing.
func (x *shortestPaths) Route(dst []router.Channel, r topology.Router, _ router.Channel,
	h *router.Header, _ router.View) []router.Channel {
	near := x.nearer(r, h)
	if len(near) == 0 {
		return x.eject(dst, h.Destination)
	}
	links := int32(len(near))
	if x.byFlow {
		return x.offer(dst, r, near[router.DrawFlow(x.seed, h, int64(r), links)], h)
	}
	return x.offer(dst, r, near[router.Draw(x.seed, h.Packet, int64(r), links)], h)
}

// Possible implements Routing: every link that brings a packet nearer.
func (x *shortestPaths) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	if r == x.home[h.Destination] {
		return x.eject(dst, h.Destination)
	}
	if x.failed != nil && !x.mayLeave(r, in, h) {
		return dst
	}
	for _, p := range x.nearer(r, h) {
		dst = x.offer(dst, r, p, h)
	}
	return dst
}

// mayLeave reports whether the class by which a packet that came by channel in leaves router r
// exists, and is higher than that of the channel.
func (x *shortestPaths) mayLeave(r topology.Router, in router.Channel, h *router.Header) bool {
	class := x.most - int(x.hops[x.home[h.Destination]][r])
	if class < 0 || !x.isBetweenRouters(in) {
		return class >= 0
	}
	low, _ := classRange(x.virtual, router.Channel(class), router.Channel(x.most))
	return x.indexOnLink(in) < low
}

// nearer returns the ports of a router whose links bring a packet nearer.
func (x *shortestPaths) nearer(r topology.Router, h *router.Header) []topology.Port {
	x.near = nearer(x.near[:0], x.graph, r, x.hops[x.home[h.Destination]])
	if x.failed != nil {
		x.near = slices.DeleteFunc(x.near,
			func(p topology.Port) bool { return x.failed[x.wiring.LinkOf(x.out(r, p))] })
	}
	return x.near
}

// offer appends the channels of a link that belong to the class of a packet.
func (x *shortestPaths) offer(dst []router.Channel, r topology.Router, p topology.Port,
	h *router.Header) []router.Channel {
	class := x.most - int(x.hops[x.home[h.Destination]][r])
	low, high := classRange(x.virtual, router.Channel(class), router.Channel(x.most))
	return router.AppendRun(dst, x.out(r, p)+low, high-low)
}

// lastGraph keeps the result for the last graph, because the number of VCs that a routing needs is
// computed before the routing is made, and again for each network of a study.
type lastGraph[T any] struct {
	last atomic.Pointer[ofGraph[T]]
}

// ofGraph is the result for a graph.
type ofGraph[T any] struct {
	graph *topology.Graph
	found T
}

// of returns the result of find for a graph.
func (l *lastGraph[T]) of(t *topology.Graph, find func(*topology.Graph) T) T {
	if x := l.last.Load(); x != nil && x.graph == t {
		return x.found
	}
	x := &ofGraph[T]{t, find(t)}
	l.last.Store(x)
	return x.found
}

// homesOf returns the router of each node of a graph. A node with several network interfaces has an
// entry for each, numbered as in a Wiring.
func homesOf(t *topology.Graph) []topology.Router {
	home := make([]topology.Router, 0, t.Nodes()*t.Rails())
	for rail := range t.Rails() {
		for n := range topology.Node(t.Nodes()) {
			r, _ := t.AttachRail(n, rail)
			home = append(home, r)
		}
	}
	return home
}

// nearer appends the ports of router r whose links lead to routers of fewer hops.
func nearer(dst []topology.Port, t *topology.Graph, r topology.Router,
	hops []uint16) []topology.Port {
	for p := range topology.Port(t.Links(r)) {
		if next, _, _ := t.Peer(r, p); hops[next] < hops[r] {
			dst = append(dst, p)
		}
	}
	return dst
}

package deadlock

import (
	"iter"

	"contend/router"
	"contend/router/topology"
)

// NodeLists has the nodes of each router, or the network interfaces that hang on it.
type NodeLists [][]topology.Node

// NodesOf returns the nodes of each router, in ascending order.
func NodesOf(w *router.Wiring) NodeLists {
	list := make(NodeLists, w.Topology.Routers())
	for n := range topology.Node(w.Nodes()) {
		r, _ := w.Attach(n)
		list[r] = append(list[r], n)
	}
	return list
}

// Join yields pairs of a node of router from and a node of router to of which one is the first of
// its router: nodes of a router differ only in their own channels. For one router it yields all
// pairs. It reports false if yield does.
func (k NodeLists) Join(from, to topology.Router,
	yield func(from, to topology.Node) bool) bool {
	for i, goal := range k[to] {
		for j, source := range k[from] {
			if (i == 0 || j == 0 || from == to) && !yield(source, goal) {
				return false
			}
		}
	}
	return true
}

// nodePairs yields pairs of nodes for a routing whose packets all take one path from a router
// to another one. The first nodes of two routers stand for all of them between the routers. The
// other nodes of a router send a packet over each channel by which packets leave the router, and
// receive one over each channel by which packets arrive.
type nodePairs struct {
	w       *router.Wiring
	x       router.Routing
	nodes   NodeLists
	left    []bool // by channel: the nodes of its router have sent packets over it
	arrived []bool // by channel: the nodes of its router have received packets over it
	yield   func(from, to topology.Node) bool
}

// NewNodePairs returns the pairs of a routing, which Join passes to yield.
func NewNodePairs(w *router.Wiring, x router.Routing, yield func(from,
	to topology.Node) bool) *nodePairs {
	return &nodePairs{w, x, NodesOf(w), make([]bool, w.Channels()), make([]bool, w.Channels()),
		yield}
}

// Join yields the pairs of nodes of two routers. It reports false if yield does.
func (k *nodePairs) Join(from, to topology.Router) bool {
	sources, goals := k.nodes[from], k.nodes[to]
	if from == to || len(sources) == 0 || len(goals) == 0 {
		return k.nodes.Join(from, to, k.yield)
	}
	if nodes := topology.Node(k.w.Topology.Nodes()); sources[0]/nodes != goals[0]/nodes {
		return true // they belong to two planes
	}
	if len(sources) == 1 && len(goals) == 1 {
		return k.yield(sources[0], goals[0]) // these stand for no others: their path does not matter
	}
	first, last := k.ends(sources[0], goals[0])
	if !k.yield(sources[0], goals[0]) {
		return false
	}
	for i := 1; i < len(sources) && !k.left[first]; i++ {
		if !k.yield(sources[i], goals[0]) {
			return false
		}
	}
	for i := 1; i < len(goals) && !k.arrived[last]; i++ {
		if !k.yield(sources[0], goals[i]) {
			return false
		}
	}
	k.left[first], k.arrived[last] = true, true
	return true
}

// RouterPairs returns packets for the pairs of nodes of each two routers.
func RouterPairs(w *router.Wiring, x router.Routing) iter.Seq[router.Header] {
	return Packets(func(yield func(from, to topology.Node) bool) {
		k := NewNodePairs(w, x, yield)
		for to := range topology.Router(len(k.nodes)) {
			for from := range topology.Router(len(k.nodes)) {
				if !k.Join(from, to) {
					return
				}
			}
		}
	})
}

// ends returns the first and the last network channel of the path between two nodes.
func (k *nodePairs) ends(from, to topology.Node) (first, last router.Channel) {
	h := router.Header{Source: from, Destination: to}
	first, last = none, none
	var offered [16]router.Channel
	for in := k.w.Injection(from); ; {
		next := k.x.Possible(offered[:0], k.w.Enters(in), in, &h)[0]
		if k.w.Enters(next) == none {
			return first, last
		}
		if in, last = next, next; first == none {
			first = next
		}
	}
}

package routes

import (
	"sync/atomic"

	"contend/router/topology"
)

// lastGraph keeps a result for the last graph. The number of VCs that a routing needs is computed
// before the routing is made, and again for each network of a study.
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

// homesOf returns the router of each node of a graph, of nodes with several network interfaces
// those of each: they are numbered as in a Wiring.
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

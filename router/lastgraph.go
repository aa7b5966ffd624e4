package router

import (
	"sync/atomic"

	"contend/netsim/topology"
)

// lastGraph keeps what was found out about the graph that was asked for last. How many virtual
// channels a routing needs is asked before it is made, and for each network of a study again.
type lastGraph[T any] struct {
	last atomic.Pointer[ofGraph[T]]
}

type ofGraph[T any] struct {
	graph *topology.Graph
	found T
}

// of returns what is found out about a graph.
func (l *lastGraph[T]) of(t *topology.Graph, find func(*topology.Graph) T) T {
	if x := l.last.Load(); x != nil && x.graph == t {
		return x.found
	}
	x := &ofGraph[T]{t, find(t)}
	l.last.Store(x)
	return x.found
}

// homesOf returns the router of each node of a graph.
func homesOf(t *topology.Graph) []topology.Router {
	home := make([]topology.Router, t.Nodes())
	for n := range home {
		home[n], _ = t.Attach(topology.Node(n))
	}
	return home
}

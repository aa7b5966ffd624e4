// Package topology describes interconnection networks: which routers there
// are, how their ports are joined, and where the nodes hang.
//
// A node is a processor, a router a switch. A node is attached to one port of
// one router; the other ports of a router lead to other routers. A network calls
// the methods of its topology at construction only, and keeps flat arrays.
package topology

import "slices"

// Node is the number of a processor, 0 to Nodes()-1.
type Node int32

// Router is the number of a switch, 0 to Routers()-1.
type Router int32

// Port is the number of a port of a router, 0 to Ports()-1.
type Port int32

// Topology is an interconnection network.
type Topology interface {
	// Nodes returns the number of processors.
	Nodes() int
	// Routers returns the number of switches.
	Routers() int
	// Ports returns the maximum number of ports of a router, those to its nodes
	// included.
	Ports() int
	// Peer returns the router and port at the other end of port p of r, and
	// false where the port is unconnected or leads to a node.
	// Peer is its own inverse.
	Peer(r Router, p Port) (Router, Port, bool)
	// Attach returns the router and the port to which node n is linked.
	Attach(n Node) (Router, Port)
}

// Metric is a topology that counts the hops between nodes.
type Metric interface {
	// Distance returns the number of network channels on a shortest path
	// from a to b; 0 for nodes of the same router.
	Distance(a, b Node) int
}

// Lattice is a topology whose routers have coordinates, whichever of them links join. Cube and
// HyperX implement it.
type Lattice interface {
	Topology
	// Dims returns the numbers of routers along each dimension.
	Dims() []int
	// Coordinate returns the coordinate of router r along dimension d, and At the
	// router with the given coordinates.
	Coordinate(r Router, d int) int
	At(coordinates ...int) Router
	// NodesAt returns the first node of router r and how many it carries.
	NodesAt(r Router) (Node, int)
}

// Grid is a Lattice whose links join neighbours along each dimension. Cube implements it.
type Grid interface {
	Lattice
	// Wrap returns which dimensions have their ends joined.
	Wrap() []bool
	// OneNodePerRouter reports whether node n hangs on router n, for all n.
	OneNodePerRouter() bool
}

// Hierarchy is a topology of subtrees within subtrees. Tree implements it.
type Hierarchy interface {
	Topology
	// Arity returns how many subtrees of one level make one of the next.
	Arity() int
	// Levels returns the number of levels.
	Levels() int
}

// Grouped is a topology whose routers fall into groups, such as the groups of a
// dragonfly. Dragonfly and Graph implement it.
type Grouped interface {
	Topology
	// Groups returns the number of groups.
	Groups() int
	// Group returns the group of router r, 0 to Groups()-1.
	Group(r Router) int
}

// Levelled is a topology whose routers may be at heights above the nodes, such as the switches of
// a tree from a file. Graph implements it. Links join routers of different levels.
type Levelled interface {
	Topology
	// Level returns the level of router r, from 0, or false if the topology has none.
	Level(r Router) (level int, ok bool)
}

// Railed is a topology whose nodes may have several network interfaces, each with a link to a
// router of its own. FatTree and Graph implement it.
type Railed interface {
	Topology
	// Rails returns the number of network interfaces of a node, at least 1. The links of
	// the routers join no two interfaces of different numbers.
	Rails() int
	// AttachRail returns the router and port to which a network interface of node n, 0 to
	// Rails()-1, is linked. For interface 0 it returns what Attach does.
	AttachRail(n Node, rail int) (Router, Port)
}

// Rails returns the number of network interfaces of a node of any topology.
func Rails(t Topology) int {
	if k, ok := t.(Railed); ok {
		return k.Rails()
	}
	return 1
}

// AttachRail returns the router and port to which a network interface of node n of any topology is
// linked.
func AttachRail(t Topology, n Node, rail int) (Router, Port) {
	if k, ok := t.(Railed); ok {
		return k.AttachRail(n, rail)
	}
	return t.Attach(n)
}

// Classed is a topology whose links fall into classes, such as the local and the global links of a
// dragonfly. A network may give delays and widths by class.
type Classed interface {
	Topology
	// LinkClasses returns the names of the classes, in the order of their numbers.
	LinkClasses() []string
	// LinkClass returns the number of the class of the link at port p of router r, an
	// index of LinkClasses, the same at both ends. It is 0 where no link is.
	LinkClass(r Router, p Port) int
}

// Timed is a topology that gives the delays of its links. Graph implements it.
type Timed interface {
	Topology
	// LinkCycles returns how many cycles a flit takes from router r to the other end of
	// the link at its port p, or 0 where that is not given. It may differ between the
	// two directions of a link.
	LinkCycles(r Router, p Port) int
}

// Paced is a topology that gives the widths of its links. Graph implements it.
type Paced interface {
	Topology
	// LinkFlitCycles returns how many cycles there are from one flit to the next on the link at
	// port p of router r, in the direction away from r, or 0 where that is not given.
	LinkFlitCycles(r Router, p Port) int
}

// Routed is a topology that has a default routing.
type Routed interface {
	// Family returns the kind of topology in words that fit behind "on", such as "a tree".
	Family() string
	// DefaultRouting returns the name of the routing for links with a number of virtual channels;
	// 0 means as many as the routing needs.
	DefaultRouting(virtualChannels int) string
}

// Labelled is a topology whose routers have names for readers, such as coordinates.
type Labelled interface {
	// Label returns the name of a router.
	Label(r Router) string
}

// Wraps reports whether a topology is a Grid with a dimension whose ends are joined.
func Wraps(t Topology) bool {
	g, ok := t.(Grid)
	return ok && slices.Contains(g.Wrap(), true)
}

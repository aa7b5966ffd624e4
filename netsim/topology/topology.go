// Package topology describes interconnection networks: which routers there
// are, how their ports are joined, and where the nodes hang.
//
// A node is a processor, a router a switch. A node is attached to one port of
// one router; the other ports of a router lead to other routers. Everything
// here is asked at construction only: the simulator copies what it needs into
// flat arrays.
package topology

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
	// Ports returns the largest number of ports a router has, those its
	// nodes hang on included.
	Ports() int
	// Peer returns the router and port at the other end of port p of r, and
	// false where the port is unconnected or leads to a node.
	// Peer is its own inverse.
	Peer(r Router, p Port) (Router, Port, bool)
	// Attach returns the router and the port node n hangs on.
	Attach(n Node) (Router, Port)
}

// Metric is a topology on which hops between nodes can be counted.
type Metric interface {
	// Distance returns the number of network channels on a shortest path
	// from a to b; 0 for nodes of the same router.
	Distance(a, b Node) int
}

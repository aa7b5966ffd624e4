package router

import "contend/netsim/topology"

// Movable is a Routing that does in one part of the machine what it does in another. Packets
// between nodes of a set take the same ways from port to port if all nodes of the set are moved,
// and channels that end at one router keep their order, by which arbiters decide.
type Movable interface {
	// Moved returns by how much all nodes of any set can be moved down whose lowest and highest are
	// given. Sets that can be moved to each other are then the same, unless they are moved by 0.
	Moved(low, high topology.Node) topology.Node
}

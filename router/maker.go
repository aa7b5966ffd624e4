package router

import "contend/netsim/topology"

// Maker makes a routing that has a name.
type Maker struct {
	// Name is what the routing is called, Doc says in a line what it does.
	Name, Doc string
	// Suits reports whether the routing works on a topology; nil: on any.
	Suits func(t topology.Topology) bool
	// VirtualChannels returns how many virtual channels a network channel needs on a
	// topology; nil: one.
	VirtualChannels func(t topology.Topology) int
	// New makes the routing for the channels of a machine. What it draws depends on
	// the seed.
	New func(w *Wiring, seed uint64) (Routing, error)
}

package router

import "contend/router/topology"

// Maker makes a routing that has a name.
type Maker struct {
	// Name is what the routing is called, Doc says what it does, and Source who described it.
	// Of routings of one name on several networks the first says so for all.
	Name, Doc, Source string
	// Draws says that it draws for each packet. DrawsOn says on which topologies it does; nil: on
	// all.
	Draws   bool
	DrawsOn func(t topology.Topology) bool
	// Flows says that it draws for each flow: see Traits.
	Flows bool
	// Suits reports whether the routing works on a topology; nil: on any.
	Suits func(t topology.Topology) bool
	// VirtualChannels returns how many virtual channels a network channel needs on a
	// topology; nil: one.
	VirtualChannels func(t topology.Topology) int
	// Classes returns into how many classes the routing divides the virtual channels of a link, in
	// the dimension that has fewest: a header may choose within a class. The value nil means one.
	Classes func(t topology.Topology) int
	// New makes the routing for the channels of a machine. What it draws depends on
	// the seed.
	New func(w *Wiring, seed uint64) (Routing, error)
}

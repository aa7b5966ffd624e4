package router

import "contend/router/topology"

// Maker makes a routing by its name.
type Maker struct {
	// Name is the name of the routing, Doc its description, and Source its authors. Of routings of
	// one name on several networks the first has Doc and Source for all.
	Name, Doc, Source string
	// Draws says that the routing draws for each packet.
	Draws bool
	// DrawsOn reports whether it draws on a topology; nil: on all, if Draws is set.
	DrawsOn func(t topology.Topology) bool
	// Flows says that it draws for each flow: see Traits.
	Flows bool
	// Suits reports whether the routing works on a topology; nil: on any.
	Suits func(t topology.Topology) bool
	// VirtualChannels returns the minimum number of VCs of a network channel on a topology; nil: one.
	VirtualChannels func(t topology.Topology) int
	// Classes returns the number of classes into which the routing divides the VCs of a link, in the
	// dimension that has the fewest: a head may choose within a class. nil means one.
	Classes func(t topology.Topology) int
	// New makes the routing for the channels of a machine that it suits, with the VCs that it needs.
	// Its draws depend on the seed.
	New func(w *Wiring, seed uint64) (Routing, error)
}

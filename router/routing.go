package router

import "contend/netsim/topology"

// Header is what a header flit says of its packet.
type Header struct {
	Source, Destination topology.Node
	// Packet is a number of the packet's own, for routings that draw.
	Packet int64
}

// Routing decides where a header may go next. It is asked once per header and
// router, never per body flit.
type Routing interface {
	// Route appends the channels a header that came to router r by channel
	// in may ask for, best first; at the destination's router that is the
	// ejection channel. It must return at least one channel.
	Route(dst []Channel, r topology.Router, in Channel, h Header) []Channel
	// Choices returns the largest number of channels Route ever returns.
	Choices() int
}

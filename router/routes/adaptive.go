package routes

import (
	"contend/router"
	"contend/router/topology"
)

// Adaptive makes a Routing of the links that a packet may take: the router chooses between them by
// what it sees, whatever the source. A routing embeds it and tells its traits.
type Adaptive struct {
	Options Selection
	// Find lists in Options the links that a packet may take.
	Find func(r topology.Router, in router.Channel, h *router.Header)
	// Rest appends the channels that a packet is offered after these.
	Rest func(dst []router.Channel, r topology.Router, in router.Channel,
		h *router.Header) []router.Channel
}

// Route implements Routing.
func (x *Adaptive) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	x.Find(r, in, h)
	x.Options.Rank(v)
	return x.Rest(x.Options.Offer(dst), r, in, h)
}

// Possible implements Routing.
func (x *Adaptive) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	x.Find(r, in, h)
	return x.Rest(x.Options.Offer(dst), r, in, h)
}

// SourceGroup implements Grouping: sources do not matter.
func (x *Adaptive) SourceGroup(topology.Router, router.Channel, *router.Header) int32 { return 0 }

package routes

import (
	"contend/router"
	"contend/router/topology"
)

// adaptiveRule is a Routing of the links that a packet may take: the router chooses between them by
// its View, whatever the source. A routing embeds it and declares its traits.
type adaptiveRule struct {
	anySource
	options selection
	// listLinks lists in options the links that a packet may take.
	listLinks func(r topology.Router, in router.Channel, h *router.Header)
	// appendRest appends the channels that a packet is offered after these.
	appendRest func(dst []router.Channel, r topology.Router, in router.Channel,
		h *router.Header) []router.Channel
}

// Route implements Routing.
func (x *adaptiveRule) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	x.listLinks(r, in, h)
	x.options.rank(v)
	return x.appendRest(x.options.appendVCs(dst), r, in, h)
}

// Possible implements Routing.
func (x *adaptiveRule) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	x.listLinks(r, in, h)
	return x.appendRest(x.options.appendVCs(dst), r, in, h)
}

package routes

import (
	"contend/router"
	"contend/router/topology"
)

// anySource is the part of a routing that does not depend on the sources of packets.
type anySource struct{}

// SourceGroup implements Grouping: all sources are one group.
func (anySource) SourceGroup(topology.Router, router.Channel, *router.Header) int32 { return 0 }

// fixedRule is a Routing of one rule that leaves a packet no choice between links, draws nothing
// and mostly does not depend on sources. A routing embeds it.
type fixedRule struct {
	anySource
	// maxChoices is the maximum number of channels that nextRange returns.
	maxChoices router.Channel
	// nextRange returns the channels that a packet may take from router r, to which it came by channel
	// in: n from first on.
	nextRange func(r topology.Router, in router.Channel, h *router.Header) (first,
		n router.Channel)
}

// Traits implements Described.
func (x *fixedRule) Traits() router.Traits {
	return router.Traits{Choices: int(x.maxChoices), OneLink: true, Oblivious: true, Stateless: true}
}

// Route implements Routing.
func (x *fixedRule) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, _ router.View) []router.Channel {
	first, n := x.nextRange(r, in, h)
	return router.AppendRun(dst, first, n)
}

// Possible implements Routing.
func (x *fixedRule) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return x.Route(dst, r, in, h, nil)
}

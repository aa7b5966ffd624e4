package routes

import (
	"contend/router"
	"contend/router/topology"
)

// Fixed makes a Routing of one rule that leaves a packet no choice between links, draws nothing and
// mostly does not look at sources. A routing embeds it.
type Fixed struct {
	// Most is the largest number of channels that Next returns.
	Most router.Channel
	// Next returns the channels that a packet may take from router r, to which it came by channel
	// in: so many from the first on.
	Next func(r topology.Router, in router.Channel, h *router.Header) (first, many router.Channel)
}

// Traits implements Described.
func (x *Fixed) Traits() router.Traits {
	return router.Traits{Choices: int(x.Most), OneLink: true, Oblivious: true, Stateless: true}
}

// Route implements Routing.
func (x *Fixed) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, _ router.View) []router.Channel {
	first, many := x.Next(r, in, h)
	return router.AppendRun(dst, first, many)
}

// Possible implements Routing.
func (x *Fixed) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return x.Route(dst, r, in, h, nil)
}

// SourceGroup implements Grouping: sources do not matter.
func (x *Fixed) SourceGroup(topology.Router, router.Channel, *router.Header) int32 { return 0 }

package frame

import (
	"contend/netsim/topology"
	"contend/router"
)

// Phases of a packet that goes to a router drawn for it, and on to its destination. Before
// its first router the phase is 0.
const (
	Outward  = 1
	Homeward = 2
)

// Settle has a packet that is where it was sent go to its destination.
func Settle(r topology.Router, h *router.Header) {
	if h.Phase == Outward && h.Via == r {
		h.Phase, h.Via = Homeward, 0
	}
}

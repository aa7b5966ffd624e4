package router

import "contend/netsim/topology"

// Phases of a packet that goes to a router drawn for it, and on to its destination. Before
// its first router the phase is 0.
const (
	outward  = 1
	homeward = 2
)

// settle has a packet that is where it was sent go to its destination.
func settle(r topology.Router, h *Header) {
	if h.Phase == outward && h.Via == r {
		h.Phase, h.Via = homeward, 0
	}
}

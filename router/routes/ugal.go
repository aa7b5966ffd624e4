package routes

import (
	"contend/router"
	"contend/router/topology"
)

// ugalPath is a path that a packet may take from a router.
type ugalPath struct {
	hops     int32            // network channels
	firstVCs []router.Channel // of each parallel link by which it begins: the first VC it may take
	vcs      router.Channel   // number of VCs of each link that the packet may take
}

// takesMinimal reports whether a packet at router r takes the minimal path rather than a detour: if
// q·H is no larger there (Singh, "Load-balanced routing in interconnection networks", PhD thesis,
// Stanford 2005). H is the number of hops, q the queue of the first link, of parallel links the
// shortest. If both paths begin on one link it compares the mean queues of the VCs that the packet
// may take on each.
func takesMinimal(w *router.Wiring, r topology.Router, minimal, detour ugalPath,
	v router.View) bool {
	if w.LinkOf(minimal.firstVCs[0]) != w.LinkOf(detour.firstVCs[0]) {
		width := router.Channel(w.VirtualChannels)
		return minimal.hops*minimal.queue(w, r, width, v) <= detour.hops*detour.queue(w, r, width, v)
	}
	// Means, times the VCs of both: the packet may take more VCs on one path.
	return minimal.hops*int32(detour.vcs)*minimal.queue(w, r, minimal.vcs, v) <=
		detour.hops*int32(minimal.vcs)*detour.queue(w, r, detour.vcs, v)
}

// queue returns the shortest queue of the parallel links, over n VCs of each.
func (k *ugalPath) queue(w *router.Wiring, r topology.Router, n router.Channel,
	v router.View) int32 {
	shortest := int32(1<<31 - 1)
	for _, first := range k.firstVCs {
		if n == router.Channel(w.VirtualChannels) {
			first = w.First(w.LinkOf(first))
		}
		shortest = min(shortest, queueOf(w, r, first, n, v))
	}
	return shortest
}

// queueOf returns the flits that wait to be sent on n channels from first on, and those in the
// buffers at their ends, as far as router r knows when a head computes its route. The channel to
// the node at its last port, which must be there, has the size of a buffer as its credits.
func queueOf(w *router.Wiring, r topology.Router, first, n router.Channel,
	v router.View) (flits int32) {
	room := v.Credits(w.Outs()[(int(r)+1)*w.Topology.Ports()-1])
	for c := first; c < first+n; c++ {
		flits += v.Queued(c) + room - v.Credits(c)
	}
	return flits
}

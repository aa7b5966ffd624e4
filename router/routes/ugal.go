package routes

import (
	"contend/router"
	"contend/router/topology"
)

// ugalPath is a way that a packet may take from a router.
type ugalPath struct {
	Hops  int32            // network channels
	First []router.Channel // the first that it may take, of each of the parallel links it begins by
	Many  router.Channel   // so many of each link
}

// takesMinimal reports whether a packet at router r takes one way rather than a detour: if q·H is no
// larger there (Singh, "Load-balanced routing in interconnection networks", PhD thesis, Stanford
// 2005). H is the hops, q the queue of the first link, of parallel links the shortest. Where both
// ways begin on one link the mean queues of the virtual channels are compared that the packet may
// take on each.
func takesMinimal(w *router.Wiring, r topology.Router, way, detour ugalPath, v router.View) bool {
	if w.LinkOf(way.First[0]) != w.LinkOf(detour.First[0]) {
		width := router.Channel(w.VirtualChannels)
		return way.Hops*way.queue(w, r, width, v) <= detour.Hops*detour.queue(w, r, width, v)
	}
	// Means, times the channels of both: one way may have more virtual channels to take.
	return way.Hops*int32(detour.Many)*way.queue(w, r, way.Many, v) <=
		detour.Hops*int32(way.Many)*detour.queue(w, r, detour.Many, v)
}

// queue returns the shortest queue of parallel links, of so many of their channels.
func (k *ugalPath) queue(w *router.Wiring, r topology.Router, many router.Channel,
	v router.View) int32 {
	least := int32(1<<31 - 1)
	for _, first := range k.First {
		if many == router.Channel(w.VirtualChannels) {
			first = w.First(w.LinkOf(first))
		}
		least = min(least, queueOf(w, r, first, many, v))
	}
	return least
}

// queueOf returns the flits that wait to be sent on some channels and those in the buffers at
// their ends, as far as router r knows, where a header asks. The channel to the node at its
// last port, which has to be there, tells how much a buffer holds.
func queueOf(w *router.Wiring, r topology.Router, first, many router.Channel,
	v router.View) (flits int32) {
	room := v.Credits(w.Outs()[(int(r)+1)*w.Topology.Ports()-1])
	for c := first; c < first+many; c++ {
		flits += v.Queued(c) + room - v.Credits(c)
	}
	return flits
}

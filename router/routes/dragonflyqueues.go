package routes

import (
	"contend/router"
	"contend/router/topology"
)

// minimalIsBetter reports whether a packet at router r that came by VC in takes the minimal path,
// given the queues that v shows, rather than the path over the group of router via.
func (x *dragonflyDetour) minimalIsBetter(r, via topology.Router, in router.Channel,
	h *router.Header, v router.View) bool {
	goal, w := x.goal(h), x.minimal.wiring
	first, second := *h, *h
	first.Phase, second.Phase, second.Via = x.minimalPhase(r, goal), outward, via
	a, n := x.next(r, in, &first)
	b, others := x.next(r, in, &second)
	if x.rule == globalUGAL {
		a, b = w.First(x.global(r, goal)), w.First(x.global(r, via))
	}
	direct := ugalPath{hops: x.hops(r, goal), firstVCs: []router.Channel{a}, vcs: n}
	detour := ugalPath{hops: x.detourHops(r, via, goal), firstVCs: []router.Channel{b}, vcs: others}
	return takesMinimal(w, r, direct, detour, v)
}

// global returns the global link that a packet takes from router r to the group of the goal.
func (x *dragonflyDetour) global(r, goal topology.Router) router.Link {
	begin, port := x.exit(r, goal)
	return x.minimal.wiring.LinkOf(x.minimal.out(begin, port))
}

// hops returns the number of network channels of the minimal path from router r to the goal.
func (x *dragonflyDetour) hops(r, goal topology.Router) int32 {
	fly := x.minimal.fly
	if r == goal {
		return 0
	}
	if fly.Group(r) == fly.Group(goal) {
		return 1
	}
	hops, entry := x.toGroup(r, goal)
	if entry != goal {
		hops++
	}
	return hops
}

// detourHops returns the number of network channels of the path over the group of router via.
func (x *dragonflyDetour) detourHops(r, via, goal topology.Router) int32 {
	hops, entry := x.toGroup(r, via)
	return hops + x.hops(entry, goal)
}

// toGroup returns the number of network channels that a packet takes from router r to the group of
// the goal, and the router at which it enters the group.
func (x *dragonflyDetour) toGroup(r, goal topology.Router) (hops int32, entry topology.Router) {
	begin, port := x.exit(r, goal)
	entry, _, _ = x.minimal.fly.Peer(begin, port)
	if begin != r {
		return 2, entry
	}
	return 1, entry
}

package routes

import (
	"iter"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// Witnesses implements Witnessing.
//
// A minimal path depends on its first router and the destination, as with minimal routing, whose
// witnesses apply. The path begins at a source, or at the router where a packet enters the third
// group; there one packet from some other group stands for all that enter. Up to that router the
// channels of a packet depend on its source's router and the link to the third group. So witnesses
// go from each router over all of these links, and each link is followed to all channels behind it.
// With the rule progressive a packet may take a local channel before its path is decided. So
// witnesses go from each router over each of its group's links.
func (x *dragonflyDetour) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, func(yield func(router.Header) bool) {
		w := x.minimal.wiring
		k := detourWitnesses{x: x, nodes: deadlock.NodesOf(w), yield: yield,
			begun: make([]bool, w.Channels()), followed: make([]bool, w.Links()),
			behind: make([]router.Link, w.Channels()), entries: make([][]router.Header,
				x.minimal.fly.Routers())}
		_ = k.outward() && k.minimally() && (x.rule != progressive || k.undecided())
	}
}

// detourWitnesses yields the headers of the witnesses.
type detourWitnesses struct {
	x        *dragonflyDetour
	nodes    deadlock.NodeLists
	yield    func(router.Header) bool
	begun    []bool        // by VC: packets of all nodes of its router begin a detour on it
	followed []bool        // by link: packets that reach a third group by it have been yielded
	behind   []router.Link // by VC: the last link after which a packet takes it, plus 1
	// entries has one or two packets, from different groups, for each router at which packets enter a
	// third group.
	entries [][]router.Header
}

// outward yields packets from each router over each other group. Like all methods here, it reports
// false if yield does.
func (k *detourWitnesses) outward() bool {
	fly := k.x.minimal.fly
	if fly.Groups() < 3 {
		return true
	}
	for from := range topology.Router(fly.Routers()) {
		for via := range topology.Router(fly.Routers()) {
			if fly.Group(via) == fly.Group(from) || int(via)%fly.GroupRouters() >= k.x.maxEntries {
				continue
			}
			if !k.over(from, via) {
				return false
			}
		}
	}
	return true
}

// over yields packets that router from sends over the group of router via.
func (k *detourWitnesses) over(from, via topology.Router) bool {
	fly := k.x.minimal.fly
	h := router.Header{Source: k.nodes[from][0], Phase: outward, Via: via}
	for to := topology.Router(0); ; to += topology.Router(fly.GroupRouters()) {
		if g := fly.Group(to); g != fly.Group(from) && g != fly.Group(via) {
			h.Destination = k.nodes[to][0]
			break
		}
	}
	first, _ := k.x.next(from, k.x.minimal.wiring.Injection(h.Source), &h)
	for i, source := range k.nodes[from] {
		if h.Source = source; (i == 0 || !k.begun[first]) && !k.yield(h) {
			return false
		}
	}
	k.begun[first], h.Source = true, k.nodes[from][0]
	_, entry := k.x.toGroup(from, via)
	if list := k.entries[entry]; len(list) == 0 ||
		len(list) == 1 && k.group(list[0].Source) != fly.Group(from) {
		k.entries[entry] = append(list, h)
	}
	l := k.x.global(from, via)
	if k.followed[l] {
		return true
	}
	k.followed[l] = true
	return k.onward(h, l, entry)
}

// group returns the group of a node.
func (k *detourWitnesses) group(n topology.Node) int {
	fly := k.x.minimal.fly
	return fly.Group(fly.RouterOf(n))
}

// onward yields packets that enter a third group over link l at router entry, one for each VC that
// they may take next.
func (k *detourWitnesses) onward(h router.Header, l router.Link, entry topology.Router) bool {
	fly := k.x.minimal.fly
	for to := range topology.Router(fly.Routers()) {
		if g := fly.Group(to); g == k.group(h.Source) || g == fly.Group(entry) {
			continue
		}
		h.Destination = k.nodes[to][0]
		home := router.Header{Destination: h.Destination, Phase: homeward}
		next, _ := k.x.next(entry, k.x.minimal.wiring.First(l), &home)
		if k.behind[next] != l+1 {
			if k.behind[next] = l + 1; !k.yield(h) {
				return false
			}
		}
	}
	return true
}

// minimally yields packets that take the minimal path from their source or from a third group.
// Packets from the source may take all channels that packets from a third group take, and more;
// packets within one group may take yet more. So each kind is followed to its nodes, the kind with
// the most channels first.
func (k *detourWitnesses) minimally() bool {
	fly := k.x.minimal.fly
	return k.among(func(r, goal topology.Router) bool { return fly.Group(r) == fly.Group(goal) }) &&
		k.among(func(r, goal topology.Router) bool {
			return fly.Group(r) != fly.Group(goal) && k.begins(r, goal)
		}) &&
		k.among(func(r, goal topology.Router) bool {
			_, ok := k.entering(r, goal)
			return ok
		})
}

// among yields packets on the minimal path between those pairs of routers for which sends reports
// true.
func (k *detourWitnesses) among(sends func(r, goal topology.Router) bool) bool {
	for from, to := range k.x.minimal.pairs(sends) {
		r, goal := k.x.minimal.fly.RouterOf(from), k.x.minimal.fly.RouterOf(to)
		h, ok := k.entering(r, goal)
		if h.Destination = to; !ok {
			h = router.Header{Source: from, Destination: to, Phase: homeward}
		}
		if !k.yield(h) {
			return false
		}
	}
	return true
}

// begins reports whether router r sends packets for the goal on the minimal path, with no later
// decision.
func (k *detourWitnesses) begins(r, goal topology.Router) bool {
	return k.x.mayGoMinimally(r, goal) && k.x.minimalPhase(r, goal) == homeward
}

// entering returns a packet that enters its third group at router r and may be for a node of the
// goal. It reports false if no such packet exists, or if r is also a source of such packets.
func (k *detourWitnesses) entering(r, goal topology.Router) (router.Header, bool) {
	if g := k.x.minimal.fly.Group(goal); g != k.x.minimal.fly.Group(r) && !k.begins(r, goal) {
		for _, h := range k.entries[r] {
			if k.group(h.Source) != g {
				return h, true
			}
		}
	}
	return router.Header{}, false
}

// undecided yields packets that may take a detour once they have taken a local channel. Packets of
// one group over one link have one destination, so that the channels from there on are followed
// once.
func (k *detourWitnesses) undecided() bool {
	fly, each := k.x.minimal.fly, topology.Router(k.x.minimal.fly.GroupRouters())
	goals := make([]topology.Router, k.x.minimal.wiring.Links()) // of each link, plus 1
	for first := topology.Router(0); int(first) < fly.Routers(); first += each {
		for to := range topology.Router(fly.Routers()) {
			for from := first; from < first+each; from++ {
				if k.x.minimalPhase(from, to) != provisional {
					continue
				}
				l := k.x.global(from, to)
				if goals[l] == 0 {
					goals[l] = to + 1
				}
				for _, source := range k.nodes[from] {
					h := router.Header{Source: source, Destination: k.nodes[to][0], Phase: provisional}
					if goals[l] == to+1 && !k.yield(h) {
						return false
					}
				}
			}
		}
	}
	return true
}

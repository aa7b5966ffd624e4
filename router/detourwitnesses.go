package router

import (
	"iter"
	"slices"

	"contend/netsim/topology"
)

// WitnessHeaders implements WitnessingHeaders.
//
// What a packet takes on the minimal way depends on its router and the destination; all
// routers are sources and goals of such packets. Up to its first global channel a packet on a
// way round depends on its router and the group it is sent to, and beyond on that channel and
// the destination. So each router sends packets to all groups, and each global channel is
// followed to all goals once. With Progressive a router takes a local channel before it is
// known which way a packet goes; each such router sends one over each of its group's links.
func (x *DragonflyDetour) WitnessHeaders(of Routing) iter.Seq[Header] {
	if of != Routing(x) {
		return nil
	}
	return func(yield func(Header) bool) {
		k := detourWitnesses{x: x, nodes: x.minimal.wiring.nodeLists(), yield: yield,
			ended: map[Link]bool{}}
		_ = k.direct() && k.round() && (x.how != Progressive || k.undecided())
	}
}

// detourWitnesses yields the headers.
type detourWitnesses struct {
	x     *DragonflyDetour
	nodes nodeLists
	yield func(Header) bool
	ended map[Link]bool // links by which packets for all nodes of a router have arrived
}

// direct yields packets on the minimal way between all routers that send such packets.
func (k *detourWitnesses) direct() bool {
	routers := topology.Router(k.x.minimal.fly.Routers())
	for to := range routers {
		for from := range routers {
			h := Header{Destination: k.nodes[to][0]}
			if !slices.ContainsFunc(k.x.decisions(nil, from, h), func(h Header) bool {
				return h.Phase == homeward
			}) {
				continue
			}
			if !k.nodes.join(from, to, func(from, to topology.Node) bool {
				return k.yield(Header{Source: from, Destination: to, Phase: homeward})
			}) {
				return false
			}
		}
	}
	return true
}

// round yields packets on ways round.
func (k *detourWitnesses) round() bool {
	fly, seen := k.x.minimal.fly, map[Link]bool{}
	for from := range topology.Router(fly.Routers()) {
		for group := range fly.Groups() {
			for j := range k.x.most {
				via := topology.Router(group*fly.GroupRouters() + j)
				if group == fly.Group(from) {
					continue
				}
				l := k.x.global(from, via)
				if !k.over(from, via, !seen[l]) {
					return false
				}
				seen[l] = true
			}
		}
	}
	return true
}

// over yields packets that a router sends over the group of another one: from each of its
// nodes to some other group, and on request to all routers.
func (k *detourWitnesses) over(from, via topology.Router, all bool) bool {
	fly, some := k.x.minimal.fly, false
	for to := range topology.Router(fly.Routers()) {
		if g := fly.Group(to); g == fly.Group(from) || g == fly.Group(via) {
			continue
		}
		l := k.last(from, via, to)
		for i, source := range k.nodes[from] {
			for j, goal := range k.nodes[to] {
				h := Header{Source: source, Destination: goal, Phase: outward, Via: via}
				if (i == 0 || !some) && (j == 0 || !k.ended[l]) && !k.yield(h) {
					return false
				}
			}
		}
		k.ended[l] = true
		if some = true; !all {
			return true
		}
	}
	return true
}

// last returns the last network link of a packet from one router to another one over the group
// of a third.
func (k *detourWitnesses) last(from, via, to topology.Router) Link {
	m := k.x.minimal
	_, middle := k.x.toGroup(from, via)
	_, entry := k.x.toGroup(middle, to)
	if entry == to {
		return k.x.global(middle, to)
	}
	return m.wiring.link[m.out(entry, m.fly.LocalPort(entry, to))]
}

// undecided yields packets that may be sent another way once they have taken a local channel.
func (k *detourWitnesses) undecided() bool {
	fly := k.x.minimal.fly
	for from := range topology.Router(fly.Routers()) {
		seen := map[Link]int{} // goals reached over a link from this router
		for to := range topology.Router(fly.Routers()) {
			if fly.Group(to) == fly.Group(from) || k.x.begins(from, to) == from {
				continue
			}
			l := k.x.global(from, to)
			if seen[l]++; seen[l] > 1 {
				continue
			}
			for _, source := range k.nodes[from] {
				h := Header{Source: source, Destination: k.nodes[to][0], Phase: provisional}
				if !k.yield(h) {
					return false
				}
			}
		}
	}
	return true
}

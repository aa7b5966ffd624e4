package deadlock

import (
	"iter"

	"contend/router"
	"contend/router/topology"
)

// Which packets a walk follows.

// followAll follows the packets between all pairs of nodes.
func (k *walk) followAll() { k.followHeaders(k.allHeaders()) }

// allHeaders returns the headers of packets from every node to every node, or from every network
// interface to those of its number.
func (k *walk) allHeaders() iter.Seq[router.Header] {
	return Packets(func(yield func(from, to topology.Node) bool) {
		nodes := topology.Node(k.wiring.Topology.Nodes())
		for to := range topology.Node(k.wiring.Nodes()) {
			first := to / nodes * nodes
			for from := first; from < first+nodes; from++ {
				if !yield(from, to) {
					return
				}
			}
		}
	})
}

// followHeaders follows packets with these headers at their sources.
func (k *walk) followHeaders(list iter.Seq[router.Header]) {
	last := topology.Node(-1)
	for h := range list {
		if h.Destination != last {
			clear(k.states)
			last = h.Destination
		}
		if k.followHeader(h); k.err != nil {
			return
		}
	}
}

// followHeader follows a packet from all injection channels of its source.
func (k *walk) followHeader(h router.Header) {
	for i := range router.Channel(k.wiring.InjectionPorts * k.wiring.NodeVirtualChannels) {
		k.now.h = h
		k.reach(k.wiring.Injection(h.Source)+i, none)
		k.follow()
	}
}

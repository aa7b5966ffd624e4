package deadlock

import (
	"iter"

	"contend/router"
	"contend/router/topology"
)

// Which packets a walk follows.

// all follows the packets of every pair.
func (k *walk) all() { k.headers(k.everyone()) }

// everyone returns the packets of every node to every node, or of every network interface to those
// of its number.
func (k *walk) everyone() iter.Seq[router.Header] {
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

// headers follows packets whose headers are as given at their sources.
func (k *walk) headers(list iter.Seq[router.Header]) {
	last := topology.Node(-1)
	for h := range list {
		if h.Destination != last {
			clear(k.states)
			last = h.Destination
		}
		if k.header(h); k.err != nil {
			return
		}
	}
}

// header follows the packets with one header.
func (k *walk) header(h router.Header) {
	for i := range router.Channel(k.wiring.InjectionPorts * k.wiring.NodeVirtualChannels) {
		k.now.h = h
		k.reach(k.wiring.Injection(h.Source)+i, none)
		k.follow()
	}
}

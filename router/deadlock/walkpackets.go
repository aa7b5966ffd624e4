package deadlock

import (
	"iter"

	"contend/netsim/topology"
	"contend/router"
)

// Which packets a walk follows.

// all follows the packets of every pair.
func (k *walk) all() { k.pairs(k.everyone()) }

// everyone returns the pairs of every node with every node, or of every network interface with
// those of its number.
func (k *walk) everyone() iter.Seq2[topology.Node, topology.Node] {
	return func(yield func(from, to topology.Node) bool) {
		nodes := topology.Node(k.wiring.Topology.Nodes())
		for to := range topology.Node(k.wiring.Nodes()) {
			first := to / nodes * nodes
			for from := first; from < first+nodes; from++ {
				if !yield(from, to) {
					return
				}
			}
		}
	}
}

// pairs follows the packets of pairs of a source and a destination.
func (k *walk) pairs(pairs iter.Seq2[topology.Node, topology.Node]) {
	k.headers(func(yield func(router.Header) bool) {
		for from, to := range pairs {
			if !yield(router.Header{Source: from, Destination: to}) {
				return
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

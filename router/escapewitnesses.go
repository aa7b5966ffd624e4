package router

import (
	"iter"

	"contend/netsim/topology"
)

// EscapeWitnesses implements EscapeWitnessing.
//
// The escape channel at a router is that of dimension order: it leads along the lowest
// dimension d in which the packet has a way to go. Beside the router it depends on the direction
// of that way, and where d wraps on whether the packet has yet to cross the end. A packet that
// begins at a router may take what any packet may take there. So these are all hops:
//
//   - In a higher dimension e. The escape channel after it depends on the way in d as before. A
//     packet that has one hop to go in e and any number in d shows the hop.
//   - In d, with a way to go there still. A packet with a way in d alone shows it, of two hops or
//     more.
//   - In d, the last one there. The escape channel after it depends on the way in the next
//     higher dimension. A packet with one hop to go in d and a way in that one shows it.
//
// Whether a packet has to cross the end is, for a router and a direction, a question of how far
// it goes: if the farthest packet need not, none need, and if the nearest must, all must. A hop
// over the end itself is before the end for all packets that take it, and behind it after.
// Half-way round a packet may go either way, and it is among the farthest. So the nearest and
// the farthest packets in one dimension, or in two, will do.
func (x *MinimalAdaptive) EscapeWitnesses(of Routing) iter.Seq2[topology.Node, topology.Node] {
	if of != Routing(x) {
		return nil
	}
	return x.order.near(true)
}

// EscapeWitnesses implements EscapeWitnessing. The escape channels at a router are those to the
// goal's coordinate in the lowest dimension d in which the packet has a way to go. A hop in a
// higher dimension leaves them those of d. A hop in d is the last one there, and the escape
// channels after it are those of the next higher dimension. So packets that have a way to go in
// one dimension, or in two, show all hops.
func (x *HyperAdaptive) EscapeWitnesses(of Routing) iter.Seq2[topology.Node, topology.Node] {
	if of != Routing(x) {
		return nil
	}
	return x.order.Witnesses(x.order)
}

// EscapeWitnesses implements EscapeWitnessing, as of HyperAdaptive. A detour in some dimension
// leaves a way to go there, and the lowest dimension with one remains the same. A packet that
// has taken no detour, as at its source, may take all that others may take.
func (x *HyperDAL) EscapeWitnesses(of Routing) iter.Seq2[topology.Node, topology.Node] {
	if of != Routing(x) {
		return nil
	}
	return x.order.Witnesses(x.order)
}

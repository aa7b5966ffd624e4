package deadlock

import (
	"iter"

	"contend/netsim/topology"
	"contend/router"
)

// Witnessing is a Routing without escape channels that knows some packets that bring about
// all dependencies there are. On large machines the deadlock check follows these only: all
// pairs of nodes would take hours. It follows all packets of other routings.
type Witnessing interface {
	// Witnesses returns pairs of a source and a destination. Every dependency that any
	// packet may bring about is brought about by a packet of one of these pairs. Pairs
	// with one destination should follow each other. It returns nil if it knows no such
	// pairs, and if x is not the routing itself: a routing that embeds another one has
	// the method of that one, which knows nothing of it.
	Witnesses(x router.Routing) iter.Seq2[topology.Node, topology.Node]
}

// followAll is the number of nodes up to which the deadlock check follows every packet,
// which takes less than a second.
const followAll = 1024

// witnesses returns the pairs to follow, nil for all.
func witnesses(w *router.Wiring, x router.Routing) iter.Seq2[topology.Node, topology.Node] {
	k, ok := x.(Witnessing)
	if !ok || w.Topology.Nodes() <= followAll || !router.TraitsOf(w, x).NoEscape {
		return nil
	}
	return k.Witnesses(x)
}

// WitnessingHeaders is Witnessing for a Branching routing. To follow all packets in all
// states takes as long as there are pairs of nodes times states, so that the deadlock check
// follows these on machines of no more than a few dozen nodes already.
type WitnessingHeaders interface {
	// WitnessHeaders returns headers of packets at their sources, as Branches makes them,
	// and nil where Witnesses would.
	WitnessHeaders(x router.Routing) iter.Seq[router.Header]
}

// followBranches is the number of nodes up to which the deadlock check follows every packet
// in every state.
const followBranches = 32

// witnessHeaders returns the headers to follow, nil for all.
func witnessHeaders(w *router.Wiring, x router.Routing) iter.Seq[router.Header] {
	k, ok := x.(WitnessingHeaders)
	if !ok || w.Topology.Nodes() <= followBranches || !router.TraitsOf(w, x).NoEscape {
		return nil
	}
	return k.WitnessHeaders(x)
}

package deadlock

import (
	"iter"

	"contend/router"
	"contend/router/topology"
)

// Witnessing is a Routing that lists witnesses: packets that together bring about every dependency.
// On large machines the deadlock check follows the witnesses only, since all pairs of nodes would
// take hours. It follows all packets of other routings.
type Witnessing interface {
	// Witnesses returns the routing of the witnesses, and their headers at their sources, as
	// Branches makes them. Packets for one destination should follow each other. The headers are
	// nil if all packets are to be followed. A routing that embeds another one inherits its method,
	// which names the embedded one: then the deadlock check follows all packets.
	//
	// Without escape channels each dependency of any packet is one of a witness. With escape channels
	// take any packet at any router: the escape channels that it is offered there, a channel that it
	// may take, and the escape channels that it is offered behind that channel. Some witness is
	// offered the same, and may take the same, at its source.
	Witnesses() (of router.Routing, headers iter.Seq[router.Header])
}

// The numbers of nodes up to which the deadlock check follows every packet, which takes about a
// second: of most routings; of those with escape channels, whose packets it follows for each escape
// channel that they may have used last; and of those whose headers may be in several states.
const (
	followAll      = 1024
	followEscapes  = 256
	followBranches = 32
)

// witnesses returns the headers of the witnesses, nil if all packets are to be followed.
func witnesses(w *router.Wiring, x router.Routing) iter.Seq[router.Header] {
	maxNodes := followAll
	if _, ok := x.(router.Branching); ok {
		maxNodes = followBranches
	} else if _, ok := x.(router.Escaping); ok {
		maxNodes = followEscapes
	}
	k, ok := x.(Witnessing)
	if !ok || w.Topology.Nodes() <= maxNodes {
		return nil
	}
	of, headers := k.Witnesses()
	if of != x {
		return nil
	}
	return headers
}

// Packets returns the headers of packets of pairs of a source and a destination, nil for no pairs.
func Packets(pairs iter.Seq2[topology.Node, topology.Node]) iter.Seq[router.Header] {
	if pairs == nil {
		return nil
	}
	return func(yield func(router.Header) bool) {
		for from, to := range pairs {
			if !yield(router.Header{Source: from, Destination: to}) {
				return
			}
		}
	}
}

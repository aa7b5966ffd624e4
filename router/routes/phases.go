package routes

import (
	"iter"

	"contend/router"
	"contend/router/topology"
)

// Phases of a packet that goes to a router drawn for it, and on to its destination. Before its
// first router the phase is 0.
const (
	outward  = 1
	homeward = 2
	// provisional is the phase of a packet on a minimal path that may still be sent on a detour.
	provisional = 3
)

// twoPhase is the frame of routings that send packets to a router drawn for each, Header.Via, and
// on to their destinations.
type twoPhase struct {
	anySource // past its first router
	// choosePhase sets the phase of a packet, and the router to which it is sent.
	choosePhase func(r topology.Router, in router.Channel, h *router.Header, v router.View)
	// phaseHeads appends the headers that choosePhase may make.
	phaseHeads func(dst []router.Header, r topology.Router, h router.Header) []router.Header
	// nextVCs appends the channels that a packet may take in its phase.
	nextVCs func(dst []router.Channel, r topology.Router, in router.Channel,
		h *router.Header) []router.Channel
	// reached reports whether a packet at router r has reached the router via to which it is sent.
	reached func(r, via topology.Router) bool
}

// Route implements Routing.
func (x *twoPhase) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	if h.Phase == 0 || h.Phase == provisional {
		x.choosePhase(r, in, h, v)
	}
	return x.Possible(dst, r, in, h)
}

// Possible implements Routing.
func (x *twoPhase) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	x.turnHomeward(r, h)
	return x.nextVCs(dst, r, in, h)
}

// Branches implements Branching.
func (x *twoPhase) Branches(dst []router.Header, r topology.Router, _ router.Channel,
	h router.Header) []router.Header {
	first := len(dst)
	if h.Phase == 0 || h.Phase == provisional {
		dst = x.phaseHeads(dst, r, h)
	} else {
		dst = append(dst, h)
	}
	for i := range dst[first:] {
		x.turnHomeward(r, &dst[first+i])
	}
	return dst
}

// turnHomeward begins the second phase of a packet that has reached its drawn router.
func (x *twoPhase) turnHomeward(r topology.Router, h *router.Header) {
	if h.Phase == outward && x.reached(r, h.Via) {
		h.Phase, h.Via = homeward, 0
	}
}

// sameRouter implements twoPhase.reached for packets that go to the drawn router itself.
func sameRouter(r, via topology.Router) bool { return r == via }

// twoPhaseWitnesses returns the witnesses (see deadlock.Witnessing) of a routing in two phases,
// each of which has the dependencies of one routing. pairs has the witnesses of that routing. They
// show the first phase as packets whose drawn router is that of their destination, and the second
// as packets whose drawn router is that of their source.
//
// Between the phases a packet takes the last channel to the drawn router and the first one from it.
// For each drawn router turns returns lists of sources, one for each last channel, and lists of
// goals, one for each first channel. may reports whether a packet between two routers may be sent
// over a third one. home returns the router of a node, node a node of a router.
func twoPhaseWitnesses(pairs iter.Seq2[topology.Node, topology.Node],
	home func(topology.Node) topology.Router, node func(topology.Router) topology.Node, routers int,
	turns func(via topology.Router) (coming, leaving [][]topology.Router),
	may func(source, goal, via topology.Router) bool) iter.Seq[router.Header] {
	return func(yield func(router.Header) bool) {
		for from, to := range pairs {
			h := router.Header{Source: from, Destination: to, Phase: homeward}
			if !yield(h) {
				return
			}
			if h.Phase, h.Via = outward, home(to); home(from) != h.Via && !yield(h) {
				return
			}
		}
		for via := range topology.Router(routers) {
			coming, leaving := turns(via)
			for _, sources := range coming {
				for _, goals := range leaving {
					from, to, ok := firstTurn(sources, goals, via, may)
					if ok && !yield(router.Header{Source: node(from), Destination: node(to), Phase: outward,
						Via: via}) {
						return
					}
				}
			}
		}
	}
}

// firstTurn returns the first pair of a source and a goal whose packets may be sent over router
// via. It reports false if there is none.
func firstTurn(sources, goals []topology.Router, via topology.Router,
	may func(source, goal, via topology.Router) bool) (from, to topology.Router, ok bool) {
	for _, from := range sources {
		for _, to := range goals {
			if may(from, to, via) {
				return from, to, true
			}
		}
	}
	return 0, 0, false
}

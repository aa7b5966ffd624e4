package hyperx

import (
	"iter"

	"contend/netsim/topology"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/routes/frame"
)

// WitnessHeaders implements WitnessingHeaders. Within a phase the channels of a packet are
// those of dimension order, of which the witnesses are known. Between the phases it takes the
// last channel to the drawn router, from any other one of a row, and the first one from it, to
// any other one of a row.
func (x *Detour) WitnessHeaders(of router.Routing) iter.Seq[router.Header] {
	if of != router.Routing(x) {
		return nil
	}
	return func(yield func(router.Header) bool) {
		for from, to := range x.order.Witnesses(x.order) {
			goal := x.order.hyper.RouterOf(to)
			h := router.Header{Source: from, Destination: to, Phase: frame.Homeward}
			if !yield(h) {
				return
			}
			if h.Phase, h.Via = frame.Outward, goal; x.order.hyper.RouterOf(from) != goal && !yield(h) {
				return
			}
		}
		nodes := deadlock.NodesOf(x.order.wiring)
		for via := range topology.Router(x.order.hyper.Routers()) {
			ok := x.order.row(via, 0, func(last topology.Router, d int) bool {
				return x.order.row(via, 0, func(first topology.Router, e int) bool {
					from, to, ok := x.apart(last, first, d, e)
					return !ok || yield(router.Header{Source: nodes[from][0], Destination: nodes[to][0],
						Phase: frame.Outward, Via: via})
				})
			})
			if !ok {
				return
			}
		}
	}
}

// apart returns a source whose packets go by one router last, along dimension d, and a goal to
// which they go by another one first, along dimension e: these two, unless they are one.
// Dimension order has the source differ in a lower dimension, or the goal in a higher one.
func (x *Detour) apart(last, first topology.Router, d, e int) (source, goal topology.Router,
	ok bool) {
	if last != first {
		return last, first, true
	}
	found := false
	x.order.row(last, 0, func(r topology.Router, lower int) bool {
		if found = lower < d; found {
			source, goal = r, first
		}
		return false
	})
	if found {
		return source, goal, true
	}
	x.order.row(first, e+1, func(r topology.Router, _ int) bool {
		source, goal, found = last, r, true
		return false
	})
	return source, goal, found
}

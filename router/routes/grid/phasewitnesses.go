package grid

import (
	"iter"

	"contend/netsim/topology"
	"contend/router"
	"contend/router/routes/frame"
)

// Witnesses implements Witnessing: see frame.Witnesses. Within a phase the channels are those of
// dimension order. Of the turns between the phases the last channel to the drawn router is any that
// leads there, as the neighbours' packets show. The first one from it depends on the direction and
// on whether the packet has to cross the end of a dimension, as the nearest and the farthest
// packets show.
func (x *TwoPhase) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	near := x.order.near(false)
	if near == nil {
		return x, nil
	}
	return x, frame.Witnesses(near, x.order.grid.RouterOf, func(r topology.Router) topology.Node {
		n, _ := x.order.grid.NodesAt(r)
		return n
	}, func(yield func(frame.Turn) bool) {
		for via := range topology.Router(x.order.grid.Routers()) {
			if !x.passing(via, yield) {
				return
			}
		}
	})
}

// passing yields packets that are sent to a router and take each last channel there, then
// each first one from it.
func (x *TwoPhase) passing(via topology.Router, yield func(frame.Turn) bool) bool {
	for d := range x.order.dims {
		for _, by := range []int{1, -1} {
			sources := x.coming(via, d, by)
			for e := range x.order.dims {
				for _, far := range x.hops(e) {
					turn, ok := frame.FirstTurn(sources, x.leaving(via, e, far), via, x.mayDraw)
					if ok && !yield(turn) {
						return false
					}
				}
			}
		}
	}
	return true
}

// coming returns the neighbour of a router that lies before it in a direction of dimension d,
// and some routers whose packets come by that one. They matter where the neighbour is also the
// goal: by ROMM it sends nothing to itself by way of others.
func (x *TwoPhase) coming(via topology.Router, d, by int) (list []topology.Router) {
	for _, hops := range []int{by, 2 * by} {
		r, ok := x.order.grid.Beside(via, d, -hops)
		if ok && (x.order.upwards(d, x.order.ahead(r, via, d)) == 1) == (by > 0) {
			list = append(list, r)
		}
	}
	return x.beside(list, 0, d)
}

// leaving returns the router that far behind another one in dimension d, and some routers to
// which packets go by the same first channel.
func (x *TwoPhase) leaving(via topology.Router, d, far int) []topology.Router {
	r, ok := x.order.grid.Beside(via, d, -far)
	if !ok {
		return nil
	}
	return x.beside([]topology.Router{r}, d+1, x.order.dims)
}

// beside appends the neighbours of the first of some routers in the dimensions from low to
// below high.
func (x *TwoPhase) beside(list []topology.Router, low, high int) []topology.Router {
	for d := low; d < high && len(list) > 0; d++ {
		for _, by := range []int{-1, 1} {
			if r, ok := x.order.grid.Beside(list[0], d, by); ok {
				list = append(list, r)
			}
		}
	}
	return list
}

// hops returns how far the nearest and the farthest routers are in dimension d. A packet on a
// shortest path that comes from a neighbour goes one hop less far.
func (x *TwoPhase) hops(d int) []int {
	list := x.order.offsets(d, false, true)
	if n := int(x.order.wrap[d]); n > 0 {
		list = append(list, n/2-1, 1-n/2, (n-1)/2-1, 1-(n-1)/2)
	}
	return list
}

// mayDraw reports whether a packet between two routers may be sent to a third one.
func (x *TwoPhase) mayDraw(source, goal, via topology.Router) bool {
	for d := range x.order.dims {
		by := x.between(source, via, d)
		if at := x.moved(source, goal, d, by); x.minimal && (by > x.between(source, goal, d) ||
			x.order.ahead(at, via, d) != 0) {
			return false
		}
	}
	return true
}

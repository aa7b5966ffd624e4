package routes

import (
	"iter"

	"contend/router"
	"contend/router/topology"
)

// Witnesses implements Witnessing: see twoPhaseWitnesses. Within a phase the channels are those of
// dimension order. Of the turns between the phases the last channel to the drawn router is any that
// leads there, as the neighbours' packets show. The first one from it depends on the direction and
// on whether the packet has to cross the end of a dimension, as the nearest and the farthest
// packets show.
func (x *gridTwoPhase) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	near := x.order.near(false)
	if near == nil {
		return x, nil
	}
	node := func(r topology.Router) topology.Node {
		n, _ := x.order.grid.NodesAt(r)
		return n
	}
	return x, twoPhaseWitnesses(near, x.order.grid.RouterOf, node, x.order.grid.Routers(), x.turns,
		x.mayDraw)
}

// turns returns lists of routers: for each last channel to router via sources of packets that take
// it, and for each first channel from there goals of packets that take it.
func (x *gridTwoPhase) turns(via topology.Router) (coming, leaving [][]topology.Router) {
	for d := range x.order.dims {
		coming = append(coming, x.coming(via, d, 1), x.coming(via, d, -1))
		for _, far := range x.hops(d) {
			if r, ok := x.order.grid.Beside(via, d, -far); ok {
				leaving = append(leaving, x.beside([]topology.Router{r}, d+1, x.order.dims))
			}
		}
	}
	return coming, leaving
}

// coming returns the neighbour before router via in a direction of dimension d, and some routers
// whose packets come by that neighbour. These matter if the neighbour is also the goal: under ROMM
// a router sends no packets to itself over others.
func (x *gridTwoPhase) coming(via topology.Router, d, by int) (list []topology.Router) {
	for _, hops := range []int{by, 2 * by} {
		r, ok := x.order.grid.Beside(via, d, -hops)
		if ok && (x.order.upwards(d, x.order.ahead(r, via, d)) == 1) == (by > 0) {
			list = append(list, r)
		}
	}
	return x.beside(list, 0, d)
}

// beside appends the neighbours of the first router of a list in the dimensions from low to below
// high.
func (x *gridTwoPhase) beside(list []topology.Router, low, high int) []topology.Router {
	for d := low; d < high && len(list) > 0; d++ {
		for _, by := range []int{-1, 1} {
			if r, ok := x.order.grid.Beside(list[0], d, by); ok {
				list = append(list, r)
			}
		}
	}
	return list
}

// hops returns the distances of the nearest and the farthest routers in dimension d, with signs. A
// packet on a shortest path that comes from a neighbour goes one hop less far.
func (x *gridTwoPhase) hops(d int) []int {
	list := x.order.offsets(d, false, true)
	if n := int(x.order.wrap[d]); n > 0 {
		list = append(list, n/2-1, 1-n/2, (n-1)/2-1, 1-(n-1)/2)
	}
	return list
}

// mayDraw reports whether router via may be drawn for a packet between two routers.
func (x *gridTwoPhase) mayDraw(source, goal, via topology.Router) bool {
	for d := range x.order.dims {
		by := x.between(source, via, d)
		if at := x.moved(source, goal, d, by); x.minimal && (by > x.between(source, goal, d) ||
			x.order.ahead(at, via, d) != 0) {
			return false
		}
	}
	return true
}

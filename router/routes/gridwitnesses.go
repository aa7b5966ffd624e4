package routes

import (
	"iter"
	"slices"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// Witnesses implements Witnessing.
//
// A packet goes through a line of routers in each dimension in turn. Which channels it
// takes there depends on where it enters and leaves the line. So a packet that moves in
// one dimension or in two brings about each dependency.
//
// Where no dimension wraps, or all virtual channels are candidates, the channels depend on
// the direction alone, and the nearest packets will do: two hops along a line, or one hop
// in each of two dimensions. A channel behind a dateline depends also on whether the packet
// has yet to cross the end. Of all packets that enter a line in one place and move in one
// direction it is the farther ones that cross. So the nearest and the farthest packet take
// all channels that any packet takes.
func (x *DimensionOrder) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(x.near(false))
}

// near returns the pairs of nodes of the witnesses: their routers differ in one dimension or in
// two, by offsets. With farTurns packets turn after the farthest offsets too. It returns nil if a
// router has no node.
func (x *DimensionOrder) near(farTurns bool) iter.Seq2[topology.Node, topology.Node] {
	nodes := deadlock.NodesOf(x.wiring)
	if slices.ContainsFunc(nodes, func(of []topology.Node) bool { return len(of) == 0 }) {
		return nil
	}
	return func(yield func(from, to topology.Node) bool) {
		for r := range topology.Router(x.grid.Routers()) {
			if !nodes.Join(r, r, yield) || !x.nearRouter(r, farTurns, func(s topology.Router) bool {
				return nodes.Join(s, r, yield)
			}) {
				return
			}
		}
	}
}

// nearRouter yields the routers of the sources of witnesses for nodes of router r.
func (x *DimensionOrder) nearRouter(r topology.Router, farTurns bool,
	yield func(s topology.Router) bool) bool {
	for d := range x.dims {
		for _, one := range x.offsets(d, true, true) {
			if s, ok := x.grid.Beside(r, d, -one); ok && !yield(s) {
				return false
			}
		}
		for e := d + 1; e < x.dims; e++ {
			for _, second := range x.offsets(e, false, true) {
				over, ok := x.grid.Beside(r, e, -second)
				for _, first := range x.offsets(d, false, farTurns) {
					if s, also := x.grid.Beside(over, d, -first); ok && also && !yield(s) {
						return false
					}
				}
			}
		}
	}
	return true
}

// offsets returns distances, with signs, between the source and the destination of a witness in
// dimension d: one hop, with two also two hops, and with far the farthest ones of a dimension that
// wraps.
func (x *DimensionOrder) offsets(d int, two, far bool) []int {
	list := []int{1, -1}
	if two {
		list = append(list, 2, -2)
	}
	if n := int(x.wrap[d]); far && n > 0 {
		list = append(list, n/2, -(n / 2), (n-1)/2, -((n - 1) / 2))
	}
	return list
}

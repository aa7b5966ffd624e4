package grid

import (
	"iter"
	"slices"

	"contend/netsim/topology"
	"contend/router"
	"contend/router/deadlock"
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

// near returns the pairs of nodes that differ in one dimension or in two by the offsets of
// Witnesses. farTurns has the farthest packets turn. It returns nil if a router has no node.
func (x *DimensionOrder) near(farTurns bool) iter.Seq2[topology.Node, topology.Node] {
	nodes := deadlock.NodesOf(x.wiring)
	if slices.ContainsFunc(nodes, func(of []topology.Node) bool { return len(of) == 0 }) {
		return nil
	}
	return func(yield func(from, to topology.Node) bool) {
		at := make([]int, x.dims)
		for r := range topology.Router(x.grid.Routers()) {
			for d := range at {
				at[d] = x.grid.Coordinate(r, d)
			}
			if !x.nearRouter(nodes, r, at, farTurns, yield) {
				return
			}
		}
	}
}

// nearRouter yields the pairs with a destination at a router.
func (x *DimensionOrder) nearRouter(nodes deadlock.NodeLists, r topology.Router, at []int,
	farTurns bool,
	yield func(from, to topology.Node) bool) bool {
	if !nodes.Join(r, r, yield) {
		return false
	}
	for d := range at {
		for _, one := range x.offsets(d, true, true) {
			s, ok := x.shifted(r, at, d, one)
			if ok && !nodes.Join(s, r, yield) {
				return false
			}
		}
		for e := d + 1; e < len(at); e++ {
			for _, second := range x.offsets(e, false, true) {
				over, ok := x.shifted(r, at, e, second)
				if !ok {
					continue
				}
				for _, first := range x.offsets(d, false, farTurns) {
					if s, ok := x.shifted(over, at, d, first); ok && !nodes.Join(s, r, yield) {
						return false
					}
				}
			}
		}
	}
	return true
}

// offsets returns how far from its destination a packet starts in a dimension: one hop each
// way, on request two hops, and as far as packets go where the dimension wraps.
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

// shifted returns the router that lies so far before another one with coordinate at[d] in
// dimension d. It reports false for a place outside of the machine.
func (x *DimensionOrder) shifted(r topology.Router, at []int, d, by int) (topology.Router, bool) {
	to, n := at[d]-by, x.grid.Dims()[d]
	if x.wrap[d] > 0 {
		to = ((to % n) + n) % n
	}
	if to < 0 || to >= n {
		return 0, false
	}
	return r + topology.Router((to-at[d])*x.stride(d)), true
}

// stride returns by how much the numbers of neighbours in dimension d differ.
func (x *DimensionOrder) stride(d int) int {
	stride := 1
	for _, side := range x.grid.Dims()[:d] {
		stride *= side
	}
	return stride
}

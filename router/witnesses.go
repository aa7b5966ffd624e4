package router

import (
	"iter"
	"slices"

	"contend/netsim/topology"
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
	Witnesses(x Routing) iter.Seq2[topology.Node, topology.Node]
}

// followAll is the number of nodes up to which the deadlock check follows every packet,
// which takes less than a second.
const followAll = 1024

// witnesses returns the pairs to follow, nil for all.
func witnesses(w *Wiring, x Routing) iter.Seq2[topology.Node, topology.Node] {
	k, ok := x.(Witnessing)
	if !ok || w.Topology.Nodes() <= followAll || !traitsOf(w, x).NoEscape {
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
	WitnessHeaders(x Routing) iter.Seq[Header]
}

// followBranches is the number of nodes up to which the deadlock check follows every packet
// in every state.
const followBranches = 32

// witnessHeaders returns the headers to follow, nil for all.
func witnessHeaders(w *Wiring, x Routing) iter.Seq[Header] {
	k, ok := x.(WitnessingHeaders)
	if !ok || w.Topology.Nodes() <= followBranches || !traitsOf(w, x).NoEscape {
		return nil
	}
	return k.WitnessHeaders(x)
}

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
func (x *DimensionOrder) Witnesses(of Routing) iter.Seq2[topology.Node, topology.Node] {
	if of != Routing(x) {
		return nil
	}
	return x.near(false)
}

// Witnesses implements Witnessing. Other than with DimensionOrder a packet leaves a line on
// a channel that depends on where it entered, so the farthest packets turn as well.
func (x *Balanced) Witnesses(of Routing) iter.Seq2[topology.Node, topology.Node] {
	if of != Routing(x) {
		return nil
	}
	return x.near(true)
}

// near returns the pairs of nodes that differ in one dimension or in two by the offsets of
// Witnesses. farTurns has the farthest packets turn. It returns nil if a router has no node.
func (x *DimensionOrder) near(farTurns bool) iter.Seq2[topology.Node, topology.Node] {
	nodes := x.wiring.nodeLists()
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
func (x *DimensionOrder) nearRouter(nodes nodeLists, r topology.Router, at []int, farTurns bool,
	yield func(from, to topology.Node) bool) bool {
	if !nodes.join(r, r, yield) {
		return false
	}
	for d := range at {
		for _, one := range x.offsets(d, true, true) {
			s, ok := x.shifted(r, at, d, one)
			if ok && !nodes.join(s, r, yield) {
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
					if s, ok := x.shifted(over, at, d, first); ok && !nodes.join(s, r, yield) {
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

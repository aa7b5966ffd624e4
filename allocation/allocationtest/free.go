// Package allocationtest has the common parts of tests of allocators: free sets, running jobs, and
// checks of the contract of all allocators.
package allocationtest

import (
	"iter"
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/router/topology"
)

// FreeSet returns a FreeSet of exactly the marked nodes.
func FreeSet(free []bool) *allocation.FreeSet {
	f := allocation.NewFreeSet(len(free))
	for n, yes := range free {
		if !yes {
			f.Take([]topology.Node{topology.Node(n)})
		}
	}
	return f
}

// drawAreas draws free nodes: all or none at first, then areas that become free or busy, and single
// nodes that change. area draws an area and returns a function that reports whether a node is in
// it.
func drawAreas(rt *rapid.T, nodes, areas, singles int, area func() func(n int) bool) []bool {
	free := slices.Repeat([]bool{rapid.Bool().Draw(rt, "start")}, nodes)
	for range rapid.IntRange(0, areas).Draw(rt, "areas") {
		inside, set := area(), rapid.Bool().Draw(rt, "set")
		for n := range free {
			if inside(n) {
				free[n] = set
			}
		}
	}
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, nodes-1), 0, singles).Draw(rt, "single") {
		free[n] = !free[n]
	}
	return free
}

// DrawFree draws free nodes of a mesh of some sides, as boxes and as single nodes.
func DrawFree(rt *rapid.T, dims ...int) []bool {
	return drawAreas(rt, volume(dims), 8, 6, func() func(n int) bool {
		var first, side []int
		for d, all := range dims {
			first = append(first, rapid.IntRange(0, all-1).Draw(rt, "first"))
			side = append(side, rapid.IntRange(1, all-first[d]).Draw(rt, "side"))
		}
		return func(n int) bool {
			for d, all := range dims {
				if x := n % all; x < first[d] || x >= first[d]+side[d] {
					return false
				}
				n /= all
			}
			return true
		}
	})
}

// DrawTreeFree draws free nodes, as subtrees and as single nodes.
func DrawTreeFree(rt *rapid.T, m *topology.FatTree) []bool {
	return drawAreas(rt, m.Nodes(), 8, 12, func() func(n int) bool {
		span := m.Span(rapid.IntRange(0, m.Levels()-1).Draw(rt, "level"))
		subtree := rapid.IntRange(0, (m.Nodes()-1)/span).Draw(rt, "subtree")
		return func(n int) bool { return n/span == subtree }
	})
}

// DrawRouterFree draws free nodes, as runs of routers and as single nodes.
func DrawRouterFree(rt *rapid.T, machine topology.Topology) []bool {
	return drawAreas(rt, machine.Nodes(), 6, 12, func() func(n int) bool {
		first := rapid.IntRange(0, machine.Routers()-1).Draw(rt, "first")
		length := rapid.IntRange(1, 1+machine.Routers()/3).Draw(rt, "length")
		return func(n int) bool {
			r, _ := machine.Attach(topology.Node(n))
			return int(r) >= first && int(r) < first+length
		}
	})
}

// Requests lists all valid requests on a machine: every size without a shape and every
// shape, up to one too large in each direction.
func Requests(dims ...int) []allocation.Request {
	var all []allocation.Request
	for size := 1; size <= volume(dims)+1; size++ {
		all = append(all, allocation.Request{Size: size})
	}
	shapes := [][]int{nil}
	for d := len(dims) - 1; d >= 0; d-- {
		var more [][]int
		for _, above := range shapes {
			for side := 1; side <= dims[d]+1; side++ {
				more = append(more, append([]int{side}, above...))
			}
		}
		shapes = more
	}
	for _, shape := range shapes {
		all = append(all, allocation.Request{Size: volume(shape), Shape: shape})
	}
	return all
}

// DrawRequest draws a request with or without a shape, up to one too large.
func DrawRequest(rt *rapid.T, dims ...int) allocation.Request {
	if !rapid.Bool().Draw(rt, "shaped") {
		return allocation.Request{Size: rapid.IntRange(1, volume(dims)+1).Draw(rt, "size")}
	}
	var shape []int
	for _, all := range dims {
		shape = append(shape, rapid.IntRange(1, all+1).Draw(rt, "side"))
	}
	return allocation.Request{Size: volume(shape), Shape: shape}
}

// volume returns the number of nodes of a box.
func volume(sides []int) int {
	v := 1
	for _, side := range sides {
		v *= side
	}
	return v
}

// EveryFreeSet yields the free sets of a number of nodes, or one in step of them.
func EveryFreeSet(nodes, step int) iter.Seq2[[]bool, *allocation.FreeSet] {
	return func(yield func([]bool, *allocation.FreeSet) bool) {
		free := make([]bool, nodes)
		for set := 0; set < 1<<nodes; set += step {
			for n := range free {
				free[n] = set>>n&1 == 1
			}
			if !yield(free, FreeSet(free)) {
				return
			}
		}
	}
}

// Dense draws a set of nodes that are free with a probability.
func Dense(stream *rand.Rand, nodes int, probability float64) ([]bool, *allocation.FreeSet) {
	free := make([]bool, nodes)
	for n := range free {
		free[n] = stream.Float64() < probability
	}
	return free, FreeSet(free)
}

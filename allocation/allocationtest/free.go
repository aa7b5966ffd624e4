// Package allocationtest has what tests of allocators share: free sets, running jobs, and
// checks of what all allocators promise.
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
// nodes that change. area draws an area and returns which nodes lie in it.
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

// DrawFree draws free nodes of a mesh, as rectangles and as single nodes.
func DrawFree(rt *rapid.T, width, height int) []bool {
	return drawAreas(rt, width*height, 8, 6, func() func(n int) bool {
		x := rapid.IntRange(0, width-1).Draw(rt, "x")
		y := rapid.IntRange(0, height-1).Draw(rt, "y")
		w := rapid.IntRange(1, width-x).Draw(rt, "w")
		h := rapid.IntRange(1, height-y).Draw(rt, "h")
		return func(n int) bool {
			return n%width >= x && n%width < x+w && n/width >= y && n/width < y+h
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
func Requests(width, height int) []allocation.Request {
	var all []allocation.Request
	for size := 1; size <= width*height+1; size++ {
		all = append(all, allocation.Request{Size: size})
	}
	for h := 1; h <= height+1; h++ {
		for w := 1; w <= width+1; w++ {
			all = append(all, allocation.Request{Size: w * h, Shape: []int{w, h}})
		}
	}
	return all
}

// DrawRequest draws a request with or without a shape, up to one too large.
func DrawRequest(rt *rapid.T, width, height int) allocation.Request {
	if rapid.Bool().Draw(rt, "shaped") {
		w := rapid.IntRange(1, width+1).Draw(rt, "width")
		h := rapid.IntRange(1, height+1).Draw(rt, "height")
		return allocation.Request{Size: w * h, Shape: []int{w, h}}
	}
	return allocation.Request{Size: rapid.IntRange(1, width*height+1).Draw(rt, "size")}
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

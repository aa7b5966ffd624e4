// Package allocationtest has what tests of allocators share: free sets, running jobs, and
// checks of what all allocators promise.
package allocationtest

import (
	"iter"
	"math/rand/v2"

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

// DrawFree draws a set of free nodes. It draws rectangles as well as single nodes, so
// that large free areas occur too.
func DrawFree(rt *rapid.T, width, height int) []bool {
	free := make([]bool, width*height)
	start := rapid.Bool().Draw(rt, "start")
	for n := range free {
		free[n] = start
	}
	for range rapid.IntRange(0, 8).Draw(rt, "rectangles") {
		x := rapid.IntRange(0, width-1).Draw(rt, "x")
		y := rapid.IntRange(0, height-1).Draw(rt, "y")
		w := rapid.IntRange(1, width-x).Draw(rt, "w")
		h := rapid.IntRange(1, height-y).Draw(rt, "h")
		set := rapid.Bool().Draw(rt, "set")
		for j := y; j < y+h; j++ {
			for i := x; i < x+w; i++ {
				free[i+width*j] = set
			}
		}
	}
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, width*height-1), 0, 6).Draw(rt, "single") {
		free[n] = !free[n]
	}
	return free
}

// DrawTreeFree draws free nodes, as subtrees and as single nodes.
func DrawTreeFree(rt *rapid.T, m *topology.FatTree) []bool {
	free := make([]bool, m.Nodes())
	start := rapid.Bool().Draw(rt, "start")
	for n := range free {
		free[n] = start
	}
	for range rapid.IntRange(0, 8).Draw(rt, "subtrees") {
		span := m.Span(rapid.IntRange(0, m.Levels()-1).Draw(rt, "level"))
		first := rapid.IntRange(0, (m.Nodes()-1)/span).Draw(rt, "subtree") * span
		set := rapid.Bool().Draw(rt, "set")
		for n := first; n < min(first+span, m.Nodes()); n++ {
			free[n] = set
		}
	}
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, m.Nodes()-1), 0, 12).Draw(rt, "single") {
		free[n] = !free[n]
	}
	return free
}

// DrawRouterFree draws free nodes, as routers, as runs of routers and as single nodes.
func DrawRouterFree(rt *rapid.T, machine topology.Topology) []bool {
	free := make([]bool, machine.Nodes())
	start := rapid.Bool().Draw(rt, "start")
	for n := range free {
		free[n] = start
	}
	for range rapid.IntRange(0, 6).Draw(rt, "runs") {
		first := rapid.IntRange(0, machine.Routers()-1).Draw(rt, "first")
		length := rapid.IntRange(1, 1+machine.Routers()/3).Draw(rt, "length")
		set := rapid.Bool().Draw(rt, "set")
		for n := range free {
			if r, _ := machine.Attach(topology.Node(n)); int(r) >= first && int(r) < first+length {
				free[n] = set
			}
		}
	}
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, len(free)-1), 0, 12).Draw(rt, "single") {
		free[n] = !free[n]
	}
	return free
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

package center_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation/allocationtest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// On a lattice the allocators that count hops decide as those that know coordinates, which bound
// scores instead of sorting all free processors around each center.
func TestHopsAgreeWithCoordinates(t *testing.T) {
	small := []string{"gen-alg", "gen-alg:greedy", "gen-alg:node-order", "mm", "mm:greedy",
		"mm:node-order", "mm-inc", "mm-inc:greedy", "mm-inc:node-order"}
	large := []string{"gen-alg", "mm", "mm-inc:greedy"}
	cube := func(concentration int, wrap []bool, dims ...int) *topology.Cube {
		return topologytest.Cube(t, topology.CubeConfig{Dims: dims, Wrap: wrap,
			Concentration: concentration})
	}
	for _, c := range []struct {
		machine *topology.Cube
		forms   []string
	}{{topologytest.Mesh(t, 7), small}, {topologytest.Mesh(t, 5, 4), small},
		{topologytest.Mesh(t, 3, 4, 3), small}, {cube(1, []bool{true, true}, 6, 5), small},
		{cube(1, []bool{false, true}, 5, 4), small}, {cube(3, nil, 5, 4), small},
		{cube(2, []bool{true, true}, 5, 4), small},
		{cube(2, []bool{false, true, false}, 3, 4, 3), small},
		{topologytest.Cube(t, topology.CubeConfig{Dims: []int{4, 5}, Concentration: 3,
			ServiceRows: []int{1, 3}}), small},
		{topologytest.Mesh(t, 14, 11), large}, {topologytest.Mesh(t, 6, 5, 7), large},
		{cube(1, []bool{true, true}, 13, 10), large}, {cube(1, []bool{true}, 40), large},
		{cube(1, []bool{true, true, true}, 6, 5, 6), large}} {
		for _, short := range c.forms {
			allocationtest.Alike(t, fmt.Sprint(short, " on ", c.machine.Dims(), c.machine.Nodes()),
				makeCenter(t, short, topologytest.GridOnly{Grid: c.machine}),
				makeCenter(t, short, c.machine),
				func(rt *rapid.T) []bool { return allocationtest.DrawRouterFree(rt, c.machine) })
		}
	}
}

// On a tree whose structure is known the allocators decide as on the same machine without it,
// where they sort all free processors for one center after the other.
func TestTreeMediansAgreeWithHops(t *testing.T) {
	for _, c := range []topology.FatTreeConfig{{Children: []int{4, 4, 4}},
		{Children: []int{2, 2, 2, 2, 2}}, {Children: []int{3, 3, 3}, Nodes: 22},
		{Children: []int{8, 8}}, {Children: []int{5}},
		{Children: []int{6, 2, 4}, Parents: []int{2}, Nodes: 43},
		{Children: []int{2, 5, 3}, Bundle: []int{2}, Rails: 2}, {Children: []int{3, 1, 4, 2}},
		{Children: []int{1, 3, 2, 1, 3}, Nodes: 17}, {Children: []int{4, 9}, Parents: []int{1}}} {
		machine := topologytest.Fat(t, c)
		for _, short := range []string{"gen-alg", "mm", "mm-inc"} {
			allocationtest.Alike(t, fmt.Sprint(short, c), makeCenter(t, short, machine),
				makeCenter(t, short, topologytest.Unnamed{Topology: machine}),
				func(rt *rapid.T) []bool { return allocationtest.DrawTreeFree(rt, machine) })
		}
	}
}

// referenceMedian sorts all free nodes, stably, by the hops to one center after the other, and
// returns the set with the least sum, of equals that of the first center: Gen-Alg with
// LastShellPrevious by its definition.
func referenceMedian(m topology.Topology, free []bool, size int) []topology.Node {
	list := allocationtest.FreeSet(free).AppendTo(nil)
	var best []topology.Node
	least := math.MaxInt
	for _, center := range slices.Clone(list) {
		slices.SortStableFunc(list, func(a, b topology.Node) int {
			return m.(topology.Metric).Distance(center, a) - m.(topology.Metric).Distance(center, b)
		})
		if sum := allocationtest.PairsApart(m, list[:size]); sum < least {
			least, best = sum, slices.Clone(list[:size])
		}
	}
	slices.Sort(best)
	return best
}

// Sorts of the nodes of a router as one give what sorts of all nodes give, also where the numbers
// of the nodes of a router do not follow each other.
func TestRunsOfFreeNodes(t *testing.T) {
	for name, m := range map[string]topology.Topology{"dragonfly": topologytest.Dragonfly(t, 4, 2, 3,
		0),
		"hyperx": topologytest.Hyper(t, 3, 4, 3), "graph": topologytest.GroupedGraph(t),
		"sparse":                   topologytest.Sparse(t, 21),
		"torus of four dimensions": topologytest.Torus(t, []int{4, 3, 3, 2}, true, false, true, true)} {
		allocationtest.Against(t, name, makeCenter(t, "gen-alg", m),
			func(rt *rapid.T) []bool { return allocationtest.DrawRouterFree(rt, m) },
			func(free []bool, size int) ([]topology.Node, bool) {
				return referenceMedian(m, free, size), true
			})
	}
}

package center_test

import (
	"fmt"
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

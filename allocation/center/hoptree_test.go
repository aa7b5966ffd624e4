package center_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation/allocationtest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// On a tree whose structure is known the allocators decide as on the same machine without it,
// where they sort all free processors for one center after the other.
func TestTreeMediansAgreeWithHops(t *testing.T) {
	var machines []*topology.FatTree
	for _, shape := range [][3]int{{4, 3, 0}, {2, 5, 0}, {3, 3, 22}, {2, 6, 61}, {8, 2, 0},
		{5, 1, 0}} {
		machines = append(machines, topologytest.Tree(t, shape[0], shape[1], shape[2]).FatTree)
	}
	for _, c := range []topology.FatTreeConfig{
		{Children: []int{6, 2, 4}, Parents: []int{2}, Nodes: 43},
		{Children: []int{2, 5, 3}, Bundle: []int{2}, Rails: 2}, {Children: []int{3, 1, 4, 2}},
		{Children: []int{1, 3, 2, 1, 3}, Nodes: 17}, {Children: []int{4, 9}, Parents: []int{1}},
	} {
		machines = append(machines, topologytest.Fat(t, c))
	}
	for _, machine := range machines {
		for _, short := range []string{"gen-alg", "mm", "mm-inc"} {
			allocationtest.Alike(t, fmt.Sprint(short, topologytest.ChildrenOf(machine), machine.Nodes()),
				makeCenter(t, short, machine),
				makeCenter(t, short, topologytest.Unnamed{Topology: machine}),
				func(rt *rapid.T) []bool { return allocationtest.DrawTreeFree(rt, machine) })
		}
	}
}

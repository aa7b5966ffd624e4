package tree

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation/allocationtest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Large trees, with spans that share words and spans of several words.
func TestTreeAllocatorsAgainstReference(t *testing.T) {
	for _, m := range []*topology.FatTree{topologytest.Tree(t, 4, 4, 240).FatTree, topologytest.Tree(t,
		3, 5, 0).FatTree,
		topologytest.Tree(t, 3, 5, 200).FatTree, topologytest.Tree(t, 2, 9, 0).FatTree,
		topologytest.Tree(t, 7, 3, 300).FatTree,
		topologytest.Tree(t, 70, 2, 4000).FatTree, topologytest.Tree(t, 4, 6, 4008).FatTree,
		topologytest.Fat(t, topology.FatTreeConfig{Children: []int{18, 10, 3}, Parents: []int{6},
			Nodes: 500}),
		topologytest.Fat(t, topology.FatTreeConfig{Children: []int{3, 5, 1, 7, 2}})} {
		t.Run(fmt.Sprint(topologytest.ChildrenOf(m)), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				free := allocationtest.DrawTreeFree(rt, m)
				size := rapid.IntRange(1, m.Nodes()).Draw(rt, "size")
				if rapid.Bool().Draw(rt, "small") {
					size = 1 + size%30
				}
				checkTreeDecision(rt, m, free, allocationtest.FreeSet(free), size, rapid.IntRange(0,
					100).Draw(rt, "percent"))
			})
		})
	}
}

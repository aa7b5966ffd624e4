package tree

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Large trees, with spans that share words and spans of several words.
func TestTreeAllocatorsAgainstReference(t *testing.T) {
	for _, m := range []*topology.FatTree{topologytest.Tree(t, 4, 4, 240).FatTree, topologytest.Tree(t,
		3, 5, 0).FatTree,
		topologytest.Tree(t, 3, 5, 200).FatTree, topologytest.Tree(t, 2, 9, 0).FatTree, topologytest.Tree(t,
			7, 3, 300).FatTree,
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

func TestTreeAllocatorErrors(t *testing.T) {
	m := topologytest.Tree(t, 4, 3, 0)
	for _, percent := range []int{-1, 101} {
		if _, err := NewQuasiContiguous(m, percent); err == nil ||
			!strings.Contains(err.Error(), "must be 0 to 100") {
			t.Errorf("%d percent: %v", percent, err)
		}
	}
	if _, err := NewContiguous(topologytest.Mesh(t, 4, 4)); err == nil ||
		!strings.Contains(err.Error(), "contiguous needs a tree") {
		t.Errorf("a mesh: %v", err)
	}
	if _, err := allocation.NewTreeMeter(topologytest.Mesh(t, 4, 4)); err == nil {
		t.Error("a mesh has levels")
	}
	for _, a := range []allocation.Allocator{quasi(t, m, 10), NewSequential(m)} {
		if must.Panic(func() { a.Allocate(nil, allocation.NewFreeSet(64), allocation.Request{}) }) == "" {
			t.Errorf("%T takes a request for nothing", a)
		}
	}
}

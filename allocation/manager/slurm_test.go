package manager

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

// A fat tree is the tree of its subtrees.
func TestSlurmTreeOnFatTrees(t *testing.T) {
	fat := topologytest.Fat(t, topology.FatTreeConfig{Children: []int{4, 2, 2}, Parents: []int{2, 2}})
	a := must.Have(NewSlurmTree(fat, ""))
	b := must.Have(NewSlurmTree(allocationtest.Switches("4 4 4 4 / 2 2 / 2"), ""))
	for free, f := range allocationtest.EveryFreeSet(16, 11) {
		for size := 1; size <= 16; size++ {
			req := allocation.Request{Size: size}
			want, placed := b.Allocate(nil, f, req)
			allocationtest.Compare(t, "fat tree", a, free, f, req, want, placed)
		}
	}
}

// All rules place what fits on a tree of uneven switches.
func TestUnevenSwitches(t *testing.T) {
	m := allocationtest.Switches("3 5 2 4 1 6 / 2 1 3 / 2 1 / 2")
	for _, e := range Allocators() {
		if !e.CountDecides {
			continue
		}
		a := allocationtest.Make(t, Allocators(), e.Name, m)
		t.Run(e.Name, rapid.MakeCheck(func(rt *rapid.T) {
			free := allocationtest.DrawRouterFree(rt, m)
			allocationtest.Decide(rt, fmt.Sprintf("%T", a), a, free, allocationtest.FreeSet(free),
				allocation.Request{Size: rapid.IntRange(1, 21).Draw(rt, "size")})
		}))
	}
}

func TestNodesAreOnTheLowestLevel(t *testing.T) {
	odd := must.Have(topology.NewGraph(topology.GraphConfig{Routers: 2, Levels: []int{0, 1},
		Nodes: []topology.Router{0, 1}, Links: []topology.GraphLink{{From: 0, To: 1}}}))
	_, err := NewSlurmTree(odd, "")
	if err == nil || !strings.Contains(err.Error(), "node 1 is on one of level 1") {
		t.Error(err)
	}
}

package manager

import (
	"fmt"
	"slices"
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

// Eight base blocks of two nodes, pairs of them, and a switch of level 3 above all: ten nodes may
// use three pairs. A pair that is begun is used up before the next one, and the last of equals
// comes first. Of pairs with 4, 2, 3 and 4 free nodes those with most are used, and for the two
// nodes that are then missing the one that has just these.
func TestSlurmBlockUsesFewPairs(t *testing.T) {
	c := topology.GraphConfig{Routers: 13, Levels: []int{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 3}}
	for leaf := range topology.Router(8) {
		c.Nodes = append(c.Nodes, leaf, leaf)
		c.Links = append(c.Links, topology.GraphLink{From: leaf, To: 8 + leaf/2})
		if leaf%2 == 0 {
			c.Links = append(c.Links, topology.GraphLink{From: 8 + leaf/2, To: 12})
		}
	}
	a := must.Have(NewSlurmBlock(must.Have(topology.NewGraph(c)), 0, 0))
	for _, k := range []struct {
		busy, want []topology.Node
	}{
		{nil, []topology.Node{6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
		{[]topology.Node{4, 6, 11}, []topology.Node{0, 1, 2, 3, 5, 7, 12, 13, 14, 15}},
		{[]topology.Node{0, 2, 4, 6, 8, 10}, nil}, // 2, 2, 2 and 4
	} {
		free := make([]bool, 16)
		for n := range free {
			free[n] = !slices.Contains(k.busy, topology.Node(n))
		}
		got, ok := a.Allocate(nil, allocationtest.FreeSet(free), allocation.Request{Size: 10})
		if !slices.Equal(got, k.want) || ok != (k.want != nil) {
			t.Errorf("without %v: %v, want %v", k.busy, got, k.want)
		}
	}
}

// Decisions by hand, examples of papers, and refusals.
func TestStories(t *testing.T) { allocationtest.Stories(t, Allocators()) }

package tree

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/allocation/allocationtest"
	"contend/router"
	"contend/router/routes"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Jobs share no link under the routings that the allocator is made for.
func TestIsolatedJobsShareNoLink(t *testing.T) {
	for _, shape := range [][3]int{{4, 3, 0}, {2, 5, 0}, {3, 3, 22}, {8, 2, 0}} {
		machine := topologytest.Tree(t, shape[0], shape[1], shape[2])
		checkIsolatedTree(t, fmt.Sprint(shape), machine, 4)
	}
	for name, c := range isolatedTrees() {
		checkIsolatedTree(t, name, topologytest.Fat(t, c), 3)
	}
}

// checkIsolatedTree checks isolated jobs on a tree under both routings, and that at times no fewer
// than least jobs run together.
func checkIsolatedTree(t *testing.T, name string, machine topology.Topology, least int) {
	t.Helper()
	w := router.NewWiring(machine, 1, 1)
	for _, choice := range []routes.UpPort{routes.ByDestination, routes.BySource} {
		x := routes.NewTreeUpDown(w, choice, 0)
		n := allocationtest.CheckIsolated(t, "isolated", makeTree(t, "isolated", machine, nil), w, x,
			machine.Nodes()/2)
		if n < least {
			t.Errorf("%s: at most %d jobs ran together", name, n)
		}
	}
}

// isolatedTrees are fat trees with tapers, bundles, rails and levels of their own sizes.
func isolatedTrees() map[string]topology.FatTreeConfig {
	return map[string]topology.FatTreeConfig{
		"2 to 1":               {Children: []int{8, 6}, Parents: []int{4}},
		"4 to 3":               {Children: []int{8, 5}, Parents: []int{6}},
		"3 to 2, bundles":      {Children: []int{6, 4, 2}, Parents: []int{2, 3}, Bundle: []int{2, 1}},
		"coprime":              {Children: []int{4, 5}, Parents: []int{3}},
		"as many, bundles":     {Children: []int{6, 3, 2}, Parents: []int{2, 3}, Bundle: []int{3, 1}},
		"twice as many":        {Children: []int{3, 4}, Parents: []int{3}, Bundle: []int{2}},
		"3 for 2":              {Children: []int{4, 6}, Parents: []int{6}},
		"taper at the top":     {Children: []int{4, 4, 3}, Parents: []int{4, 2}},
		"taper at the leafs":   {Children: []int{4, 4, 3}, Parents: []int{2, 4}},
		"rails":                {Children: []int{4, 2, 3}, Parents: []int{4, 1}, Rails: 2, Nodes: 23},
		"one child":            {Children: []int{4, 1, 4}, Parents: []int{2, 2}},
		"leaves in two halves": {Children: []int{4, 5, 3}, Parents: []int{2, 5}},
	}
}

// Jobs share no link on drawn fat trees either.
func TestIsolatedJobsShareNoLinkOnDrawnTrees(t *testing.T) {
	stream := rand.New(rand.NewPCG(8, 8))
	for range 25 {
		var c topology.FatTreeConfig
		nodes := 1
		for l := range 2 + stream.IntN(2) {
			m := 1 + stream.IntN(6)
			if nodes*m > 60 {
				m = 2
			}
			nodes *= m
			c.Children = append(c.Children, m)
			if l > 0 {
				c.Parents = append(c.Parents, 1+stream.IntN(5))
				c.Bundle = append(c.Bundle, 1+stream.IntN(3))
			}
		}
		c.Rails = 1 + stream.IntN(2)
		if nodes > 1 {
			checkIsolatedTree(t, fmt.Sprintf("%+v", c), topologytest.Fat(t, c), 1)
		}
	}
}

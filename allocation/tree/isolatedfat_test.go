package tree

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/router/topology"
	"contend/router/topology/topologytest"
)

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

// Neither do they on fat trees that are drawn.
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

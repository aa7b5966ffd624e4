package topology_test

import (
	"math"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
)

// trees are those the conformance kit is run on.
func trees(*testing.T) map[string]*topology.Tree {
	return made(topology.NewTree, map[string]topology.TreeConfig{
		"one router":          {Arity: 5, Levels: 1},
		"one node of a tree":  {Arity: 2, Levels: 3, Nodes: 1},
		"2-ary 4-tree":        {Arity: 2, Levels: 4},
		"3-ary 3-tree":        {Arity: 3, Levels: 3},
		"4-ary 3-tree":        {Arity: 4, Levels: 3},
		"60 of 64":            {Arity: 4, Levels: 3, Nodes: 60},
		"17 of 64":            {Arity: 4, Levels: 3, Nodes: 17},
		"slimmed":             {Arity: 4, Levels: 3, UpPorts: []int{2}},
		"slimmed by level":    {Arity: 3, Levels: 4, UpPorts: []int{3, 1, 2}, Nodes: 70},
		"plain tree":          {Arity: 3, Levels: 3, UpPorts: []int{1}},
		"one router, slimmed": {Arity: 4, Levels: 1, UpPorts: []int{2}},
	})
}

// The sizes of Petrini and Vanneschi: k^n nodes, n·k^(n-1) routers, and in a
// slimmed tree u^l·k^(n-1-l) of them at level l.
func TestTreeSizes(t *testing.T) {
	power := func(a, b int) int { return int(math.Pow(float64(a), float64(b))) }
	for k := 2; k <= 5; k++ {
		for n := 1; n <= 4; n++ {
			m := must.Have(topology.NewTree(topology.TreeConfig{Arity: k, Levels: n}))
			if m.Nodes() != power(k, n) || m.Routers() != n*power(k, n-1) {
				t.Errorf("%d-ary %d-tree: %d nodes under %d routers", k, n, m.Nodes(), m.Routers())
			}
			for u := 1; u <= k; u++ {
				m := must.Have(topology.NewTree(topology.TreeConfig{Arity: k, Levels: n, UpPorts: []int{u}}))
				want := 0
				for l := range n {
					want += power(u, l) * power(k, n-1-l)
				}
				if m.Routers() != want {
					t.Errorf("%d-ary %d-tree with %d ports up: %d routers, want %d", k, n, u, m.Routers(), want)
				}
			}
		}
	}
}

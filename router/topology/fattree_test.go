package topology_test

import (
	"fmt"
	"math"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
)

func fatTree(t *testing.T, c topology.FatTreeConfig) *topology.FatTree {
	t.Helper()
	return must.Have(topology.NewFatTree(c))
}

// fatTrees are those the conformance kit is run on.
func fatTrees(*testing.T) map[string]*topology.FatTree {
	return made(topology.NewFatTree, map[string]topology.FatTreeConfig{
		"one router":     {Children: []int{5}, Rails: 2},
		"leaf and spine": {Children: []int{4, 6}, Parents: []int{2}},
		"bundles":        {Children: []int{2, 3, 2}, Parents: []int{2, 2}, Bundle: []int{2, 3}},
		"one parent":     {Children: []int{3, 2}, Parents: []int{1}, Bundle: []int{3}},
		"rails":          {Children: []int{2, 3}, Rails: 3, Nodes: 5},
		"all": {Children: []int{3, 1, 4}, Parents: []int{2, 3}, Bundle: []int{2, 1}, Rails: 2,
			Nodes: 11},
	})
}

// The sizes of Zahavi's PGFT(h; m; w; p): routers of level l are the nodes over what is below
// each, times W_l; routers joined up have as many links to each parent as the bundle, and the
// links that cross between the halves of the tree are those of the top.
func TestFatTreeSizes(t *testing.T) {
	for _, k := range []struct {
		c                               topology.FatTreeConfig
		nodes, routers, ports, bisected int
	}{
		// 16 nodes a leaf with 4 links up: 4 to 1.
		{topology.FatTreeConfig{Children: []int{16, 8}, Parents: []int{4}}, 128, 8 + 4, 20, 16},
		{topology.FatTreeConfig{Children: []int{2, 2, 2}, Parents: []int{2, 2}, Bundle: []int{1, 2}}, 8,
			4 + 4 + 4, 6, 8},
		{topology.FatTreeConfig{Children: []int{2, 2, 2}, Parents: []int{2, 2}, Bundle: []int{1, 2},
			Rails: 3}, 8, 3 * (4 + 4 + 4), 6, 24},
	} {
		m, cut := fatTree(t, k.c), 0
		top := m.Levels() - 1
		for r := range topology.Router(m.Routers()) {
			level, subtree, _ := m.Place(r)
			for p := range topology.Port(m.Ports()) {
				if to, _, ok := m.Peer(r, p); ok && level == top-1 && to != r {
					if up, _, _ := m.Place(to); up == top && subtree < m.Children(top)/2 {
						cut++ // a link of the left half with the top
					}
				}
			}
		}
		got := fmt.Sprint(m.Nodes(), m.Routers(), m.Ports(), cut)
		if want := fmt.Sprint(k.nodes, k.routers, k.ports, k.bisected); got != want {
			t.Errorf("%+v: %s nodes, routers, ports and links cut, want %s", k.c, got, want)
		}
	}
}

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

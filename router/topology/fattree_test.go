package topology_test

import (
	"fmt"
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

package topology_test

import (
	"fmt"
	"testing"

	"contend/internal/must"
	"contend/netsim/topology"
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

// A fat tree without bundles and rails is the k-ary n-tree of as many ports, link for link.
func TestPlainFatTreeIsTheTree(t *testing.T) {
	tree := must.Have(topology.NewTree(topology.TreeConfig{Arity: 3, Levels: 4,
		UpPorts: []int{3, 1, 2},
		Nodes:   70}))
	m := fatTree(t, topology.FatTreeConfig{Children: []int{3, 3, 3, 3}, Parents: []int{3, 1, 2},
		Nodes: 70})
	for r := range topology.Router(tree.Routers()) {
		for p := range topology.Port(tree.Ports()) {
			a, b, ok := tree.Peer(r, p)
			if c, d, also := m.Peer(r, p); a != c || b != d || ok != also {
				t.Fatalf("port %d of router %d leads to (%d, %d), in the tree to (%d, %d)", p, r, c, d, a, b)
			}
		}
	}
	if m.Routers() != tree.Routers() || m.Nodes() != 70 || m.Ports() != tree.Ports() {
		t.Errorf("%d routers, %d nodes, %d ports", m.Routers(), m.Nodes(), m.Ports())
	}
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

// Links of a bundle join the same two routers, and ports that differ by the number of parents
// are those of a bundle.
func TestBundles(t *testing.T) {
	for name, m := range fatTrees(t) {
		for r := range topology.Router(m.Routers()) {
			level, _, _ := m.Place(r)
			joined := map[topology.Router]int{}
			for p := range m.UpPorts(level) {
				to, _, ok := m.Peer(r, topology.Port(m.DownPorts(level)+p))
				if up, _, _ := m.Place(to); !ok || up != level+1 || m.Rail(to) != m.Rail(r) {
					t.Fatalf("%s: port up %d of router %d leads to router %d", name, p, r, to)
				}
				joined[to]++
			}
			for to, n := range joined {
				if n != m.Bundle(level) {
					t.Errorf("%s: %d links join router %d and router %d, want %d", name, n, r, to, m.Bundle(level))
				}
			}
			if level+1 < m.Levels() && len(joined)*m.Bundle(level) != m.UpPorts(level) {
				t.Errorf("%s: router %d has %d parents", name, r, len(joined))
			}
		}
	}
}

// Fat trees that cannot be are refused by their field.
func TestFatTreesThatCannotBe(t *testing.T) {
	for field, c := range map[string]topology.FatTreeConfig{
		"Children": {},
		"Parents":  {Children: []int{2, 2, 2}, Parents: []int{1, 2, 3}},
		"Bundle":   {Children: []int{2, 2, 2}, Bundle: []int{0, 1}},
		"Rails":    {Children: []int{2, 2}, Rails: 65},
		"Nodes":    {Children: []int{2, 2}, Nodes: 5},
	} {
		refused(t, field, c)
	}
	refused(t, "Children", topology.FatTreeConfig{Children: []int{4, 0}})
	refused(t, "Children", topology.FatTreeConfig{Children: []int{4097}})
	refused(t, "Children", topology.FatTreeConfig{Children: []int{4096, 4096, 2}})
	refused(t, "Children", topology.FatTreeConfig{Children: []int{4, 4}, Parents: []int{4096},
		Bundle: []int{2}})
	refused(t, "Parents", topology.FatTreeConfig{Children: []int{1, 1, 1, 1, 1}, Parents: []int{4096}})
}

func refused(t *testing.T, field string, c topology.FatTreeConfig) {
	t.Helper()
	_, err := topology.NewFatTree(c)
	if bad, ok := err.(*topology.ConfigError); !ok || bad.Field != field {
		t.Errorf("%+v: %v, want an error about %s", c, err, field)
	}
}

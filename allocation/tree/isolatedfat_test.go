package tree

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation/machinetest"
	"contend/internal/must"
	"contend/netsim/topology"
	"contend/router"
	"contend/router/deadlock"
	routes "contend/router/routes/tree"
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
			checkIsolatedTree(t, fmt.Sprintf("%+v", c), machinetest.Fat(t, c), 1)
		}
	}
}

// Classes are no larger than they must be: by following all routes, units of one class, and no
// others, have a link in common in some rows, or meet a unit that has, and so on.
func TestIsolatedClassesAreThoseOfLinks(t *testing.T) {
	for name, c := range isolatedTrees() {
		if c.Nodes = 0; slices.Contains(c.Children, 1) {
			continue // there are no rows to compare
		}
		machine := machinetest.Fat(t, c)
		a := makeTree(t, "isolated", machine, nil).(*isolated)
		for l := range a.levels {
			r := &a.levels[l]
			units := r.span / r.unit
			for u := range units {
				for v := range u {
					if (u-v)%r.classes != 0 && unitsMeet(t, machine, r, l, u, v) {
						t.Errorf("%s: units %d and %d of level %d meet, of %d classes", name, u, v, l, r.classes)
					}
				}
				if u >= r.classes && r.unit == 1 && !unitsMeet(t, machine, r, l, u, u-r.classes) {
					t.Errorf("%s: nodes %d and %d of a leaf never meet, in one of %d classes", name, u,
						u-r.classes, r.classes)
				}
			}
		}
	}
}

// unitsMeet reports whether two jobs, one on unit u of some two rows and one on unit v of some two,
// share a link under d-mod-k.
func unitsMeet(t *testing.T, m *topology.FatTree, r *rowLevel, level, u, v int) bool {
	links := func(unit, i, j int) map[router.Link]bool {
		nodes := append(unitNodes(r, i, unit), unitNodes(r, j, unit)...)
		return linksOf(t, m, routes.ByDestination, nodes)
	}
	rows := m.Children(level + 1)
	for i := range rows {
		for j := range i {
			used := links(u, i, j)
			for k := range rows {
				for h := range k {
					if overlap(used, links(v, k, h)) {
						return true
					}
				}
			}
		}
	}
	return false
}

// linksOf returns the links that packets among some nodes may use.
func linksOf(t *testing.T, m *topology.FatTree, choice routes.UpPort,
	nodes []topology.Node) map[router.Link]bool {
	t.Helper()
	w := router.NewWiring(m, 1, 1)
	x := must.Have(routes.NewUpDown(w, choice, 0))
	foot, used := deadlock.NewFootprint(w, x), map[router.Link]bool{}
	for _, from := range nodes {
		for _, to := range nodes {
			if from != to {
				foot.Links(from, to, func(l router.Link) { used[l] = true })
			}
		}
	}
	return used
}

func overlap(a, b map[router.Link]bool) bool {
	for l := range a {
		if b[l] {
			return true
		}
	}
	return false
}

// A row that a job has in part would need the rest of that row for jobs that do not leave it: a
// job of several rows shares links with the first one under every routing, and a job of that row
// alone shares none under d-mod-k and s-mod-k. Free nodes do not tell which of the two may come.
func TestRowsInPartNeedTheirRest(t *testing.T) {
	m := machinetest.Tree(t, 4, 2, 0).FatTree
	job := []topology.Node{0, 1, 4, 5, 8} // positions 0 and 1 of two leaves, and 0 of a third one
	for _, choice := range []routes.UpPort{routes.ByDestination, routes.BySource, routes.Drawn,
		routes.Adaptive} {
		used := linksOf(t, m, choice, job)
		if other := linksOf(t, m, choice, []topology.Node{9, 13}); !overlap(used, other) {
			t.Errorf("choice %d: position 1 of the third and the fourth leaf has links of its own", choice)
		}
		if other := linksOf(t, m, choice, []topology.Node{9, 10, 11}); overlap(used, other) {
			t.Errorf("choice %d: the rest of the third leaf shares links", choice)
		}
		rest := linksOf(t, m, choice, []topology.Node{10, 11, 14, 15})
		if fixed := choice <= routes.BySource; overlap(used, rest) == fixed {
			t.Errorf("choice %d: other positions of the third leaf share links: %v", choice, fixed)
		}
	}
}

// unitNodes lists the nodes of a unit of a row.
func unitNodes(r *rowLevel, row, unit int) (nodes []topology.Node) {
	for n := range r.unit {
		nodes = append(nodes, topology.Node(row*r.span+unit*r.unit+n))
	}
	return nodes
}

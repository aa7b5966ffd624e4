package tree

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

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

// plainRows are the rows of a level as referenceIsolated sees them: class[u] is the class of unit
// u of each row.
type plainRows struct {
	span, unit, siblings int
	class                []int
	classes              int
}

// plainRowsOf finds the classes of units: those whose positions meet on a link in whatever rows,
// with others that meet one of them, and so on.
func plainRowsOf(m *topology.FatTree, level int) plainRows {
	r := plainRows{span: m.Span(level), unit: 1, siblings: m.Children(level + 1)}
	if level > 0 {
		r.unit = m.Span(level - 1)
	}
	links := m.Width(level+1) * m.Bundle(level)
	meet := func(u, v int) bool {
		for x := u * r.unit; x < (u+1)*r.unit; x++ {
			for y := v * r.unit; y < (v+1)*r.unit; y++ {
				for apart := range links {
					if (x+apart*r.span)%links == y%links {
						return true
					}
				}
			}
		}
		return false
	}
	r.class = slices.Repeat([]int{-1}, r.span/r.unit)
	var mark func(u int)
	mark = func(u int) {
		r.class[u] = r.classes
		for v := range r.class {
			if r.class[v] < 0 && meet(u, v) {
				mark(v)
			}
		}
	}
	for u := range r.class {
		if r.class[u] < 0 {
			mark(u)
			r.classes++
		}
	}
	return r
}

// nodes lists those of a class of a row.
func (r *plainRows) nodes(row, class int) (list []topology.Node) {
	for u, c := range r.class {
		for n := range r.unit {
			if c == class {
				list = append(list, topology.Node(row*r.span+u*r.unit+n))
			}
		}
	}
	return list
}

// common lists the classes that are free in all of some rows.
func (r *plainRows) common(free []bool, first int, rows []int) (common []int) {
	for class := range r.classes {
		if !slices.ContainsFunc(rows, func(row int) bool { return !r.free(free, first+row, class) }) {
			common = append(common, class)
		}
	}
	return common
}

// free reports whether a class of a row is free as a whole.
func (r *plainRows) free(free []bool, row, class int) bool {
	return !slices.ContainsFunc(r.nodes(row, class), func(n topology.Node) bool {
		return int(n) >= len(free) || !free[n]
	})
}

// referenceIsolated tries all sets of rows of all parents, by the bits of numbers.
func referenceIsolated(m *topology.FatTree, free []bool, size int) ([]topology.Node, bool) {
	if list := referenceLeaf(m, free, size); list != nil {
		return list, true
	}
	places := m.Span(m.Levels() - 1)
	for l := range m.Levels() - 1 {
		r := plainRowsOf(m, l)
		each := r.span / r.classes
		all := (size + each - 1) / each
		for waste := 0; waste <= all; waste++ {
			for rows := 2; rows <= min(r.siblings, all); rows++ {
				across := (all + rows - 1) / rows
				if across > r.classes || across*rows-all != waste || across*(rows-1) >= all {
					continue
				}
				for first := 0; first < places/r.span; first += r.siblings {
					if list := r.firstRows(free, first, rows, across); list != nil {
						return list, true
					}
				}
			}
		}
	}
	return nil, false
}

// firstRows returns the nodes of the lexicographically first rows below a parent that have
// enough classes in common, or nil.
func (r *plainRows) firstRows(free []bool, first, rows, across int) (nodes []topology.Node) {
	var best []int
	for set := range 1 << r.siblings {
		if bits.OnesCount(uint(set)) != rows {
			continue
		}
		var list []int
		for row := range r.siblings {
			if set>>row&1 == 1 {
				list = append(list, row)
			}
		}
		if (best == nil || slices.Compare(list, best) < 0) && len(r.common(free, first, list)) >= across {
			best = list
		}
	}
	for _, row := range best {
		for _, class := range r.common(free, first, best)[:across] {
			nodes = append(nodes, r.nodes(first+row, class)...)
		}
	}
	slices.Sort(nodes)
	return nodes
}

// referenceLeaf returns nodes of the tightest leaf, those of classes that are not free as a whole
// first, or nil.
func referenceLeaf(m *topology.FatTree, free []bool, size int) []topology.Node {
	r := plainRows{span: m.Span(0), unit: 1, classes: 1, class: make([]int, m.Span(0))}
	if m.Levels() > 1 {
		r = plainRowsOf(m, 0)
	}
	var best []topology.Node
	for leaf := range m.Span(m.Levels()-1) / r.span {
		var broken, whole []topology.Node
		for class := range r.classes {
			for _, n := range r.nodes(leaf, class) {
				switch {
				case r.free(free, leaf, class):
					whole = append(whole, n)
				case int(n) < len(free) && free[n]:
					broken = append(broken, n)
				}
			}
		}
		if list := append(broken, whole...); len(list) >= size && (best == nil || len(list) < len(best)) {
			best = list
		}
	}
	if best != nil {
		best = best[:size]
		slices.Sort(best)
	}
	return best
}

// Decisions on trees and fat trees are those of the reference.
func TestIsolatedAgainstReference(t *testing.T) {
	machines := map[string]*topology.FatTree{}
	for _, shape := range [][3]int{{4, 3, 0}, {2, 5, 0}, {3, 3, 22}, {8, 2, 0}, {5, 1, 0}} {
		machines[fmt.Sprint(shape)] = topologytest.Tree(t, shape[0], shape[1], shape[2]).FatTree
	}
	for name, c := range isolatedTrees() {
		machines[name] = topologytest.Fat(t, c)
	}
	for name, machine := range machines {
		allocationtest.Against(t, name, makeTree(t, "isolated", machine, nil),
			func(rt *rapid.T) []bool { return allocationtest.DrawTreeFree(rt, machine) },
			func(free []bool, size int) ([]topology.Node, bool) {
				return referenceIsolated(machine, free, size)
			})
	}
}

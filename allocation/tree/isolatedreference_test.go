package tree

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation/allocationtest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

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

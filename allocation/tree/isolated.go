package tree

import (
	"fmt"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// isolated gives a job nodes of a tree or a fat tree whose packets share no link with those of
// any other job, under the routings d-mod-k and s-mod-k. It follows Jigsaw [Smith and
// Lowenthal, "Jigsaw: A High-Utilization, Interference-Free Job Scheduler for Fat-Tree
// Clusters", HPDC 2021].
//
// A job in one leaf, the nodes of one router, uses no link between routers. Any other job
// gets, as in Jigsaw, the same positions in each of several subtrees of one level under
// one parent: rows of units, where a unit is a node, a whole leaf, a whole subtree of two
// levels and so on, and a row is a subtree one level above. With tapers, positions are shared
// out in classes; see rowLevel.
//
// Jigsaw also gives a job a part of one more row, and a routing of the job's own within
// that partition. No routing here knows of jobs: packets between that row and the others use
// all links of the job's classes there, of which only the part is the job's own. The rest of
// that row could serve jobs of that row alone, but an allocator sees which nodes are free and
// not for whom: policies ask it about machines of the future. So the rest is reserved with the
// job. The text of the paper was not available; its conditions are taken from the argument at
// rowLevel.
//
// The level is the lowest that has room, and the numbers of rows and of classes in a row are
// those that reserve the fewest nodes, of equals the fewest rows. The parent is the first
// that has such rows. The rows are the first in lexicographic order, and the classes the
// first that all of them have free. Ranks are in node order.
type isolated struct {
	tree   *topology.FatTree
	levels []rowLevel // rows of each level, from the leaves
	shapes []rowShape // memory of rowShapes
	search rowSearch
}

// rowShape is a number of rows and a number of classes in each, the same for all. waste is the
// number of classes beyond those that the job needs.
type rowShape struct{ rows, classes, waste int }

// NewIsolated returns isolated (after Smith and Lowenthal 2021).
func NewIsolated(machine topology.Topology) (*isolated, error) {
	t, ok := topology.FatTreeOf(machine)
	if !ok {
		return nil, fmt.Errorf("allocator isolated needs a tree or a fat-tree; this machine is neither")
	}
	a := &isolated{tree: t}
	for l := range t.Levels() - 1 {
		level := newRowLevel(t, l)
		if level.classes > maxClasses {
			return nil, fmt.Errorf("allocator isolated needs subtrees of at most %d parts with links of "+
				"their own; on level %d of this machine they have %d", maxClasses, l, level.classes)
		}
		a.levels = append(a.levels, level)
	}
	return a, nil
}

// Check implements Allocator. Missing nodes may leave no room for what the reserved ones
// need.
func (a *isolated) Check(req allocation.Request) error {
	if err := req.Check(a.tree.Nodes()); err != nil {
		return err
	}
	if _, ok := a.Allocate(nil, allocation.NewFreeSet(a.tree.Nodes()), req); !ok {
		return fmt.Errorf("asks for %d processors; the machine has no isolated part of that size",
			req.Size)
	}
	return nil
}

// Allocate implements Allocator.
func (a *isolated) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	if len(a.levels) > 0 {
		a.levels[0].loadLeaves(free)
	}
	if leaf, ok := a.leaf(free, req.Size); ok {
		return a.appendLeaf(dst, free, leaf, req.Size), true
	}
	a.search.left = maxSearched
	for l := range a.levels {
		rows, siblings := &a.levels[l], a.tree.Children(l+1)
		if l > 0 {
			rows.load(&a.levels[l-1])
		}
		rows.countRows(siblings)
		for _, shape := range a.rowShapes((req.Size+rows.each-1)/rows.each, siblings, rows.classes) {
			for first := 0; first < len(rows.free); first += siblings {
				if rows.enough(first/siblings, shape) && a.search.find(rows.free[first:first+siblings], shape) {
					for _, row := range a.search.rows {
						dst = rows.appendRow(dst, first+row, a.search.classes)
					}
					return dst, true
				}
			}
		}
	}
	return dst, false
}

// leaf returns the leaf with the fewest free nodes that suffice, the first of equals.
func (a *isolated) leaf(free *allocation.FreeSet, size int) (leaf int, ok bool) {
	span := a.tree.Span(0)
	minFree := span + 1
	for i := 0; i*span < a.tree.Nodes(); i++ {
		if n := free.CountIn(i*span, span); n >= size && n < minFree {
			leaf, minFree = i, n
		}
	}
	return leaf, minFree <= span
}

// appendLeaf appends size free nodes of a leaf: first those of classes that are free in part, which
// leaves whole ones to jobs of several leaves.
func (a *isolated) appendLeaf(dst []topology.Node, free *allocation.FreeSet, leaf,
	size int) []topology.Node {
	span := a.tree.Span(0)
	if len(a.levels) == 0 || a.levels[0].classes == span {
		return free.AppendFirst(dst, leaf*span, span, size)
	}
	rows, start := &a.levels[0], len(dst)
	for whole := range 2 {
		for class := 0; class < rows.classes; class++ {
			if int(rows.free[leaf]>>class&1) != whole {
				continue
			}
			for at := class; at < span && len(dst)-start < size; at += rows.classes {
				dst = free.AppendFirst(dst, leaf*span+at, 1, 1)
			}
		}
	}
	slices.Sort(dst[start:])
	return dst
}

// rowShapes returns the shapes that hold all classes of a job and would not with a row less, in the
// order in which they are tried: those of least waste first.
func (a *isolated) rowShapes(all, siblings, classes int) []rowShape {
	a.shapes = a.shapes[:0]
	for rows := 2; rows <= min(siblings, all); rows++ {
		across := (all + rows - 1) / rows
		if across <= classes && across*(rows-1) < all {
			a.shapes = append(a.shapes, rowShape{rows, across, across*rows - all})
		}
	}
	slices.SortStableFunc(a.shapes, func(x, y rowShape) int { return x.waste - y.waste })
	return a.shapes
}

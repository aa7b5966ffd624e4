package tree

import (
	"fmt"
	"math/bits"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// isolated gives a job nodes of a tree or a fat tree such that the job's packets share no link with
// those of any other job, under the routings d-mod-k and s-mod-k. It follows Jigsaw [Smith and
// Lowenthal, "Jigsaw: A High-Utilization, Interference-Free Job Scheduler for Fat-Tree Clusters",
// HPDC 2021].
//
// A job in one leaf, the nodes of one router, uses no link between routers. As in Jigsaw, any other
// job gets rows of units: the same positions in each of several subtrees of one level under one
// parent. A unit is a node, a whole leaf, a whole subtree of two levels and so on, and a row is a
// subtree one level above its units. With tapers, positions are divided into classes; see rowLevel.
//
// Jigsaw also gives a job a part of one more row, and a separate routing within that partition. No
// routing here depends on jobs: packets between that row and the others use all links of the job's
// classes there, of which the job would own a part only. The rest of that row could serve jobs
// within the row, but an allocator knows which nodes are free and not for whom, because policies
// call it for future states of the machine. So the rest of the row is reserved with the job. The
// text of the paper was not available; its conditions are taken from the argument at rowLevel.
//
// The level is the lowest with room. The numbers of rows and of classes in a row reserve the fewest
// nodes, and among equals have the fewest rows. The parent is the first with such rows. The rows
// are the first in lexicographic order, and the classes are the first that are free in all of these
// rows. Ranks are in node order.
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

// Check implements Allocator. A tree that lacks nodes may have no room for the nodes that a job
// reserves beyond those it uses.
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

// appendLeaf appends size free nodes of a leaf: first nodes of classes that are free in part, which
// leaves free classes to jobs of several leaves.
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

// rowShapes returns the shapes that hold all classes of a job but not with one row less, in the
// order in which they are tried: lowest waste first.
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

// rowLevel holds the rows of a level, its subtrees, with the free classes of each.
//
// Jobs share no links for the following reason. Let a subtree of the level have room for S nodes,
// and M links up. d-mod-k sends a packet up from a subtree by the link with the number of its
// destination modulo M, and down into a subtree by the link with that number modulo M. s-mod-k uses
// the number of the source; up and down change places. So in a subtree that two jobs leave, their
// links differ if the numbers of their nodes inside differ modulo M and the numbers of their nodes
// outside do too.
//
// Numbers of different subtrees differ by multiples of S. So nodes at two positions that differ
// modulo G, the greatest common divisor of S and M, never share a link, in any two subtrees. Nodes
// at positions that are equal modulo G share links if there are M/G subtrees. Units, the subtrees
// one level down, that have positions in common modulo G form a class. A unit of s nodes covers s
// consecutive residues of the G, so unit u has class u modulo G/s; if G is not a multiple of s, one
// class has all units. A job has the same classes in all of its rows, each class with all of its
// nodes. Different jobs have different classes in a row, so different links.
//
// Below this level, a unit belongs to one job alone. Above it, the job sends nothing. Jobs within a
// unit or a row do not leave it, and use no links of this level.
//
// In a k-ary n-tree S and M are equal, so that each unit is a class. If a leaf has half as many
// links up as down, two nodes form a class; if M and S have no common divisor, a row is one class.
// Planes of several rails are equal, and a packet stays in one plane.
type rowLevel struct {
	nodes   int // of the machine
	span    int // S
	unit    int // nodes of a unit
	classes int // of a row
	each    int // nodes of a class
	// free holds, for each row, a bit for each class that is free as a whole.
	free []uint64
	// atLeast[p·(classes+1)+c] is the number of rows below parent p with at least c free classes.
	atLeast []int32
}

// maxClasses bounds the classes of a row, as they are the bits of a word.
const maxClasses = 64

// newRowLevel returns the rows of a level with the classes of their units.
func newRowLevel(t *topology.FatTree, level int) rowLevel {
	r := rowLevel{nodes: t.Nodes(), span: t.Span(level), unit: 1, classes: 1}
	if level > 0 {
		r.unit = t.Span(level - 1)
	}
	own, links := r.span, t.Width(level)*t.UpPorts(level)
	for links > 0 {
		own, links = links, own%links
	}
	if own%r.unit == 0 {
		r.classes = own / r.unit
	}
	r.each = r.span / r.classes
	r.free = make([]uint64, t.Span(t.Levels()-1)/r.span)
	return r
}

// all returns the bits of all classes.
func (r *rowLevel) all() uint64 { return ^uint64(0) >> (64 - r.classes) }

// loadLeaves sets free for leaves, whose units are nodes.
func (r *rowLevel) loadLeaves(free *allocation.FreeSet) {
	from, step, all := 0, r.classes, r.all()
	for leaf := range r.free {
		whole := all
		for end := from + r.span; from < end; from += step {
			if from >= r.nodes {
				whole = 0 // nodes that are missing are not free
				continue
			}
			whole &= free.Window(from, min(step, r.nodes-from))
		}
		r.free[leaf] = whole
	}
}

// load sets free from the rows one level down, which are the units of these rows.
func (r *rowLevel) load(down *rowLevel) {
	row, class, left := 0, 0, r.span/r.unit
	all, whole := down.all(), r.all()
	for _, free := range down.free {
		if free != all {
			whole &^= 1 << class
		}
		if class++; class == r.classes {
			class = 0
		}
		if left--; left == 0 {
			r.free[row] = whole
			row, whole, left = row+1, r.all(), r.span/r.unit
		}
	}
}

// countRows sets atLeast: for each parent of siblings rows, the rows with at least n free classes.
func (r *rowLevel) countRows(siblings int) {
	width := r.classes + 1
	if r.atLeast == nil {
		r.atLeast = make([]int32, len(r.free)/siblings*width)
	}
	clear(r.atLeast)
	rows, atLeast := r.free, r.atLeast
	for ; len(rows) > 0; rows, atLeast = rows[siblings:], atLeast[width:] {
		for _, free := range rows[:siblings] {
			atLeast[bits.OnesCount64(free)]++
		}
		for i := r.classes - 1; i >= 0; i-- {
			atLeast[i] += atLeast[i+1]
		}
	}
}

// enough reports whether the rows below a parent have enough free classes for a shape. These rows
// may lack common free classes.
func (r *rowLevel) enough(parent int, shape rowShape) bool {
	return int(r.atLeast[parent*(r.classes+1)+shape.classes]) >= shape.rows
}

// appendRow appends the nodes of some classes of a row, in their order.
func (r *rowLevel) appendRow(dst []topology.Node, row int, classes uint64) []topology.Node {
	for u := range r.span / r.unit {
		if classes>>(u%r.classes)&1 == 0 {
			continue
		}
		for n := range r.unit {
			dst = append(dst, topology.Node(row*r.span+u*r.unit+n))
		}
	}
	return dst
}

// maxSearched bounds the rows that isolated tries in one decision, over all levels, shapes and
// parents. Beyond this bound the job waits, although there may be room. The bound keeps a decision
// below a millisecond.
const maxSearched = 100_000

// rowSearch finds rows with enough free classes in common, by backtracking.
type rowSearch struct {
	rows    []int  // the rows found, ascending
	classes uint64 // the classes, as bits, that the job gets of each
	left    int    // rows that may still be tried
}

// find reports whether shape.rows rows have shape.classes free classes in common, and sets rows
// and classes to the first such ones.
func (s *rowSearch) find(free []uint64, shape rowShape) bool {
	s.rows = s.rows[:0]
	if !s.extend(free, 0, ^uint64(0), shape) {
		return false
	}
	for n := bits.OnesCount64(s.classes); n > shape.classes; n-- {
		s.classes &^= 1 << (63 - bits.LeadingZeros64(s.classes)) // the first ones stay
	}
	return true
}

// extend adds rows, from number from on, until the shape has all of its rows, and reports whether it
// succeeded. common are the classes that all rows so far have free.
func (s *rowSearch) extend(free []uint64, from int, common uint64, shape rowShape) bool {
	missing := shape.rows - len(s.rows)
	if missing == 0 {
		s.classes = common
		return true
	}
	for row := from; row+missing <= len(free); row++ {
		if s.left--; s.left < 0 {
			return false
		}
		both := common & free[row]
		if bits.OnesCount64(both) < shape.classes {
			continue
		}
		s.rows = append(s.rows, row)
		if s.extend(free, row+1, both, shape) {
			return true
		}
		s.rows = s.rows[:len(s.rows)-1]
	}
	return false
}

package tree

import (
	"math/bits"

	"contend/allocation"
	"contend/router/topology"
)

// rowLevel holds the rows of a level, its subtrees, with the free classes of each.
//
// Why links are a job's own. Let a subtree of the level have room for S nodes, and M links up.
// d-mod-k leads a packet from a subtree up by the link of the number of its destination modulo M,
// and down into a subtree by the link of that number modulo M. For s-mod-k it is the source; up
// and down change places. So in a subtree that two jobs leave, their links differ if the
// numbers of their nodes inside differ modulo M, and those of their nodes outside do.
//
// Numbers of different subtrees differ by multiples of S. Two positions in a subtree that differ
// modulo G, the greatest common divisor of S and M, therefore never meet, in whatever
// subtrees. Positions that are equal modulo G meet, if there are M/G subtrees. Units, the
// subtrees one level down, that have positions in common modulo G form a class. A unit of s nodes
// covers s of the G residues in a row, so unit u is of class u modulo G/s, or there is one class
// of all units, if G is no multiple of s. A job has the same classes in all of its rows, each of
// them as a whole, with all nodes. Different jobs have different classes in a row, so different
// links.
//
// Below, a unit belongs to one job altogether. Above, the job sends nothing. Jobs within a unit or
// a row do not leave it, and take nothing of the links of this level.
//
// In a k-ary n-tree S and M are equal, so that each unit is a class. Where half as many
// links lead up from a leaf as down, two nodes are a class; where M and S have no common
// divisor, a row is. Planes of several rails are alike, and a packet stays in one.
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

// enough reports whether the rows below a parent have enough free classes for a shape. They may
// lack common ones.
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

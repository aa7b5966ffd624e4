package plot

import (
	"fmt"
	"math"
	"slices"

	"contend/experiments/config"
	"contend/router/topology"
)

// leavesInRow returns the maximum number of leaves in a row of a tree, at which leaves are
// wide enough to see.
func leavesInRow(nodes int) int { return min(64, int(4*math.Sqrt(float64(nodes)))) }

// maxLeafNodes is the maximum number of nodes below a router of the lowest level of a tree that
// is drawn in rows.
const maxLeafNodes = 128

// childrenOf returns the number of nodes or subtrees below a router of each level of a tree, nil
// for any other machine.
func childrenOf(m topology.Topology) (children []int) {
	if t, ok := topology.FatTreeOf(config.Unwrap(m)); ok {
		for l := range t.Levels() {
			children = append(children, t.Children(l))
		}
	} else if t, ok := m.(topology.Hierarchy); ok {
		children = slices.Repeat([]int{t.Arity()}, t.Levels())
	}
	return children
}

// Measures of a row of a tree: leaves are two units high, below a bar for each level.
const (
	leafHigh = 2.0
	barPitch = 0.6  // of a level with the room below it
	barRoom  = 0.3  // below a bar
	treeGap  = 0.25 // between the leaves of two routers, for each level up to their common one
)

// treeRows is a tree cut into rows of whole subtrees, those below a router of the lowest level
// at least.
type treeRows struct {
	nodes, leaf  int     // nodes of the tree, and below a router of the lowest level
	spans        []int   // nodes below a router of each level within a row
	span, rows   int     // nodes of a row, and rows
	beside       int     // rows side by side, so that the page is about as high as wide, or less
	wide, tall   float64 // size of a row
	lines, pitch float64 // lines of rows, and the distance from one to the next
}

// newTreeRows cuts a tree with the given numbers of children by level into rows.
func newTreeRows(nodes int, children []int) *treeRows {
	t := &treeRows{nodes: nodes, leaf: children[0], span: children[0], spans: children[:1:1]}
	for _, c := range children[1:] {
		if t.span*c > leavesInRow(nodes) {
			break
		}
		t.span *= c
		t.spans = append(t.spans, t.span)
	}
	t.rows = (nodes + t.span - 1) / t.span
	t.wide = float64(t.span) + t.gap(t.span-1)
	t.tall = leafHigh + barPitch*float64(len(t.spans))
	t.pitch = t.tall + 1
	for t.beside = 1; ; t.beside++ {
		t.lines = math.Ceil(float64(t.rows) / float64(t.beside))
		if t.lines*t.pitch <= 1.05*float64(t.beside)*(t.wide+layerGap) || t.beside >= t.rows {
			return t
		}
	}
}

// gap returns the room before leaf n of its row.
func (t *treeRows) gap(n int) (room float64) {
	for _, below := range t.spans[:len(t.spans)-1] {
		room += float64(n/below) * treeGap
	}
	return room
}

// corner returns the upper left corner of a row.
func (t *treeRows) corner(row int) (x, y float64) {
	return float64(row%t.beside) * (t.wide + layerGap),
		t.lines*t.pitch - 1 - float64(row/t.beside)*t.pitch
}

// treeFloor draws the leaves of a tree. Above those of a row, a bar for each subtree within it
// stands for the routers of the subtree's root.
func treeFloor(nodes int, children []int) *FloorPlan {
	t := newTreeRows(nodes, children)
	f := &FloorPlan{Cells: make([]cellPlace, nodes), Height: t.lines*t.pitch - 1,
		Width: float64(t.beside)*(t.wide+layerGap) - layerGap}
	for n := range nodes {
		row, at := n/t.span, n%t.span
		x, y := t.corner(row)
		column := row%t.beside*(2*t.span+2) + at
		if len(t.spans) > 1 {
			column += at / t.leaf // leaves of two routers are no neighbours
		}
		f.Cells[n] = cellPlace{x + float64(at) + t.gap(at), y - t.tall, 1, leafHigh, column,
			-2 * (row / t.beside)}
	}
	for row := range t.rows {
		x, top := t.corner(row)
		for l, below := range t.spans {
			y := top - t.tall + leafHigh + barPitch*float64(l)
			for first := 0; first < t.span && row*t.span+first < nodes; first += below {
				last := min(first+below, min(t.span, nodes-row*t.span)) - 1
				f.Outlines = append(f.Outlines, Tile{X0: x + float64(first) + t.gap(first),
					X1: x + float64(last) + t.gap(last) + 1, Y0: y + barRoom, Y1: y + barPitch,
					Fill: Dark})
			}
		}
	}
	f.Below = t.text()
	return f
}

// text explains the rows to a reader.
func (t *treeRows) text() string {
	above, rows := "the routers of level 0", "in a row"
	if len(t.spans) > 1 {
		above = fmt.Sprintf("router levels 0 to %d", len(t.spans)-1)
	}
	if t.beside > 1 {
		rows = "in a block"
	}
	return fmt.Sprintf("Leaves in order of number, %d %s, below %s", t.span, rows, above)
}

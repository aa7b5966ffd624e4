package floor

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments/plot"
	"contend/router/topology"
)

// Plan is a drawing of a machine: a place for each node, in units of a node's side, with y
// upwards.
type Plan struct {
	Cells         []cellPlace // of each node
	Width, Height float64
	Headings      []plot.Text   // of layers and rows
	Outlines      []plot.Tile   // of routers without nodes and of levels
	Strokes       []plot.Stroke // around layers
	Below         string        // label below
}

// cellPlace is the place of a node. Nodes whose columns and rows are next to each other are
// neighbours in the drawing.
type cellPlace struct {
	X, Y, W, H  float64
	Column, Row int
}

// NewPlan returns the drawing of a machine. A mesh or torus is a grid, in layers if it has
// more than two dimensions. A tree is its leaves, each row below the levels of its routers.
// All other machines are rows of nodes in the order of their numbers, a row for each group where
// the machine has groups alike.
func NewPlan(m topology.Topology) *Plan {
	if g, ok := gridOf(m); ok {
		return gridFloor(g)
	}
	if children := childrenOf(m); children != nil && children[0] <= maxLeafNodes {
		return treeFloor(m.Nodes(), children)
	}
	columns, grouped := columnsOf(m)
	f := numberFloor(m.Nodes(), columns)
	if grouped {
		f.Below = fmt.Sprintf("A group of %d nodes in each row, group 0 at the top", columns)
	}
	return f
}

// gridOf returns the grid of a machine that is drawn as a plane or layers.
func gridOf(m topology.Topology) (topology.Grid, bool) {
	g, ok := topology.Unwrap(m).(topology.Grid)
	return g, ok && hasLayers(g.Dims())
}

// hasLayers reports whether a grid is drawn as a plane or layers: it has two to four dimensions,
// and is no hypercube.
func hasLayers(dims []int) bool {
	return len(dims) >= 2 && len(dims) <= 4 && slices.Max(dims) > 2
}

// columnsOf returns the number of nodes in a row of a machine that is drawn in order of number,
// and whether a row is a group.
func columnsOf(m topology.Topology) (columns int, grouped bool) {
	root := int(math.Ceil(math.Sqrt(float64(m.Nodes()))))
	if each := nodesOfGroup(m); each*4 >= root && each <= root*4 {
		return each, true
	}
	for _, c := range []int{4, 8, 10, 16, 20, 32, 40, 50, 64, 100, 128} {
		if c >= root {
			return c, false
		}
	}
	return root, false
}

// nodesOfGroup returns the number of nodes of each group of a machine, whose numbers follow each
// other. It returns 0 if groups differ in this or there are none.
func nodesOfGroup(m topology.Topology) int {
	g, ok := topology.Unwrap(m).(topology.Grouped)
	if !ok || g.Groups() < 2 || m.Nodes()%g.Groups() != 0 {
		return 0
	}
	each := m.Nodes() / g.Groups()
	for n := range m.Nodes() {
		if r, _ := m.Attach(topology.Node(n)); g.Group(r) != n/each {
			return 0
		}
	}
	return each
}

// layerGap is the room between layers, and above them for their headings.
const layerGap = 1.2

// gridFloor draws the layers of a grid.
func gridFloor(g topology.Grid) *Plan {
	dims := g.Dims()
	l := layersOf(dims)
	w, h := float64(dims[0]), float64(dims[1])
	f := &Plan{Cells: make([]cellPlace, g.Nodes()), Width: l.width, Height: l.height,
		Headings: l.headings(dims)}
	for r := range topology.Router(g.Routers()) {
		x, y := l.at(g, r)
		first, n := g.NodesAt(r)
		if n == 0 {
			f.Outlines = append(f.Outlines, plot.Tile{X0: x, X1: x + 1, Y0: y, Y1: y + 1,
				Fill: plot.Faint})
		}
		for i := range n {
			f.Cells[int(first)+i] = cellPlace{x + float64(i)/float64(n), y, 1 / float64(n), 1,
				layerNumber(g, r)*(dims[0]*n+2) + g.Coordinate(r, 0)*n + i, g.Coordinate(r, 1)}
		}
	}
	for layer := range l.count {
		x, y := l.corner(layer)
		f.Strokes = append(f.Strokes, rectangle(x, y, x+w, y+h))
	}
	return f
}

// rectangle returns the outline of a rectangle.
func rectangle(x0, y0, x1, y1 float64) plot.Stroke {
	return plot.Stroke{X: []float64{x0, x1, x1, x0, x0, x1}, Y: []float64{y0, y0, y1, y1, y0, y0},
		Bold: true}
}

// layersOf returns the layers of a grid, as many side by side as make the page about as high as
// wide, or less.
func layersOf(dims []int) *layers {
	count, columns, head := 1, 1, 0.0
	for _, d := range dims[2:] {
		count *= d
	}
	if count > 1 {
		head = layerGap
	}
	for ; columns < count; columns++ {
		rows := (count + columns - 1) / columns
		if float64(rows)*(float64(dims[1])+layerGap) <=
			1.05*float64(columns)*(float64(dims[0])+layerGap) {
			break
		}
	}
	rows := (count + columns - 1) / columns
	wide, high := float64(dims[0]), float64(dims[1])+head
	return &layers{count, columns, wide, high,
		float64(columns)*(wide+layerGap) - layerGap, float64(rows) * high}
}

// layerNumber returns the layer of a router: its coordinates from the third on as one number.
func layerNumber(g topology.Grid, r topology.Router) int {
	layer, stride := 0, 1
	for d := 2; d < len(g.Dims()); d++ {
		layer += stride * g.Coordinate(r, d)
		stride *= g.Dims()[d]
	}
	return layer
}

// layerName names a layer by its coordinates.
func layerName(dims []int, layer int) string {
	var parts []string
	for d := 2; d < len(dims); d++ {
		parts = append(parts, fmt.Sprintf("%s = %d", string("xyzw"[d]), layer%dims[d]))
		layer /= dims[d]
	}
	return strings.Join(parts, ", ")
}

// numberFloor draws nodes in order of number, row by row from the top.
func numberFloor(nodes, columns int) *Plan {
	rows := (nodes + columns - 1) / columns
	f := &Plan{Cells: make([]cellPlace, nodes), Width: float64(columns), Height: float64(rows)}
	for n := range nodes {
		x, y := n%columns, rows-1-n/columns
		f.Cells[n] = cellPlace{float64(x), float64(y), 1, 1, x, y}
	}
	f.Below = fmt.Sprintf("Nodes in order of number, %d in a row, node 0 at the top left", columns)
	return f
}

// layers are the layers of a grid in rows, the first at the top left.
type layers struct {
	count, columns int     // layers, and layers side by side
	wide, high     float64 // size of a layer, with the room for its heading
	width, height  float64 // size of the drawing
}

// headings names several layers by their coordinates.
func (l *layers) headings(dims []int) (texts []plot.Text) {
	for layer := range l.count {
		if x, y := l.corner(layer); l.count > 1 {
			texts = append(texts, plot.Text{X: x + l.wide/2, Y: y + l.high - 0.5*layerGap,
				Words: layerName(dims, layer), Width: l.wide + layerGap, Height: layerGap})
		}
	}
	return texts
}

// corner returns the lower left corner of a layer, with y upwards.
func (l *layers) corner(layer int) (x, y float64) {
	return float64(layer%l.columns) * (l.wide + layerGap),
		l.height - float64(layer/l.columns+1)*l.high
}

// at returns the lower left corner of a router's cell, neighbours 1 apart.
func (l *layers) at(g topology.Grid, r topology.Router) (x, y float64) {
	x, y = l.corner(layerNumber(g, r))
	return x + float64(g.Coordinate(r, 0)), y + float64(g.Coordinate(r, 1))
}

// leavesInRow returns the maximum number of leaves in a row of a tree, at which leaves are
// wide enough to see.
func leavesInRow(nodes int) int { return min(64, int(4*math.Sqrt(float64(nodes)))) }

// maxLeafNodes is the maximum number of nodes below a router of the lowest level of a tree that
// is drawn in rows.
const maxLeafNodes = 128

// childrenOf returns the number of nodes or subtrees below a router of each level of a tree, nil
// for any other machine.
func childrenOf(m topology.Topology) (children []int) {
	if t, ok := topology.FatTreeOf(topology.Unwrap(m)); ok {
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
func treeFloor(nodes int, children []int) *Plan {
	t := newTreeRows(nodes, children)
	f := &Plan{Cells: make([]cellPlace, nodes), Height: t.lines*t.pitch - 1,
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
				f.Outlines = append(f.Outlines, plot.Tile{X0: x + float64(first) + t.gap(first),
					X1: x + float64(last) + t.gap(last) + 1, Y0: y + barRoom, Y1: y + barPitch,
					Fill: plot.Dark})
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

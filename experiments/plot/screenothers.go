package plot

import (
	"math"

	"contend/router"
	"contend/router/topology"
)

// treePlaces draws a tree with its root at the top. The nodes of a router of the lowest level are
// a block below it.
type treePlaces struct {
	tree          *topology.FatTree
	columns, rows int     // of a block of nodes
	pitch         float64 // from block to block
	leaves        int     // routers of the lowest level
	high          float64 // distance of two levels of routers
}

// leastLevel is the least distance of two levels of routers.
const leastLevel = 2.2

func newTreePlaces(t *topology.FatTree) *treePlaces {
	columns := int(math.Ceil(math.Sqrt(float64(t.Children(0)))))
	p := &treePlaces{tree: t, columns: columns, rows: (t.Children(0) + columns - 1) / columns,
		pitch: float64(columns) + 0.5, leaves: (t.Nodes() + t.Children(0) - 1) / t.Children(0)}
	p.high = max(leastLevel, float64(p.leaves)*p.pitch/float64(2*t.Levels()))
	return p
}

// at returns the centre of a router.
func (p *treePlaces) at(r topology.Router) (x, y float64) {
	t := p.tree
	level, subtree, position := t.Place(r)
	leaves := float64(t.Span(level) / t.Children(0))
	first := float64(subtree) * leaves
	beside := float64(t.Rail(r)*t.Width(level)+position) + 0.5 // planes stand beside each other
	x = (first + leaves*beside/float64(t.Rails()*t.Width(level))) * p.pitch
	return x, 0.5 + p.high*float64(t.Levels()-1-level)
}

// above reports whether a router is above an installed node.
func (p *treePlaces) above(r topology.Router) bool {
	level, subtree, _ := p.tree.Place(r)
	return subtree*p.tree.Span(level) < p.tree.Nodes()
}

// place implements placer.
func (p *treePlaces) place(m *Screen) {
	t := p.tree
	for r := range topology.Router(t.Routers()) {
		if x, y := p.at(r); p.above(r) {
			m.Dots = append(m.Dots, x, y)
			m.Width = max(m.Width, x+p.pitch/2)
		}
	}
	top := p.high*float64(t.Levels()-1) + 1.2
	m.Size = 0.86
	for n := range m.X {
		leaf, i := n/t.Children(0), n%t.Children(0)
		m.X[n] = float64(leaf)*p.pitch + 0.75 + float64(i%p.columns)
		m.Y[n] = top + 0.5 + float64(i/p.columns)
	}
	m.Width = max(m.Width, float64(p.leaves)*p.pitch)
	m.Height = top + float64(p.rows)
}

// line implements placer. The two channels between a pair of routers lie side by side.
func (p *treePlaces) line(_ *Screen, from, to router.End) [4]float64 {
	x1, y1 := p.at(from.Router)
	x2, y2 := p.at(to.Router)
	dx, dy := x2-x1, y2-y1
	length := math.Hypot(dx, dy)
	dx, dy = dx/length, dy/length
	const off = 0.07
	near := 0.25
	return [4]float64{x1 + dx*near - dy*off, y1 + dy*near + dx*off,
		x2 - dx*near - dy*off, y2 - dy*near + dx*off}
}

// stripPlaces draws a machine of which only the numbers are known: the nodes row by row in their
// order, and below them the channels row by row in theirs.
type stripPlaces struct {
	topology topology.Topology
	columns  int
	drawn    int     // channels
	top      float64 // of the channels
}

// Distances of the lines that stand for channels.
const (
	lineWide = 0.5
	lineHigh = 0.4
)

// place implements placer.
func (p *stripPlaces) place(m *Screen) {
	p.columns = max(1, int(math.Ceil(math.Sqrt(2*float64(m.Nodes)))))
	rows := math.Ceil(float64(m.Nodes) / float64(p.columns))
	m.Size = 0.86
	for n := range m.X {
		m.X[n] = float64(n%p.columns) + 0.5
		m.Y[n] = headingHeight + float64(n/p.columns) + 0.5
	}
	m.Width, m.Height = float64(p.columns), headingHeight+rows
	m.Frames = []frame{{"nodes, in order of number", 0.1, 0.75}}
	p.top = m.Height + headingHeight
}

// line implements placer.
func (p *stripPlaces) line(m *Screen, _, _ router.End) [4]float64 {
	columns := max(1, int(m.Width/lineWide))
	x := lineWide * float64(p.drawn%columns)
	y := p.top + lineHigh*(float64(p.drawn/columns)+0.5)
	if p.drawn == 0 {
		m.Frames = append(m.Frames,
			frame{"channels between routers, in order of number", 0.1, p.top - 0.25})
	}
	p.drawn++
	m.Height = y + lineHigh
	return [4]float64{x + 0.07, y, x + lineWide - 0.07, y}
}

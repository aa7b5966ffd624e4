package floorplan

import (
	"math"

	"contend/netsim/topology"
	"contend/router"
)

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

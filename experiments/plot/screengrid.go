package plot

import (
	"fmt"
	"math"

	"contend/router"
	"contend/router/topology"
)

const (
	// nodeSide is the side of the square of a router's only node, wideSide the same on a map
	// without channels.
	nodeSide = 0.6
	wideSide = 0.88
	// between is the distance of the two channels of neighbours from the line of their centres.
	between = 0.11
	// linkGap is the distance of a channel's line from the squares it joins.
	linkGap = 0.04
	// headingHeight is the room for a heading.
	headingHeight = 1.0
)

// gridPlaces draws a mesh, torus or hypercube. Two dimensions are as they are, with y upwards. A
// third makes layers side by side. With more dimensions, odd ones go to the right and even ones
// upwards, grids of grids. One long dimension is broken into rows.
type gridPlaces struct {
	grid          topology.Grid
	side          float64 // of the nodes of a router
	dims          []int
	x, y          []float64 // centre of a router
	width, height float64
	frames        []frame
}

func newGridPlaces(g topology.Grid, side float64) *gridPlaces {
	p := &gridPlaces{grid: g, side: side, dims: g.Dims()}
	routers := g.Routers()
	p.x, p.y = make([]float64, routers), make([]float64, routers)
	switch {
	case len(p.dims) == 1:
		p.rows()
	case len(p.dims) == 3:
		p.layers()
	default:
		p.nested()
	}
	for r := range routers {
		p.y[r] = p.height - p.y[r]
	}
	for i := range p.frames {
		p.frames[i].Y = p.height - p.frames[i].Y
	}
	return p
}

// at returns the coordinate of a router.
func (p *gridPlaces) at(r, d int) float64 {
	return float64(p.grid.Coordinate(topology.Router(r), d))
}

// rows breaks a single dimension into rows, the first at the bottom.
func (p *gridPlaces) rows() {
	columns := p.dims[0]
	if columns > 32 {
		columns = int(math.Ceil(math.Sqrt(2 * float64(columns))))
	}
	for r := range p.x {
		p.x[r], p.y[r] = float64(r%columns)+0.5, float64(r/columns)+0.5
	}
	p.width = float64(columns)
	p.height = math.Ceil(float64(p.dims[0]) / p.width)
}

// layersAspect is the wanted ratio of width to height of a map of layers.
const layersAspect = 1.4

// layers places the layers of a third dimension in rows, the first one at the top left.
func (p *gridPlaces) layers() {
	wide, high, deep := float64(p.dims[0])+1, float64(p.dims[1])+headingHeight, p.dims[2]
	columns, best := 1, math.Inf(1)
	for c := 1; c <= deep; c++ {
		rows := math.Ceil(float64(deep) / float64(c))
		if off := math.Abs(math.Log(float64(c) * wide / (layersAspect * rows * high))); off < best {
			columns, best = c, off
		}
	}
	l := newLayers(deep, columns, wide-1, high, 1)
	p.width, p.height = l.width, l.height
	for r := range p.x {
		x, y := l.at(p.grid, topology.Router(r))
		p.x[r], p.y[r] = x+0.5, y+0.5
	}
	for z := range deep {
		x, y := l.corner(z)
		p.frames = append(p.frames, frame{fmt.Sprint("z = ", z), x + 0.2,
			y + float64(p.dims[1]) + 0.25})
	}
}

// nested places grids of grids.
func (p *gridPlaces) nested() {
	width, height := float64(p.dims[0]), 1.0
	stride := []float64{1}
	for d, n := range p.dims[1:] {
		extent, gap := &height, 0.4*float64((d+1)/2)
		if d%2 == 1 {
			extent = &width
		}
		stride = append(stride, *extent+gap)
		*extent = float64(n-1)*(*extent+gap) + *extent
	}
	p.width, p.height = width, height
	for r := range p.x {
		p.x[r], p.y[r] = 0.5, 0.5
		for d := range p.dims {
			if d%2 == 0 {
				p.x[r] += p.at(r, d) * stride[d]
			} else {
				p.y[r] += p.at(r, d) * stride[d]
			}
		}
	}
}

// place implements placer. The nodes of a router are a square of squares.
func (p *gridPlaces) place(m *Screen) {
	m.Width, m.Height, m.Frames = p.width, p.height, p.frames
	most := 1
	for r := range p.x {
		_, n := p.grid.NodesAt(topology.Router(r))
		most = max(most, n)
	}
	side := int(math.Ceil(math.Sqrt(float64(most))))
	pitch := p.side / float64(side)
	m.Size = pitch
	if side > 1 {
		m.Size *= 0.85
	}
	for r := range p.x {
		first, n := p.grid.NodesAt(topology.Router(r))
		if n == 0 {
			m.Dots = append(m.Dots, p.x[r], p.y[r])
		}
		for i := range n {
			m.X[int(first)+i] = p.x[r] + pitch*(float64(i%side)-float64(side-1)/2)
			m.Y[int(first)+i] = p.y[r] + pitch*(float64(i/side)-float64(side-1)/2)
		}
	}
}

// line implements placer. Channels of neighbours on the map join their squares. Other channels
// are short: those that go round outwards, those to other layers from the corners.
func (p *gridPlaces) line(_ *Screen, from, to router.End) [4]float64 {
	a, b := int(from.Router), int(to.Router)
	dx, dy := p.x[b]-p.x[a], p.y[b]-p.y[a]
	half := nodeSide/2 + linkGap
	if near := math.Abs(dx) + math.Abs(dy); math.Abs(near-1) < 1e-9 && (dx == 0 || dy == 0) {
		return bar(p.x[a], p.y[a], dx, dy, half, 1-half)
	}
	d, up := stepOf(p.grid, from.Router, to.Router)
	if d < 2 && len(p.dims) > 1 {
		ux, uy := float64(up), 0.0
		if d == 1 {
			ux, uy = 0, -float64(up)
		}
		return bar(p.x[a], p.y[a], ux, uy, half, 0.5)
	}
	return tick(p.x[a], p.y[a], 2*max(0, d-2)+(1-up)/2, 2*max(1, len(p.dims)-2))
}

// bar is a line from near to far off a centre in a direction, to the right of it.
func bar(x, y, dx, dy, near, far float64) [4]float64 {
	x, y = x-dy*between, y+dx*between
	return [4]float64{x + dx*near, y + dy*near, x + dx*far, y + dy*far}
}

// tick is one of several short lines around a square, the first ones at its corners.
func tick(x, y float64, i, of int) [4]float64 {
	angle := -math.Pi/4 - math.Pi*float64(i%2)
	if of > 2 {
		angle = -math.Pi/4 - 2*math.Pi*float64(i)/float64(max(4, of))
	}
	dx, dy := math.Cos(angle), -math.Sin(angle)
	edge := (nodeSide/2 + 0.02) / max(math.Abs(dx), math.Abs(dy))
	return [4]float64{x + dx*edge, y + dy*edge, x + dx*(edge+0.17), y + dy*(edge+0.17)}
}

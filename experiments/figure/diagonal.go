package figure

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// diagonal draws the line on which y is x, and a band around it. Both axes are logarithmic
// or both linear.
type diagonal struct {
	within float64 // half the width of the band, as a part of x
	x, y   scale
}

// diagonalSteps is the number of pieces of an edge of the band.
const diagonalSteps = 64

// Plot implements plot.Plotter.
func (d diagonal) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	along := func(factor float64) (points []vg.Point) {
		for i := range diagonalSteps + 1 {
			part := float64(i) / diagonalSteps
			v := d.x.lo + part*(d.x.hi-d.x.lo)
			if d.x.log {
				v = d.x.lo * math.Pow(d.x.hi/d.x.lo, part)
			}
			points = append(points, vg.Point{X: x(d.x.at(v)), Y: y(d.y.at(v * factor))})
		}
		return points
	}
	fillBetween(c, grid, along(1-d.within), along(1+d.within))
	c.StrokeLines(draw.LineStyle{Color: level, Width: axisWidth}, c.ClipLinesXY(along(1))...)
}

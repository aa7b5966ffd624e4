package plot

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// dots puts what is drawn on the grid of 1/64 of a dot on which gonum's canvas of pixels rounds it.
// Processors differ in the last digits of coordinates, because some fuse a multiplication and an
// addition. Near the middle between two points of the grid that would make other pixels, so ties
// are broken here, by far more than these digits.
type dots struct {
	vg.Canvas
}

// dotGrid is the number of points of the grid in a point of the page.
const dotGrid = 64 * dotsPerInch / vg.Length(72)

func onGrid(x vg.Length) vg.Length {
	const tie = 1e-6
	return vg.Length(math.Floor(float64(x*dotGrid)+0.5+tie)) / dotGrid
}

func (d dots) point(p vg.Point) vg.Point { return vg.Point{X: onGrid(p.X), Y: onGrid(p.Y)} }

// path returns a path on the grid.
func (d dots) path(p vg.Path) vg.Path {
	out := append(vg.Path(nil), p...)
	for i := range out {
		out[i].Pos = d.point(out[i].Pos)
		out[i].Control = nil
		for _, q := range p[i].Control {
			out[i].Control = append(out[i].Control, d.point(q))
		}
	}
	return out
}

// The methods of vg.Canvas that take lengths.

func (d dots) SetLineWidth(w vg.Length) { d.Canvas.SetLineWidth(onGrid(w)) }

func (d dots) SetLineDash(pattern []vg.Length, offset vg.Length) {
	var rounded []vg.Length
	for _, l := range pattern {
		rounded = append(rounded, onGrid(l))
	}
	d.Canvas.SetLineDash(rounded, onGrid(offset))
}

func (d dots) Translate(p vg.Point) { d.Canvas.Translate(d.point(p)) }
func (d dots) Stroke(p vg.Path)     { d.Canvas.Stroke(d.path(p)) }
func (d dots) Fill(p vg.Path)       { d.Canvas.Fill(d.path(p)) }

package figure

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Quartiles make the points of Lines boxes: Y is the median, Low and High are the ends of the
// whiskers.
type Quartiles struct {
	// Lower and Upper are the quartiles, as long as Y.
	Lower, Upper []float64
}

// boxes draws the boxes of a series, of so many side by side, with the series' glyph on the median.
// A box that goes on beyond the axis of y is cut off there: it is open, and a median or an end
// outside is not drawn.
func boxes(s *Series, look int, axis scale, many int) painter {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		col := lineStyle(look).Color
		edge := draw.LineStyle{Color: col, Width: errorWidth}
		half := (x(1) - x(0)) * vg.Length(0.4*dodgeWidth/float64(max(1, many-1)))
		half = min(half, 12)
		for i, v := range s.Y {
			if math.IsNaN(v) {
				continue
			}
			at := x(s.X[i])
			inside := func(v float64) vg.Length { return max(c.Min.Y, min(c.Max.Y, y(v))) }
			across := func(style draw.LineStyle, half vg.Length, v float64) {
				if axis.holds(v) {
					c.StrokeLine2(style, at-half, inside(v), at+half, inside(v))
				}
			}
			q := s.Quartiles
			low, high := inside(q.Lower[i]), inside(q.Upper[i])
			c.StrokeLine2(edge, at, inside(s.Low[i]), at, inside(s.High[i]))
			across(edge, half/2, s.Low[i])
			across(edge, half/2, s.High[i])
			c.FillPolygon(tint(col), []vg.Point{{X: at - half, Y: low}, {X: at + half, Y: low},
				{X: at + half, Y: high}, {X: at - half, Y: high}})
			c.StrokeLine2(edge, at-half, low, at-half, high)
			c.StrokeLine2(edge, at+half, low, at+half, high)
			across(edge, half, q.Lower[i])
			across(edge, half, q.Upper[i])
			if across(draw.LineStyle{Color: col, Width: 1.5 * lineWidth}, half, v); axis.holds(v) {
				c.DrawGlyph(glyphStyle(look), vg.Point{X: at, Y: inside(v)})
			}
		}
	}
}

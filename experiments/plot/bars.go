package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// groupGap is the share of a category's width that stays free between groups of bars.
const groupGap = 0.18

// bars draws groups of bars side by side, with error bars and published values. gonum's
// bar chart has no hatches, and it draws error bars only at the middle of the group. On a
// logarithmic axis it draws points in place of bars.
type bars struct {
	fig Figure
	y   scale
}

// paint draws the bars, their base and the line of a reference.
func (b bars) paint(c draw.Canvas, x, y func(float64) vg.Length) {
	shown := b.fig.shown()
	slot := (x(1) - x(0)) * (1 - groupGap) / vg.Length(len(shown))
	for group := range b.fig.Categories {
		left := x(float64(group)) - slot*vg.Length(len(shown))/2
		for n, i := range shown {
			b.drawBar(c, y, place{left + slot*vg.Length(n), slot}, i, group)
		}
	}
	base := y(b.base())
	c.StrokeLine2(draw.LineStyle{Color: black, Width: axisWidth}, c.Min.X, base, c.Max.X, base)
	if b.fig.hasReference() {
		horizontals(referenceStyle, 1)(c, x, y)
	}
}

// place is the interval of a bar along x. Its error bar and its published value stand at the
// middle.
type place struct{ left, width vg.Length }

// right returns the right end of the interval.
func (p place) right() vg.Length { return p.left + p.width }

// middle returns the middle of the interval.
func (p place) middle() vg.Length { return p.left + p.width/2 }

// base returns the value at which bars start: that of the origin, or of the end of the
// axis nearest to it.
func (b bars) base() float64 {
	if b.y.log {
		return b.y.lo
	}
	return min(max(b.y.origin, b.y.lo), b.y.hi)
}

// drawBar draws the bar of series i in a group, cut off at the ends of the axis.
func (b bars) drawBar(c draw.Canvas, y func(float64) vg.Length, at place, i, group int) {
	s, look := &b.fig.Series[i], b.fig.look(i)
	value := s.Y[group]
	if !math.IsNaN(value) && !b.y.log {
		base, end := y(b.base()), y(value)
		box := vg.Rectangle{
			Min: vg.Point{X: at.left, Y: max(min(base, end), c.Min.Y)},
			Max: vg.Point{X: at.right(), Y: min(max(base, end), c.Max.Y)},
		}
		if flat := minBar - (box.Max.Y - box.Min.Y); flat > 0 && c.ContainsY(end) {
			box.Min.Y, box.Max.Y = box.Min.Y-flat/2, box.Max.Y+flat/2
		}
		if box.Max.Y > box.Min.Y {
			fillBar(c, look, box)
		}
		if end > c.Max.Y {
			cutMark(c, box)
		}
	}
	if s.Published != nil && !math.IsNaN(s.Published[group]) {
		sty := publishedStyle(black)
		sty.Radius = min(sty.Radius, 0.4*at.width)
		b.mark(c, sty, at.middle(), y(s.Published[group]))
	}
	// The whisker crosses a published value at the same place. Its rim parts it from a dark bar.
	if low, high, ok := s.interval(group); ok {
		width := min(capWidth, 0.45*at.width)
		rim := draw.LineStyle{Color: white, Width: errorWidth + 2*rimWidth}
		whisker(c, rim, at.middle(), y(low), y(high), width)
		ink := draw.LineStyle{Color: black, Width: errorWidth}
		whisker(c, ink, at.middle(), y(low), y(high), width)
	}
	if !math.IsNaN(value) && b.y.log {
		b.mark(c, glyphStyle(look), at.middle(), y(value))
	}
}

// rimWidth is the width of the white rim on either side of a whisker.
const rimWidth = vg.Length(0.4)

// minBar is the minimum height of a bar, which shows that a value at the origin is no missing
// one.
const minBar = vg.Length(1)

// mark draws a glyph if y is within the axis.
func (b bars) mark(c draw.Canvas, sty draw.GlyphStyle, x, y vg.Length) {
	if c.ContainsY(y) {
		c.DrawGlyph(sty, vg.Point{X: x, Y: y})
	}
}

// cutMark draws an arrow head at the top of a bar that continues beyond the axis.
func cutMark(c draw.Canvas, box vg.Rectangle) {
	middle, half := (box.Min.X+box.Max.X)/2, min(2, (box.Max.X-box.Min.X)/2)
	c.FillPolygon(white, []vg.Point{
		{X: box.Min.X, Y: box.Max.Y}, {X: box.Min.X, Y: box.Max.Y - 2*half - 1},
		{X: box.Max.X, Y: box.Max.Y - 2*half - 1}, {X: box.Max.X, Y: box.Max.Y},
	})
	c.FillPolygon(black, []vg.Point{
		{X: middle - half, Y: box.Max.Y - 2*half}, {X: middle + half, Y: box.Max.Y - 2*half},
		{X: middle, Y: box.Max.Y},
	})
}

// Quartiles make the points of Lines boxes: Y is the median, Low and High are the ends of the
// whiskers.
type Quartiles struct {
	// Lower and Upper are the quartiles, as long as Y.
	Lower, Upper []float64
}

// boxes draws the boxes of one of n series side by side, with the glyph of the series on the
// median. A box that continues beyond the axis of y is cut off there: it is open, and a median
// or an end outside is not drawn.
func boxes(s *Series, look int, axis scale, n int) painter {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		col := lineStyle(look).Color
		edge := draw.LineStyle{Color: col, Width: errorWidth}
		half := (x(1) - x(0)) * vg.Length(0.4*dodgeWidth/float64(max(1, n-1)))
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
			c.FillPolygon(tint(col), rectangle(at-half, low, at+half, high))
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

// dodgeWidth is the part of a category's width over which the points of its series are spread.
const dodgeWidth = 0.5

// dodge sets the coordinates X of Lines with categories: the points of a category stand side by
// side around its middle.
func (f *Figure) dodge() {
	if f.Kind != Lines || len(f.Categories) == 0 {
		return
	}
	f.Series = slices.Clone(f.Series)
	shown := f.shown()
	for i := range f.Series {
		s, aside := &f.Series[i], 0.0
		if len(shown) > 1 && !s.Reference {
			step := dodgeWidth / float64(len(shown)-1)
			aside = step * (float64(slices.Index(shown, i)) - float64(len(shown)-1)/2)
		}
		s.X = make([]float64, len(s.Y))
		for j := range s.X {
			s.X[j] = float64(j) + float64(aside)
		}
	}
}

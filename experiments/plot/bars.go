package plot

import (
	"image/color"
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
	// The whisker crosses a published value at the same place.
	if low, high, ok := s.interval(group); ok {
		width := min(3.5, 0.45*at.width)
		whisker(c, at.middle(), y(low), y(high), width, black)
	}
	if !math.IsNaN(value) && b.y.log {
		b.mark(c, glyphStyle(look), at.middle(), y(value))
	}
}

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

// whisker draws an error bar. An end within the axis has a cap.
func whisker(c draw.Canvas, x, low, high, width vg.Length, col color.Color) {
	sty := draw.LineStyle{Color: col, Width: errorWidth}
	from, to := max(low, c.Min.Y), min(high, c.Max.Y)
	if to < from || !c.ContainsX(x) {
		return
	}
	c.StrokeLine2(sty, x, from, x, to)
	for _, y := range []vg.Length{low, high} {
		if c.ContainsY(y) {
			c.StrokeLine2(sty, x-width/2, y, x+width/2, y)
		}
	}
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

// dodgeWidth is the part of a category's width, or of the least distance of two positions, over
// which the points of its series are spread.
const dodgeWidth = 0.5

// maxDodge is the maximum distance of two series at a position of a numeric axis: a cap of a
// whisker with a gap.
const maxDodge = vg.Length(5)

// glyphPart is about the height of a glyph as a part of the axis of y. It hides a shorter whisker.
const glyphPart = 0.03

// dodge sets the coordinates X of Lines with categories: the points of a category stand side by
// side.
func (f *Figure) dodge() {
	if f.Kind != Lines || len(f.Categories) == 0 {
		return
	}
	f.Series = slices.Clone(f.Series)
	for i := range f.Series {
		s := &f.Series[i]
		s.X = make([]float64, len(s.Y))
		for j := range s.X {
			s.X[j] = float64(j)
			if n := len(f.shown()); n > 1 {
				s.X[j] += f.sidestep(i, dodgeWidth/float64(n-1))
			}
		}
	}
}

// sidestep returns how far the points of the i-th series stand from their position, if the series
// shown stand side by side around it at the given distance.
func (f Figure) sidestep(i int, step float64) float64 {
	if f.Series[i].Reference {
		return 0
	}
	return float64(step * (float64(f.look(i)) - float64(len(f.shown())-1)/2))
}

// SideBySide reports whether points at the same x of a numeric axis are drawn side by side.
func (f Figure) SideBySide() bool {
	if len(f.Panels) > 0 {
		f = f.panel(0)
	}
	f, err := f.checked()
	return err == nil && f.whiskersMeet()
}

// dodged returns the figure with the points at each position of a numeric axis side by side, if
// whiskers would lie on each other. CSV keeps the positions.
func (f Figure) dodged() Figure {
	if !f.whiskersMeet() {
		return f
	}
	x, _ := f.ranges()
	step := f.dodgeRoom(x) / float64(len(f.shown())-1)
	aside := func(list []Series) []Series {
		list = slices.Clone(list)
		for i := range list {
			s := &list[i]
			s.X = slices.Clone(s.X)
			for j, v := range s.X {
				s.X[j] = x.value(x.part(v) + f.sidestep(i%len(f.Series), step))
			}
		}
		return list
	}
	f.Series, f.ranging = aside(f.Series), aside(f.ranging)
	return f
}

// whiskersMeet reports whether, on a numeric axis of x, a whisker lies on that of another series or
// on its point in one of the panels.
func (f Figure) whiskersMeet() bool {
	if f.categorical() || f.Kind == HeatMap || f.Kind == Lines && f.Bands || len(f.shown()) < 2 ||
		!f.any(func(s Series) bool { return s.Low != nil }) {
		return false
	}
	_, y := f.ranges()
	type bar struct {
		series    int
		low, high float64
	}
	inside := func(v float64) float64 { return min(max(y.part(v), 0), 1) }
	for panel := range slices.Chunk(f.ranged(), len(f.Series)) {
		at := map[float64][]bar{}
		for i := range panel {
			s := &panel[i]
			for j, v := range s.Y {
				if math.IsNaN(v) || s.Reference {
					continue
				}
				b := bar{i, inside(v), inside(v)}
				if low, high, ok := s.interval(j); ok {
					b.low, b.high = inside(low), inside(high)
				}
				for _, o := range at[s.X[j]] {
					if o.series != i && o.low <= b.high && b.low <= o.high &&
						max(o.high-o.low, b.high-b.low) > glyphPart {
						return true
					}
				}
				at[s.X[j]] = append(at[s.X[j]], b)
			}
		}
	}
	return false
}

// dodgeRoom returns the part of the axis of x over which the points of a position may be spread:
// clear of the next position, and of an end that the axis fixes.
func (f Figure) dodgeRoom(x scale) float64 {
	var at []float64
	for _, s := range f.ranged() {
		for _, v := range s.X {
			if x.holds(v) {
				at = append(at, x.part(v))
			}
		}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	steps := vg.Length(len(f.shown()) - 1)
	room := float64(maxDodge * steps / mm(f.WidthMM))
	for i := 1; i < len(at); i++ {
		room = min(room, dodgeWidth*(at[i]-at[i-1]))
	}
	if f.X.Min != nil && len(at) > 0 {
		room = min(room, 2*at[0])
	}
	if f.X.Max != nil && len(at) > 0 {
		room = min(room, 2*(1-at[len(at)-1]))
	}
	return max(room, 0)
}

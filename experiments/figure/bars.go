package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// groupGap is the share of a category's width that stays free between groups of bars.
const groupGap = 0.18

// bars draws groups of bars side by side, with error bars and published values. gonum's
// bar chart has no hatches, and it draws error bars only at the middle of the group.
type bars struct {
	fig Figure
	y   scale
}

// Plot implements plot.Plotter.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	n := len(b.fig.Series)
	slot := (x(1) - x(0)) * (1 - groupGap) / vg.Length(n)
	for group := range b.fig.Categories {
		left := x(float64(group)) - slot*vg.Length(n)/2
		for i := range b.fig.Series {
			place := b.place(left+slot*vg.Length(i), slot)
			b.drawBar(c, y, place, i, group)
		}
	}
	base := y(b.base())
	c.StrokeLine2(draw.LineStyle{Color: black, Width: axisWidth}, c.Min.X, base, c.Max.X, base)
}

// place holds the positions along x of a bar, its error bar and its published value.
type place struct{ left, right, whisker, published vg.Length }

// place divides the slot of a bar. In a wide slot a published value stands beside the
// bar. In a narrow one it stands on the right half of the bar, and the error bar on the
// left half.
func (b bars) place(left, slot vg.Length) place {
	has := false
	for _, s := range b.fig.ranged() {
		has = has || s.Published != nil
	}
	switch {
	case !has:
		return place{left, left + slot, left + slot/2, 0}
	case slot >= 9:
		beside := vg.Length(4.6)
		return place{left, left + slot - beside, left + (slot-beside)/2, left + slot - beside/2}
	}
	return place{left, left + slot, left + 0.27*slot, left + 0.68*slot}
}

// base returns the position at which bars start: that of zero, or of the end of the
// axis nearest to zero.
func (b bars) base() float64 {
	if b.y.log {
		return b.y.at(b.y.lo)
	}
	return min(max(0, b.y.lo), b.y.hi)
}

// drawBar draws the bar of series i in a group, cut off at the ends of the axis.
func (b bars) drawBar(c draw.Canvas, y func(float64) vg.Length, at place, i, group int) {
	s := &b.fig.Series[i]
	value := s.Y[group]
	if !math.IsNaN(value) {
		base, end := y(b.base()), y(b.y.at(value))
		box := vg.Rectangle{
			Min: vg.Point{X: at.left, Y: max(min(base, end), c.Min.Y)},
			Max: vg.Point{X: at.right, Y: min(max(base, end), c.Max.Y)},
		}
		if box.Max.Y > box.Min.Y {
			fillBar(c, i, box)
		}
		if end > c.Max.Y {
			cutMark(c, box)
		}
	}
	if low, high, ok := s.interval(group); ok {
		whisker(c, at.whisker, y(b.y.at(low)), y(b.y.at(high)), min(3.5, 0.45*(at.right-at.left)), black)
	}
	if s.Published != nil && !math.IsNaN(s.Published[group]) {
		sty := publishedStyle(black)
		sty.Radius = min(sty.Radius, 0.3*(at.right-at.left))
		c.DrawGlyph(sty, vg.Point{X: at.published, Y: y(b.y.at(s.Published[group]))})
	}
}

// cutMark draws an arrow head in a bar that continues beyond the axis.
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

// barLook is a colour with a hatch over it.
type barLook struct {
	fill  color.RGBA
	ink   color.Color // colour of the hatch lines
	hatch int         // index into hatches
}

// hatches holds the angles of the lines of each hatch, in degrees.
var hatches = [][]float64{nil, {45}, {0}, {45, -45}, {-45}, {0, 90}, {90}}

// barLooks holds looks that differ from their neighbours in lightness and hatch.
var barLooks = []barLook{
	{blue, white, 0},
	{yellow, black, 1},
	{bluishGreen, white, 2},
	{skyBlue, black, 0},
	{vermillion, white, 3},
	{orange, black, 4},
	{okabeBlack, white, 0},
	{purple, black, 5},
}

// barLookOf returns the look of the i-th series. From the ninth series on the colours
// repeat with other hatches.
func barLookOf(i int) barLook {
	look := barLooks[i%len(barLooks)]
	look.hatch = (look.hatch + i/len(barLooks)) % len(hatches)
	return look
}

// hatchGap is the distance between the lines of a hatch.
const hatchGap = vg.Length(2.4)

// fillBar fills a rectangle with the look of the i-th series.
func fillBar(c draw.Canvas, i int, box vg.Rectangle) {
	look := barLookOf(i)
	corners := []vg.Point{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}}
	c.FillPolygon(look.fill, corners)
	for _, angle := range hatches[look.hatch] {
		var lines vg.Path // one path for all lines keeps files small
		for _, l := range hatchLines(box, angle) {
			lines.Move(l[0])
			lines.Line(l[1])
		}
		c.SetLineStyle(draw.LineStyle{Color: look.ink, Width: hatchWidth})
		c.Stroke(lines)
	}
	c.StrokeLines(draw.LineStyle{Color: black, Width: hatchWidth},
		append(corners, corners[0], corners[1]))
}

// hatchLines returns parallel lines at an angle, cut to the box by gonum's clipping.
func hatchLines(box vg.Rectangle, degrees float64) [][]vg.Point {
	sin64, cos64 := math.Sincos(degrees * math.Pi / 180)
	sin, cos := vg.Length(sin64), vg.Length(cos64)
	size := box.Size()
	reach := size.X + size.Y
	origin := box.Min
	if degrees < 0 {
		origin.Y = box.Max.Y
	}
	var lines [][]vg.Point
	for d := -reach - hatchGap/2; d <= reach; d += hatchGap {
		foot := vg.Point{X: origin.X - d*sin, Y: origin.Y + d*cos}
		lines = append(lines, []vg.Point{
			{X: foot.X - reach*cos, Y: foot.Y - reach*sin}, {X: foot.X + reach*cos, Y: foot.Y + reach*sin},
		})
	}
	clip := draw.Canvas{Rectangle: box}
	return clip.ClipLinesXY(lines...)
}

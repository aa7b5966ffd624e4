package plot

import (
	"image/color"
	"math"

	"contend/experiments/plot/limits"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The palette of Okabe and Ito, "Color Universal Design", 2008, and two dark colours of Tol,
// "Colour Schemes", 2021.
var (
	okabeBlack  = color.RGBA{R: 0, G: 0, B: 0, A: 255}
	orange      = color.RGBA{R: 230, G: 159, B: 0, A: 255}
	skyBlue     = color.RGBA{R: 86, G: 180, B: 233, A: 255}
	bluishGreen = color.RGBA{R: 0, G: 158, B: 115, A: 255}
	blue        = color.RGBA{R: 0, G: 114, B: 178, A: 255}
	vermillion  = color.RGBA{R: 213, G: 94, B: 0, A: 255}
	purple      = color.RGBA{R: 204, G: 121, B: 167, A: 255}
	wine        = color.RGBA{R: 136, G: 34, B: 85, A: 255}
	indigo      = color.RGBA{R: 51, G: 34, B: 136, A: 255}
	lightGrey   = color.RGBA{R: 217, G: 217, B: 217, A: 255}
)

// lineColours are dark and light in turn, so that neighbours differ in print without
// colours. The palette's yellow is lost on white paper.
var lineColours = []color.RGBA{blue, orange, wine, bluishGreen, okabeBlack, purple, indigo,
	vermillion, skyBlue}

// dashes are lengths of dashes and gaps in turn.
var dashes = [][]vg.Length{
	nil,
	{4, 1.6},
	{1.2, 1.2},
	{6, 1.6, 1.2, 1.6},
	{9, 2.5},
	{3, 1.2, 1.2, 1.2, 1.2, 1.2},
	{2.2, 1},
	{10, 1.5, 3, 1.5},
	{1.2, 3},
}

// glyph is a filled shape, possibly with a white interior.
type glyph struct {
	shape draw.GlyphDrawer
	open  bool
}

// glyphs are those of series. Published values have open diamonds, and crosses mark points
// that are crossed out.
var glyphs = []glyph{
	{draw.CircleGlyph{}, false},
	{draw.BoxGlyph{}, true},
	{draw.PyramidGlyph{}, false},
	{draw.CircleGlyph{}, true},
	{draw.BoxGlyph{}, false},
	{draw.PyramidGlyph{}, true},
	{diamond, false},
	{polygon{{-0.9, 0.8}, {0.9, 0.8}, {0, -1.15}}, false},
	{polygon{{-0.4, -1.2}, {0.4, -1.2}, {0.4, -0.4}, {1.2, -0.4}, {1.2, 0.4}, {0.4, 0.4},
		{0.4, 1.2}, {-0.4, 1.2}, {-0.4, 0.4}, {-1.2, 0.4}, {-1.2, -0.4}, {-0.4, -0.4}}, false},
}

// DrawGlyph draws the glyph over a white rim, so that glyphs in a crowd remain
// distinct.
func (g glyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	fill := func(col color.Color, radius vg.Length) {
		c.SetColor(col)
		g.shape.DrawGlyph(c, draw.GlyphStyle{Color: col, Radius: radius}, pt)
	}
	fill(white, sty.Radius+0.4)
	fill(sty.Color, sty.Radius)
	if g.open {
		fill(white, sty.Radius-0.75)
	}
}

// diamond is a square that stands on a corner. gonum has no such glyph.
var diamond = polygon{{-1.2, 0}, {0, -1.2}, {1.2, 0}, {0, 1.2}}

// polygon is a filled polygon with corners in units of the radius.
type polygon [][2]vg.Length

// DrawGlyph implements draw.GlyphDrawer.
func (g polygon) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	corners := make([]vg.Point, len(g))
	for i, p := range g {
		corners[i] = vg.Point{X: pt.X + p[0]*sty.Radius, Y: pt.Y + p[1]*sty.Radius}
	}
	c.FillPolygon(sty.Color, corners)
}

// lineStyle returns the style of the line of the i-th series.
func lineStyle(i int) draw.LineStyle {
	return draw.LineStyle{Color: lineColours[i], Width: lineWidth, Dashes: dashes[i]}
}

// glyphStyle returns the style of the points of the i-th series.
func glyphStyle(i int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: lineColours[i], Radius: glyphSize, Shape: glyphs[i]}
}

// barLook is a colour with a hatch over it.
type barLook struct {
	fill color.RGBA
	ink  color.Color // colour of the hatch lines
	hatch
}

// hatch is a pattern of parallel lines.
type hatch struct {
	angles []float64 // directions of the lines, in degrees
	gap    vg.Length // distance between lines
	width  vg.Length
	dashes []vg.Length // as in stroke
}

// barLooks holds the looks of series in order: the colours of lines, so that a name has one colour
// in figures of both kinds, but light grey for black, on which whiskers would be lost. Neighbours
// differ in lightness and hatch.
var barLooks = [limits.MaxSeries]barLook{
	{blue, white, hatch{}},
	{orange, black, hatch{angles: []float64{45}, gap: 2.4, width: hatchWidth}},
	{wine, white, hatch{angles: []float64{0}, gap: 2.4, width: hatchWidth}},
	{bluishGreen, white, hatch{angles: []float64{45, -45}, gap: 2.4, width: hatchWidth}},
	{lightGrey, black, hatch{angles: []float64{0}, gap: 1.8, width: 0.7,
		dashes: []vg.Length{0.7, 1.6}}},
	{purple, black, hatch{angles: []float64{-45}, gap: 2.4, width: hatchWidth}},
	{indigo, white, hatch{angles: []float64{90}, gap: 1.8, width: hatchWidth}},
	{vermillion, black, hatch{angles: []float64{45}, gap: 5, width: 1.2}},
	{skyBlue, black, hatch{angles: []float64{0, 90}, gap: 2.4, width: hatchWidth}},
}

// fillBar fills a rectangle with the look of the i-th series.
func fillBar(c draw.Canvas, i int, box vg.Rectangle) {
	look := barLooks[i]
	corners := rectangle(box.Min.X, box.Min.Y, box.Max.X, box.Max.Y)
	c.FillPolygon(look.fill, corners)
	for _, angle := range look.angles {
		var lines vg.Path // one path for all lines keeps files small
		for _, l := range hatchLines(box, angle, look.gap) {
			lines.Move(l[0])
			lines.Line(l[1])
		}
		c.SetLineStyle(draw.LineStyle{Color: look.ink, Width: look.width, Dashes: look.dashes})
		if len(lines) > 0 {
			c.Stroke(lines)
		}
	}
	c.StrokeLines(draw.LineStyle{Color: black, Width: hatchWidth}, outline(corners))
}

// hatchLines returns parallel lines at an angle, cut to the box by gonum's clipping.
func hatchLines(box vg.Rectangle, degrees float64, gap vg.Length) [][]vg.Point {
	sin64, cos64 := math.Sincos(degrees * math.Pi / 180)
	sin, cos := vg.Length(sin64), vg.Length(cos64)
	size := box.Size()
	reach := size.X + size.Y
	origin := box.Min
	if degrees < 0 {
		origin.Y = box.Max.Y
	}
	var lines [][]vg.Point
	for d := -reach - gap/2; d <= reach; d += gap {
		foot := vg.Point{X: origin.X - d*sin, Y: origin.Y + d*cos}
		lines = append(lines, []vg.Point{
			{X: foot.X - reach*cos, Y: foot.Y - reach*sin}, {X: foot.X + reach*cos, Y: foot.Y + reach*sin},
		})
	}
	clip := draw.Canvas{Rectangle: box}
	return clip.ClipLinesXY(lines...)
}

// Sizes of type, strokes and gaps, in points.
const (
	labelSize  = vg.Length(8) // labels of axes, title
	tickSize   = vg.Length(7) // labels of ticks, legend
	axisWidth  = vg.Length(0.5)
	lineWidth  = vg.Length(1)
	errorWidth = vg.Length(0.6)
	gridWidth  = vg.Length(0.35)
	hatchWidth = vg.Length(0.4)
	tickLength = vg.Length(2.5)
	// around the page; a point at the end of an axis extends this far beyond it
	margin    = vg.Length(3)
	gap       = vg.Length(4)   // between the parts of the page
	clearance = vg.Length(4)   // least distance of neighbouring tick labels
	glyphSize = vg.Length(1.9) // radius
)

// Greys of a figure.
var (
	black = color.Gray{Y: 0}
	white = color.Gray{Y: 255}
	grid  = color.Gray{Y: 222} // lines of the grid, and the band around a diagonal
	level = color.Gray{Y: 110} // levels, references and thin lines of scenes
)

// publishedStyle returns the style of published values.
func publishedStyle(c color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: c, Radius: 1.7, Shape: glyph{diamond, true}}
}

// crossedStyle returns the style of points that are crossed out.
func crossedStyle(c color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: c, Radius: 3.2, Shape: draw.CrossGlyph{}}
}

// tint returns the colour of a band around a line of colour c.
func tint(c color.Color) color.Color {
	r, g, b, _ := c.RGBA()
	return color.NRGBA{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 56}
}

// sans returns the style of a text of the given size.
func sans(size vg.Length) draw.TextStyle {
	return draw.TextStyle{
		Color:   black,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: text.Plain{Fonts: font.DefaultCache},
	}
}

// newPlot returns an empty gonum plot with this package's theme.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Padding = 0
		a.LineStyle.Width = 0 // layout.draw draws both axes as one stroke around the corner
		a.Tick.Length = tickLength
		a.Tick.LineStyle = draw.LineStyle{Color: black, Width: axisWidth}
		for _, s := range []struct {
			style *text.Style
			size  vg.Length
		}{{&a.Label.TextStyle, labelSize}, {&a.Tick.Label, tickSize}} {
			x, y := s.style.XAlign, s.style.YAlign
			*s.style = sans(s.size)
			s.style.XAlign, s.style.YAlign = x, y
		}
	}
	// gonum centres the line; this centres the digits
	p.Y.Tick.Label.YAlign = -0.58
	p.X.Label.Padding = 2
	p.Y.Label.Padding = 2
	return p
}

// rectangle returns the corners of a rectangle, beginning at the lower left.
func rectangle(x0, y0, x1, y1 vg.Length) []vg.Point {
	return []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

// outline returns a line around the corners that passes the first one again and ends at the
// second, so that all corners are joined alike.
func outline(corners []vg.Point) []vg.Point { return append(corners, corners[:2]...) }

// paper returns a canvas of the size of the page, filled with white.
func paper(to vg.Canvas, size vg.Point) draw.Canvas {
	c := draw.NewCanvas(to, size.X, size.Y)
	c.FillPolygon(white, rectangle(0, 0, size.X, size.Y))
	return c
}

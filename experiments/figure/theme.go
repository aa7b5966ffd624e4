package figure

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

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

var (
	black = color.Gray{Y: 0}
	white = color.Gray{Y: 255}
	grid  = color.Gray{Y: 222}
	level = color.Gray{Y: 110}
)

// The palette of Okabe and Ito, "Color Universal Design", 2008.
var (
	okabeBlack  = color.RGBA{R: 0, G: 0, B: 0, A: 255}
	orange      = color.RGBA{R: 230, G: 159, B: 0, A: 255}
	skyBlue     = color.RGBA{R: 86, G: 180, B: 233, A: 255}
	bluishGreen = color.RGBA{R: 0, G: 158, B: 115, A: 255}
	yellow      = color.RGBA{R: 240, G: 228, B: 66, A: 255}
	blue        = color.RGBA{R: 0, G: 114, B: 178, A: 255}
	vermillion  = color.RGBA{R: 213, G: 94, B: 0, A: 255}
	purple      = color.RGBA{R: 204, G: 121, B: 167, A: 255}
)

// lineColours omits yellow, which is lost on white paper. Neighbours differ in
// lightness too.
var lineColours = []color.RGBA{blue, vermillion, okabeBlack, bluishGreen, purple, skyBlue, orange}

// dashes has a length without a common factor with lineColours, so that 42 lines
// differ.
var dashes = [][]vg.Length{
	nil,
	{4, 1.6},
	{1.2, 1.2},
	{6, 1.6, 1.2, 1.6},
	{8, 2},
	{3, 1.2, 1.2, 1.2, 1.2, 1.2},
}

// glyph is one of gonum's filled shapes, possibly with a white interior.
type glyph struct {
	shape draw.GlyphDrawer
	open  bool
}

var glyphs = []glyph{
	{draw.CircleGlyph{}, false},
	{draw.BoxGlyph{}, true},
	{draw.PyramidGlyph{}, false},
	{draw.CircleGlyph{}, true},
	{draw.BoxGlyph{}, false},
	{draw.PyramidGlyph{}, true},
	{diamond{}, false},
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

// diamond is a filled square that stands on a corner. gonum has no such glyph.
type diamond struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (diamond) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	r := sty.Radius * 1.2
	c.FillPolygon(sty.Color, []vg.Point{
		{X: pt.X - r, Y: pt.Y}, {X: pt.X, Y: pt.Y - r}, {X: pt.X + r, Y: pt.Y}, {X: pt.X, Y: pt.Y + r},
	})
}

// lineStyle returns the style of the i-th series in Lines and Scatter figures;
// glyphStyle returns that of its points.
func lineStyle(i int) draw.LineStyle {
	return draw.LineStyle{Color: lineColours[i%len(lineColours)], Width: lineWidth,
		Dashes: dashes[i%len(dashes)]}
}

func glyphStyle(i int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: lineColours[i%len(lineColours)], Radius: glyphSize,
		Shape: glyphs[i%len(glyphs)]}
}

// publishedStyle returns the style of published values.
func publishedStyle(c color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: c, Radius: 1.7, Shape: glyph{diamond{}, true}}
}

// crossedStyle returns the style of points that are crossed out.
func crossedStyle(c color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: c, Radius: 2.5, Shape: draw.CrossGlyph{}}
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

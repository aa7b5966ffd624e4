package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// MaxSeries is the number of series of a figure that can be told apart, also in grey and by
// the colour-blind. No two of them share a colour, a dash, a glyph or a hatch. A figure
// with more series is refused.
const MaxSeries = 9

// The palette of Okabe and Ito, "Color Universal Design", 2008, and two dark colours of Tol,
// "Colour Schemes", 2021.
var (
	okabeBlack  = color.RGBA{R: 0, G: 0, B: 0, A: 255}
	orange      = color.RGBA{R: 230, G: 159, B: 0, A: 255}
	skyBlue     = color.RGBA{R: 86, G: 180, B: 233, A: 255}
	bluishGreen = color.RGBA{R: 0, G: 158, B: 115, A: 255}
	yellow      = color.RGBA{R: 240, G: 228, B: 66, A: 255}
	blue        = color.RGBA{R: 0, G: 114, B: 178, A: 255}
	vermillion  = color.RGBA{R: 213, G: 94, B: 0, A: 255}
	purple      = color.RGBA{R: 204, G: 121, B: 167, A: 255}
	wine        = color.RGBA{R: 136, G: 34, B: 85, A: 255}
	indigo      = color.RGBA{R: 51, G: 34, B: 136, A: 255}
	lightGrey   = color.RGBA{R: 217, G: 217, B: 217, A: 255}
)

// lineColours are dark and light in turn, so that neighbours differ in print without
// colours. Yellow is lost on white paper.
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
	{diamond{}, false},
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

// diamond is a filled square that stands on a corner. gonum has no such glyph.
type diamond struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (diamond) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	polygon{{-1.2, 0}, {0, -1.2}, {1.2, 0}, {0, 1.2}}.DrawGlyph(c, sty, pt)
}

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

// lineStyle returns the style of the i-th series in Lines and Scatter figures;
// glyphStyle returns that of its points.
func lineStyle(i int) draw.LineStyle {
	return draw.LineStyle{Color: lineColours[i], Width: lineWidth, Dashes: dashes[i]}
}

func glyphStyle(i int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: lineColours[i], Radius: glyphSize, Shape: glyphs[i]}
}

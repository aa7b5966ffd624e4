package plot

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

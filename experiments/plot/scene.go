package plot

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"contend/experiments/plot/limits"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Scene is a figure of rectangles, lines and texts at given places: a machine with its
// nodes and channels, or jobs over time. Places are in units of the scene, with y
// upwards.
type Scene struct {
	// Subject and Description are those of a Figure.
	Subject, Description string
	// X and Y are the ranges of the scene. Their Min and Max are given. With a frame, they
	// are axes with ticks and labels; otherwise only the labels are drawn.
	X, Y Axis
	// Frame draws axes to the left and below.
	Frame bool
	// Equal makes a unit as long along y as along x.
	Equal bool
	// Tiles are drawn first, in this order.
	Tiles []Tile
	// Strokes are drawn over the tiles.
	Strokes []Stroke
	// Texts are drawn last.
	Texts []Text
	// Colour, if it has a label, is the scale of the tiles with a value. It stands beside
	// the scene.
	Colour Axis
	// Table is what CSV holds: a header and rows.
	Table [][]string
	// WidthMM and Aspect are those of a Figure. With Equal, the height follows from the
	// width.
	WidthMM, Aspect float64
}

// Tile is a filled rectangle.
type Tile struct {
	// X0 to X1 and Y0 to Y1 are its place, with X0 < X1 and Y0 < Y1.
	X0, Y0, X1, Y1 float64
	// Fill says what Hue and Value mean.
	Fill Fill
	// Hue is the number of a colour for labelled areas, from 0 to Hues-1.
	Hue int
	// Value is a value of the colour scale.
	Value float64
	// Rim draws a thin line around the tile.
	Rim bool
	// Seamless extends the tile under its right and upper neighbours, which are drawn
	// after it.
	Seamless bool
}

// Fill is the way in which a tile is filled.
type Fill int

const (
	// Blank fills a tile with the white of the paper.
	Blank Fill = iota
	// Hued fills it with the light colour of its Hue.
	Hued
	// Valued fills it with the colour of its Value.
	Valued
	// Faint fills it with light grey.
	Faint
	// Dark fills it with dark grey.
	Dark
)

// Stroke is a line through points.
type Stroke struct {
	// X and Y are the points, two or more.
	X, Y []float64
	// Bold draws it wider than the axes, otherwise it is a thin grey line.
	Bold bool
	// Valued draws it in the colour of its Value instead, and the wider the darker it is.
	Valued bool
	// Value is a value of the colour scale.
	Value float64
}

// Text is a line of text.
type Text struct {
	// X and Y are its middle.
	X, Y float64
	// Words is the text.
	Words string
	// Width and Height are the room for it, in units of the scene. It is left out where
	// it does not fit. The value 0 means any.
	Width, Height float64
}

// Hues is the number of light colours for labelled areas. Black text is legible on each.
const Hues = 8

// maxTiles limits a scene to what a reader can draw.
const maxTiles = 500_000

// checked returns the scene with defaults applied, or an error that says what is wrong.
func (s Scene) checked() (Scene, error) {
	s.WidthMM, s.Aspect = cmp.Or(s.WidthMM, OneColumnMM), cmp.Or(s.Aspect, 0.6)
	switch {
	case !(s.WidthMM >= limits.MinWidthMM && s.WidthMM <= limits.MaxWidthMM):
		return s, fmt.Errorf("figure: width %g mm: want %d to %d", s.WidthMM,
			limits.MinWidthMM, limits.MaxWidthMM)
	case len(s.Tiles) > maxTiles:
		return s, fmt.Errorf("figure: %d tiles: at most %d", len(s.Tiles), maxTiles)
	}
	for i, t := range s.Tiles {
		if err := s.check([]float64{t.X0, t.Y0, t.X1, t.Y1}, t.Fill == Valued, t.Value); err != nil {
			return s, fmt.Errorf("figure: tile %d: %w", i+1, err)
		}
	}
	for i, k := range s.Strokes {
		if err := s.check(slices.Concat(k.X, k.Y), k.Valued, k.Value); err != nil {
			return s, fmt.Errorf("figure: line %d: %w", i+1, err)
		}
	}
	texts := []string{s.X.Label, s.Y.Label, s.Colour.Label}
	for _, t := range s.Texts {
		texts = append(texts, t.Words)
	}
	return s, checkTexts(texts)
}

// check returns an error if numbers of a tile or a line cannot be drawn.
func (s Scene) check(places []float64, valued bool, value float64) error {
	for _, v := range places {
		if err := drawable(v, false); err != nil {
			return err
		}
	}
	if valued {
		return drawable(value, s.Colour.Log)
	}
	return nil
}

// values returns the values of tiles and strokes.
func (s Scene) values() (values []float64) {
	for _, k := range s.Strokes {
		if k.Valued {
			values = append(values, k.Value)
		}
	}
	for _, t := range s.Tiles {
		if t.Fill == Valued {
			values = append(values, t.Value)
		}
	}
	if len(values) == 0 {
		values = []float64{math.NaN()}
	}
	return values
}

// hueColours are light enough for black text (Tol, "Colour Schemes", 2021, light scheme).
// They stand in an order in which the first ones differ most, also in grey.
var hueColours = [Hues]color.RGBA{
	{R: 153, G: 221, B: 255, A: 255}, {R: 238, G: 136, B: 102, A: 255},
	{R: 238, G: 221, B: 136, A: 255}, {R: 68, G: 187, B: 153, A: 255},
	{R: 255, G: 170, B: 187, A: 255}, {R: 119, G: 170, B: 221, A: 255},
	{R: 187, G: 204, B: 51, A: 255}, {R: 170, G: 170, B: 0, A: 255},
}

// Grey returns how light a colour is in print without colours, from 0 for black to 1 for white.
func Grey(red, green, blue uint8) float64 {
	return (0.299*float64(red) + 0.587*float64(green) + 0.114*float64(blue)) / 255
}

// valueWidth is the width that a line of the maximum value has more than one of the minimum, in
// points.
const valueWidth = 1.2

// faint and dark are the greys of Faint and Dark tiles. Faint is lighter than any colour in print
// without colours, and darker than the page.
var (
	faint = color.Gray{Y: 236}
	dark  = color.Gray{Y: 120}
)

// textSizes are the sizes that drawText tries, in order.
var textSizes = []vg.Length{7, 6, 5, 4}

// scenePage is a scene with all its parts in place.
type scenePage struct {
	scene   Scene
	size    vg.Point
	data    vg.Rectangle
	x, y    scale
	xTicks  []plot.Tick
	yTicks  []plot.Tick
	xLabel  string
	yLabel  string
	colours *colourBar // nil if no tile has a value
}

// pageSize returns the size of the page in points.
func (p *scenePage) pageSize() vg.Point { return p.size }

// newScenePage checks a scene and places its parts.
func newScenePage(s Scene) (*scenePage, error) {
	s, err := s.checked()
	if err != nil {
		return nil, err
	}
	p := &scenePage{scene: s, size: vg.Point{X: mm(s.WidthMM)}}
	p.x, p.y = newScale(s.X, *s.X.Min, *s.X.Max, extent{bare: true}),
		newScale(s.Y, *s.Y.Min, *s.Y.Max, extent{bare: true})
	width, height := p.size.X-2*margin, 0.5*p.size.X
	for range 6 { // the room of the ticks and the size of the data depend on each other
		left, bottom, right := p.fitAxes(width, height)
		width = p.size.X - 2*margin - left - right
		height = width * vg.Length(s.Aspect)
		if s.Equal {
			height = width * vg.Length((p.y.hi-p.y.lo)/(p.x.hi-p.x.lo))
		}
		drawn, highest := width, mm(maxHeightMM)-2*margin-bottom
		if s.Equal && height > highest {
			drawn = width * highest / height
		}
		height = min(height, highest)
		p.size.Y = height + 2*margin + bottom
		low := vg.Point{X: margin + left + (width-drawn)/2, Y: margin + bottom}
		p.data = vg.Rectangle{Min: low, Max: low.Add(vg.Point{X: drawn, Y: height})}
	}
	return p, nil
}

// fitAxes chooses the ticks and labels for data of the given size, and returns the room
// that they take.
func (p *scenePage) fitAxes(width, height vg.Length) (left, bottom, right vg.Length) {
	ticks, labels := sans(tickSize), sans(labelSize)
	p.xLabel = wrap(labels, p.x.labelled(p.scene.X.Label), width)
	p.yLabel = wrap(labels, p.y.labelled(p.scene.Y.Label), height)
	if p.scene.Frame {
		p.xTicks = p.x.ticks(sideBySide(ticks, p.x, width))
		p.yTicks = p.y.ticks(onTopOfEachOther(ticks, p.y, height))
		left, bottom = p.tickRoom()
		for _, t := range p.xTicks {
			right = max(right, ticks.Width(t.Label)/2-width*vg.Length(1-p.x.tickPart(t.Value)))
		}
	}
	if p.xLabel != "" {
		bottom += gap/2 + labels.Height(p.xLabel)
	}
	if p.yLabel != "" {
		left += gap/2 + labels.Height(p.yLabel)
	}
	if p.scene.Colour.Label != "" {
		p.colours = newColourBar(Figure{Kind: HeatMap, Colour: p.scene.Colour,
			Series: []Series{{Y: p.scene.values()}}}, height)
		right = p.colours.width
	}
	return left, bottom, right
}

// tickRoom returns the room for ticks with their labels to the left of the data and below.
func (p *scenePage) tickRoom() (left, below vg.Length) {
	if !p.scene.Frame {
		return 0, 0
	}
	ticks := sans(tickSize)
	for _, t := range p.yTicks {
		left = max(left, tickLength+gap/2+ticks.Width(t.Label))
	}
	return left, tickLength + gap/2 + ticks.Height("0")
}

// at returns the place of a point of the scene on the page.
func (p *scenePage) at(x, y float64) vg.Point {
	size := p.data.Size()
	return vg.Point{X: p.data.Min.X + size.X*vg.Length(p.x.part(x)),
		Y: p.data.Min.Y + size.Y*vg.Length(p.y.part(y))}
}

// draw draws the scene on a canvas of the size of the page.
func (p *scenePage) draw(to vg.Canvas) {
	c := paper(to, p.size)
	for _, t := range p.scene.Tiles {
		p.drawTile(c, t)
	}
	thin := p.scene.thinness()
	for _, s := range p.scene.Strokes {
		sty := draw.LineStyle{Color: level, Width: gridWidth}
		if s.Bold {
			sty = draw.LineStyle{Color: black, Width: 1.5 * axisWidth}
		}
		if s.Valued {
			part := p.colours.scale.part(s.Value)
			width := thin * (gridWidth + vg.Length(part)*valueWidth)
			sty = draw.LineStyle{Color: viridis(part), Width: width}
		}
		var line []vg.Point
		for i := range s.X {
			line = append(line, p.at(s.X[i], s.Y[i]))
		}
		c.StrokeLines(sty, line)
	}
	for _, t := range p.scene.Texts {
		p.drawText(c, t)
	}
	p.drawAxes(c)
	if p.colours != nil {
		p.colours.draw(c, vg.Point{X: p.data.Max.X, Y: p.data.Min.Y}, p.data.Max.Y-p.data.Min.Y)
	}
}

// thinness returns the factor for the widths of lines with values, which is below 1 for many of
// them, so that they do not cover each other.
func (s *Scene) thinness() vg.Length {
	lines := 0
	for _, k := range s.Strokes {
		if k.Valued {
			lines++
		}
	}
	return min(1, max(0.3, vg.Length(300)/vg.Length(max(1, lines))))
}

// drawTile fills a rectangle.
func (p *scenePage) drawTile(c draw.Canvas, t Tile) {
	low, high := p.at(t.X0, t.Y0), p.at(t.X1, t.Y1)
	var fill color.Color = white
	switch t.Fill {
	case Hued:
		fill = hueColours[t.Hue]
	case Valued:
		fill = viridis(p.colours.scale.part(t.Value))
	case Faint:
		fill = faint
	case Dark:
		fill = dark
	}
	over := high
	if t.Seamless {
		over = vg.Point{X: min(high.X+seam, p.data.Max.X), Y: min(high.Y+seam, p.data.Max.Y)}
	}
	c.FillPolygon(fill, rectangle(low.X, low.Y, over.X, over.Y))
	if t.Rim {
		c.StrokeLines(draw.LineStyle{Color: black, Width: gridWidth},
			outline(rectangle(low.X, low.Y, high.X, high.Y)))
	}
}

// drawText writes a text in the first of textSizes in which it fits, if any.
func (p *scenePage) drawText(c draw.Canvas, t Text) {
	for _, size := range textSizes {
		sty := sans(size)
		room := vg.Point{X: p.data.Size().X * vg.Length(t.Width/(p.x.hi-p.x.lo)),
			Y: p.data.Size().Y * vg.Length(t.Height/(p.y.hi-p.y.lo))}
		if t.Width > 0 && sty.Width(t.Words)+1.5 > room.X || t.Height > 0 && 0.95*size > room.Y {
			continue
		}
		at := p.at(t.X, t.Y)
		// digits and capitals are 0.7 of the size high
		c.FillText(baseline(sty), vg.Point{X: at.X, Y: at.Y - 0.35*size}, t.Words)
		return
	}
}

// baseline returns the style with its text centred on a point of the baseline.
func baseline(sty draw.TextStyle) draw.TextStyle {
	sty.XAlign = draw.XCenter
	return sty
}

// drawAxes draws the frame with its ticks, and the labels.
func (p *scenePage) drawAxes(c draw.Canvas) {
	line, ticks := draw.LineStyle{Color: black, Width: axisWidth}, sans(tickSize)
	if p.scene.Frame {
		c.StrokeLines(line, []vg.Point{{X: p.data.Min.X, Y: p.data.Max.Y}, p.data.Min,
			{X: p.data.Max.X, Y: p.data.Min.Y}})
		for _, t := range p.xTicks {
			at := p.data.Min.X + p.data.Size().X*vg.Length(p.x.tickPart(t.Value))
			c.StrokeLine2(line, at, p.data.Min.Y, at, p.data.Min.Y-tickMark(t))
			c.FillText(baseline(ticks), vg.Point{X: at,
				Y: p.data.Min.Y - tickLength - gap/2 - 0.72*tickSize}, t.Label)
		}
		right := ticks
		right.XAlign = draw.XRight
		for _, t := range p.yTicks {
			at := p.data.Min.Y + p.data.Size().Y*vg.Length(p.y.tickPart(t.Value))
			c.StrokeLine2(line, p.data.Min.X, at, p.data.Min.X-tickMark(t), at)
			c.FillText(right, vg.Point{X: p.data.Min.X - tickLength - gap/2,
				Y: at - 0.35*tickSize}, t.Label)
		}
	}
	beside, below := p.tickRoom()
	label := sans(labelSize)
	label.XAlign, label.YAlign = draw.XCenter, draw.YTop
	c.FillText(label, vg.Point{X: (p.data.Min.X + p.data.Max.X) / 2,
		Y: p.data.Min.Y - below - gap/2 + label.FontExtents().Descent}, p.xLabel)
	label.Rotation, label.YAlign = math.Pi/2, draw.YBottom
	c.FillText(label, vg.Point{X: p.data.Min.X - beside - gap/2,
		Y: (p.data.Min.Y + p.data.Max.Y) / 2}, p.yLabel)
}

// tickMark returns the length of a tick.
func tickMark(t plot.Tick) vg.Length {
	if t.IsMinor() {
		return tickLength / 2
	}
	return tickLength
}

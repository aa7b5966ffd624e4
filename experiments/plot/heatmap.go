package plot

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// seam is the length by which a cell extends under its right and upper neighbours,
// which are drawn later. Without it, viewers of SVG and PDF show the paper between
// cells.
const seam = vg.Length(0.3)

// cellPainter draws the values of a heat map as filled rectangles. gonum draws an image, which a
// pen does not draw.
func cellPainter(f Figure, colour scale) painter {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		for row, s := range f.Series {
			for column, v := range s.Y {
				box := vg.Rectangle{
					Min: vg.Point{X: x(float64(column) - 0.5), Y: y(float64(row) - 0.5)},
					Max: vg.Point{X: x(float64(column) + 0.5), Y: y(float64(row) + 0.5)},
				}
				fillCell(c, box, colour, v)
			}
		}
	}
}

// fillCell fills a cell. A cell without a value is white.
func fillCell(c draw.Canvas, box vg.Rectangle, s scale, v float64) {
	fill := color.Color(white)
	if !math.IsNaN(v) {
		fill = viridis(s.part(v))
	}
	right, top := min(box.Max.X+seam, c.Max.X), min(box.Max.Y+seam, c.Max.Y)
	c.FillPolygon(fill, rectangle(box.Min.X, box.Min.Y, right, top))
}

// viridisTable holds the colours of viridis (van der Walt and Smith, 2015) at every
// eighth.
var viridisTable = []color.RGBA{
	{68, 1, 84, 255}, {71, 45, 123, 255}, {59, 82, 139, 255}, {44, 114, 142, 255}, {33, 145, 140, 255},
	{40, 174, 128, 255}, {94, 201, 98, 255}, {173, 220, 48, 255}, {253, 231, 37, 255},
}

// viridis returns the colour for t from 0 to 1. High values are dark, so that load
// looks like ink, also in black and white.
func viridis(t float64) color.RGBA {
	t = (1 - min(max(t, 0), 1)) * float64(len(viridisTable)-1)
	i := min(int(t), len(viridisTable)-2)
	a, b, part := viridisTable[i], viridisTable[i+1], t-float64(i)
	mix := func(a, b uint8) uint8 {
		return uint8(math.Round(float64(a) + part*(float64(b)-float64(a))))
	}
	return color.RGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 255}
}

// columnNames returns the labels of the columns of a figure with categories or a heat map.
func columnNames(f Figure) []string {
	names := make([]string, len(f.Series[0].Y))
	for i := range names {
		names[i] = strconv.Itoa(i)
		if len(f.Categories) > 0 {
			names[i] = f.named(f.Categories[i])
		}
	}
	return names
}

// rowNames returns the labels of the rows of a heat map.
func rowNames(f Figure) []string {
	names := make([]string, len(f.Series))
	for i, s := range f.Series {
		names[i] = f.named(s.Name)
	}
	return names
}

// colourBar is the key of a heat map's colours. It stands to the right of the data and
// has the same height.
type colourBar struct {
	scale scale
	ticks []plot.Tick
	label string
	width vg.Length // including the gap before it
}

// Measures of the colour bar.
const (
	colourWidth = vg.Length(7)
	colourSteps = 128
)

// newColourBar chooses the ticks and the label of a bar of the given height.
func newColourBar(f Figure, height vg.Length) *colourBar {
	lo, hi := f.valueRange()
	b := &colourBar{scale: newScale(f.Colour, lo, hi, extent{bare: true})}
	ticks, label := sans(tickSize), sans(labelSize)
	b.ticks = b.scale.ticks(onTopOfEachOther(ticks, b.scale, height))
	b.label = wrap(label, b.scale.labelled(f.Colour.Label), height)
	b.width = 2*gap + colourWidth + b.tickWidth()
	if b.label != "" {
		b.width += gap/2 + label.Height(b.label)
	}
	return b
}

// tickWidth returns the width of ticks with their labels.
func (b *colourBar) tickWidth() (width vg.Length) {
	for _, t := range b.ticks {
		width = max(width, sans(tickSize).Width(t.Label))
	}
	return tickLength + gap/2 + width
}

// draw draws the bar to the right of the data's lower right corner.
func (b *colourBar) draw(c draw.Canvas, corner vg.Point, height vg.Length) {
	left, bottom := corner.X+2*gap, corner.Y
	right, top := left+colourWidth, bottom+height
	for i := range colourSteps {
		low, high := height*vg.Length(i)/colourSteps, min(height*vg.Length(i+1)/colourSteps+seam, height)
		fill := viridis((float64(i) + 0.5) / colourSteps)
		c.FillPolygon(fill, rectangle(left, bottom+low, right, bottom+high))
	}
	line := draw.LineStyle{Color: black, Width: axisWidth}
	c.StrokeLines(line, outline(rectangle(left, bottom, right, top)))
	sty := sans(tickSize)
	sty.YAlign = -0.58
	for _, t := range b.ticks {
		y := bottom + height*vg.Length(b.scale.tickPart(t.Value))
		c.StrokeLine2(line, right, y, right+tickMark(t), y)
		c.FillText(sty, vg.Point{X: right + tickLength + gap/2,
			Y: y + sty.FontExtents().Descent}, t.Label)
	}
	label := sans(labelSize)
	label.Rotation, label.XAlign, label.YAlign = math.Pi/2, draw.XCenter, draw.YTop
	at := vg.Point{X: right + b.tickWidth() + gap/2 - label.FontExtents().Descent,
		Y: bottom + height/2}
	c.FillText(label, at, b.label)
}

// Borders holds the number of borders of each area with each of its neighbours.
type Borders []map[int]int

// Add adds a border between two areas.
func (b Borders) Add(i, j int) {
	if i == j {
		return
	}
	for _, p := range [][2]int{{i, j}, {j, i}} {
		if b[p[0]] == nil {
			b[p[0]] = map[int]int{}
		}
		b[p[0]][p[1]]++
	}
}

// Hues assigns each area one of the light colours of tiles, as the method Colours does.
func (b Borders) Hues() []int {
	var greys []float64
	for _, c := range hueColours {
		greys = append(greys, Grey(c.R, c.G, c.B))
	}
	return b.Colours(greys)
}

// Colours assigns each area one of the colours with these greys, from 0 for black to 1 for
// white, so that neighbours differ where the colours suffice. Areas with more neighbours come
// first. An area gets a colour that no neighbour has and that differs from theirs in grey too;
// of several the one with the fewest areas. If the neighbours have all colours, it gets the
// colour with which it has the fewest borders.
func (b Borders) Colours(greys []float64) []int {
	order := make([]int, len(b))
	hues := make([]int, len(b))
	for i := range b {
		order[i], hues[i] = i, -1
	}
	slices.SortStableFunc(order, func(i, j int) int { return len(b[j]) - len(b[i]) })
	used, shared := make([]int, len(greys)), make([]int, len(greys))
	for _, i := range order {
		clear(shared)
		for j, n := range b[i] {
			if hues[j] >= 0 {
				shared[hues[j]] += n
			}
		}
		best := 0
		for h := range greys {
			if cmp.Or(shared[h]-shared[best], similarGrey(greys, shared, h)-similarGrey(greys, shared, best),
				used[h]-used[best]) < 0 {
				best = h
			}
		}
		hues[i] = best
		used[best]++
	}
	return hues
}

// similarGrey returns 1 if a colour has nearly the grey of one that neighbours have, else 0.
func similarGrey(greys []float64, shared []int, colour int) int {
	const distinct = 0.08 // of the range from black to white
	for c, n := range shared {
		if n > 0 && math.Abs(greys[c]-greys[colour]) < distinct {
			return 1
		}
	}
	return 0
}

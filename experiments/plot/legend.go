package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// legend lists the names of the series in columns. gonum's own legend has one column
// and covers the data.
type legend struct {
	entries      []legendEntry
	columnWidths []vg.Length
	rows         int
	sampleWidth  vg.Length
	rowHeight    vg.Length // with the gap below
	size         vg.Point
	topLeft      vg.Point
}

// legendEntry is a name and the function that draws the sample before it.
type legendEntry struct {
	name       string
	drawSample func(*draw.Canvas)
}

// Gaps within the legend.
const (
	sampleGap = vg.Length(3)  // between a sample and its name
	columnGap = vg.Length(10) // between columns
	rowGap    = vg.Length(1.5)
)

// sampleWidths are the widths of samples by the kind of the figure.
var sampleWidths = map[Kind]vg.Length{Lines: 17, Bars: 8, Scatter: 5}

// newLegend arranges the legend within the given width. It returns nil if there are no
// entries.
func newLegend(f Figure, width vg.Length) *legend {
	entries := legendEntries(f)
	if f.NoLegend || f.Kind == HeatMap || len(entries) == 0 {
		return nil
	}
	l := &legend{entries: entries, sampleWidth: sampleWidths[f.Kind]}
	columns := len(entries)
	sty := sans(tickSize)
	for i := range entries {
		e := &entries[i]
		e.name = wrap(sty, e.name, width-l.sampleWidth-sampleGap)
		l.rowHeight = max(l.rowHeight, sty.Height(e.name)+rowGap)
	}
	for l.arrange(columns); l.size.X > width && columns > 1; l.arrange(columns) {
		columns--
	}
	// As many rows may need fewer columns, and then the last row has more entries. Entries
	// change columns by this, and a column may become too wide.
	if l.arrange((len(entries) + l.rows - 1) / l.rows); l.size.X > width {
		l.arrange(columns)
	}
	return l
}

// arrange sets the entries row by row in n columns. Each column is as wide as its
// widest entry.
func (l *legend) arrange(n int) {
	l.columnWidths = make([]vg.Length, n)
	for i, e := range l.entries {
		w := &l.columnWidths[i%n]
		*w = max(*w, l.sampleWidth+sampleGap+sans(tickSize).Width(e.name))
	}
	l.rows = (len(l.entries) + n - 1) / n
	l.size = vg.Point{X: vg.Length(n-1) * columnGap, Y: vg.Length(l.rows)*l.rowHeight - rowGap}
	for _, w := range l.columnWidths {
		l.size.X += w
	}
}

// placeAbove puts the legend above y and centres it at x, but keeps it on a page of the given
// width.
func (l *legend) placeAbove(x, y, pageWidth vg.Length) {
	left := max(margin, min(x-l.size.X/2, pageWidth-margin-l.size.X))
	l.topLeft = vg.Point{X: left, Y: y + l.size.Y}
}

// draw draws the entries.
func (l *legend) draw(c draw.Canvas) {
	sty := sans(tickSize)
	sty.YAlign = -0.58 // centres lower-case letters on the sample
	x := l.topLeft.X
	for i, e := range l.entries {
		column := i % len(l.columnWidths)
		if column == 0 {
			x = l.topLeft.X
		}
		y := l.topLeft.Y - vg.Length(i/len(l.columnWidths))*l.rowHeight - (l.rowHeight-rowGap)/2
		e.drawSample(&draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: y - 2.7}, Max: vg.Point{X: x + l.sampleWidth, Y: y + 2.7}}})
		c.FillText(sty, vg.Point{X: x + l.sampleWidth + sampleGap,
			Y: y + sty.FontExtents().Descent}, e.name)
		x += l.columnWidths[column] + columnGap
	}
}

// legendEntries lists the named series and, if there are any, the published values and the
// points crossed out.
func legendEntries(f Figure) (entries []legendEntry) {
	for i, s := range f.Series {
		if s.Name != "" {
			entries = append(entries, legendEntry{f.named(s.Name),
				func(c *draw.Canvas) { f.drawSample(c, i) }})
		}
	}
	mark := func(name string, sty draw.GlyphStyle) {
		entries = append(entries, legendEntry{name,
			func(c *draw.Canvas) { c.DrawGlyph(sty, c.Center()) }})
	}
	isPublished := func(v float64) bool { return !math.IsNaN(v) }
	if slices.ContainsFunc(f.ranged(),
		func(s Series) bool { return slices.ContainsFunc(s.Published, isPublished) }) {
		mark(f.PublishedLabel, publishedStyle(black))
	}
	if f.Kind == Lines && slices.ContainsFunc(f.ranged(),
		func(s Series) bool { return slices.Contains(s.Crossed, true) }) {
		mark(f.CrossedLabel, crossedStyle(black))
	}
	return entries
}

// drawSample draws the sample of the i-th series: a bar, or a piece of its line with one of its
// points.
func (f Figure) drawSample(c *draw.Canvas, i int) {
	middle := c.Center()
	switch {
	case f.Series[i].Reference:
		c.StrokeLine2(referenceStyle, c.Min.X, middle.Y, c.Max.X, middle.Y)
		return
	case f.Kind == Bars && !f.Y.Log:
		fillBar(*c, f.look(i), c.Rectangle)
		return
	case f.Kind == Lines:
		sty := lineStyle(f.look(i))
		if f.Bands && f.Series[i].Low != nil {
			c.FillPolygon(tint(sty.Color), rectangle(c.Min.X, c.Min.Y, c.Max.X, c.Max.Y))
		}
		c.StrokeLine2(sty, c.Min.X, middle.Y, c.Max.X, middle.Y)
	}
	c.DrawGlyph(glyphStyle(f.look(i)), middle)
}

package plot

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// legend lists the names of the series in columns. gonum's own legend has one column
// and covers the data.
type legend struct {
	entries []entry
	columns []vg.Length // widths of the columns
	rows    int
	sample  vg.Length // width of a sample
	height  vg.Length // height of a row
	size    vg.Point
	topLeft vg.Point
}

// entry is a name and the function that draws the sample before it.
type entry struct {
	name   string
	sample func(*draw.Canvas)
}

// Gaps within the legend.
const (
	sampleGap = vg.Length(3)  // between a sample and its name
	columnGap = vg.Length(10) // between columns
	rowGap    = vg.Length(1.5)
)

// newLegend arranges the legend within the given width. It returns nil if there are no
// entries.
func newLegend(f Figure, width vg.Length) *legend {
	entries := legendEntries(f)
	if f.Legend == NoLegend || f.Kind == HeatMap || len(entries) == 0 {
		return nil
	}
	l := &legend{entries: entries, sample: 17}
	if f.Kind == Bars {
		l.sample = 8
	}
	if f.Kind == Scatter {
		l.sample = 5
	}
	if f.Legend == Beside {
		width = 0.4 * width
	}
	sty := sans(tickSize)
	for i := range l.entries {
		e := &l.entries[i]
		e.name = wrap(sty, e.name, width-l.sample-sampleGap)
		l.height = max(l.height, sty.Height(e.name))
	}
	l.height += rowGap
	columns := len(l.entries)
	if f.Legend == Beside {
		columns = 1
	}
	for l.arrange(columns); l.size.X > width && columns > 1; l.arrange(columns) {
		columns--
	}
	// The rows need no more columns than this, so the last row never has a single
	// entry. Entries then change columns, and a column may become too wide.
	columns = len(l.columns)
	if l.arrange((len(l.entries) + l.rows - 1) / l.rows); l.size.X > width {
		l.arrange(columns)
	}
	return l
}

// arrange sets the entries row by row in n columns. Each column is as wide as its
// widest entry.
func (l *legend) arrange(n int) {
	l.columns = make([]vg.Length, n)
	for i, e := range l.entries {
		l.columns[i%n] = max(l.columns[i%n], l.sample+sampleGap+sans(tickSize).Width(e.name))
	}
	l.rows = (len(l.entries) + n - 1) / n
	l.size = vg.Point{X: vg.Length(n-1) * columnGap, Y: vg.Length(l.rows)*l.height - rowGap}
	for _, w := range l.columns {
		l.size.X += w
	}
}

// draw draws the entries.
func (l *legend) draw(c draw.Canvas) {
	sty := sans(tickSize)
	sty.YAlign = -0.58 // centres lower-case letters on the sample
	x := l.topLeft.X
	for i, e := range l.entries {
		column := i % len(l.columns)
		if column == 0 {
			x = l.topLeft.X
		}
		y := l.topLeft.Y - vg.Length(i/len(l.columns))*l.height - (l.height-rowGap)/2
		box := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: y - 2.7},
			Max: vg.Point{X: x + l.sample, Y: y + 2.7},
		}}
		e.sample(&box)
		c.FillText(sty, vg.Point{X: x + l.sample + sampleGap, Y: y + sty.FontExtents().Descent}, e.name)
		x += l.columns[column] + columnGap
	}
}

// legendEntries lists the named series and, if there are any, the published values.
func legendEntries(f Figure) (entries []entry) {
	published, crossed := false, false
	for i, s := range f.Series {
		for _, v := range s.Published {
			published = published || !math.IsNaN(v)
		}
		crossed = crossed || slices.Contains(s.Crossed, true)
		if s.Name == "" {
			continue
		}
		e := entry{f.named(s.Name), func(c *draw.Canvas) { lineSample(c, f, i) }}
		switch {
		case s.Reference:
			e.sample = func(c *draw.Canvas) {
				c.StrokeLine2(referenceStyle, c.Min.X, c.Center().Y, c.Max.X, c.Center().Y)
			}
		case f.Kind == Bars && f.Y.Log:
			e.sample = func(c *draw.Canvas) { c.DrawGlyph(glyphStyle(f.look(i)), c.Center()) }
		case f.Kind == Bars:
			e.sample = func(c *draw.Canvas) { fillBar(*c, f.look(i), c.Rectangle) }
		}
		entries = append(entries, e)
	}
	if published {
		entries = append(entries, entry{f.PublishedLabel, func(c *draw.Canvas) {
			c.DrawGlyph(publishedStyle(color.Color(black)), c.Center())
		}})
	}
	if crossed && f.Kind == Lines {
		entries = append(entries, entry{f.CrossedLabel, func(c *draw.Canvas) {
			c.DrawGlyph(crossedStyle(color.Color(black)), c.Center())
		}})
	}
	return entries
}

// lineSample draws a piece of the i-th line with one of its points.
func lineSample(c *draw.Canvas, f Figure, i int) {
	sty := lineStyle(f.look(i))
	middle := c.Center()
	if f.Kind == Lines {
		if f.Bands && f.Series[i].Low != nil {
			c.FillPolygon(tint(sty.Color), rectangle(c.Min.X, c.Min.Y, c.Max.X, c.Max.Y))
		}
		c.StrokeLine2(sty, c.Min.X, middle.Y, c.Max.X, middle.Y)
	}
	c.DrawGlyph(glyphStyle(f.look(i)), middle)
}

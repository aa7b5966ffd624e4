package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot"
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

// wrap breaks text into lines no wider than width. It uses the minimum number of lines
// and makes them about equally wide.
func wrap(sty draw.TextStyle, text string, width vg.Length) string {
	best := fill(sty, text, width)
	lines := strings.Count(best, "\n")
	if lines == strings.Count(text, "\n") {
		return best
	}
	for narrow := 0.95 * width; narrow > width/4 && narrow >= widestWord(sty, text); narrow *= 0.95 {
		filled := fill(sty, text, narrow)
		if strings.Count(filled, "\n") > lines {
			break
		}
		best = filled
	}
	return best
}

// fill breaks text into lines no wider than width. It breaks at spaces and after
// hyphens and slashes, and within a word only if nothing else helps.
func fill(sty draw.TextStyle, text string, width vg.Length) string {
	var lines []string
	for _, paragraph := range strings.Split(text, "\n") {
		line := ""
		for _, word := range words(paragraph) {
			if line == "" || sty.Width(strings.TrimRight(line+word, " ")) <= width {
				line += word
			} else {
				lines = append(lines, strings.TrimRight(line, " "))
				line = word
			}
			for sty.Width(strings.TrimRight(line, " ")) > width && utf8.RuneCountInString(line) > 1 {
				head := fitting(sty, line, width)
				lines = append(lines, head)
				line = line[len(head):]
			}
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.Join(lines, "\n")
}

// words splits text behind each place at which a line may end.
func words(text string) (out []string) {
	start := 0
	for i, r := range text {
		if r == ' ' || (r == '-' || r == '/') && i > start {
			out = append(out, text[start:i+1])
			start = i + 1
		}
	}
	return append(out, text[start:])
}

// fitting returns the longest prefix of text that is no wider than width, but at least
// one character.
func fitting(sty draw.TextStyle, text string, width vg.Length) string {
	end := 0
	for i, r := range text {
		next := i + utf8.RuneLen(r)
		if i > 0 && sty.Width(text[:next]) > width {
			break
		}
		end = next
	}
	return text[:end]
}

// widestWord returns the width below which wrap has to break words.
func widestWord(sty draw.TextStyle, text string) (widest vg.Length) {
	for _, paragraph := range strings.Split(text, "\n") {
		for _, w := range words(paragraph) {
			widest = max(widest, sty.Width(strings.TrimRight(w, " ")))
		}
	}
	return widest
}

// nameCategories labels the x axis with the names at 0, 1, 2, ..., slot apart. It tries
// a single line, then several lines, then slanted and then upright labels. left is the
// room to the left of the middle of the first name.
func nameCategories(axis *plot.Axis, names []string, slot, left vg.Length) error {
	sty := &axis.Tick.Label
	sty.Rotation, sty.XAlign, sty.YAlign = 0, draw.XCenter, draw.YTop
	var word, whole vg.Length
	for _, n := range names {
		word, whole = max(word, widestWord(*sty, n)), max(whole, sty.Width(n))
	}
	slantable := true
	for i, n := range names {
		slantable = slantable && sty.Width(n+"x")*math.Sqrt2/2 <= left+vg.Length(i)*slot
	}
	room := slot - clearance
	height := sty.Height("x")
	switch {
	case whole <= room, word <= room:
	case slot*math.Sqrt2/2 >= height && slantable:
		sty.Rotation = math.Pi / 4
	case slot >= height:
		sty.Rotation = math.Pi / 2
	default:
		return fmt.Errorf("figure: no room for the names of %d categories at this width", len(names))
	}
	ticks, lines := make([]plot.Tick, len(names)), 0
	for _, n := range names {
		lines = max(lines, strings.Count(wrap(*sty, n, room), "\n"))
	}
	for i, n := range names {
		if sty.Rotation == 0 { // gonum puts the first of several lines lower than a single one
			n = wrap(*sty, n, room)
			n += strings.Repeat("\n ", lines-strings.Count(n, "\n"))
		} else {
			// the space keeps gonum's rotated labels off the tick
			n = strings.ReplaceAll(n, "\n", " ") + " "
		}
		n = cmp.Or(n, " ") // gonum turns an empty label into a minor tick
		ticks[i] = plot.Tick{Value: float64(i), Label: n}
	}
	if sty.Rotation != 0 {
		sty.XAlign, sty.YAlign = draw.XRight, -0.4
	}
	axis.Tick.Marker = plot.ConstantTicks(ticks)
	return nil
}

// thinned returns ticks with the names at 0, 1, 2, ..., or with every second, fourth, fifth,
// tenth and so on if more do not fit.
func thinned(names []string, ok fits) []plot.Tick {
	for every := 1; ; every = nextOf1245(every) {
		var ticks []plot.Tick
		for i := 0; i < len(names); i += every {
			if names[i] != "" {
				ticks = append(ticks, plot.Tick{Value: float64(i), Label: names[i]})
			}
		}
		if len(ticks) < 2 || ok(ticks) {
			return ticks
		}
	}
}

// nextOf1245 returns the number after n in 1, 2, 4, 5, 10, 20, 40, 50, ...
func nextOf1245(n int) int {
	for unit := 1; ; unit *= 10 {
		for _, m := range []int{1, 2, 4, 5} {
			if m*unit > n {
				return m * unit
			}
		}
	}
}

// sideBySide returns the test whether labels fit along a horizontal axis of the given length.
func sideBySide(sty draw.TextStyle, s scale, length vg.Length) fits {
	return apart(s, length, func(label string) vg.Length { return sty.Width(label) + clearance })
}

// onTopOfEachOther returns the test whether labels fit along a vertical axis of the given
// length.
func onTopOfEachOther(sty draw.TextStyle, s scale, length vg.Length) fits {
	return apart(s, length, func(label string) vg.Length { return sty.Height(label) + clearance/2 })
}

// apart returns the test whether labels of the given sizes, centred at their ticks, do not
// touch.
func apart(s scale, length vg.Length, size func(string) vg.Length) fits {
	return func(ticks []plot.Tick) bool {
		end := vg.Length(math.Inf(-1))
		for _, t := range ticks {
			if t.IsMinor() {
				continue
			}
			at := length * vg.Length(s.tickPart(t.Value))
			half := size(t.Label) / 2
			if at-half < end {
				return false
			}
			end = at + half
		}
		return true
	}
}

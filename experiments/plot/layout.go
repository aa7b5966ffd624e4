package plot

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// layout is a figure with all its parts in place. From top to bottom the page holds the
// title, the legend and gonum's plot with its axes. A colour bar may stand to the right of
// the plot.
type layout struct {
	fig     Figure
	size    vg.Point // size of the page
	plot    *plot.Plot
	x, y    scale
	indent  vg.Length    // room left of the plot for tick labels of x that extend beyond it
	area    vg.Rectangle // the plot with its axes
	data    vg.Rectangle // the plot within its axes
	title   string
	legend  *legend    // nil if there is none
	colours *colourBar // nil unless a heat map
}

// pageSize returns the size of the page in points.
func (l *layout) pageSize() vg.Point { return l.size }

// minData is the minimum side of the data region.
const minData = vg.Length(25)

// newLayout checks the figure and places its parts.
func newLayout(fig Figure) (*layout, error) {
	fig, err := fig.checked()
	if err != nil {
		return nil, err
	}
	l := &layout{fig: fig, plot: newPlot()}
	l.size.X = mm(fig.WidthMM)
	l.setRanges()
	inner := l.size.X - 2*margin
	top := vg.Length(0)
	if fig.title != "" {
		l.title = wrap(sans(labelSize), fig.title, inner)
		top += sans(labelSize).Height(l.title) + gap
	}
	if l.legend = newLegend(fig, inner); l.legend != nil {
		top += l.legend.size.Y + gap
	}
	dataSize, axes, err := l.fit(inner, top)
	if err != nil {
		return nil, err
	}
	l.size.Y = dataSize.Y + axes.Y + top + 2*margin
	right := vg.Length(0)
	if l.colours != nil {
		right = l.colours.width
	}
	l.area = vg.Rectangle{
		Min: vg.Point{X: margin + l.indent, Y: margin},
		Max: vg.Point{X: l.size.X - margin - right, Y: l.size.Y - margin - top},
	}
	l.data = l.plot.DataCanvas(draw.Canvas{Rectangle: l.area}).Rectangle
	if l.legend != nil {
		l.legend.placeAbove((l.data.Min.X+l.data.Max.X)/2, l.area.Max.Y+gap, l.size.X)
	}
	l.addData()
	return l, nil
}

// fit chooses the ticks, the lines of the labels and the size of the data region, which
// depend on each other. It returns the size of the data region and the size that the
// axes add. The legend and the title take top.
func (l *layout) fit(width, top vg.Length) (data, axes vg.Point, err error) {
	data = vg.Point{X: 0.8 * width, Y: 0.5 * width}
	axes = vg.Point{X: 0.2 * width, Y: 0.2 * width}
	minHeight, right := minData, vg.Length(0)
	// After the guessing rounds, ticks are chosen for the smallest size so far, because
	// otherwise fewer and more ticks could alternate. In the last rounds only the sizes
	// change.
	const guessing, choosing, rounds = 2, 7, 10
	var room vg.Point
	left := axes.X
	for round := range rounds {
		if round < guessing {
			room = data
		}
		room = vg.Point{X: min(room.X, data.X), Y: min(room.Y, data.Y)}
		if round < choosing {
			if err := l.fitAxes(room, left); err != nil {
				return data, axes, err
			}
			if l.fig.Kind == HeatMap {
				l.colours = newColourBar(l.fig, room.Y)
			}
		}
		if l.colours != nil {
			right = l.colours.width
		}
		l.indent = max(l.overhang(data.X, left), l.fig.left-margin-left)
		trial := vg.Point{X: width - right - l.indent, Y: data.Y + axes.Y}
		got := l.plot.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: trial}})
		axes = trial.Sub(got.Size())
		data.X, left = got.Size().X, got.Min.X
		if others := axes.Y + top + 2*margin; l.fig.heightMM > 0 {
			data.Y = mm(l.fig.heightMM) - others
		} else {
			if l.fig.ranging != nil && l.fig.Aspect == 0 {
				minHeight = max(minData, others) // a panel keeps half of its height for data
			}
			data.Y = min(max(data.X*vg.Length(l.aspect()), minHeight), mm(maxHeightMM)-others)
		}
		if !(data.X >= minData && data.Y >= minHeight) {
			return data, axes, fmt.Errorf("figure: labels and legend leave no room for the data at a "+
				"width of %g mm", l.fig.WidthMM)
		}
	}
	return data, axes, nil
}

// fitAxes chooses ticks and breaks labels for a data region of the given size with room
// to its left.
func (l *layout) fitAxes(data vg.Point, left vg.Length) error {
	x, y := &l.plot.X, &l.plot.Y
	x.Label.Text = wrap(x.Label.TextStyle, l.x.labelled(l.fig.X.Label), data.X)
	y.Label.Text = wrap(y.Label.TextStyle, l.y.labelled(l.fig.Y.Label), data.Y)
	slot := data.X / vg.Length(l.x.hi-l.x.lo) // of a column
	across := sideBySide(x.Tick.Label, l.x, data.X)
	up := onTopOfEachOther(y.Tick.Label, l.y, data.Y)
	switch {
	case l.fig.categorical():
		y.Tick.Marker = plot.ConstantTicks(l.y.ticks(up))
		return nameCategories(x, columnNames(l.fig), slot, left-slot*vg.Length(l.x.lo))
	case l.fig.Kind == HeatMap:
		names := columnNames(l.fig)
		every := l.fig.hasWords() // a reader cannot count words on from the one before
		if !every || nameCategories(x, names, slot, left-slot*vg.Length(l.x.lo)) != nil {
			x.Tick.Marker = plot.ConstantTicks(thinned(names, across))
		}
		y.Tick.Marker = plot.ConstantTicks(thinned(rowNames(l.fig), up))
	default:
		x.Tick.Marker = plot.ConstantTicks(l.x.ticks(across))
		y.Tick.Marker = plot.ConstantTicks(l.y.ticks(up))
	}
	return nil
}

// overhang returns how far tick labels of x extend to the left of the plot, for a data
// region of the given width. gonum handles the other sides.
func (l *layout) overhang(width, left vg.Length) (out vg.Length) {
	sty := l.plot.X.Tick.Label
	if sty.Rotation != 0 {
		return 0 // nameCategories has handled it
	}
	for _, t := range l.plot.X.Tick.Marker.Ticks(l.plot.X.Min, l.plot.X.Max) {
		at := left + width*vg.Length(l.plot.X.Norm(t.Value))
		out = max(out, sty.Width(t.Label)/2-at)
	}
	return out
}

// aspect returns the ratio of height to width of the data region.
func (l *layout) aspect() float64 {
	switch {
	case l.fig.Aspect > 0:
		return l.fig.Aspect
	case l.fig.Kind == HeatMap:
		return (l.y.hi - l.y.lo) / (l.x.hi - l.x.lo)
	}
	return 0.6
}

// setRanges chooses the ranges of both axes.
func (l *layout) setRanges() {
	l.x, l.y = l.fig.ranges()
	l.plot.X.Min, l.plot.X.Max = l.x.at(l.x.lo), l.x.at(l.x.hi)
	l.plot.Y.Min, l.plot.Y.Max = l.y.at(l.y.lo), l.y.at(l.y.hi)
}

// ranges returns the ranges of both axes.
func (f Figure) ranges() (x, y scale) {
	lo, hi := f.valueRange()
	switch {
	case f.categorical():
		// Half a gap between groups stays free at both ends, so that no bar touches an
		// axis.
		x = scale{lo: -0.5 - groupGap/2, hi: float64(len(f.Categories)) - 0.5 + groupGap/2}
		y = newScale(f.Y, lo, hi, extent{zero: f.Kind == Bars, snap: true})
	case f.Kind == HeatMap:
		x = scale{lo: -0.5, hi: float64(len(f.Series[0].Y)) - 0.5}
		y = scale{lo: -0.5, hi: float64(len(f.Series)) - 0.5}
	default:
		y = newScale(f.Y, lo, hi, extent{snap: true})
		lo, hi = math.Inf(1), math.Inf(-1)
		for _, s := range f.ranged() {
			for _, v := range s.X {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
		x = newScale(f.X, lo, hi, extent{edge: true, near: true})
	}
	return x, y
}

// intervalReach is the factor by which the ends of intervals may extend a logarithmic
// axis below the least value. An interval that nearly reaches zero would take decades.
const intervalReach = 2

// valueRange returns the range of the values, their intervals, the published values and
// the levels.
func (f Figure) valueRange() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	add := func(v float64) {
		if !math.IsNaN(v) && !(f.valueAxis().Log && v <= 0) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	least := math.Inf(1)
	for _, s := range f.ranged() {
		for i, v := range s.Y {
			add(v)
			if low, high, ok := s.interval(i); ok {
				add(high)
				if least = min(least, low); s.Quartiles != nil {
					add(low) // a whisker of a box is no interval of a mean
					add(s.Quartiles.Lower[i])
					add(s.Quartiles.Upper[i])
				}
			}
			if s.Published != nil {
				add(s.Published[i])
			}
		}
	}
	for _, v := range f.Levels {
		add(v)
	}
	if f.valueAxis().Log {
		least = max(least, lo/intervalReach)
	}
	if !math.IsInf(least, 1) {
		add(least)
	}
	return lo, hi
}

// addData adds the parts of the figure, the lowest one first.
func (l *layout) addData() {
	add := func(list ...painter) {
		for _, paint := range list {
			l.plot.Add(painted{l.x, l.y, paint})
		}
	}
	if l.fig.Kind == HeatMap {
		add(cellPainter(l.fig, l.colours.scale))
		return
	}
	g := plotter.NewGrid()
	g.Vertical.Color = nil
	g.Horizontal = draw.LineStyle{Color: grid, Width: gridWidth}
	l.plot.Add(g)
	levels := horizontals(levelStyle, l.fig.Levels...)
	if l.fig.Kind == Bars {
		add(bars{l.fig, l.y}.paint, levels)
		return
	}
	add(levels)
	if l.fig.hasReference() {
		add(horizontals(referenceStyle, 1))
	}
	add(linePainters(l.fig, l.x, l.y)...)
}

// draw draws the figure on a canvas of the size of the page.
func (l *layout) draw(to vg.Canvas) {
	c := paper(to, l.size)
	if l.title != "" {
		sty := sans(labelSize)
		sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
		c.FillText(sty, vg.Point{X: l.size.X / 2,
			Y: l.size.Y - margin + sty.FontExtents().Descent}, l.title)
	}
	if l.legend != nil {
		l.legend.draw(c)
	}
	l.plot.Draw(draw.Canvas{Canvas: to, Rectangle: l.area})
	corner := []vg.Point{
		{X: l.data.Min.X, Y: l.data.Max.Y}, l.data.Min, {X: l.data.Max.X, Y: l.data.Min.Y},
	}
	if l.fig.Kind == HeatMap {
		// all around, and past the first corner again
		corner = append(corner, l.data.Max, corner[0], corner[1])
	}
	c.StrokeLines(draw.LineStyle{Color: black, Width: axisWidth}, corner)
	if l.colours != nil {
		l.colours.draw(c, vg.Point{X: l.data.Max.X, Y: l.data.Min.Y}, l.data.Max.Y-l.data.Min.Y)
	}
}

// mm converts millimetres to points.
func mm(v float64) vg.Length { return vg.Length(v) * vg.Millimeter }

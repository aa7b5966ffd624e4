package figure

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// linePlotters draws lines or points. All bands come first, then the error bars, the
// lines and the points of each series.
func linePlotters(f Figure, x, y scale) (plotters []plot.Plotter) {
	if f.Diagonal > 0 {
		plotters = append(plotters, diagonal{f.Diagonal, x, y})
	}
	if f.Kind == Lines && f.Bands {
		for _, i := range f.shown() {
			plotters = append(plotters, band{&f.Series[i], f.look(i), x, y})
		}
	}
	for _, n := range f.shown() {
		s, i := &f.Series[n], f.look(n)
		if s.Quartiles != nil {
			plotters = append(plotters, boxes{drawn{s, i, x, y}, len(f.shown())})
			continue
		}
		if f.Kind == Scatter || !f.Bands {
			plotters = append(plotters, whiskers{s, i, x, y})
		}
		if f.Kind == Lines {
			for _, run := range runs(s, x, y) {
				plotters = append(plotters, &plotter.Line{XYs: run, LineStyle: lineStyle(i)})
			}
		}
		every := 1
		if f.Kind == Lines && len(s.Y) > manyPoints {
			every = len(s.Y) / 10
		}
		plotters = append(plotters,
			&plotter.Scatter{XYs: marks(s, s.Y, every, x, y), GlyphStyle: glyphStyle(i)},
			&plotter.Scatter{XYs: marks(s, s.Published, 1, x, y),
				GlyphStyle: publishedStyle(lineStyle(i).Color)})
		if f.Kind == Lines {
			plotters = append(plotters, crosses{s, i, x, y})
		}
	}
	return plotters
}

// runs returns the points of a series, cut into pieces at missing values.
func runs(s *Series, x, y scale) (all []plotter.XYs) {
	var run plotter.XYs
	for i, v := range s.Y {
		if math.IsNaN(v) {
			all, run = append(all, run), nil
			continue
		}
		run = append(run, plotter.XY{X: x.at(s.X[i]), Y: y.at(v)})
	}
	return append(all, run)
}

// manyPoints is the number of points from which a line marks only about ten of them.
const manyPoints = 40

// marks returns the points of values that are drawn as glyphs: every so many-th of them.
func marks(s *Series, values []float64, every int, x, y scale) (points plotter.XYs) {
	for i, v := range values {
		if i%every == every/2 && !math.IsNaN(v) {
			points = append(points, plotter.XY{X: x.at(s.X[i]), Y: y.at(v)})
		}
	}
	return points
}

// drawn is a series with its index and the axes on which it is drawn.
type drawn struct {
	s     *Series
	index int
	x, y  scale
}

// crosses draws the points of a series that are crossed out.
type crosses drawn

// Plot implements plot.Plotter.
func (k crosses) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := func(i int) vg.Point {
		return vg.Point{X: x(k.x.at(k.s.X[i])), Y: y(k.y.at(k.s.Y[i]))}
	}
	for i, crossed := range k.s.Crossed {
		if !crossed {
			continue
		}
		to := at(i)
		if math.IsNaN(k.s.Y[i]) {
			to.Y = c.Max.Y
		}
		if to.Y > c.Max.Y { // the point where its line leaves the plot
			if i > 0 && !math.IsNaN(k.s.Y[i-1]) {
				if from := at(i - 1); from.Y < c.Max.Y {
					to.X = from.X + (to.X-from.X)*(c.Max.Y-from.Y)/(to.Y-from.Y)
				}
			}
			to.Y = c.Max.Y
		}
		c.DrawGlyph(crossedStyle(lineStyle(k.index).Color), to)
	}
}

// whiskers draws the error bars of a series.
type whiskers drawn

// Plot implements plot.Plotter.
func (w whiskers) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i := range w.s.Y {
		if low, high, ok := w.s.interval(i); ok {
			whisker(c, x(w.x.at(w.s.X[i])), y(w.y.at(low)), y(w.y.at(high)), 3.5, lineStyle(w.index).Color)
		}
	}
}

// band fills the region between the ends of the intervals and draws its rim, so that
// bands below others remain visible.
type band drawn

// Plot implements plot.Plotter.
func (b band) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var lower, upper []vg.Point
	flush := func() {
		if col := lineStyle(b.index).Color; len(lower) > 1 {
			fillBetween(c, tint(col), lower, upper)
			c.StrokeLines(draw.LineStyle{Color: col, Width: 0.25}, c.ClipLinesXY(lower, upper)...)
		}
		lower, upper = nil, nil
	}
	for i := range b.s.Y {
		low, high, ok := b.s.interval(i)
		if !ok {
			flush()
			continue
		}
		at := x(b.x.at(b.s.X[i]))
		lower = append(lower, vg.Point{X: at, Y: y(b.y.at(low))})
		upper = append(upper, vg.Point{X: at, Y: y(b.y.at(high))})
	}
	flush()
}

// Styles of the line of the reference, and of levels.
var (
	referenceStyle = draw.LineStyle{Color: level, Width: lineWidth}
	levelStyle     = draw.LineStyle{Color: level, Width: axisWidth, Dashes: []vg.Length{3, 2}}
)

// horizontals draws lines at given values: that of the reference by which the others are divided
// at 1, or levels.
type horizontals struct {
	values []float64
	y      scale
	style  draw.LineStyle
}

// Plot implements plot.Plotter.
func (h horizontals) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	for _, v := range h.values {
		if at := y(h.y.at(v)); c.ContainsY(at) {
			c.StrokeLine2(h.style, c.Min.X, at, c.Max.X, at)
		}
	}
}

// fillBetween fills the region between two lines from left to right.
func fillBetween(c draw.Canvas, col color.Color, lower, upper []vg.Point) {
	outline := slices.Clone(upper)
	slices.Reverse(outline)
	c.FillPolygon(col, c.ClipPolygonXY(slices.Concat(lower, outline)))
}

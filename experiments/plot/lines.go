package plot

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// painter draws data on a canvas. The functions x and y convert values in the units of the axes
// to places.
type painter func(c draw.Canvas, x, y func(v float64) vg.Length)

// painted adapts a painter to plot.Plotter, without the method GlyphBoxes, for which gonum would
// move the data away from the axes.
type painted struct {
	x, y  scale
	paint painter
}

// Plot implements plot.Plotter.
func (p painted) Plot(c draw.Canvas, on *plot.Plot) {
	x, y := on.Transforms(&c)
	p.paint(c, func(v float64) vg.Length { return x(p.x.at(v)) },
		func(v float64) vg.Length { return y(p.y.at(v)) })
}

// linePainters returns the painters of a Lines or Scatter figure in drawing order: the diagonal,
// all bands, and for each series either a box plot or its error bars, line and glyphs.
func linePainters(f Figure, x, y scale) (list []painter) {
	if f.Diagonal > 0 {
		list = append(list, diagonal(x, f.Diagonal))
	}
	if f.Kind == Lines && f.Bands {
		for _, i := range f.shown() {
			list = append(list, band(&f.Series[i], f.look(i)))
		}
	}
	moves := f.whiskerMoves(x, y)
	for _, n := range f.shown() {
		s, i := &f.Series[n], f.look(n)
		if s.Quartiles != nil {
			list = append(list, boxes(s, i, y, len(f.shown())))
			continue
		}
		if f.Kind == Scatter || !f.Bands {
			list = append(list, whiskers(s, i, moves[n]))
		}
		every := 1
		if f.Kind == Lines {
			list = append(list, line(s, i))
			if len(s.Y) > manyPoints {
				every = len(s.Y) / 10
			}
		}
		list = append(list, marks(s, s.Y, every, glyphStyle(i)),
			marks(s, s.Published, 1, publishedStyle(lineStyle(i).Color)))
		if f.Kind == Lines {
			list = append(list, crosses(s, i))
		}
	}
	return list
}

// line joins the points of a series. Missing values interrupt it.
func line(s *Series, look int) painter {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		var run []vg.Point
		flush := func() {
			c.StrokeLines(lineStyle(look), c.ClipLinesXY(run)...)
			run = nil
		}
		for i, v := range s.Y {
			if math.IsNaN(v) {
				flush()
				continue
			}
			run = append(run, vg.Point{X: x(s.X[i]), Y: y(v)})
		}
		flush()
	}
}

// manyPoints is the number of points from which a line marks only about ten of them.
const manyPoints = 40

// marks draws glyphs at values: every n-th of them.
func marks(s *Series, values []float64, every int, style draw.GlyphStyle) painter {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		for i, v := range values {
			if i%every == every/2 && !math.IsNaN(v) {
				c.DrawGlyph(style, vg.Point{X: x(s.X[i]), Y: y(v)})
			}
		}
	}
}

// crosses draws a cross at each point marked in s.Crossed, on the upper edge of the plot if the
// point lies above it or has no value.
func crosses(s *Series, look int) painter {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		at := func(i int) vg.Point { return vg.Point{X: x(s.X[i]), Y: y(s.Y[i])} }
		for i, crossed := range s.Crossed {
			if !crossed {
				continue
			}
			to := at(i)
			if math.IsNaN(s.Y[i]) {
				to.Y = c.Max.Y
			}
			if to.Y > c.Max.Y { // the point where its line leaves the plot
				if i > 0 && !math.IsNaN(s.Y[i-1]) {
					if from := at(i - 1); from.Y < c.Max.Y {
						to.X = from.X + (to.X-from.X)*(c.Max.Y-from.Y)/(to.Y-from.Y)
					}
				}
				to.Y = c.Max.Y
			}
			c.DrawGlyph(crossedStyle(lineStyle(look).Color), to)
		}
	}
}

// band fills the region between the ends of the intervals and draws its rim, so that
// bands below others remain visible.
func band(s *Series, look int) painter {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		var lower, upper []vg.Point
		flush := func() {
			if col := lineStyle(look).Color; len(lower) > 1 {
				fillBetween(c, tint(col), lower, upper)
				c.StrokeLines(draw.LineStyle{Color: col, Width: 0.25}, c.ClipLinesXY(lower, upper)...)
			}
			lower, upper = nil, nil
		}
		for i := range s.Y {
			low, high, ok := s.interval(i)
			if !ok {
				flush()
				continue
			}
			lower = append(lower, vg.Point{X: x(s.X[i]), Y: y(low)})
			upper = append(upper, vg.Point{X: x(s.X[i]), Y: y(high)})
		}
		flush()
	}
}

// Styles of the line of the reference, and of levels.
var (
	referenceStyle = draw.LineStyle{Color: level, Width: lineWidth}
	levelStyle     = draw.LineStyle{Color: level, Width: axisWidth, Dashes: []vg.Length{3, 2}}
)

// horizontals draws a line across the plot at each of the given values of y.
func horizontals(style draw.LineStyle, values ...float64) painter {
	return func(c draw.Canvas, _, y func(float64) vg.Length) {
		for _, v := range values {
			if at := y(v); c.ContainsY(at) {
				c.StrokeLine2(style, c.Min.X, at, c.Max.X, at)
			}
		}
	}
}

// diagonalSteps is the number of pieces of an edge of the band around a diagonal.
const diagonalSteps = 64

// diagonal draws the line y = x and shades the region from y = (1-within)x to y = (1+within)x, on
// two linear or two logarithmic axes.
func diagonal(axis scale, within float64) painter {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		along := func(factor float64) (points []vg.Point) {
			for i := range diagonalSteps + 1 {
				part := float64(i) / diagonalSteps
				v := axis.lo + part*(axis.hi-axis.lo)
				if axis.log {
					v = axis.lo * math.Pow(axis.hi/axis.lo, part)
				}
				points = append(points, vg.Point{X: x(v), Y: y(v * factor)})
			}
			return points
		}
		fillBetween(c, grid, along(1-within), along(1+within))
		c.StrokeLines(draw.LineStyle{Color: level, Width: axisWidth}, c.ClipLinesXY(along(1))...)
	}
}

// fillBetween fills the region between two lines from left to right.
func fillBetween(c draw.Canvas, col color.Color, lower, upper []vg.Point) {
	outline := slices.Clone(upper)
	slices.Reverse(outline)
	c.FillPolygon(col, c.ClipPolygonXY(slices.Concat(lower, outline)))
}

// EndAtSaturation ends a curve over offered load at the least load that saturates the network
// and crosses out the point there. A quantity that grows with the measurement window where the
// network is saturated, such as latency, has no value from there on; others, such as accepted
// load, stay.
func (s *Series) EndAtSaturation(saturated []bool, grows bool) {
	end := math.Inf(1)
	for i, load := range s.X {
		if saturated[i] {
			end = min(end, load)
		}
	}
	s.Crossed = make([]bool, len(s.X))
	for i, load := range s.X {
		s.Crossed[i] = load == end
		if grows && load >= end {
			s.Y[i], s.Low[i], s.High[i] = math.NaN(), math.NaN(), math.NaN()
		}
	}
}

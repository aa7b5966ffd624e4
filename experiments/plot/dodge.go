package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// dodgeWidth is the part of a category's width, or of the least distance of two positions, over
// which the points of its series are spread.
const dodgeWidth = 0.5

// maxDodge is the maximum distance of two series at a position of a numeric axis: a cap of a
// whisker with a gap.
const maxDodge = vg.Length(5)

// glyphPart is about the height of a glyph as a part of the axis of y. It hides a shorter whisker.
const glyphPart = 0.03

// dodge sets the coordinates X of Lines with categories: the points of a category stand side by
// side.
func (f *Figure) dodge() {
	if f.Kind != Lines || len(f.Categories) == 0 {
		return
	}
	f.Series = slices.Clone(f.Series)
	for i := range f.Series {
		s := &f.Series[i]
		s.X = make([]float64, len(s.Y))
		for j := range s.X {
			s.X[j] = float64(j)
			if n := len(f.shown()); n > 1 {
				s.X[j] += f.sidestep(i, dodgeWidth/float64(n-1))
			}
		}
	}
}

// sidestep returns how far the points of the i-th series stand from their position, if the series
// shown stand side by side around it at the given distance.
func (f Figure) sidestep(i int, step float64) float64 {
	if f.Series[i].Reference {
		return 0
	}
	return float64(step * (float64(f.look(i)) - float64(len(f.shown())-1)/2))
}

// SideBySide reports whether points at the same x of a numeric axis are drawn side by side.
func (f Figure) SideBySide() bool {
	if len(f.Panels) > 0 {
		f = f.panel(0)
	}
	f, err := f.checked()
	return err == nil && f.whiskersMeet()
}

// dodged returns the figure with the points at each position of a numeric axis side by side, if
// whiskers would lie on each other. CSV keeps the positions.
func (f Figure) dodged() Figure {
	if !f.whiskersMeet() {
		return f
	}
	x, _ := f.ranges()
	step := f.dodgeRoom(x) / float64(len(f.shown())-1)
	aside := func(list []Series) []Series {
		list = slices.Clone(list)
		for i := range list {
			s := &list[i]
			s.X = slices.Clone(s.X)
			for j, v := range s.X {
				s.X[j] = x.value(x.part(v) + f.sidestep(i%len(f.Series), step))
			}
		}
		return list
	}
	f.Series, f.ranging = aside(f.Series), aside(f.ranging)
	return f
}

// whiskersMeet reports whether, on a numeric axis of x, a whisker lies on that of another series or
// on its point in one of the panels.
func (f Figure) whiskersMeet() bool {
	if f.categorical() || f.Kind == HeatMap || f.Kind == Lines && f.Bands || len(f.shown()) < 2 ||
		!f.any(func(s Series) bool { return s.Low != nil }) {
		return false
	}
	_, y := f.ranges()
	type bar struct {
		series    int
		low, high float64
	}
	inside := func(v float64) float64 { return min(max(y.part(v), 0), 1) }
	for panel := range slices.Chunk(f.ranged(), len(f.Series)) {
		at := map[float64][]bar{}
		for i := range panel {
			s := &panel[i]
			for j, v := range s.Y {
				if math.IsNaN(v) || s.Reference {
					continue
				}
				b := bar{i, inside(v), inside(v)}
				if low, high, ok := s.interval(j); ok {
					b.low, b.high = inside(low), inside(high)
				}
				for _, o := range at[s.X[j]] {
					if o.series != i && o.low <= b.high && b.low <= o.high &&
						max(o.high-o.low, b.high-b.low) > glyphPart {
						return true
					}
				}
				at[s.X[j]] = append(at[s.X[j]], b)
			}
		}
	}
	return false
}

// dodgeRoom returns the part of the axis of x over which the points of a position may be spread:
// clear of the next position, and of an end that the axis fixes.
func (f Figure) dodgeRoom(x scale) float64 {
	var at []float64
	for _, s := range f.ranged() {
		for _, v := range s.X {
			if x.holds(v) {
				at = append(at, x.part(v))
			}
		}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	steps := vg.Length(len(f.shown()) - 1)
	room := float64(maxDodge * steps / mm(f.WidthMM))
	for i := 1; i < len(at); i++ {
		room = min(room, dodgeWidth*(at[i]-at[i-1]))
	}
	if f.X.Min != nil && len(at) > 0 {
		room = min(room, 2*at[0])
	}
	if f.X.Max != nil && len(at) > 0 {
		room = min(room, 2*(1-at[len(at)-1]))
	}
	return max(room, 0)
}

package plot

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// maxMove is the maximum distance of a whisker of Lines or Scatter from its point, as a part of the
// axis of x. The points themselves stand at their x.
const maxMove = 0.01

// Widths of the ends of a whisker, and the maximum distance of two whiskers side by side. Caps of
// whiskers side by side are narrower, so that neighbours do not touch.
const (
	capWidth    = vg.Length(3.5)
	minCapWidth = vg.Length(1.2)
	maxStep     = vg.Length(5)
)

// glyphPart is about the height of a glyph as a part of the axis of y. It hides a shorter whisker.
const glyphPart = 0.03

// whisker draws an error bar. An end within the axis has a cap.
func whisker(c draw.Canvas, sty draw.LineStyle, x, low, high, width vg.Length) {
	from, to := max(low, c.Min.Y), min(high, c.Max.Y)
	if to < from || !c.ContainsX(x) {
		return
	}
	c.StrokeLine2(sty, x, from, x, to)
	for _, y := range []vg.Length{low, high} {
		if c.ContainsY(y) {
			c.StrokeLine2(sty, x-width/2, y, x+width/2, y)
		}
	}
}

// move is how far a whisker is drawn from its point, and the distance to its neighbour if it is one
// of several side by side, in parts of the axis of x.
type move struct{ by, step float64 }

// whiskers draws the error bars of a series, moved along the axis of x.
func whiskers(s *Series, look int, moves []move) painter {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		axis := c.Max.X - c.Min.X
		for i := range s.Y {
			if low, high, ok := s.interval(i); ok {
				at, width := x(s.X[i]), capWidth
				if m := moves[i]; m.step > 0 {
					at += vg.Length(vg.Length(m.by) * axis)
					width = max(minCapWidth, min(capWidth, vg.Length(0.85*m.step)*axis))
				}
				sty := draw.LineStyle{Color: lineStyle(look).Color, Width: errorWidth}
				whisker(c, sty, at, y(low), y(high), width)
			}
		}
	}
}

// MovesWhiskers reports whether whiskers at the same x are drawn side by side.
func (f Figure) MovesWhiskers() bool {
	panels := []Figure{f}
	if len(f.Panels) > 0 {
		panels = nil
		for i := range f.Panels {
			panels = append(panels, f.panel(i))
		}
	}
	return slices.ContainsFunc(panels, func(p Figure) bool {
		p, err := p.checked()
		if err != nil || p.Kind != Lines && p.Kind != Scatter || p.Kind == Lines && p.Bands {
			return false
		}
		x, y := p.ranges()
		return slices.ContainsFunc(p.whiskerMoves(x, y), func(moves []move) bool {
			return slices.ContainsFunc(moves, func(m move) bool { return m.step > 0 })
		})
	})
}

// bar is a whisker: its series, its point, and its ends as parts of the axis of y.
type bar struct {
	series, point int
	low, high     float64
}

// whiskerMoves returns the moves of the whiskers of each series, which are zero but for whiskers at
// the same x that would lie on each other.
func (f Figure) whiskerMoves(x, y scale) [][]move {
	moves, at := make([][]move, len(f.Series)), map[float64][]bar{}
	var order []float64
	inside := func(v float64) float64 { return min(max(y.part(v), 0), 1) }
	for i := range f.Series {
		s := &f.Series[i]
		moves[i] = make([]move, len(s.Y))
		for j := range s.Y {
			low, high, ok := s.interval(j)
			b := bar{i, j, inside(low), inside(high)}
			if !ok || s.Reference || !x.holds(s.X[j]) || b.high-b.low <= glyphPart {
				continue
			}
			if at[s.X[j]] == nil {
				order = append(order, s.X[j])
			}
			at[s.X[j]] = append(at[s.X[j]], b)
		}
	}
	reach := f.whiskerReach(x)
	for _, v := range order {
		part := x.part(v)
		left, right := max(part-reach, 0), min(part+reach, 1)
		for _, group := range overlapping(at[v]) {
			f.spread(moves, group, left-part, right-part)
		}
	}
	return moves
}

// overlapping returns the groups of bars that lie on each other, each in the order of their series.
// A bar alone is no group.
func overlapping(bars []bar) (groups [][]bar) {
	slices.SortStableFunc(bars, func(a, b bar) int { return cmp.Compare(a.low, b.low) })
	for len(bars) > 0 {
		end, n := bars[0].high, 1
		for n < len(bars) && bars[n].low <= end {
			end = max(end, bars[n].high)
			n++
		}
		if n > 1 {
			group := slices.Clone(bars[:n])
			slices.SortStableFunc(group, func(a, b bar) int { return cmp.Compare(a.series, b.series) })
			groups = append(groups, group)
		}
		bars = bars[n:]
	}
	return groups
}

// spread moves the whiskers of a group to equal distances from left to right, or closer together
// where that would be farther than maxStep.
func (f Figure) spread(moves [][]move, group []bar, left, right float64) {
	steps := float64(len(group) - 1)
	step := min((right-left)/steps, float64(maxStep/mm(f.WidthMM)))
	for n, b := range group {
		by := (left+right)/2 + float64(step*(float64(n)-steps/2))
		moves[b.series][b.point] = move{by, step}
	}
}

// whiskerReach returns the maximum distance of a whisker from its point as a part of the axis of x.
// Whiskers keep clear of those at the next x.
func (f Figure) whiskerReach(x scale) float64 {
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
	reach := maxMove
	for i := 1; i < len(at); i++ {
		reach = min(reach, (at[i]-at[i-1])/4)
	}
	return reach
}

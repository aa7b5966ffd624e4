package plot

import (
	"bytes"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"contend/internal/must"
)

// drawnBy returns what the plotters of a figure draw.
func drawnBy(t *testing.T, fig Figure) *recorder {
	t.Helper()
	l := must.Have(newLayout(fig))
	return recorded(l)
}

// count returns the number of filled shapes of a colour.
func (r *recorder) count(c color.RGBA) (n int) {
	for _, b := range r.fills {
		if b.colour == c {
			n++
		}
	}
	return n
}

func center(b box) float64 { return float64(b.Min.X+b.Max.X) / 2 }

// Whiskers and published marks stand on the centre of their bar.
func TestMarksStandOnTheCentreOfBars(t *testing.T) {
	fig := Figure{Kind: Bars, Categories: []string{"a", "b"}, NoLegend: true, Series: []Series{
		{Name: "A", Y: []float64{2, 3}, Low: []float64{1, 2}, High: []float64{3, 4},
			Published: []float64{1.5, 2.5}},
		{Name: "B", Y: []float64{4, 5}}}}
	r := drawnBy(t, fig)
	var bars, whiskers, rims []float64
	for _, b := range r.fills {
		if b.colour == blue {
			bars = append(bars, center(b))
		}
	}
	for _, b := range r.strokes {
		if b.Max.X == b.Min.X && b.Max.Y-b.Min.Y > 5 && b.colour == (color.RGBA{A: 255}) {
			whiskers = append(whiskers, center(b))
		}
		if b.colour == (color.RGBA{255, 255, 255, 255}) {
			rims = append(rims, center(b))
		}
	}
	if len(bars) != 2 || len(whiskers) < 2 {
		t.Fatalf("%d bars, %d whiskers", len(bars), len(whiskers))
	}
	for _, bar := range bars {
		near := func(x float64) bool { return math.Abs(x-bar) < 1e-6 }
		if !slices.ContainsFunc(whiskers, near) {
			t.Errorf("no whisker at %g: %v", bar, whiskers)
		}
		if !slices.ContainsFunc(rims, near) {
			t.Errorf("the whisker at %g has no rim", bar)
		}
		marks := 0
		for _, b := range r.fills {
			if b.colour == (color.RGBA{A: 255}) && near(center(b)) {
				marks++
			}
		}
		if marks == 0 {
			t.Errorf("no published mark at %g", bar)
		}
	}
}

// On a logarithmic axis the length of a bar has no meaning: points are drawn.
func TestNoBarsOnLogarithmicAxes(t *testing.T) {
	fig := nineSample(Bars)
	fig.Series = fig.Series[:2]
	for _, log := range []bool{false, true} {
		fig.Y.Log = log
		bars, points := 0, 0
		for _, b := range drawnBy(t, fig).fills {
			switch width := b.Max.X - b.Min.X; {
			case b.colour == orange && width > 3*glyphSize:
				bars++
			case b.colour == orange:
				points++
			}
		}
		want := [2]int{4, 0} // three, and the legend
		if log {
			want = [2]int{0, 4}
		}
		if got := [2]int{bars, points}; got != want {
			t.Errorf("log %v: %d bars and points, want %d", log, got, want)
		}
	}
}

// Bars of ratios begin at 1, and the reference is a line without a bar of its own.
func TestRatiosBeginAtOne(t *testing.T) {
	fig := Figure{Kind: Bars, Categories: []string{"a"}, Y: Axis{Ratio: true}, Series: []Series{
		{Name: "A", Y: []float64{1.5}}, {Name: "reference", Y: []float64{1}, Reference: true},
		{Name: "B", Y: []float64{0.5}}}}
	l := must.Have(newLayout(fig))
	one := l.data.Min.Y + (l.data.Max.Y-l.data.Min.Y)*vg.Length(l.y.part(1))
	for _, b := range drawnBy(t, fig).fills {
		inside := b.Max.Y < l.data.Max.Y && b.Max.X-b.Min.X < l.data.Max.X-l.data.Min.X
		switch {
		case inside && b.colour == barLooks[0].fill && math.Abs(float64(b.Min.Y-one)) > 1e-6:
			t.Errorf("the bar of 1.5 begins at %v, not at %v", b.Min.Y, one)
		case inside && b.colour == barLooks[1].fill && math.Abs(float64(b.Max.Y-one)) > 1e-6:
			t.Errorf("the bar of 0.5 begins at %v, not at %v", b.Max.Y, one)
		case b.colour == barLooks[2].fill:
			t.Error("the reference has a bar")
		}
	}
	for i, want := range []float64{1, 1.2} {
		f := Figure{Kind: Lines, Y: Axis{Ratio: true},
			Series: []Series{{X: []float64{1, 2}, Y: []float64{1.05, 1.18}}}}
		if _, y := f.ranges(); math.Abs([]float64{y.lo, y.hi}[i]-want) > 1e-9 {
			t.Errorf("ratios 1.05 to 1.18 have the axis %g to %g, want 1 to 1.2", y.lo, y.hi)
		}
	}
}

// An interval that nearly reaches zero takes no decades of a logarithmic axis.
func TestIntervalsDoNotDragLogarithmicAxes(t *testing.T) {
	fig := Figure{Kind: Lines, Y: Axis{Log: true}, Series: []Series{{X: []float64{1, 2},
		Y: []float64{20, 80}, Low: []float64{1e-6, 70}, High: []float64{40, 90}}}}
	if _, y := fig.ranges(); math.Abs(y.lo-10) > 1e-9 {
		t.Errorf("the axis begins at %g, want 10", y.lo)
	}
}

// Points of one category stand side by side.
func TestPointsOfCategoriesAreDodged(t *testing.T) {
	fig := Figure{Kind: Lines, Categories: []string{"a", "b"}, NoLegend: true,
		Series: []Series{{Name: "A", Y: []float64{1, 2}}, {Name: "B", Y: []float64{1, 2}}}}
	r := drawnBy(t, fig)
	for _, a := range r.fills {
		for _, b := range r.fills {
			if a.colour == lineColours[0] && b.colour == lineColours[1] &&
				a.Max.X > b.Min.X && b.Max.X > a.Min.X {
				t.Errorf("a point at %v covers one at %v", a, b)
			}
		}
	}
	var b bytes.Buffer
	if err := fig.writeCSV(&b); err != nil || !strings.Contains(b.String(), "\nB,a,1,") {
		t.Errorf("CSV %q, %v", b.String(), err)
	}
}

// Long numbers lose a power of ten to the label of the axis.
func TestMultipliers(t *testing.T) {
	for label, want := range map[string]string{ // a text is cut behind a raised six
		"Blocking time (cycles)": "Blocking time (10⁶|cycles)", "Jobs": "Jobs (10⁶|)"} {
		fig := loadSample()
		fig.Y = Axis{Label: label}
		for i := range fig.Series {
			s := &fig.Series[i]
			for j := range s.Y {
				s.Y[j], s.Low[j], s.High[j] = 1e4*s.Y[j], 1e4*s.Low[j], 1e4*s.High[j]
			}
			s.Published = nil
		}
		for _, f := range []Figure{fig, panelsSample(fig, 2)} {
			labels := labelsOf(t, f)
			if !strings.Contains(strings.Join(labels, "|"), want) || !slices.Contains(labels, "3") ||
				slices.Contains(labels, "3000000") {
				t.Errorf("labels %q, want %q and 3", labels, want)
			}
		}
	}
	if s := (scale{hi: 2e9}); s.multiplier() != 8 {
		t.Errorf("2e9 has the multiplier 10^%d; the font has no raised 9", s.multiplier())
	}
}

// Names to print stand in the figure, and names themselves in CSV.
func TestLabelsReplaceNames(t *testing.T) {
	fig := Figure{Kind: Bars, Categories: []string{"fft"}, Labels: map[string]string{
		"paging:0": "Paging(0)", "fft": "FFT"}, Series: []Series{{Name: "paging:0", Y: []float64{1}}}}
	labels := labelsOf(t, fig)
	if !slices.Contains(labels, "Paging(0)") || !slices.Contains(labels, "FFT") {
		t.Errorf("labels %q", labels)
	}
	if csv := string(drawnAs(t, fig, "csv")); !strings.Contains(csv, "paging:0,fft,1") {
		t.Errorf("CSV %q", csv)
	}
}

// Padding does not cross zero, which is often the least value there is, and points at zero
// keep clear of the axis.
func TestPaddingKeepsTheSign(t *testing.T) {
	fig := Figure{Kind: Bars, Categories: []string{"a"}, Y: Axis{Ratio: true}, Series: []Series{
		{Y: []float64{2.6}, Low: []float64{0.1}, High: []float64{5.8}}}}
	if _, y := fig.ranges(); y.lo != 0 {
		t.Errorf("an interval from 0.1 gives an axis from %g", y.lo)
	}
	fig = Figure{Kind: Lines, Series: []Series{{X: []float64{0, 1}, Y: []float64{0, 1}}}}
	if x, y := fig.ranges(); !(x.lo < 0 && x.lo > -0.1) || y.lo != 0 {
		t.Errorf("points from 0 give axes from %g and %g", x.lo, y.lo)
	}
	fig.Series[0].X[0] = 0.1
	if x, _ := fig.ranges(); x.lo != 0 {
		t.Errorf("points from 0.1 give an axis from %g", x.lo)
	}
}

// whiskersOf returns the vertical strokes in the colour of each of the first n series.
func (r *recorder) whiskersOf(n int) (all [][]box) {
	for _, c := range lineColours[:n] {
		var list []box
		for _, b := range r.strokes {
			if b.colour == c && b.Max.X == b.Min.X && b.Max.Y-b.Min.Y > 5 {
				list = append(list, b)
			}
		}
		all = append(all, list)
	}
	return all
}

// Points of lines and scatters stand at their x, whatever their whiskers do, also on logarithmic
// axes and in panels. Whiskers that would lie on each other stand side by side, at most a hundredth
// of the axis from x, and within the axes. CSV keeps x.
func TestOnlyWhiskersAreMoved(t *testing.T) {
	fig := Figure{NoLegend: true}
	for i := range 3 {
		up := float64(i)
		fig.Series = append(fig.Series, Series{Name: string(rune('A' + i)),
			X: []float64{0.6, 0.7, 0.95}, Y: []float64{10 + up, 12 + up, 14 + up},
			Low: []float64{-1, 5, 7}, High: []float64{15, 20, 30}})
	}
	for _, kind := range []Kind{Lines, Scatter} {
		for _, log := range []bool{false, true} {
			fig.Kind, fig.X.Log, fig.Y.Log = kind, log, log
			testOnlyWhiskersMoved(t, must.Have(newLayout(fig)))
		}
	}
	if csv := string(drawnAs(t, fig, "csv")); !strings.Contains(csv, "\nC,0.95,16,") {
		t.Errorf("CSV %q", csv)
	}
	panels := panelsSample(fig, 2)
	if !fig.MovesWhiskers() || !panels.MovesWhiskers() {
		t.Error("no whiskers are reported as moved")
	}
	for _, p := range must.Have(newMultiples(panels)).panels {
		testOnlyWhiskersMoved(t, p)
	}
}

// testOnlyWhiskersMoved checks the places of the points and the whiskers of a figure of three
// series.
func testOnlyWhiskersMoved(t *testing.T, l *layout) {
	t.Helper()
	r, axis := recorded(l), float64(l.data.Size().X)
	whiskers := r.whiskersOf(3)
	for i, s := range l.fig.Series {
		var points []float64
		for _, b := range r.fills {
			if b.colour == lineColours[i] {
				points = append(points, center(b))
			}
		}
		if len(points) != 3 || len(whiskers[i]) != 3 {
			t.Fatalf("series %d: %d points, %d whiskers", i, len(points), len(whiskers[i]))
		}
		for j, x := range s.X {
			at, want := float64(l.data.Min.X)+axis*l.x.part(x), maxMove*axis*float64(i-1)
			if math.Abs(points[j]-at) > 1e-6 {
				t.Errorf("series %d: the point at %g is drawn at %g, not at %g", i, x, points[j], at)
			}
			if got := center(whiskers[i][j]) - at; math.Abs(got-want) > 1e-6 {
				t.Errorf("series %d: the whisker at %g is moved by %g, not by %g", i, x, got, want)
			}
		}
		for _, b := range r.strokes {
			flat := b.colour == lineColours[i] && b.Max.Y == b.Min.Y
			if flat && float64(b.Max.X-b.Min.X) > maxMove*axis {
				t.Errorf("series %d: an end of a whisker touches that of a neighbour", i)
			}
		}
		for _, b := range whiskers[i] {
			if b.Min.Y < l.data.Min.Y-1e-6 || b.Max.Y > l.data.Max.Y+1e-6 {
				t.Errorf("a whisker from %g to %g on an axis from %g", b.Min.Y, b.Max.Y, l.data.Min.Y)
			}
		}
	}
}

// Whiskers that do not meet, or that glyphs hide, stay at x. At an end that the axis fixes, moved
// ones stay on the axis, and between close positions they keep clear of the next.
func TestWhiskersMoveOnlyWhereTheyMeet(t *testing.T) {
	series := func(low, high float64) []Series {
		return []Series{{Name: "A", X: []float64{1, 2}, Y: []float64{5, 6}, Low: []float64{low, low},
			High: []float64{high, high}}, {Name: "B", X: []float64{1, 2}, Y: []float64{5, 20},
			Low: []float64{low, 19}, High: []float64{high, 21}}}
	}
	near := series(1, 9)
	near[0].X[1], near[1].X[1] = 1.02, 3
	bands := Figure{Kind: Lines, Series: series(1, 9), Bands: true}
	if bands.MovesWhiskers() {
		t.Error("bands have whiskers that move")
	}
	for what, c := range map[string]struct {
		fig  Figure
		want [2][2]float64
	}{
		"alone":  {fig: Figure{Kind: Lines, Series: series(1, 9)[:1]}},
		"hidden": {fig: Figure{Kind: Lines, Series: series(4.99, 5.01)}},
		"meet":   {Figure{Kind: Lines, Series: series(1, 9)}, [2][2]float64{{-0.01, 0}, {0.01, 0}}},
		"fixed": {Figure{Kind: Lines, Series: series(1, 9), X: Axis{Min: new(1.0), Max: new(3.0)}},
			[2][2]float64{{0, 0}, {0.01, 0}}},
		"close": {Figure{Kind: Lines, Series: near, X: Axis{Min: new(0.0), Max: new(4.0)}},
			[2][2]float64{{-0.00125, 0}, {0.00125, 0}}},
	} {
		f := must.Have(c.fig.checked())
		x, y := f.ranges()
		for i, moves := range f.whiskerMoves(x, y) {
			for j, m := range moves {
				if math.Abs(m.by-c.want[i][j]) > 1e-9 {
					t.Errorf("%s: whisker %d of series %d is moved by %g, want %g", what, j, i, m.by,
						c.want[i][j])
				}
			}
		}
	}
}

// Names of one line and the first lines of longer ones stand at the same height.
func TestNamesOfCategoriesStandInALine(t *testing.T) {
	fig := Figure{Kind: Bars, Categories: []string{"mm", "nn mmmmmmmmmmmm mmmmmmmmmmmm"},
		NoLegend: true, Series: []Series{{Name: "A", Y: []float64{1, 2}}}}
	bottoms, lines := map[string]float64{}, 0
	for _, label := range recorded(must.Have(fig.arrange())).labels {
		if first, _, _ := strings.Cut(label.text, " "); first == "mm" || first == "nn" {
			bottoms[first] = float64(label.corners[0].Y)
		} else if first == "mmmmmmmmmmmm" {
			lines++
		}
	}
	if lines == 0 || len(bottoms) != 2 || math.Abs(bottoms["mm"]-bottoms["nn"]) > 1e-6 {
		t.Errorf("above %d further lines names stand at %v", lines, bottoms)
	}
}

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
	var bars, whiskers []float64
	for _, b := range r.fills {
		if b.colour == blue {
			bars = append(bars, center(b))
		}
	}
	for _, b := range r.strokes {
		if b.Max.X == b.Min.X && b.Max.Y-b.Min.Y > 5 && b.colour == (color.RGBA{A: 255}) {
			whiskers = append(whiskers, center(b))
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
	if n := drawnBy(t, fig).count(barLooks[1].fill); n != 4 { // three bars and the legend
		t.Errorf("%d bars on a linear axis, want 4", n)
	}
	fig.Y.Log = true
	r := drawnBy(t, fig)
	if n := r.count(barLooks[1].fill); n != 0 {
		t.Errorf("%d bars on a logarithmic axis", n)
	}
	if n := r.count(lineColours[1]); n != 4 {
		t.Errorf("%d points on a logarithmic axis, want 4", n)
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

// Whiskers of several series at the same x stand side by side around it, also on logarithmic axes
// and in panels, and within the axes. CSV keeps x.
func TestWhiskersStandSideBySide(t *testing.T) {
	fig := Figure{Kind: Lines, NoLegend: true}
	for i := range 3 {
		up := float64(i)
		fig.Series = append(fig.Series, Series{Name: string(rune('A' + i)),
			X: []float64{0.6, 0.7, 0.95}, Y: []float64{10 + up, 12 + up, 14 + up},
			Low: []float64{-1, 5, 7}, High: []float64{15, 20, 30}})
	}
	for _, log := range []bool{false, true} {
		fig.X.Log, fig.Y.Log = log, log
		l := must.Have(newLayout(fig))
		all := recorded(l).whiskersOf(3)
		for j, x := range fig.Series[0].X {
			at := float64(l.data.Min.X) + float64(l.data.Size().X)*l.x.part(x)
			if len(all[0]) != 3 || len(all[1]) != 3 || len(all[2]) != 3 {
				t.Fatalf("%d, %d and %d whiskers", len(all[0]), len(all[1]), len(all[2]))
			}
			left, middle, right := center(all[0][j]), center(all[1][j]), center(all[2][j])
			if math.Abs(middle-at) > 1e-6 || math.Abs(left+right-2*at) > 1e-6 || right-left < 5 {
				t.Errorf("log %v: whiskers at %g, %g and %g around %g", log, left, middle, right, at)
			}
		}
		for _, b := range slices.Concat(all...) {
			if b.Min.Y < l.data.Min.Y-1e-6 || b.Max.Y > l.data.Max.Y+1e-6 {
				t.Errorf("log %v: a whisker from %g to %g on an axis from %g", log, b.Min.Y, b.Max.Y,
					l.data.Min.Y)
			}
		}
	}
	if csv := string(drawnAs(t, fig, "csv")); !strings.Contains(csv, "\nC,0.95,16,") {
		t.Errorf("CSV %q", csv)
	}
	for i, p := range must.Have(newMultiples(panelsSample(fig, 2))).panels {
		if x := p.fig.Series[0].X[0]; !(x < 0.6) || x != p.fig.ranging[3].X[0] {
			t.Errorf("panel %d: the first point of the first series is at %g", i, x)
		}
	}
}

// Where whiskers do not meet, or glyphs hide them, points stay at x, and so they do at an end that
// the axis fixes.
func TestPointsStayWhereNothingMeets(t *testing.T) {
	series := func(low, high float64) []Series {
		return []Series{{Name: "A", X: []float64{1, 2}, Y: []float64{5, 6}, Low: []float64{low, low},
			High: []float64{high, high}}, {Name: "B", X: []float64{1, 2}, Y: []float64{5, 20}}}
	}
	for what, fig := range map[string]Figure{
		"apart":       {Kind: Lines, Series: series(5.9, 6.1)[:1]},
		"hidden":      {Kind: Lines, Series: series(4.99, 5.01)},
		"bands":       {Kind: Lines, Series: series(1, 9), Bands: true},
		"a fixed end": {Kind: Lines, Series: series(1, 9), X: Axis{Min: new(1.0), Max: new(3.0)}},
	} {
		l := must.Have(newLayout(fig))
		if got := l.fig.Series[0].X[0]; got != 1 {
			t.Errorf("%s: a point at %g", what, got)
		}
	}
}

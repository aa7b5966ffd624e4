package plot

import (
	"math"
	"strings"
	"testing"
)

// Points may be crossed out, also above the upper edge, and the CSV shows which.
func TestCrossed(t *testing.T) {
	top := 10.0
	fig := Figure{Kind: Lines, Y: Axis{Max: &top}, Series: []Series{
		{Name: "a", X: []float64{1, 2, 3}, Y: []float64{1, 2, 90}},
		{Name: "b", X: []float64{1, 2, 3}, Y: []float64{2, 3, 4}},
	}, CrossedLabel: "saturated"}
	draw := func() string { return string(drawnAs(t, fig, "svg")) }
	plain := draw()
	fig.Series[0].Crossed = []bool{false, false, true}
	beyond := draw()
	fig.Series[0].Crossed = []bool{false, true, false}
	if inside := draw(); plain == beyond || plain == inside || beyond == inside {
		t.Error("crosses are not seen, or not where they belong")
	}
	fig.Series[0].Crossed, fig.Series[0].Y = []bool{false, false, false}, []float64{1, 2, math.NaN()}
	without := strings.Count(draw(), "<path")
	fig.Series[0].Crossed[2] = true // a sample in the legend and a cross, of two strokes each
	if with := strings.Count(draw(), "<path"); with != without+4 {
		t.Errorf("crossing a missing value out adds %d paths, want 4", with-without)
	}
	fig.Series[0].Crossed, fig.Series[0].Y = []bool{false, true, false}, []float64{1, 2, 90}
	if text := string(drawnAs(t, fig, "csv")); !strings.Contains(text, "a,2,2,,,,true\n") ||
		!strings.HasPrefix(text, "series,x,y,y_low,y_high,published,crossed\n") {
		t.Errorf("the numbers are\n%s", text)
	}
}

package plot

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"contend/experiments/plot/limits"
	"contend/internal/must"
)

// testScene has tiles of all fills, a text that fits and one that does not.
func testScene() Scene {
	return Scene{Subject: "Test", Equal: true, Colour: Axis{Label: "Load (%)"},
		X: Axis{Label: "Below", Min: new(0.0), Max: new(10.0)},
		Y: Axis{Label: "Beside", Min: new(0.0), Max: new(5.0)},
		Tiles: []Tile{{X1: 2, Y1: 5, Fill: Hued, Hue: 1, Rim: true},
			{X0: 2, X1: 4, Y1: 5, Fill: Valued, Value: 3, Seamless: true},
			{X0: 4, X1: 6, Y1: 5, Fill: Valued, Value: 9},
			{X0: 6, X1: 7, Y1: 5}, {X0: 7, X1: 8, Y1: 5, Fill: Faint}, {X0: 8, X1: 10, Y1: 5, Fill: Dark}},
		Strokes: []Stroke{{X: []float64{0, 10}, Y: []float64{0, 5}, Bold: true}},
		Texts: []Text{{X: 1, Y: 2, Words: "17", Width: 2, Height: 5},
			{X: 1, Y: 4, Words: "much too long for two units", Width: 2, Height: 5},
			{X: 5, Y: 4, Words: "too low", Height: 0.1}},
		Table: [][]string{{"a", "b"}, {"1", "x,y"}}}
}

// A scene is drawn in every format, and a text is left out where it does not fit.
func TestScenesAreDrawn(t *testing.T) {
	for _, format := range Formats() {
		text := string(drawnAs(t, testScene(), format))
		switch format {
		case "csv":
			if text != "a,b\n1,\"x,y\"\n" {
				t.Errorf("CSV: %q", text)
			}
		case "svg":
			for _, want := range []string{">17<", "Below", "Beside", "Load", "<title>Test"} {
				if !strings.Contains(text, want) {
					t.Errorf("the SVG lacks %s", want)
				}
			}
			for _, left := range []string{"too long", "too low"} {
				if strings.Contains(text, left) {
					t.Errorf("the SVG has %q, which does not fit", left)
				}
			}
		}
	}
}

// A scene lies on its page, with equal units where it asks for them, at every size.
func TestScenesFitTheirPage(t *testing.T) {
	for _, width := range []float64{limits.MinWidthMM + 20, OneColumnMM, TwoColumnMM} {
		for _, tall := range []float64{5, 100} {
			s := testScene()
			s.WidthMM, s.Y.Max = width, new(tall)
			p := must.Have(newScenePage(s))
			end := p.data.Max.X + p.colours.width
			if p.data.Min.X < margin || p.data.Min.Y < margin || end > p.size.X+0.01 ||
				p.data.Max.Y > p.size.Y || p.data.Size().X <= 0 {
				t.Errorf("%g mm: the data are at %v on a page of %v", width, p.data, p.size)
			}
			unit := p.data.Size().X / 10
			if across := p.data.Size().Y / unit; float64(across) < tall-1e-6 ||
				float64(across) > tall+1e-6 {
				t.Errorf("%g mm: %v units of x make the height of %v", width, across, tall)
			}
		}
	}
}

// Scenes that cannot be drawn are refused.
func TestScenesAreChecked(t *testing.T) {
	for want, change := range map[string]func(*Scene){
		"width 5 mm":       func(s *Scene) { s.WidthMM = 5 },
		"on a logarithmic": func(s *Scene) { s.Colour.Log, s.Tiles[1].Value = true, 0 },
		"line 1: 0 on a loga": func(s *Scene) {
			s.Tiles, s.Colour.Log, s.Strokes[0].Valued = s.Tiles[:1], true, true
		},
		"line 1: NaN is not": func(s *Scene) { s.Strokes[0].Y[1] = math.NaN() },
		"has no glyph for":   func(s *Scene) { s.Texts[0].Words = "\u4e00" },
	} {
		s := testScene()
		change(&s)
		err := Render(&bytes.Buffer{}, s, "svg")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want something about %q", err, want)
		}
	}
}

// Lines with values have the colours of tiles with the same values, and count for the scale.
func TestLinesHaveTheColoursOfValues(t *testing.T) {
	s := testScene()
	for _, value := range []float64{3, 20} {
		s.Strokes = append(s.Strokes, Stroke{X: []float64{0, 10}, Y: []float64{5, 0}, Valued: true,
			Value: value})
	}
	p := must.Have(newScenePage(s))
	if p.colours.scale.hi < 20 {
		t.Errorf("the scale ends at %v, want at least 20", p.colours.scale.hi)
	}
	text := strings.ToLower(string(drawnAs(t, s, "svg")))
	for _, value := range []float64{3, 20} {
		c := viridis(p.colours.scale.part(value))
		if want := fmt.Sprintf(`stroke="#%02x%02x%02x"`, c.R, c.G, c.B); !strings.Contains(text, want) {
			t.Errorf("no line of the value %v has %s", value, want)
		}
	}
}

// boxFigure has boxes for two groups of two series.
func boxFigure() Figure {
	y := Axis{Label: "Time"}
	return Figure{Kind: Lines, Categories: []string{"a", "b"}, Y: y, Series: []Series{
		{Name: "one", Y: []float64{3, 4}, Low: []float64{1, 1}, High: []float64{9, 9},
			Quartiles: &Quartiles{Lower: []float64{2, 2}, Upper: []float64{5, 6}}},
		{Name: "two", Y: []float64{5, 5}, Low: []float64{1, 1}, High: []float64{9, 9},
			Quartiles: &Quartiles{Lower: []float64{2, 2}, Upper: []float64{5, 6}}}}}
}

// Boxes have their quartiles in CSV.
func TestBoxes(t *testing.T) {
	for _, format := range Formats() {
		text := string(drawnAs(t, boxFigure(), format))
		if format == "csv" && !strings.HasPrefix(text, "series,x,y,y_low,y_high,published,"+
			"lower_quartile,upper_quartile\none,a,3,1,9,,2,5\n") {
			t.Errorf("CSV: %s", text)
		}
	}
}

// A median outside of the axis, such as 0 on a logarithmic one, has no line and no glyph at
// its edge.
func TestBoxesAreCutOff(t *testing.T) {
	medians := func(f Figure) int {
		return strings.Count(string(drawnAs(t, f, "svg")), `stroke-width="1.5"`)
	}
	f := boxFigure()
	all := medians(f)
	f.Y.Min = new(4.5)
	if cut := medians(f); cut != all-2 {
		t.Errorf("%d of %d medians are drawn above 4.5, want 2 of 4", cut, all)
	}
	f = boxFigure()
	f.Y.Log = true
	s := &f.Series[0]
	s.Y[0], s.Low[0], s.Quartiles.Lower[0] = 0, 0, 0
	if cut := medians(f); cut != all-1 {
		t.Errorf("%d of %d medians are drawn with one at 0, want one less", cut, all)
	}
}

// A diagonal adds a band and a line under the points, on linear and logarithmic axes.
func TestDiagonal(t *testing.T) {
	for _, log := range []bool{false, true} {
		axis := Axis{Label: "v", Log: log, Min: new(1.0), Max: new(100.0)}
		f := Figure{Kind: Scatter, X: axis, Y: axis, Series: []Series{{X: []float64{2, 50},
			Y: []float64{2, 60}}}}
		paths := func() int { return strings.Count(string(drawnAs(t, f, "svg")), "<path") }
		plain := paths()
		f.Diagonal = 0.05
		if with := paths(); with != plain+2 {
			t.Errorf("log %v: %d paths, without a diagonal %d", log, with, plain)
		}
	}
}

// In print without colours a faint tile differs from tiles of every hue and value, and from the
// page.
func TestFaintTilesDifferInGrey(t *testing.T) {
	const least = 0.05
	grey := Grey(faint.Y, faint.Y, faint.Y)
	for _, c := range append(slices.Clone(viridisTable), hueColours[:]...) {
		if d := grey - Grey(c.R, c.G, c.B); d < least {
			t.Errorf("%v is lighter than faint by %v", c, -d)
		}
	}
	if d := 1 - grey; d < least {
		t.Errorf("the page is lighter by %v", d)
	}
}

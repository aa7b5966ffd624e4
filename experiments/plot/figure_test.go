package plot

import (
	"bytes"
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

func TestBadFiguresAreRefused(t *testing.T) {
	one := []float64{1}
	line := func(s Series) Figure { return Figure{Kind: Lines, Series: []Series{s}} }
	for want, fig := range map[string]Figure{
		"no series":             {Kind: Lines},
		"no series has a value": line(Series{X: one, Y: []float64{math.NaN()}}),
		"is not finite":         line(Series{X: one, Y: []float64{math.Inf(1)}}),
		"X: NaN is not finite":  line(Series{X: []float64{math.NaN()}, Y: one}),
		"too large":             line(Series{X: one, Y: []float64{1e200}}),
		"0 on a logarithmic axis": {Kind: Lines, Y: Axis{Log: true},
			Series: []Series{{X: one, Y: []float64{0}}}},
		"published: -1 on a log": {Kind: Lines, Y: Axis{Log: true},
			Series: []Series{{X: one, Y: one, Published: []float64{-1}}}},
		"limit of the x axis": {Kind: Lines, X: Axis{Min: new(math.NaN())},
			Series: []Series{{X: one, Y: one}}},
		"is not below": {Kind: Lines, X: Axis{Min: new(1.0), Max: new(1.0)},
			Series: []Series{{X: one, Y: one}}},
		"level": {Kind: Lines, Levels: []float64{math.Inf(-1)},
			Series: []Series{{X: one, Y: one}}},
		"no glyph for '😀'": line(Series{Name: "😀", X: one, Y: one}),
		"not UTF-8":        line(Series{Name: "\xff", X: one, Y: one}),
		"width 1 mm":       {Kind: Lines, WidthMM: 1, Series: []Series{{X: one, Y: one}}},
		"leave no room": {Kind: Lines, WidthMM: 20, Y: Axis{Label: "Latency"},
			Series: []Series{{Name: "a", X: one, Y: one}}, heightMM: 20},
		"names of 100 categories": {Kind: Bars, Categories: make([]string, 100),
			Series: []Series{{Y: make([]float64, 100)}}},
	} {
		err := Render(&bytes.Buffer{}, fig, "svg")
		if err == nil || !strings.HasPrefix(err.Error(), "figure: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want figure: ... %s", err, want)
		}
	}
}

// Any figure is either refused or drawn with nothing cut off or overlapping. There is
// never a panic.
func TestAnyFigure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fig := anyFigure(t)
		l, err := newLayout(fig)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "figure: ") {
				t.Fatalf("error %v", err)
			}
			return
		}
		for _, fault := range faults(l) {
			t.Fatalf("%s", fault)
		}
		if rapid.IntRange(0, 9).Draw(t, "render") == 0 {
			format := rapid.SampledFrom([]string{"svg", "pdf", "csv"}).Draw(t, "format")
			if err := Render(&bytes.Buffer{}, fig, format); err != nil {
				t.Fatalf("%s: %v", format, err)
			}
		}
	})
}

// anyFigure draws figures, most of them valid, with values of every size.
func anyFigure(t *rapid.T) Figure {
	value := rapid.OneOf(
		rapid.Float64Range(0.1, 10),
		rapid.Float64Range(-1000, 1e6),
		rapid.Float64(),
		rapid.SampledFrom([]float64{0, 1, 1, 5, 1e99, 1e-99, 1 + 1e-12, math.NaN(), math.Inf(1)}),
	)
	if rapid.Bool().Draw(t, "tame") {
		value = rapid.Float64Range(0.1, 1e5)
	}
	text := rapid.StringOfN(rapid.SampledFrom([]rune("abcMW gjy-/(λ≤")), 0, 30, -1)
	n := rapid.IntRange(0, 12).Draw(t, "points")
	values := rapid.SliceOfN(value, n, n)
	axis := func(name string) Axis {
		a := Axis{Label: text.Draw(t, name), Log: rapid.Bool().Draw(t, name)}
		if rapid.IntRange(0, 4).Draw(t, name) == 0 {
			a.Min = new(value.Draw(t, name))
		}
		if rapid.IntRange(0, 4).Draw(t, name) == 0 {
			a.Max = new(value.Draw(t, name))
		}
		return a
	}
	f := Figure{
		Kind:     Kind(rapid.IntRange(0, 3).Draw(t, "kind")),
		title:    text.Draw(t, "title"),
		X:        axis("x"),
		Y:        axis("y"),
		Colour:   axis("colour"),
		Bands:    rapid.Bool().Draw(t, "bands"),
		NoLegend: rapid.Bool().Draw(t, "legend"),
		WidthMM:  rapid.SampledFrom([]float64{0, 40, 174}).Draw(t, "width"),
		Levels:   rapid.SliceOfN(value, 0, 1).Draw(t, "levels"),
	}
	if f.Kind == Bars || rapid.Bool().Draw(t, "categories") {
		f.Categories = rapid.SliceOfN(text, n, n).Draw(t, "names")
	}
	for range rapid.IntRange(0, 10).Draw(t, "series") {
		s := Series{Name: text.Draw(t, "name"), X: values.Draw(t, "X"), Y: values.Draw(t, "Y")}
		if rapid.Bool().Draw(t, "intervals") {
			for _, y := range s.Y {
				e := math.Abs(y) * rapid.Float64Range(0, 2).Draw(t, "e")
				s.Low, s.High = append(s.Low, y-e), append(s.High, y+e)
			}
		}
		if rapid.Bool().Draw(t, "published") {
			s.Published = values.Draw(t, "published")
		}
		f.Series = append(f.Series, s)
	}
	return f
}

func TestColoursAreFlattenedOverWhite(t *testing.T) {
	for _, c := range []struct {
		in   color.Color
		want color.RGBA
	}{
		{nil, color.RGBA{A: 255}},
		{color.RGBA{R: 213, G: 94, A: 255}, color.RGBA{R: 213, G: 94, A: 255}},
		{color.NRGBA{B: 255, A: 128}, color.RGBA{R: 127, G: 127, B: 255, A: 255}},
		{color.Transparent, color.RGBA{R: 255, G: 255, B: 255, A: 255}},
	} {
		got := color.RGBAModel.Convert(opaque(c.in)).(color.RGBA)
		if got != c.want {
			t.Errorf("%v becomes %v, want %v", c.in, got, c.want)
		}
	}
}

// The drawn width is the width that gonum measures, also for letters outside ASCII.
func TestOutlinesAreAsWideAsMeasured(t *testing.T) {
	sty := sans(8)
	face := font.DefaultCache.Lookup(sty.Font, 8)
	for _, text := range []string{"AVATAR", "16 × 16, µ ≤ λ", "l"} {
		box := bounds(textPath(face, vg.Point{X: 3, Y: 2}, text))
		if width := box.Max.X - box.Min.X; math.Abs(float64(width-sty.Width(text))) > 1.5 {
			t.Errorf("%q: outlines %v wide, measured %v", text, width, sty.Width(text))
		}
	}
}

// A full arc returns to its start and keeps its distance from the centre.
func TestArcsBecomeCurves(t *testing.T) {
	var p vg.Path
	p.Move(vg.Point{X: 2})
	p.Arc(vg.Point{}, 2, 0, 2*math.Pi)
	p.QuadTo(vg.Point{X: 3}, vg.Point{X: 3, Y: 1})
	p.Close()
	curves := 0
	for _, c := range cubic(p) {
		if c.Type == vg.ArcComp || c.Type == vg.CurveComp && len(c.Control) != 2 {
			t.Errorf("component %+v left", c)
		}
		if c.Type == vg.CurveComp {
			curves++
		}
		if r := math.Hypot(float64(c.Pos.X), float64(c.Pos.Y)); curves > 0 && curves < 5 &&
			math.Abs(r-2) > 1e-9 {
			t.Errorf("arc passes at %g from its centre", r)
		}
	}
	if curves != 5 {
		t.Errorf("%d curves, want 5", curves)
	}
}

func TestWrap(t *testing.T) {
	sty := sans(8)
	for _, c := range []struct {
		text  string
		width vg.Length
		want  string
	}{
		{"short", 100, "short"},
		{"Mean job response time (time units)", 100, "Mean job response\ntime (time units)"},
		{"one-to-all", 30, "one-\nto-all"},
		{"kept\nbreak", 100, "kept\nbreak"},
		{"", 10, ""},
	} {
		got := wrap(sty, c.text, c.width)
		if got != c.want {
			t.Errorf("%q in %v: %q, want %q", c.text, c.width, got, c.want)
		}
		for _, line := range strings.Split(got, "\n") {
			if sty.Width(line) > c.width {
				t.Errorf("%q in %v: line %q is %v wide", c.text, c.width, line, sty.Width(line))
			}
		}
	}
	if got := wrap(sty, "Uninterruptible", 30); strings.ReplaceAll(got, "\n",
		"") != "Uninterruptible" || !strings.Contains(got, "\n") {
		t.Errorf("a long word becomes %q", got)
	}
}

// The raised six of the font is as wide as a full digit. What follows it stands as close as
// behind the others.
func TestRaisedSixLeavesNoGap(t *testing.T) {
	sty := sans(8)
	face := font.DefaultCache.Lookup(sty.Font, 8)
	end := func(text string) vg.Length {
		var path vg.Path
		eachPart(face, vg.Point{}, text, func(pt vg.Point, part string) {
			path = append(path, textPath(face, pt, part)...)
		})
		return bounds(path).Max.X
	}
	if six, eight := end("10⁶ cycles, 10⁶ hops"), end("10⁸ cycles, 10⁸ hops"); math.Abs(
		float64(six-eight)) > 0.05 {
		t.Errorf("with 6 the text ends at %v, with 8 at %v", six, eight)
	}
}

package plot

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"contend/experiments/plot/limits"
)

// No two series share a colour, a dash, a glyph or a hatch, and a tenth is refused. Lines and bars
// have the same colours, but bars grey for black.
func TestLooksDiffer(t *testing.T) {
	distinct := map[string]bool{}
	for i := range limits.MaxSeries {
		line, bar, g := lineStyle(i), barLooks[i], glyphStyle(i).Shape.(glyph)
		if want := line.Color; bar.fill != want && (want != okabeBlack || bar.fill != lightGrey) {
			t.Errorf("series %d: bars %v, lines %v", i+1, bar.fill, want)
		}
		for _, look := range []string{fmt.Sprint("colour", line.Color), fmt.Sprint("dash", line.Dashes),
			fmt.Sprintf("glyph %T %v %v", g.shape, g.shape, g.open), fmt.Sprint("fill", bar.fill),
			fmt.Sprint("hatch", bar.hatch)} {
			if distinct[look] {
				t.Errorf("series %d: %s again", i+1, look)
			}
			distinct[look] = true
		}
	}
	for _, kind := range []Kind{Bars, Lines} {
		fig := nineSample(kind)
		reference := Series{Name: "reference", X: []float64{1, 2, 3}, Y: []float64{1, 1, 1},
			Reference: true}
		fig.Series = append(fig.Series, reference)
		if err := Render(&bytes.Buffer{}, fig, "svg"); err != nil {
			t.Errorf("%v: nine series and a reference: %v", kind, err)
		}
		fig.Series[9].Reference = false
		if err := Render(&bytes.Buffer{}, fig, "svg"); err == nil ||
			!strings.Contains(err.Error(), "10 series: 9 can be told apart") {
			t.Errorf("%v: ten series: error %v", kind, err)
		}
	}
}

// A series has the look that it asks for, in the figure and in its legend, also if series are
// missing. No two have one look: the second has the first that is free.
func TestSeriesAskForLooks(t *testing.T) {
	for _, c := range []struct{ asked, want []int }{
		{[]int{0, 0, 0}, []int{0, 1, 2}},
		{[]int{3, 0, 1}, []int{2, 1, 0}},
		{[]int{2, 2, 9}, []int{1, 0, 8}},
		{[]int{0, 1}, []int{1, 0}},
	} {
		fig := nineSample(Lines)
		fig.NoLegend, fig.Series = true, fig.Series[:len(c.asked)]
		for i, look := range c.asked {
			fig.Series[i].Look = look
		}
		r := drawnBy(t, fig)
		for i, want := range c.want {
			if got := fig.look(i); got != want {
				t.Errorf("of looks %v, series %d has %d, want %d", c.asked, i, got, want)
			}
			if n := r.count(lineColours[want]); n != 3 {
				t.Errorf("of looks %v, %d points have look %d, want 3", c.asked, n, want)
			}
		}
	}
	fig := nineSample(Bars)
	fig.Series[0].Look = limits.MaxSeries + 1
	if err := Render(&bytes.Buffer{}, fig, "svg"); err == nil ||
		!strings.Contains(err.Error(), "look 10: want at most 9") {
		t.Errorf("look 10: error %v", err)
	}
}

// Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color
// Vision Deficiency", 2009: what those without one kind of cones see, in linear RGB.
var visions = map[string][3][3]float64{
	"normal": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanope": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216},
		{-0.003882, -0.048116, 1.051998}},
	"deuteranope": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413},
		{-0.011820, 0.042940, 0.968881}},
	"tritanope": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602},
		{0.004733, 0.691367, 0.303900}},
}

// seen returns a colour as seen, in CIELAB: lightness 0 to 100 and two opponent colours.
func seen(c color.RGBA, vision [3][3]float64) [3]float64 {
	var linear, rgb [3]float64
	for i, v := range []uint8{c.R, c.G, c.B} {
		x := float64(v) / 255
		if linear[i] = x / 12.92; x > 0.04045 {
			linear[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	for i, row := range vision {
		for j := range linear {
			rgb[i] += row[j] * linear[j]
		}
		rgb[i] = min(1, max(0, rgb[i]))
	}
	f := func(r, g, b, white float64) float64 {
		v := (r*rgb[0] + g*rgb[1] + b*rgb[2]) / white
		if v > 0.008856 {
			return math.Cbrt(v)
		}
		return 7.787*v + 16.0/116
	}
	x, y, z := f(.4124, .3576, .1805, .9505), f(.2126, .7152, .0722, 1), f(.0193, .1192, .9505, 1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// Neighbours differ by at least a tenth of the way from black to white, and no two colours
// come close to each other for anybody: a difference of 2.3 is just noticeable.
func TestColoursCanBeToldApart(t *testing.T) {
	var fills []color.RGBA
	for _, look := range barLooks {
		fills = append(fills, look.fill)
	}
	for name, palette := range map[string][]color.RGBA{"lines": lineColours, "bars": fills} {
		for kind, vision := range visions {
			for i, a := range palette {
				for j, b := range palette[:i] {
					p, q := seen(a, vision), seen(b, vision)
					if d := math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2]); d < 15 {
						t.Errorf("%s, %s: colours %d and %d differ by %.1f", name, kind, j+1, i+1, d)
					}
					if d := math.Abs(p[0] - q[0]); kind == "normal" && j == i-1 && d < 10 {
						t.Errorf("%s: greys %d and %d differ by %.1f", name, j+1, i+1, d)
					}
				}
			}
		}
	}
}

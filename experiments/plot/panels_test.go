package plot

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/google/go-cmp/cmp"

	"contend/internal/must"
)

// All panels have the same size and ranges, stand apart from each other on the page, and
// share one legend.
func TestPanelsAreAlike(t *testing.T) {
	for _, fig := range []Figure{panelsSample(groupedSample(), 5), panelsSample(latencySample(), 3),
		panelsSample(scatterSample(), 4)} {
		m := must.Have(newMultiples(fig))
		first := m.panels[0]
		for i, p := range m.panels {
			if p.size != first.size || p.data != first.data || p.x != first.x || p.y != first.y {
				t.Errorf("%v, panel %d: %v, %v, %v, %v, want %v, %v, %v, %v", fig.Kind, i,
					p.size, p.data, p.x, p.y, first.size, first.data, first.x, first.y)
			}
			if p.legend != nil {
				t.Errorf("%v, panel %d has a legend of its own", fig.Kind, i)
			}
			for j, at := range m.corners[:i] {
				if apart := m.corners[i].Sub(at); max(apart.X, -apart.X)+slackOf < p.size.X &&
					max(apart.Y, -apart.Y)+slackOf < p.size.Y {
					t.Errorf("%v: panels %d and %d overlap", fig.Kind, j, i)
				}
			}
		}
		if got := float64(m.size.X / vg.Millimeter); math.Abs(got-TwoColumnMM) > 1e-6 {
			t.Errorf("%v: %v mm wide", fig.Kind, got)
		}
		if m.legend == nil {
			t.Errorf("%v: no legend", fig.Kind)
		}
	}
}

// Panels with free axes have the ranges that their values have alone, at the width of the panel: the
// same values a thousand times as large take a thousand times the range, with their numbers in full
// and no power of ten. Pages and data are aligned as those of other panels. A range that is given
// holds for all.
func TestFreePanels(t *testing.T) {
	for _, fig := range []Figure{panelsSample(groupedSample(), 5), panelsSample(latencySample(), 4),
		panelsSample(scatterSample(), 3)} {
		shared := must.Have(newMultiples(fig))
		for i := range fig.Panels[1].Series {
			s := &fig.Panels[1].Series[i]
			for _, list := range [][]float64{s.Y, s.Low, s.High, s.Published} {
				for j := range list {
					list[j] *= 1e5
				}
			}
		}
		fig.FreeAxes = true
		m := must.Have(newMultiples(fig))
		for i, p := range m.panels {
			alone := fig
			alone.Panels, alone.PanelKeys, alone.Series = nil, nil, fig.Panels[i].Series
			alone.X.Label, alone.Y.Label = "", ""
			x, y := must.Have(alone.checked()).ranges()
			if p.x != x || p.y != y || p.y.tens != 0 {
				t.Errorf("%v, panel %d: axes %v and %v, want %v and %v", fig.Kind, i, p.x, p.y, x, y)
			}
			first := m.panels[0]
			if p.size != first.size || math.Abs(float64(p.data.Min.X-first.data.Min.X)) > 0.5 {
				t.Errorf("%v, panel %d: %v with data from %v, the first %v from %v", fig.Kind, i, p.size,
					p.data.Min, first.size, first.data.Min)
			}
		}
		if m.panels[1].y.hi < 1e3*m.panels[0].y.hi {
			t.Errorf("%v: ranges end at %v and %v", fig.Kind, m.panels[0].y.hi, m.panels[1].y.hi)
		}
		if m.y != shared.y || (m.legend == nil) != (shared.legend == nil) {
			t.Errorf("%v: the label is %q and not %q", fig.Kind, m.y, shared.y)
		}
		fig.Y.Min, fig.Y.Max = new(0.5), new(7e7)
		for i, p := range must.Have(newMultiples(fig)).panels {
			if p.y.lo != 0.5 || p.y.hi != 7e7 {
				t.Errorf("%v, panel %d: from %v to %v", fig.Kind, i, p.y.lo, p.y.hi)
			}
		}
	}
}

// Long names under the axis leave a panel half of its height for data.
func TestPanelsKeepHalfForData(t *testing.T) {
	fig := panelsSample(groupedSample(), 4)
	fig.WidthMM = OneColumnMM
	for i := range fig.Categories {
		fig.Categories[i] = strings.Repeat("long ", 4) + fig.Categories[i]
	}
	m := must.Have(newMultiples(fig))
	for i, p := range m.panels {
		if data := p.data.Max.Y - p.data.Min.Y; data < p.size.Y/2-slackOf {
			t.Errorf("panel %d: %v of %v are for data", i, data, p.size.Y)
		}
	}
}

const slackOf = vg.Length(1e-6)

// A page is at most as high as a column.
func TestPageOfPanels(t *testing.T) {
	for i, n := range []int{1, 2, 3, 7, 12, 24, 39, 3, 12, 39} {
		fig := panelsSample(loadSample(), n)
		fig.FreeAxes = i > 6
		m, err := newMultiples(fig)
		if err != nil {
			if n < 25 || !strings.Contains(err.Error(), "room") {
				t.Errorf("%d panels: %v", n, err)
			}
			continue
		}
		if y := float64(m.size.Y / vg.Millimeter); y > maxHeightMM+1e-6 {
			t.Errorf("%d panels: %v mm high", n, y)
		}
	}
}

func TestBadPanelsAreRefused(t *testing.T) {
	change := func(f func(*Figure)) Figure {
		fig := panelsSample(loadSample(), 2)
		f(&fig)
		return fig
	}
	for want, fig := range map[string]Figure{
		"heat map has no panels":        change(func(f *Figure) { f.Kind = HeatMap }),
		"a figure has either series or": change(func(f *Figure) { f.Series = f.Panels[0].Series }),
		"1 values for 2 keys":           change(func(f *Figure) { f.PanelKeys = []string{"a", "b"} }),
		"other series": change(
			func(f *Figure) { f.Panels[1].Series = f.Panels[1].Series[1:] }),
		"no series has a value": change(func(f *Figure) {
			f.Panels[1].Series = nil
			for _, s := range f.Panels[0].Series {
				f.Panels[1].Series = append(f.Panels[1].Series, Series{Name: s.Name})
			}
		}),
		"is not finite":    change(func(f *Figure) { f.Panels[1].Series[0].Y[0] = math.Inf(1) }),
		"no glyph for '😀'": change(func(f *Figure) { f.Panels[1].Name = "😀" }),
		"width 1 mm":       change(func(f *Figure) { f.WidthMM = 1 }),
	} {
		err := Render(&bytes.Buffer{}, fig, "svg")
		if err == nil || !strings.HasPrefix(err.Error(), "figure: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want figure: ... %s", err, want)
		}
	}
}

func TestPanelsInCSV(t *testing.T) {
	nan := math.NaN()
	fig := Figure{
		Kind: Lines, Y: Axis{Time: true}, PanelKeys: []string{"a", "b"},
		Panels: []Panel{
			{Values: []string{"1", "x"},
				Series: []Series{{Name: "s", X: []float64{0.1}, Y: []float64{1217942.33349}}}},
			{Values: []string{"2", "y"},
				Series: []Series{{Name: "s", X: []float64{1e7}, Y: []float64{nan},
					Published: []float64{1e-7}}}},
		},
	}
	var b bytes.Buffer
	must.Do(fig.writeCSV(&b))
	want := "a,b,series,x,y,y_low,y_high,published\n" +
		"1,x,s,0.1,1217942.333,,,\n2,y,s,10000000,,,,0.0000001\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

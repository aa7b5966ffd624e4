package plot

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Small multiples: every panel is a layout with the same width, height and ranges as
// the others and without a legend and labels of axes. These stand on the page once, for
// all panels.

// multiples is a page with panels. From top to bottom it holds the legend,
// the rows of panels and the label of x.
type multiples struct {
	fig     Figure
	size    vg.Point
	panels  []*layout
	corners []vg.Point // lower left corners of the panels
	legend  *legend    // nil if there is none
	x, y    string     // labels of the axes, broken into lines
	middle  vg.Point
}

func (m *multiples) pageSize() vg.Point { return m.size }

// panelGap is the room between two panels in addition to their own margins.
const panelGap = vg.Length(3)

// Least widths of a panel, and of a bar with the room around it. Below them fewer
// panels stand side by side.
const (
	panelWidthMM = 40
	barWidthMM   = 1
)

// checkPanels returns an error if the panels as such are wrong.
func (f Figure) checkPanels() error {
	switch {
	case f.Kind == HeatMap:
		return fmt.Errorf("figure: a heat map has no panels")
	case f.Series != nil:
		return fmt.Errorf("figure: a figure has either series or panels")
	}
	for i, p := range f.Panels {
		if len(p.Values) != len(f.PanelKeys) {
			return fmt.Errorf("figure: panel %q: %d values for %d keys", p.Name, len(p.Values),
				len(f.PanelKeys))
		}
		same := func(a, b Series) bool { return a.Name == b.Name }
		if !slices.EqualFunc(p.Series, f.Panels[0].Series, same) {
			return fmt.Errorf("figure: panel %q: other series than in the first panel", p.Name)
		}
		if _, err := f.panel(i).checked(); err != nil {
			return fmt.Errorf("figure: panel %q: %s", p.Name, strings.TrimPrefix(err.Error(), "figure: "))
		}
	}
	return nil
}

// panel returns the i-th panel as a figure whose axes cover all panels.
func (f Figure) panel(i int) Figure {
	p := f.Panels[i]
	f.ranging = f.merged()
	f.title, f.Series, f.Panels, f.PanelKeys = p.Name, p.Series, nil, nil
	f.X.page, f.Y.page = f.X.Label != "", f.Y.Label != ""
	f.X.Label, f.Y.Label, f.Legend = "", "", NoLegend
	return f
}

// ranged returns the series that determine the ranges of the axes.
func (f Figure) ranged() []Series {
	if f.ranging != nil {
		return f.ranging
	}
	return f.Series
}

// merged returns the series with the values of all panels one after the other.
func (f Figure) merged() []Series {
	all := make([]Series, len(f.Panels[0].Series))
	for _, p := range f.Panels {
		for i, s := range p.Series[:min(len(all), len(p.Series))] {
			to := &all[i]
			to.Name, to.Reference = s.Name, s.Reference
			to.X, to.Y = append(to.X, s.X...), append(to.Y, s.Y...)
			to.Low = append(to.Low, orNaN(s.Low, len(s.Y))...)
			to.High = append(to.High, orNaN(s.High, len(s.Y))...)
			to.Published = append(to.Published, orNaN(s.Published, len(s.Y))...)
			to.Crossed = append(to.Crossed, s.Crossed...) // the legend asks whether there is any
			if q := s.Quartiles; q != nil {
				if to.Quartiles == nil {
					to.Quartiles = &Quartiles{}
				}
				to.Quartiles.Lower = append(to.Quartiles.Lower, q.Lower...)
				to.Quartiles.Upper = append(to.Quartiles.Upper, q.Upper...)
			}
		}
	}
	return all
}

// orNaN returns the values, or n times NaN if there are none.
func orNaN(values []float64, n int) []float64 {
	if values != nil {
		return values
	}
	return slices.Repeat([]float64{math.NaN()}, n)
}

// newMultiples checks the figure and places its parts.
func newMultiples(fig Figure) (*multiples, error) {
	if fig.WidthMM == 0 && len(fig.Panels) > 1 {
		fig.WidthMM = TwoColumnMM
	}
	if err := fig.checkPanels(); err != nil {
		return nil, err
	}
	page := fig.panel(0) // with the parts that stand on the page once
	page.title, page.X.Label, page.Y.Label = "", fig.X.Label, fig.Y.Label
	page, err := page.checked()
	if err != nil {
		return nil, err
	}
	x, y := page.ranges()
	fig.X.Label, fig.Y.Label = x.labelled(fig.X.Label), y.labelled(fig.Y.Label)
	fig.WidthMM, fig.PublishedLabel = page.WidthMM, page.PublishedLabel
	fig.CrossedLabel = page.CrossedLabel
	if fig.Legend == Beside {
		fig.Legend = Above
	}
	var first error
	for _, columns := range fig.columns() {
		m := &multiples{fig: fig}
		err := m.arrange(columns)
		if err == nil {
			return m, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// columns lists numbers of panels to put side by side, the best first: as many as are
// wide enough, in rows of about the same length; then fewer, for names that need room;
// then more, for the height of the page.
func (f Figure) columns() (list []int) {
	need, n := float64(panelWidthMM), len(f.Panels)
	if f.Kind == Bars {
		bars := len(f.Categories) * (len(f.Panels[0].Series) + 1)
		need = max(need, 12+barWidthMM*float64(bars))
	}
	most := min(n, max(1, int(f.WidthMM/need)))
	rows := (n + most - 1) / most
	best := (n + rows - 1) / rows
	for c := best; c > 0; c-- {
		list = append(list, c)
	}
	for c := best + 1; c <= n && f.WidthMM/float64(c) >= MinWidthMM; c++ {
		list = append(list, c)
	}
	return list
}

// arrange lays out the page with the given number of panels side by side.
func (m *multiples) arrange(columns int) error {
	f, all := m.fig, m.fig
	all.Series = f.merged()
	m.size.X = mm(f.WidthMM)
	inner, rows := m.size.X-2*margin, (len(f.Panels)+columns-1)/columns
	top, bottom := margin, margin
	if m.legend = newLegend(all, inner); m.legend != nil {
		top += m.legend.size.Y + gap
	}
	if m.x = wrap(sans(labelSize), f.X.Label, inner); m.x != "" {
		bottom += sans(labelSize).Height(m.x)
	}
	most := mm(MaxHeightMM)
	if f.HeightMM > 0 {
		most = mm(f.HeightMM)
	}
	room := (most - top - bottom - vg.Length(rows-1)*panelGap) / vg.Length(rows)
	left, width, height := margin, vg.Length(0), vg.Length(0)
	// the label of y takes width from the panels, and their height decides how many
	// lines the label has
	for range 2 {
		left = margin
		if f.Y.Label != "" {
			m.y = wrap(sans(labelSize), f.Y.Label, max(height, minData)*vg.Length(rows))
			if height == 0 {
				m.y = f.Y.Label
			}
			left += sans(labelSize).Height(m.y)
		}
		width = (m.size.X - margin - left - vg.Length(columns-1)*panelGap) / vg.Length(columns)
		var err error
		if height, err = m.layPanels(width, room); err != nil {
			return err
		}
	}
	m.size.Y = top + bottom + vg.Length(rows)*height + vg.Length(rows-1)*panelGap
	for i := range m.panels {
		m.corners = append(m.corners, vg.Point{
			X: left + vg.Length(i%columns)*(width+panelGap),
			Y: m.size.Y - top - height - vg.Length(i/columns)*(height+panelGap),
		})
	}
	m.middle = vg.Point{X: (left + m.size.X - margin) / 2, Y: (bottom + m.size.Y - top) / 2}
	if m.legend != nil {
		at := max(margin, min(m.middle.X-m.legend.size.X/2, m.size.X-margin-m.legend.size.X))
		m.legend.topLeft = vg.Point{X: at, Y: m.size.Y - top + gap + m.legend.size.Y}
	}
	return nil
}

// layPanels lays out the panels at a width, all with the same height, and returns that
// height. room is the height available for each. A figure with a given height uses all
// of it.
func (m *multiples) layPanels(width, room vg.Length) (height vg.Length, err error) {
	if m.fig.HeightMM == 0 {
		if height, err = m.layout(width, 0); err != nil || height <= room {
			return height, err
		}
	}
	if room < mm(MinWidthMM) {
		return 0, fmt.Errorf("figure: no room for %d panels on a page of %g mm by %d mm: choose fewer "+
			"values",
			len(m.fig.Panels), m.fig.WidthMM, MaxHeightMM)
	}
	return m.layout(width, room)
}

// layout lays out the panels at a width and a height and returns the greatest height.
// The height 0 gives each panel the height it needs.
func (m *multiples) layout(width, height vg.Length) (most vg.Length, err error) {
	m.panels = nil
	names, lines := make([]string, len(m.fig.Panels)), 0
	for i, p := range m.fig.Panels {
		names[i] = wrap(sans(labelSize), p.Name, width-2*margin)
		lines = max(lines, strings.Count(names[i], "\n"))
	}
	for i := range m.fig.Panels {
		f := m.fig.panel(i)
		f.title = strings.Repeat("\n", lines-strings.Count(names[i], "\n")) + names[i]
		f.WidthMM, f.HeightMM = float64(width/vg.Millimeter), float64(height/vg.Millimeter)
		l, err := newLayout(f)
		if err != nil {
			return 0, err
		}
		m.panels, most = append(m.panels, l), max(most, l.size.Y)
	}
	return most, nil
}

// draw draws the figure on a canvas of the size of the page.
func (m *multiples) draw(to vg.Canvas) {
	c := paper(to, m.size)
	for i, p := range m.panels {
		to.Push()
		to.Translate(m.corners[i])
		p.draw(to)
		to.Pop()
	}
	sty := sans(labelSize)
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
	descent := sty.FontExtents().Descent
	if m.legend != nil {
		m.legend.draw(c)
	}
	if m.x != "" {
		c.FillText(sty, vg.Point{X: m.middle.X, Y: margin + sty.Height(m.x) + descent}, m.x)
	}
	if m.y != "" {
		sty.Rotation = math.Pi / 2
		c.FillText(sty, vg.Point{X: margin - descent, Y: m.middle.Y}, m.y)
	}
}

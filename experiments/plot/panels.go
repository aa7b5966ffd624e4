package plot

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"contend/experiments/plot/limits"
)

// multiples is a page with small multiples. Every panel is a layout with the same width and height
// as the others and, unless Figure.FreeAxes is set, with the same ranges. The page holds from top
// to bottom the legend, the rows of panels and the label of x; legend and labels stand there once,
// for all panels.
type multiples struct {
	fig     Figure
	shared  Figure // the first panel with the labels and the legend of the page
	size    vg.Point
	panels  []*layout
	corners []vg.Point // lower left corners of the panels
	legend  *legend    // nil if there is none
	x, y    string     // labels of the axes, broken into lines
	middle  vg.Point   // of the region of the panels
}

// pageSize returns the size of the page in points.
func (m *multiples) pageSize() vg.Point { return m.size }

// panelGap is the distance between two panels in addition to their margins.
const panelGap = vg.Length(3)

// Minimum widths of a panel, and of a bar with the gap beside it. Below them fewer panels
// stand side by side.
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
		sameName := func(a, b Series) bool { return a.Name == b.Name }
		if !slices.EqualFunc(p.Series, f.Panels[0].Series, sameName) {
			return fmt.Errorf("figure: panel %q: other series than in the first panel", p.Name)
		}
		if _, err := f.panel(i).checked(); err != nil {
			return fmt.Errorf("figure: panel %q: %s", p.Name, strings.TrimPrefix(err.Error(), "figure: "))
		}
	}
	return nil
}

// panel returns the i-th panel as a figure whose axes cover all panels, or the panel alone where
// axes are free. These have no power of ten, which would stand in the label that all panels share.
func (f Figure) panel(i int) Figure {
	p := f.Panels[i]
	f.ranging = p.Series
	if f.X.page, f.Y.page = f.X.Label != "", f.Y.Label != ""; f.FreeAxes {
		f.X.page, f.Y.page = false, false
	} else {
		f.ranging = nil
		for _, p := range f.Panels {
			f.ranging = append(f.ranging, p.Series...)
		}
	}
	f.title, f.Series, f.Panels, f.PanelKeys = p.Name, p.Series, nil, nil
	f.X.Label, f.Y.Label, f.NoLegend = "", "", true
	return f
}

// ranged returns the series that determine the ranges of the axes and the legend.
func (f Figure) ranged() []Series {
	if f.ranging != nil {
		return f.ranging
	}
	return f.Series
}

// newMultiples checks the figure and places its parts.
func newMultiples(fig Figure) (*multiples, error) {
	if fig.WidthMM == 0 && len(fig.Panels) > 1 {
		fig.WidthMM = TwoColumnMM
	}
	if err := fig.checkPanels(); err != nil {
		return nil, err
	}
	covering := fig
	covering.FreeAxes = false
	shared := covering.panel(0) // its legend is that of all panels
	shared.title, shared.X.Label, shared.Y.Label = "", fig.X.Label, fig.Y.Label
	shared.NoLegend = fig.NoLegend
	shared, err := shared.checked()
	if err != nil {
		return nil, err
	}
	if x, y := shared.ranges(); !fig.FreeAxes {
		shared.X.Label, shared.Y.Label = x.labelled(fig.X.Label), y.labelled(fig.Y.Label)
	}
	fig.WidthMM = shared.WidthMM
	var first error
	for _, columns := range fig.columns() {
		m := &multiples{fig: fig, shared: shared}
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
	widest := min(n, max(1, int(f.WidthMM/need)))
	rows := (n + widest - 1) / widest
	best := (n + rows - 1) / rows
	for c := best; c > 0; c-- {
		list = append(list, c)
	}
	for c := best + 1; c <= n && f.WidthMM/float64(c) >= limits.MinWidthMM; c++ {
		list = append(list, c)
	}
	return list
}

// arrange lays out the page with the given number of panels side by side.
func (m *multiples) arrange(columns int) error {
	f, sty := m.shared, sans(labelSize)
	m.size.X = mm(f.WidthMM)
	inner, rows := m.size.X-2*margin, (len(m.fig.Panels)+columns-1)/columns
	top, bottom := margin, margin
	if m.legend = newLegend(f, inner); m.legend != nil {
		top += m.legend.size.Y + gap
	}
	if m.x = wrap(sty, f.X.Label, inner); m.x != "" {
		bottom += sty.Height(m.x)
	}
	room := (mm(maxHeightMM) - top - bottom - vg.Length(rows-1)*panelGap) / vg.Length(rows)
	left, width, height := margin, vg.Length(0), vg.Length(0)
	// The label of y takes width from the panels, and their height decides how many lines
	// the label has.
	m.y = f.Y.Label
	for round := range 2 {
		if round > 0 {
			m.y = wrap(sty, f.Y.Label, max(height, minData)*vg.Length(rows))
		}
		if left = margin; m.y != "" {
			left += sty.Height(m.y)
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
		m.legend.placeAbove(m.middle.X, m.size.Y-top+gap, m.size.X)
	}
	return nil
}

// layPanels lays out the panels at a width, all with the same height of at most room, and
// returns that height.
func (m *multiples) layPanels(width, room vg.Length) (height vg.Length, err error) {
	m.fig.left = 0
	if height, err = m.layout(width, 0); err != nil {
		return height, err
	}
	if height > room && room < mm(limits.MinWidthMM) {
		return 0, fmt.Errorf("figure: no room for %d panels on a page of %g mm by %d mm: choose fewer "+
			"values",
			len(m.fig.Panels), m.fig.WidthMM, maxHeightMM)
	}
	switch {
	case m.fig.FreeAxes: // labels of axes take other widths and heights in each panel
		for _, p := range m.panels {
			m.fig.left = max(m.fig.left, p.data.Min.X)
		}
		return m.layout(width, min(height, room))
	case height > room:
		return m.layout(width, room)
	}
	return height, nil
}

// layout lays out the panels at a width and a height and returns the maximum height.
// The height 0 gives each panel the height it needs.
func (m *multiples) layout(width, height vg.Length) (highest vg.Length, err error) {
	m.panels = nil
	names, lines := make([]string, len(m.fig.Panels)), 0
	for i, p := range m.fig.Panels {
		names[i] = wrap(sans(labelSize), p.Name, width-2*margin)
		lines = max(lines, strings.Count(names[i], "\n"))
	}
	for i, name := range names {
		f := m.fig.panel(i)
		f.title = strings.Repeat("\n", lines-strings.Count(name, "\n")) + name
		f.WidthMM, f.heightMM = float64(width/vg.Millimeter), float64(height/vg.Millimeter)
		l, err := newLayout(f)
		if err != nil {
			return 0, err
		}
		m.panels, highest = append(m.panels, l), max(highest, l.size.Y)
	}
	return highest, nil
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
	if m.legend != nil {
		m.legend.draw(c)
	}
	sty := sans(labelSize)
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
	descent := sty.FontExtents().Descent
	c.FillText(sty, vg.Point{X: m.middle.X, Y: margin + sty.Height(m.x) + descent}, m.x)
	sty.Rotation = math.Pi / 2
	c.FillText(sty, vg.Point{X: margin - descent, Y: m.middle.Y}, m.y)
}

package report

import (
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/study"
)

// drawPanels calls draw with the points of each panel and each name, and collects the series in
// a figure. Panels without any number are left out; it reports false if there is no number at all.
func drawPanels(r *experiments.Results, f *study.Figure, d plot.Figure, points []int,
	names []string, draw func(points []int, name string) plot.Series) (plot.Figure, bool) {
	y := func(s *plot.Series) []float64 { return s.Y }
	series := func(points []int) (all []plot.Series) {
		for _, name := range names {
			all = append(all, draw(points, name))
		}
		return all
	}
	if len(f.Panels) == 0 {
		d.Series = series(points)
		return d, has(&d, y)
	}
	d.PanelKeys = f.Panels
	groups, order := map[string][]int{}, []string{}
	for _, i := range points {
		panel := strings.Join(r.Study.PanelOf(f, &r.Points[i]), "\x00")
		if groups[panel] == nil {
			order = append(order, panel)
		}
		groups[panel] = append(groups[panel], i)
	}
	for _, panel := range order {
		values := r.Study.PanelOf(f, &r.Points[groups[panel][0]])
		p := plot.Panel{Name: panelName(r.Study, f, values), Values: values,
			Series: series(groups[panel])}
		if has(&plot.Figure{Series: p.Series}, y) {
			d.Panels = append(d.Panels, p)
		}
	}
	return d, len(d.Panels) > 0
}

// panelsOf returns the panels of a figure; one without panels is one panel.
func panelsOf(d *plot.Figure) []plot.Panel {
	if len(d.Panels) == 0 {
		return []plot.Panel{{Series: d.Series}}
	}
	return d.Panels
}

// has reports whether a list of some series has a number.
func has(d *plot.Figure, list func(*plot.Series) []float64) bool {
	for _, p := range panelsOf(d) {
		for i := range p.Series {
			if slices.ContainsFunc(list(&p.Series[i]), isNumber) {
				return true
			}
		}
	}
	return false
}

// isNumber reports whether there is a value.
func isNumber(x float64) bool { return !math.IsNaN(x) }

// panelName returns the heading of a panel. A value that is a name stands alone;
// other values follow their key.
func panelName(st *study.Study, f *study.Figure, values []string) string {
	var parts []string
	names := tables.PrintedNames(values, st.Labels, f.Labels)
	for i, v := range values {
		if name, ok := names[v]; ok {
			v = name
		} else if k, _ := study.FindAxisKey(f.Panels[i]); k.Type != "string" {
			v = tables.ShortKey(f.Panels[i]) + " = " + v
		}
		parts = append(parts, v)
	}
	return strings.Join(parts, ", ")
}

// single reports whether a figure has one series and no published figures.
func single(d *plot.Figure) bool {
	for _, p := range panelsOf(d) {
		if len(p.Series) != 1 || p.Series[0].Published != nil {
			return false
		}
	}
	return true
}

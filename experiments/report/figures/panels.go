package figures

import (
	"strings"

	"contend/experiments"
	"contend/experiments/figure"
	"contend/experiments/report/tables"
)

// drawPanels calls draw with the points of each panel and collects the series in
// a figure. All panels must have the same series. draw also reports whether its
// series have any number.
func drawPanels(r *experiments.Results, f *experiments.Figure, d figure.Figure, points []int,
	draw func(points []int) ([]figure.Series, bool)) (figure.Figure, bool) {
	if len(f.Panels) == 0 {
		any := false
		d.Series, any = draw(points)
		return d, any
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
		if series, any := draw(groups[panel]); any {
			d.Panels = append(d.Panels, figure.Panel{Name: panelName(r.Study, f, values),
				Values: values, Series: series})
		}
	}
	return d, len(d.Panels) > 0
}

// panelName returns the heading of a panel. A value that is a name stands alone;
// other values follow their key.
func panelName(st *experiments.Study, f *experiments.Figure, values []string) string {
	var parts []string
	names := printedNames(st, f, values)
	for i, v := range values {
		if name, ok := names[v]; ok {
			v = name
		} else if k, _ := experiments.FindAxisKey(f.Panels[i]); k.Type != "string" {
			v = tables.ShortKey(f.Panels[i]) + " = " + v
		}
		parts = append(parts, v)
	}
	return strings.Join(parts, ", ")
}

// single reports whether a figure has one series and no published figures.
func single(d *figure.Figure) bool {
	panels := d.Panels
	if len(panels) == 0 {
		panels = []figure.Panel{{Series: d.Series}}
	}
	for _, p := range panels {
		if len(p.Series) != 1 || p.Series[0].Published != nil {
			return false
		}
	}
	return true
}

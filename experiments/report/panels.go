package report

import (
	"strings"

	"contend/experiments"
	"contend/experiments/figure"
)

// drawPanels makes a figure of what draw makes of the points of each panel: the
// series, of which those of all panels have to be the same, and whether there is
// a number in them.
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
			d.Panels = append(d.Panels, figure.Panel{Name: panelName(f.Panels, values),
				Values: values, Series: series})
		}
	}
	return d, len(d.Panels) > 0
}

// panelName is the heading of a panel: names stand for themselves, of other
// values it says what they are of.
func panelName(keys, values []string) string {
	var parts []string
	for i, v := range values {
		if k, _ := experiments.FindAxisKey(keys[i]); k.Type != "string" {
			v = shortKey(keys[i]) + " = " + v
		}
		parts = append(parts, v)
	}
	return strings.Join(parts, ", ")
}

// single tells whether a figure has one series, and nothing published beside it.
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

package report

import (
	"math"
	"slices"
	"strings"

	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/study"
)

// panels calls series with the points of each panel and each name, and collects the series in a
// figure. It leaves out panels without any number, and the legend of a single series.
func (k *drawing) panels(d plot.Figure, points []int, names []string,
	series func(points []int, name string) plot.Series) plot.Figure {
	st, f := k.results.Study, k.figure
	all := func(points []int) (all []plot.Series) {
		for _, name := range names {
			all = append(all, series(points, name))
		}
		return all
	}
	if len(f.Panels) == 0 {
		d.Series = all(points)
	} else {
		d.PanelKeys = f.Panels
		groups, order := map[string][]int{}, []string{}
		for _, i := range points {
			panel := strings.Join(st.PanelOf(f, &k.results.Points[i]), "\x00")
			if groups[panel] == nil {
				order = append(order, panel)
			}
			groups[panel] = append(groups[panel], i)
		}
		for _, panel := range order {
			values := st.PanelOf(f, &k.results.Points[groups[panel][0]])
			p := plot.Panel{Name: k.panelName(values), Values: values, Series: all(groups[panel])}
			if has(&plot.Figure{Series: p.Series}, ordinates) {
				d.Panels = append(d.Panels, p)
			}
		}
	}
	if single(&d) {
		d.NoLegend = true
	}
	return d
}

// panelsOf returns the panels of a figure; one without panels is one panel.
func panelsOf(d *plot.Figure) []plot.Panel {
	if len(d.Panels) == 0 {
		return []plot.Panel{{Series: d.Series}}
	}
	return d.Panels
}

// panelName returns the heading of a panel. A value that is a name stands alone; other values
// follow their key.
func (k *drawing) panelName(values []string) string {
	f := k.figure
	var parts []string
	for i, v := range values {
		if name := tables.PrintedOf(k.results, f.Panels[i], v, f.Labels); name != v {
			v = name
		} else if k, _ := study.FindAxisKey(f.Panels[i]); k.Type != "string" {
			if v = tables.ShortKey(f.Panels[i]) + " = " + v; f.Panels[i] == "machine.dims" {
				v = dimsText.Replace(v) // as machines are written: 16x16
			}
		}
		parts = append(parts, v)
	}
	return strings.Join(parts, ", ")
}

// dimsText writes sides as in 16x16.
var dimsText = strings.NewReplacer("[", "", "]", "", ", ", "x")

// single reports whether a figure has one series and no published values.
func single(d *plot.Figure) bool {
	return !slices.ContainsFunc(panelsOf(d), func(p plot.Panel) bool {
		return len(p.Series) != 1 || p.Series[0].Published != nil
	})
}

// has reports whether the list that list returns has a number for some series of a figure.
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

// ordinates returns the values of a series.
func ordinates(s *plot.Series) []float64 { return s.Y }

// lowerEnds returns the lower ends of the intervals of a series.
func lowerEnds(s *plot.Series) []float64 { return s.Low }

// publishedValues returns the published values of a series.
func publishedValues(s *plot.Series) []float64 { return s.Published }

// isNumber reports whether x is not NaN, which stands for a missing value.
func isNumber(x float64) bool { return !math.IsNaN(x) }

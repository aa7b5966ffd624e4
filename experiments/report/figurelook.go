package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"contend/experiments/plot"
	"contend/experiments/plot/limits"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/input"
)

// FigureOptions change the drawing of a study's figures. Zero values leave a figure as the
// study has it.
type FigureOptions struct {
	// Formats lists those of plot.Formats to draw besides csv; nil means svg, png and
	// pdf.
	Formats []string
	// Only lists the names of the figures to draw, nil for all.
	Only []string
	// Look has the keys of a figure that change its look: limits, levels, legend, bands,
	// size, logarithmic axes and labels.
	Look study.Figure
}

// Check refuses a look that no figure can have, in the words of the flags.
func (o *FigureOptions) Check() error {
	return study.InFlag(o.Look.CheckLook("--"), "")
}

// checkNames refuses names of figures that the study does not have.
func (o *FigureOptions) checkNames(st *study.Study) error {
	var names []string
	for _, f := range st.Figures {
		names = append(names, f.Name)
	}
	for _, name := range o.Only {
		if !slices.Contains(names, name) {
			right := "give one of " + strings.Join(names, ", ")
			if names == nil {
				right = "the study lists no figures; --kind draws what runs recorded"
			}
			return &input.Error{Where: "--only " + name, Problem: "the study has no such figure",
				Right: right}
		}
	}
	return nil
}

// checkAxes refuses limits of the flags that the axes of a figure cannot have.
func (o *FigureOptions) checkAxes(f study.Figure) error {
	if !o.selects(f.Name) {
		return nil
	}
	look := o.Look
	look.LogX, look.LogY = f.LogX, f.LogY
	return study.InFlag(look.CheckLook("--"), "")
}

// selects reports whether a figure is to be drawn.
func (o *FigureOptions) selects(name string) bool {
	return o.Only == nil || slices.Contains(o.Only, name)
}

// apply changes the look of a figure.
func (o *FigureOptions) apply(f *study.Figure) {
	look := &o.Look
	f.LogX, f.LogY, f.Bands = f.LogX || look.LogX, f.LogY || look.LogY, f.Bands || look.Bands
	f.WidthMM, f.Aspect = cmp.Or(look.WidthMM, f.WidthMM), cmp.Or(look.Aspect, f.Aspect)
	if look.XLimits != nil {
		f.XLimits = look.XLimits
	}
	if look.YLimits != nil {
		f.YLimits = look.YLimits
	}
	if len(look.Labels) > 0 {
		f.Labels = merged(f.Labels, look.Labels)
	}
}

// merged returns the entries of two tables, those of the second where both have one.
func merged(a, b map[string]any) map[string]any {
	all := map[string]any{}
	maps.Copy(all, a)
	maps.Copy(all, b)
	return all
}

// setLook gives a figure the look that its keys ask for.
func setLook(st *study.Study, f *study.Figure, d *plot.Figure) {
	d.WidthMM, d.Aspect, d.Bands = f.WidthMM, f.Aspect, f.Bands
	d.FreeAxes = f.FreePanels()
	limit := func(a *plot.Axis, ends []float64) {
		if len(ends) == 2 && !(a.Log && ends[0] <= 0) {
			a.Min, a.Max = &ends[0], &ends[1]
		}
	}
	if d.Categories == nil {
		limit(&d.X, f.XLimits)
	}
	limit(&d.Y, f.YLimits)
	if d.Y.Log {
		d.Levels = slices.DeleteFunc(d.Levels, func(l float64) bool { return l <= 0 })
	}
	d.PublishedLabel = st.Published.Program
	d.Labels = map[string]string{}
	for _, names := range namesIn(d) {
		maps.Copy(d.Labels, tables.PrintedNames(st.Base.Registry, names, st.Labels, f.Labels))
	}
	if f.SeriesScale != 0 {
		for l, name := range merged(st.Labels, f.Labels) {
			d.Labels[scaledName(l, f.SeriesScale)] = fmt.Sprint(name)
		}
	}
	if _, given := d.Labels[st.Name]; f.Series == "" && !given {
		d.Labels[st.Name] = "simulated" // the only series, named after the study
	}
}

// namesIn lists the names of categories, and those of series.
func namesIn(d *plot.Figure) [2][]string {
	var series []string
	for _, s := range panelsOf(d)[0].Series {
		series = append(series, s.Name)
	}
	return [2][]string{d.Categories, series}
}

// panels calls series with the points of each panel and each name, and collects the series in a
// figure. It leaves out panels without any number, and the legend of a single series.
func (k *drawing) panels(d plot.Figure, points []int, names []string,
	series func(points []int, name string) plot.Series) plot.Figure {
	st, f := k.results.Study, k.figure
	looks := k.looks(cmp.Or(f.Series, k.lineKey))
	all := func(points []int) (all []plot.Series) {
		for _, name := range names {
			s := series(points, name)
			s.Look = looks[name]
			all = append(all, s)
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

// looks returns the numbers of the looks of the values of an axis, so that a value looks the same in
// all figures of the study: their places in the order of the study. A value beyond the last look
// has the first one that no value has which is a series beside it in a figure of the study.
func (k *drawing) looks(key string) map[string]int {
	if key == "" {
		return nil
	}
	r, looks := k.results, map[string]int{}
	for n, label := range r.Study.LabelsOf(r.Points, key) {
		look := n + 1
		if look > limits.MaxSeries {
			look = k.freeLook(looks, key, label)
		}
		looks[label] = look
	}
	return looks
}

// freeLook returns the first look that none of the values has with which a value of an axis shares
// a figure of the study, 0 if they have all.
func (k *drawing) freeLook(looks map[string]int, key, label string) int {
	taken := [limits.MaxSeries + 1]bool{0: true} // values have no look yet, or none
	for i := range k.results.Study.Figures {
		f := &k.results.Study.Figures[i]
		if f.Series != key {
			continue
		}
		if beside := newDrawing(k.results, f).labels(key); slices.Contains(beside, label) {
			for _, other := range beside {
				taken[looks[other]] = true
			}
		}
	}
	return max(0, slices.Index(taken[:], false))
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

package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"contend/experiments/plot"
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

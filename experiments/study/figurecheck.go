package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/plot/limits"
	"contend/internal/input"
)

// SizesKind is the kind of figure that shows the results of jobs by their size.
const SizesKind = "sizes"

// DifferenceKind is the kind of figure that shows paired differences from relative_to. Intervals
// of the values themselves hold what all compared cases have in common, the draw of the jobs.
const DifferenceKind = "difference"

// check tests the keys of a figure one by one.
func (f *Figure) check(at string, st *Study) *input.Error {
	kinds := append([]string{"bars", "lines", DifferenceKind, TableKind, "scatter", SizesKind,
		BreakEvenKind}, RecordedKinds...)
	if err := cmp.Or(oneOf(at+".kind", f.Kind, kinds),
		input.CheckFileName(f.Name, at+".name")); err != nil {
		return err
	}
	if f.Name == captionsName {
		return input.Bad(at+".name", "give another name", "%s.name is %q, which is that of the captions "+
			"of all figures", at, f.Name)
	}
	if err := f.checkTable(at); err != nil {
		return err
	}
	if f.Recorded() {
		return cmp.Or(f.CheckLook(at+"."), f.checkRecorded(at))
	}
	if err := cmp.Or(f.checkOrdinate(at, st), f.checkPanels(at), f.checkSizes(at),
		f.checkDifference(at), f.CheckLook(at+".")); err != nil {
		return err
	}
	if f.XScale != 0 && f.XScale != 1 && f.XLabel == "" {
		return input.Bad(at+".x_label", "give the quantity and the unit of what is drawn",
			"%s.x_scale changes the unit of x, and there is no x_label", at)
	}
	if f.Kind == SizesKind || f.Kind == "scatter" || f.Kind == TableKind { // x is no key
		return nil
	}
	return checkAxisKey(f.X, at+".x")
}

// captionsName is the name of the files that hold the captions of figures.
const captionsName = "captions"

// oneOf refuses a word that is not one of a list.
func oneOf(at, word string, known []string) *input.Error {
	if slices.Contains(known, word) {
		return nil
	}
	return input.Bad(at, input.OneOf(word, known), "%s is %q", at, word)
}

// checkAxisKey refuses a key that no axis can have.
func checkAxisKey(key, at string) *input.Error {
	_, ok := FindAxisKey(key)
	return refuseUnless(ok, key, at)
}

// refuseUnless returns the error for an unknown key, nil if it is known.
func refuseUnless(known bool, key, at string) *input.Error {
	if known {
		return nil
	}
	err := config.UnknownKey(key)
	err.Key = at
	return err
}

// checkOrdinate tests the metric of a figure.
func (f *Figure) checkOrdinate(at string, st *Study) *input.Error {
	switch f.Kind {
	case "scatter":
		return f.checkColumns(at)
	case BreakEvenKind:
		return f.checkBreakEven(at, st)
	}
	return CheckMetric(f.Metric, at+".metric", st.Base.Registry)
}

// checkColumns tests a figure of kind scatter. It has a mark for each job of the
// first replication, so x and metric are columns of jobs.csv.
func (f *Figure) checkColumns(at string) *input.Error {
	known := numberColumns()
	return cmp.Or(oneOf(at+".x", f.X, known), oneOf(at+".metric", f.Metric, known))
}

// numberColumns lists the columns of jobs.csv that hold numbers.
func numberColumns() []string {
	return slices.DeleteFunc(metrics.JobTable.Names(), func(column string) bool {
		return column == "pattern" || column == "nodes"
	})
}

// checkSizes tests the keys of a figure by job size.
func (f *Figure) checkSizes(at string) *input.Error {
	switch {
	case f.Kind != SizesKind:
		return nil
	case f.Series == "" || f.Relative == "":
		return input.Bad(at+".relative_to",
			"give series, an axis key, and relative_to, the value of it to compare with",
			"%s has no series or no relative_to", at)
	}
	return cmp.Or(oneOf(at+".x", f.X, []string{"size", "rank"}),
		oneOf(at+".metric", f.Metric, []string{"sum_pairwise_distance", "jobs"}))
}

// checkDifference tests the keys of a figure of differences.
func (f *Figure) checkDifference(at string) *input.Error {
	switch {
	case f.Kind != DifferenceKind:
		return nil
	case f.Relative == "":
		return input.Bad(at+".relative_to", "give the value of "+f.RelativeKey()+
			" to subtract", "%s is of kind %s and has no relative_to", at, f.Kind)
	case f.Gain || f.Published || f.LogY:
		return input.Bad(at, "leave out gain, published and log_y",
			"%s is of kind %s, which has none of them", at, f.Kind)
	}
	return nil
}

// WithoutReference reports whether the value of relative_to has no mark of its own.
func (f *Figure) WithoutReference() bool { return f.Gain || f.Kind == DifferenceKind }

// Grouped reports whether the abscissa of the figure has a place for each value of x.
func (f *Figure) Grouped() bool { return f.Kind == "bars" || f.Kind == DifferenceKind }

// checkPanels refuses panels that the figure shows as x or series too.
func (f *Figure) checkPanels(at string) *input.Error {
	for i, key := range f.Panels {
		at := fmt.Sprintf("%s.panels[%d]", at, i)
		switch {
		case key == f.Series || key == f.X && f.Kind != "scatter" && f.Kind != SizesKind:
			return input.Bad(at, "leave it out", "%s is %s, which is x or series of the figure",
				at, key)
		case slices.Index(f.Panels, key) < i:
			return input.Bad(at, "give each key once", "%s is %s again", at, key)
		}
	}
	return nil
}

// RelativeKey returns the key of which relative_to is a value: that of the series or, in a
// figure of one series, of the abscissa.
func (f *Figure) RelativeKey() string {
	return cmp.Or(f.Series, f.Columns, f.X)
}

// CheckLook tests the keys that change the look of a figure. at stands before the name of a
// key: a path with its dot, or the dashes of a flag.
func (f *Figure) CheckLook(at string) *input.Error {
	key := func(name string) string {
		if at == "--" {
			name = strings.ReplaceAll(name, "_", "-")
		}
		return at + name
	}
	if err := checkPrinted(f.Labels, key("labels")); err != nil {
		return err
	}
	for _, l := range []struct {
		key    string
		limits []float64
		log    bool
	}{{"x_limits", f.XLimits, f.LogX}, {"y_limits", f.YLimits, f.LogY}} {
		n := len(l.limits)
		if n != 0 && (n != 2 || l.limits[0] >= l.limits[1] || l.log && l.limits[0] <= 0) {
			return input.Bad(key(l.key), "give the lower and the upper end, as in [0, 2]; "+
				"those of a logarithmic axis are above 0", "%s is %v", key(l.key), l.limits)
		}
	}
	return f.checkSize(key)
}

// checkSize tests the size of a figure.
func (f *Figure) checkSize(key func(string) string) *input.Error {
	for _, k := range []struct {
		key              string
		value, low, high float64
	}{
		{"width_mm", f.WidthMM, limits.MinWidthMM, limits.MaxWidthMM},
		{"aspect", f.Aspect, limits.MinAspect, limits.MaxAspect},
	} {
		if k.value != 0 && !(k.value >= k.low && k.value <= k.high) {
			right := fmt.Sprintf("give %g to %g", k.low, k.high)
			if k.key == "width_mm" {
				right = fmt.Sprintf("give 84 for one column, 174 for two, or anything from %g to %g",
					k.low, k.high)
			}
			return input.Bad(key(k.key), right, "%s is %g", key(k.key), k.value)
		}
	}
	return nil
}

// checkPrinted refuses names to print that are no texts.
func checkPrinted(labels map[string]any, at string) *input.Error {
	for _, name := range input.SortedKeys(labels) {
		text, ok := labels[name].(string)
		if !ok || text == "" {
			return input.Bad(input.Join(at, name), `give a text, as in { "paging:0" = "Paging(0)" }`,
				"%s is %s", input.Join(at, name), input.Describe(labels[name]))
		}
		if err := input.CheckPrintable(text, input.Join(at, name)); err != nil {
			return err
		}
	}
	return nil
}

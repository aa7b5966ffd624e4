package experiments

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/figure"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
)

// LegendPlaces lists the values of figures.legend.
var LegendPlaces = []string{"above", "beside", "none"}

// RelativeKey returns the key of which relative_to is a value: that of the series or, in a
// figure of one series, of the abscissa.
func (f *Figure) RelativeKey() string {
	if f.Series == "" {
		return f.X
	}
	return f.Series
}

// CheckLook tests the keys that change the look of a figure. at stands before the name of a
// key: a path with its dot, or the dashes of a flag.
func (f *Figure) CheckLook(at string) *spec.InputError {
	key := func(name string) string {
		if at == "--" {
			name = strings.ReplaceAll(name, "_", "-")
		}
		return at + name
	}
	if err := checkPrinted(f.Labels, key("labels")); err != nil {
		return err
	}
	if f.Legend != "" && !slices.Contains(LegendPlaces, f.Legend) {
		return spec.BadInput(key("legend"), spec.OneOf(f.Legend, LegendPlaces), "%s is %q",
			key("legend"), f.Legend)
	}
	for _, l := range []struct {
		key    string
		limits []float64
		log    bool
	}{{"x_limits", f.XLimits, f.LogX}, {"y_limits", f.YLimits, f.LogY}} {
		n := len(l.limits)
		if n != 0 && (n != 2 || l.limits[0] >= l.limits[1] || l.log && l.limits[0] <= 0) {
			return spec.BadInput(key(l.key), "give the lower and the upper end, as in [0, 2]; "+
				"those of a logarithmic axis are above 0", "%s is %v", key(l.key), l.limits)
		}
	}
	for _, l := range f.Levels {
		if f.LogY && l <= 0 {
			return spec.BadInput(key("levels"), "give levels above 0", "%s has %v, and the "+
				"ordinate is logarithmic", key("levels"), l)
		}
	}
	return f.checkSize(key)
}

// checkSize tests the size of a figure.
func (f *Figure) checkSize(key func(string) string) *spec.InputError {
	for _, k := range []struct {
		key              string
		value, low, high float64
	}{
		{"width_mm", f.WidthMM, figure.MinWidthMM, figure.MaxWidthMM},
		{"height_mm", f.HeightMM, figure.MinWidthMM, figure.MaxHeightMM},
		{"aspect", f.Aspect, figure.MinAspect, figure.MaxAspect},
	} {
		if k.value != 0 && !(k.value >= k.low && k.value <= k.high) {
			right := fmt.Sprintf("give %g to %g", k.low, k.high)
			if k.key == "width_mm" {
				right = fmt.Sprintf("give 84 for one column, 174 for two, or anything from %g to %g",
					k.low, k.high)
			}
			return spec.BadInput(key(k.key), right,
				"%s is %g", key(k.key), k.value)
		}
	}
	return nil
}

// checkPrinted refuses names to print that are no texts.
func checkPrinted(labels map[string]any, at string) *spec.InputError {
	for _, name := range spec.SortedKeys(labels) {
		if text, ok := labels[name].(string); !ok || text == "" {
			return spec.BadInput(spec.Join(at, name), `give a text, as in { "paging:0" = "Paging(0)" }`,
				"%s is %s", spec.Join(at, name), input.Describe(labels[name]))
		}
	}
	return nil
}

// CheckLabels refuses names to print, of a flag, for a label that no axis and no figure has.
func (st *Study) CheckLabels(labels map[string]any, flag string, names spec.Names) error {
	points, err := st.Points(names)
	if err != nil {
		return err
	}
	n := nameCheck{st: st, points: points, names: names, labels: map[string][]string{}}
	var keys, known []string
	for _, a := range st.Axes {
		keys = append(keys, a.Key)
	}
	for i := range st.Figures {
		f := &st.Figures[i]
		keys = append(append(keys, f.Series, f.X), f.Panels...)
	}
	for _, key := range keys {
		if _, ok := FindAxisKey(key); ok {
			known = append(known, n.labelsOf(key)...)
		}
	}
	for _, name := range spec.SortedKeys(labels) {
		if !slices.Contains(known, name) {
			slices.Sort(known)
			return &spec.InputError{Where: flag + " " + name + "=" + labels[name].(string),
				Problem: fmt.Sprintf("%s is no value of an axis", name),
				Right:   spec.OneOf(name, slices.Compact(known))}
		}
	}
	return nil
}

// printedAnywhere refuses a name to print for a label that no axis has.
func (n *nameCheck) printedAnywhere() *spec.InputError {
	var known []string
	for _, a := range n.st.Axes {
		known = append(known, n.labelsOf(a.Key)...)
	}
	for _, name := range spec.SortedKeys(n.st.Labels) {
		if !slices.Contains(known, name) {
			return spec.BadInput(spec.Join("labels", name), spec.OneOf(name, known),
				"labels names %q, which is no value of an axis", name)
		}
	}
	return nil
}

// printed refuses a name to print for a label that the figure does not have.
func (n *nameCheck) printed(f *Figure, at string) *spec.InputError {
	var known []string
	for _, key := range append([]string{f.Series, f.X}, f.Panels...) {
		if _, ok := FindAxisKey(key); ok {
			known = append(known, n.labelsOf(key)...)
		}
	}
	for _, name := range spec.SortedKeys(f.Labels) {
		if !slices.Contains(known, name) {
			return spec.BadInput(spec.Join(at+".labels", name), spec.OneOf(name, known),
				"%s.labels names %q, which is no value in the figure", at, name)
		}
	}
	return nil
}

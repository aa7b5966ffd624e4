package study

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/plot/limits"
	"contend/internal/input"
)

// check tests the keys of a figure one by one.
func (f *Figure) check(at string, st *Study) *input.Error {
	kinds := append(KindsWith("", false), KindsWith("", true)...)
	if err := cmp.Or(oneOf(at+".kind", f.Kind, kinds),
		input.CheckFileName(f.Name, at+".name")); err != nil {
		return err
	}
	if f.Name == captionsName {
		return input.Bad(at+".name", "give another name", "%s.name is %q, which is that of the captions "+
			"of all figures", at, f.Name)
	}
	if err := cmp.Or(f.checkKeys(at), f.checkX(at), f.checkColumn(at), f.checkPanels(at),
		f.checkMoment(at), f.CheckLook(at+".")); err != nil {
		return err
	}
	if check := f.kind().Check; check != nil {
		return check(f, at, st)
	}
	return nil
}

// checkKeys refuses keys that do not act on the kind of the figure, and asks for those that it
// needs.
func (f *Figure) checkKeys(at string) *input.Error {
	k, of := f.kind(), reflect.ValueOf(f).Elem()
	given := map[string]bool{}
	for _, field := range input.StudyFields(of.Type()) {
		key := field.Tag.Get("key")
		given[key] = !of.FieldByIndex(field.Index).IsZero()
		if given[key] && !k.takes(key) {
			right := "leave it out"
			if others := KindsWith(key, k.Recorded); others != nil {
				right += ", or draw " + strings.Join(others, " or ")
			}
			return input.Bad(at+"."+key, right, "%s.%s has no effect on a figure of kind %s", at, key,
				f.Kind)
		}
	}
	for _, key := range k.Needs {
		if !given[key] {
			return input.Bad(at+"."+key, f.needed(key), "%s is of kind %s and has no %s", at, f.Kind, key)
		}
	}
	if f.XScale != 0 && f.XScale != 1 && f.XLabel == "" {
		return input.Bad(at+".x_label", "give the quantity and the unit of what is drawn",
			"%s.x_scale changes the unit of x, and there is no x_label", at)
	}
	return nil
}

// needed says what to give for a key that the figure needs.
func (f *Figure) needed(key string) string {
	switch key {
	case "rows":
		return `give axes such as rows = ["workload.system_load"]`
	case "columns":
		return `give an axis such as columns = "allocator"`
	case "series":
		return "give the key of an axis"
	case "relative_to":
		return "give the value of " + f.RelativeKey() + " to compare with"
	case "x":
		return "give " + cmp.Or(f.kind().XDoc, "the key of an axis")
	}
	return "give " + cmp.Or(f.kind().MetricDoc, "a metric")
}

// checkX tests the abscissa: one of the words of the kind, or the key of an axis.
func (f *Figure) checkX(at string) *input.Error {
	k := f.kind()
	var known []string
	if k.X != nil {
		known = k.X()
	}
	switch {
	case f.X == "" || slices.Contains(known, f.X):
		return nil
	case k.XKey:
		return checkAxisKey(f.X, at+".x")
	case !slices.Contains(k.Needs, "x"):
		return input.Bad(at+".x", "give "+k.XDoc+", or leave it out", "%s.x is %q", at, f.X)
	}
	return oneOf(at+".x", f.X, known)
}

// checkColumn tests a metric that is a column of a table.
func (f *Figure) checkColumn(at string) *input.Error {
	known := f.MetricColumns()
	if known == nil || f.Metric == "" {
		return nil
	}
	return oneOf(at+".metric", f.Metric, known)
}

// checkMetric tests a metric of runs.
func (f *Figure) checkMetric(at string, st *Study) *input.Error {
	return CheckMetric(f.Metric, at+".metric", st.Base.Registry)
}

// checkTable tests the metric and the rows of a table.
func (f *Figure) checkTable(at string, st *Study) *input.Error {
	for i, key := range f.Rows {
		if key == f.Columns || slices.Index(f.Rows, key) < i {
			return input.Bad(at+".rows", "give each key once", "%s.rows has %s again", at, key)
		}
	}
	return f.checkMetric(at, st)
}

// checkLoad refuses a moment with a column that is not stored over time.
func (f *Figure) checkLoad(at string, _ *Study) *input.Error {
	if f.Timed() && f.Metric != "" && f.Metric != loadColumn {
		return input.Bad(at+".metric", "leave out time, or give "+loadColumn,
			"%s.metric is %q, which is not stored over time", at, f.Metric)
	}
	return nil
}

// checkMoment tests the time and the job of a figure of records.
func (f *Figure) checkMoment(at string) *input.Error {
	switch {
	case f.Time < 0:
		return input.Bad(at+".time", "give a time of 0 or above", "%s.time is %v", at, f.Time)
	case f.TimePercent < 0 || f.TimePercent >= 100:
		return input.Bad(at+".time_percent", "give more than 0 and less than 100",
			"%s.time_percent is %v", at, f.TimePercent)
	case f.Time > 0 && f.TimePercent > 0:
		return input.Bad(at+".time_percent", "leave out one of them",
			"%s has both time and time_percent", at)
	case f.Job < 0:
		return input.Bad(at+".job", "give the number of a job", "%s.job is %d", at, f.Job)
	}
	return nil
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

// FreePanels reports whether each panel has axes that cover its own values.
func (f *Figure) FreePanels() bool { return f.PanelAxes == "free" }

// checkPanels refuses panels that the figure shows as x or series too, and axes of panels that it
// does not have.
func (f *Figure) checkPanels(at string) *input.Error {
	switch key := at + ".panel_axes"; {
	case f.PanelAxes == "":
	case len(f.Panels) == 0:
		return input.Bad(key, "give panels, or leave it out", "%s has no effect on a figure without panels",
			key)
	default:
		if err := oneOf(key, f.PanelAxes, []string{"shared", "free"}); err != nil {
			return err
		}
	}
	for i, key := range f.Panels {
		at := fmt.Sprintf("%s.panels[%d]", at, i)
		switch {
		case key == f.Series || key == f.X && f.kind().XKey:
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

// CheckFigure tests a figure of records that flags describe.
func (st *Study) CheckFigure(f *Figure) error {
	refs := referencesIn("figure", reflect.ValueOf(f).Elem())
	if err := cmp.Or(oneOf("kind", f.Kind, KindsWith("", true)), st.checkReferences(refs),
		f.check("figure", st)); err != nil {
		return err
	}
	points, err := st.Points()
	if err != nil {
		return err
	}
	return InFlag(st.checkPlaces("figure", f, points), "")
}

// WhereFlags returns the table of where for the conditions KEY=V1,V2 of flags.
func (st *Study) WhereFlags(texts []string) (map[string]any, error) {
	where := map[string]any{}
	for _, text := range texts {
		if err := st.addWhere(where, text); err != nil {
			return nil, err
		}
	}
	return where, nil
}

// addWhere adds the condition KEY=V1,V2 of a flag to a table of where.
func (st *Study) addWhere(where map[string]any, text string) error {
	at := "--where " + text
	path, values, ok := strings.Cut(text, "=")
	path = strings.TrimSpace(path)
	if !ok {
		return &input.Error{Where: at, Problem: "there is no =",
			Right: "give KEY=VALUE such as allocator=mbs"}
	}
	k, known := FindAxisKey(path)
	if !known {
		return InFlag(config.UnknownKey(path), at)
	}
	var list []any
	for _, part := range splitValues(k, values, st.Base.Registry) {
		list = append(list, config.ParseFlagValue(k, part))
	}
	where[path] = list
	if len(list) == 1 {
		where[path] = list[0]
	}
	points, err := st.Points()
	if err != nil {
		return err
	}
	given := map[string]any{path: where[path]}
	return InFlag(cmp.Or(st.checkWhere(given, "where"),
		newNameCheck(st, points).where(given, "where")), at)
}

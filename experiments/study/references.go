package study

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/internal/input"
)

// reference is the name of something that has to exist, at a place of a study. A field of a
// study, or each element of a list, is a reference if it has a tag ref with one of these kinds.
// An empty field is none, unless the default of the field follows behind a comma.
//
//	metric   a metric
//	key      a key of a run
//	varying  a key that is an axis or differs between points
//	axis     the key of an axis
//	label    a label of the key that labelKey of the table returns
//	where    keys with values that some point has together
//	values   keys with values, whether a point has them or not
type reference struct {
	kind, at, name string
	where          map[string]any
	table          any // a pointer to the table that has the field
}

// labelled is a table with labels of a key.
type labelled interface{ labelKey(*Study) string }

// referencesIn lists the references of a table and of the tables in it. at is its place.
func referencesIn(at string, table reflect.Value) (refs []reference) {
	for _, f := range input.StudyFields(table.Type()) {
		field, at := table.FieldByIndex(f.Index), input.Join(at, f.Tag.Get("key"))
		kind, standard, has := strings.Cut(f.Tag.Get("ref"), ",")
		r := reference{kind: kind, at: at, table: table.Addr().Interface()}
		switch {
		case kind == "" && f.Type.Kind() == reflect.Struct:
			refs = append(refs, referencesIn(at, field)...)
		case kind == "" && isTable(f.Type):
			for i := range field.Len() {
				refs = append(refs, referencesIn(fmt.Sprintf("%s[%d]", at, i), field.Index(i))...)
			}
		case kind == "":
		case f.Type.Kind() == reflect.Map:
			r.where = field.Interface().(map[string]any)
			refs = append(refs, r)
		case f.Type.Kind() == reflect.Slice:
			for i := range field.Len() {
				r.at, r.name = fmt.Sprintf("%s[%d]", at, i), field.Index(i).String()
				refs = append(refs, r)
			}
		case has || field.String() != "":
			if r.name = field.String(); r.name == "" {
				r.name = standard
			}
			refs = append(refs, r)
		}
	}
	return refs
}

// NamesMetric reports whether a table, a figure or a rule of the study names a metric for which is
// returns true.
func (st *Study) NamesMetric(is func(metric string) bool) bool {
	return slices.ContainsFunc(referencesIn("", reflect.ValueOf(st).Elem()), func(r reference) bool {
		return r.kind == "metric" && is(r.name)
	}) || slices.ContainsFunc(st.Figures, func(f Figure) bool { return is(f.Metric) })
}

// checkReferences refuses metrics, keys and values that no study has.
func (st *Study) checkReferences(refs []reference) *input.Error {
	for _, r := range refs {
		var err *input.Error
		switch r.kind {
		case "metric":
			if _, rule := r.table.(*Tolerance); !rule || !st.derived(r.name) {
				err = CheckMetric(r.name, r.at, st.Base.Registry)
			}
		case "key":
			k, ok := config.FindKey(r.name)
			err = refuseUnless(ok && st.Base.Registry.Knows(&k), r.name, r.at)
		case "varying", "axis":
			k, ok := FindAxisKey(r.name)
			err = refuseUnless(ok && st.Base.Registry.Knows(&k), r.name, r.at)
		case "where", "values":
			err = st.checkWhere(r.where, r.at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkNames refuses a figure, rule or override that names something that does
// not exist. A named key has to be an axis or differ between points, and some
// point must have a named value; anything else is a typing error. After flags
// have changed the study such a name has no effect instead, and the resolved
// study says so in changed or selected.
func (st *Study) checkNames(points []Point) *input.Error {
	if st.flagged || len(st.Changed)+len(st.Selected) > 0 {
		return nil
	}
	n := newNameCheck(st, points)
	for i := range st.Figures {
		if err := n.figure(&st.Figures[i], fmt.Sprintf("figures[%d]", i)); err != nil {
			return err
		}
	}
	for _, r := range referencesIn("", reflect.ValueOf(st).Elem()) {
		if err := n.reference(&r); err != nil {
			return err
		}
	}
	if err := n.checkPrinted(st.Labels, "labels", st.axisKeys(), "no value of an axis"); err != nil {
		return err
	}
	relative := st.Table.Relative
	if len(st.Axes) == 0 && relative != "" {
		return input.Bad("table.relative_to", "leave it out, or give the study an axis",
			"table.relative_to is %q, and the study has no axes", relative)
	}
	if relative != "" {
		return oneOfLabels(relative, n.labelsOf(st.axisKeys()...), "table.relative_to",
			"no axis has it")
	}
	return nil
}

// nameCheck looks names up in the points of a study.
type nameCheck struct {
	st     *Study
	points []Point
	labels map[string][]string // labels by key, filled on demand
	has    map[string][]int8   // by key and value, of each point: 1 has it, -1 not, 0 unknown
}

// newNameCheck returns a check of names against points.
func newNameCheck(st *Study, points []Point) *nameCheck {
	return &nameCheck{st: st, points: points, labels: map[string][]string{},
		has: map[string][]int8{}}
}

// reference refuses a reference to something that no point has.
func (n *nameCheck) reference(r *reference) *input.Error {
	switch {
	case r.kind == "varying" && !n.varies(r.name), r.kind == "axis" && n.st.AxisOf(r.name) < 0:
		return n.noAxis(r.name, r.at)
	case r.kind == "label":
		key := r.table.(labelled).labelKey(n.st)
		return oneOfLabels(r.name, n.labelsOf(key), r.at, "no point has it as "+key)
	case r.kind == "where":
		return n.where(r.where, r.at)
	}
	return nil
}

// figure checks what depends on the kind of a figure: its abscissa, and names to print.
func (n *nameCheck) figure(f *Figure, at string) *input.Error {
	// A single group of bars may be named after any key.
	k := f.kind()
	one := k.Grouped && n.varies(f.Series) && n.acts(f.X)
	if k.XKey && slices.Contains(k.Needs, "x") && !one && !n.varies(f.X) {
		return n.noAxis(f.X, at+".x")
	}
	return n.checkPrinted(f.Labels, at+".labels", f.keys(), "no value in the figure")
}

// keys lists the keys that a figure shows. Some kinds have columns in place of them.
func (f *Figure) keys() []string {
	g := f.LaidOut()
	return append([]string{g.Series, g.X}, g.Panels...)
}

// axisKeys lists the keys of the axes.
func (st *Study) axisKeys() []string {
	var keys []string
	for _, a := range st.Axes {
		keys = append(keys, a.Key)
	}
	return keys
}

// checkPrinted refuses a name to print for a label that no key of a list has.
func (n *nameCheck) checkPrinted(labels map[string]any, at string, keys []string, why string,
) *input.Error {
	if len(labels) == 0 {
		return nil
	}
	known := slices.Compact(slices.Sorted(slices.Values(n.labelsOf(keys...))))
	for _, name := range input.SortedKeys(labels) {
		if !slices.Contains(known, name) {
			return input.Bad(input.Join(at, name), input.OneOf(name, known),
				"%s names %q, which is %s", at, name, why)
		}
	}
	return nil
}

// PrintLabels reads names to print from texts VALUE=NAME of a flag, with values as a study has
// them, signs = included. It refuses a value that no axis and no figure has.
func (st *Study) PrintLabels(flag string, texts []string) (map[string]any, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	points, err := st.Points()
	if err != nil {
		return nil, err
	}
	keys := st.axisKeys()
	for i := range st.Figures {
		keys = append(keys, st.Figures[i].keys()...)
	}
	n, labels := newNameCheck(st, points), map[string]any{}
	known := n.labelsOf(keys...)
	for _, text := range texts {
		value, name, _ := strings.Cut(text, "=")
		for at := range len(text) {
			if text[at] != '=' {
				continue
			}
			if label, ok := st.written(keys, known, text[:at]); ok {
				value, name = label, text[at+1:]
			}
		}
		if value == "" || name == "" {
			return nil, &input.Error{Where: flag + " " + text, Problem: "no value with a name",
				Right: "give VALUE=NAME such as paging:0=Paging(0)"}
		}
		labels[value] = name
	}
	return labels, InFlag(n.checkPrinted(labels, "the flag", keys, "no value of an axis"), flag)
}

// written returns the one of the known labels for which a text stands: the label itself, or a value
// of one of the keys as a study may have it.
func (st *Study) written(keys, known []string, text string) (label string, ok bool) {
	if slices.Contains(known, text) {
		return text, true
	}
	for _, key := range keys {
		if label, ok := st.valueLabel(key, text); ok && slices.Contains(known, label) {
			return label, true
		}
	}
	return "", false
}

// noAxis returns the error for a key that is no axis.
func (n *nameCheck) noAxis(key, at string) *input.Error {
	axes := n.st.axisKeys()
	if axes == nil {
		return input.Bad(at, "give the study an axis",
			"%s is %s, and the study has no axes", at, key)
	}
	return input.Bad(at, input.OneOf(key, axes), "%s is %s, which is no axis of the study", at, key)
}

// varies reports whether a key is an axis or differs between points.
func (n *nameCheck) varies(key string) bool {
	return n.st.AxisOf(key) >= 0 || key != "" && len(n.labelsOf(key)) > 1
}

// acts reports whether a key acts at some point.
func (n *nameCheck) acts(key string) bool {
	k, ok := config.FindKey(key)
	return ok && !k.Shorthand && slices.ContainsFunc(n.points,
		func(p Point) bool { return k.Acts(&p.Spec) })
}

// labelsOf lists the different labels of each of some keys at the points. Columns have none.
func (n *nameCheck) labelsOf(keys ...string) (all []string) {
	for _, key := range keys {
		if _, ok := FindAxisKey(key); !ok {
			continue
		}
		labels, ok := n.labels[key]
		if !ok {
			labels = n.st.LabelsOf(n.points, key)
			n.labels[key] = labels
		}
		all = append(all, labels...)
	}
	return all
}

// oneOfLabels refuses a label that is not in a list.
func oneOfLabels(label string, labels []string, at, why string) *input.Error {
	if slices.Contains(labels, label) {
		return nil
	}
	return input.Bad(at, input.OneOf(label, labels), "%s is %q: %s", at, label, why)
}

// where refuses keys with values that no point has, alone or together.
func (n *nameCheck) where(where map[string]any, at string) *input.Error {
	for _, key := range input.SortedKeys(where) {
		for i, value := range whereValues(key, where[key]) {
			if n.somePointHas(map[string]any{key: value}) {
				continue
			}
			path := input.Join(at, key)
			if _, isList := where[key].([]any); isList {
				path = fmt.Sprintf("%s[%d]", path, i)
			}
			text := fmt.Sprint(value)
			return input.Bad(path, input.OneOf(text, n.labelsOf(key)),
				"%s is %s: no point has it", input.Join(at, key), text)
		}
	}
	if len(where) > 0 && !n.somePointHas(where) {
		return input.Bad(at, "give values that one point has together",
			"no point has all values of %s", cmp.Or(at, "the row"))
	}
	return nil
}

// somePointHas reports whether some point has the values.
func (n *nameCheck) somePointHas(where map[string]any) bool {
	for i := range n.points {
		if n.matches(i, where) {
			return true
		}
	}
	return false
}

// matches is Matches of a point. Rows of a table name the same values over and over, so that each
// value of a key is compared with a point once.
func (n *nameCheck) matches(point int, where map[string]any) bool {
	for path, want := range where {
		if !slices.ContainsFunc(whereValues(path, want), func(w any) bool {
			of := fmt.Sprintf("%s %#v", path, w)
			has := n.has[of]
			if has == nil {
				has = make([]int8, len(n.points))
				n.has[of] = has
			}
			if has[point] == 0 {
				has[point] = -1
				if hasValue(&n.points[point], path, w) {
					has[point] = 1
				}
			}
			return has[point] > 0
		}) {
			return false
		}
	}
	return true
}

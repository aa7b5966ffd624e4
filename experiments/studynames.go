package experiments

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/figure"
	"contend/experiments/spec"
)

// checkNames refuses a figure, rule or override that names something that does
// not exist. A named key has to be an axis or differ between points, and some
// point must have a named value; anything else is a typing error. After flags
// have changed the study such a name has no effect instead, and the resolved
// study says so in changed or selected.
func (st *Study) checkNames(points []Point, names spec.Names) *spec.InputError {
	if st.flagged || len(st.Changed)+len(st.Selected) > 0 {
		return nil
	}
	n := nameCheck{st: st, points: points, names: names, labels: map[string][]string{}}
	return n.all()
}

// checkTwice refuses metrics, axes and figures that are named twice.
func (st *Study) checkTwice() *spec.InputError {
	seen := map[string]bool{}
	again := func(at, name string) *spec.InputError {
		kind := at[:strings.IndexByte(at, '[')]
		if seen[kind+" "+name] {
			return spec.BadInput(at, "give each once", "%s names %s twice", kind, name)
		}
		seen[kind+" "+name] = true
		return nil
	}
	for i, metric := range st.Primary {
		if err := again(fmt.Sprintf("primary[%d]", i), metric); err != nil {
			return err
		}
	}
	for i, metric := range st.Table.Metrics {
		if err := again(fmt.Sprintf("table.metrics[%d]", i), metric); err != nil {
			return err
		}
	}
	for i, a := range st.Axes {
		if err := again(fmt.Sprintf("axes[%d].key", i), a.Key); err != nil {
			return err
		}
	}
	for i, f := range st.Figures {
		if err := again(fmt.Sprintf("figures[%d].name", i), f.Name); err != nil {
			return err
		}
	}
	return nil
}

// checkGlyphs refuses figures with text that their font cannot draw, before the
// first run.
func (st *Study) checkGlyphs(points []Point) *spec.InputError {
	n := nameCheck{st: st, points: points, labels: map[string][]string{}}
	plain := func(text string) bool {
		return strings.IndexFunc(text,
			func(r rune) bool { return r >= 0x7f }) < 0
	}
	for i, f := range st.Figures {
		texts := []string{f.XLabel, f.YLabel, st.Name}
		for _, labels := range []map[string]any{st.Labels, f.Labels} {
			for _, label := range labels {
				texts = append(texts, label.(string))
			}
		}
		for _, key := range append([]string{f.Series, f.X}, f.Panels...) {
			if _, ok := FindAxisKey(key); ok {
				texts = append(texts, n.labelsOf(key)...)
			}
		}
		for _, text := range texts {
			if plain(text) {
				continue
			}
			if err := figure.CheckText(text); err != nil {
				return spec.BadInput(fmt.Sprintf("figures[%d]", i),
					"give another name, or leave the figure out",
					"the figure %s cannot have %q drawn: its font lacks a character", f.Name, text)
			}
		}
	}
	return nil
}

// nameCheck looks names up in the points of a study.
type nameCheck struct {
	st     *Study
	points []Point
	names  spec.Names
	labels map[string][]string // labels by key, filled on demand
}

// all checks overrides, figures, break-evens, tolerances and the table.
func (n *nameCheck) all() *spec.InputError {
	for i := range n.st.Overrides {
		if o := &n.st.Overrides[i]; !o.pin() { // the program's own
			if err := n.where(o.When, fmt.Sprintf("overrides[%d].when", i)); err != nil {
				return err
			}
		}
	}
	for i := range n.st.Figures {
		if err := n.figure(&n.st.Figures[i], fmt.Sprintf("figures[%d]", i)); err != nil {
			return err
		}
	}
	if err := n.printedAnywhere(); err != nil {
		return err
	}
	for i := range n.st.BreakEvens {
		if err := n.breakEven(&n.st.BreakEvens[i], fmt.Sprintf("break_even[%d]", i)); err != nil {
			return err
		}
	}
	for i := range n.st.Differences {
		if err := n.difference(&n.st.Differences[i], fmt.Sprintf("differences[%d]", i)); err != nil {
			return err
		}
	}
	for i := range n.st.Tolerances {
		if err := n.tolerance(&n.st.Tolerances[i], fmt.Sprintf("tolerances[%d]", i)); err != nil {
			return err
		}
	}
	if relative := n.st.Table.Relative; relative != "" {
		if len(n.st.Axes) == 0 {
			return spec.BadInput("table.relative_to", "leave it out, or give the study an axis",
				"table.relative_to is %q, and the study has no axes", relative)
		}
		var all []string
		for _, a := range n.st.Axes {
			all = append(all, n.labelsOf(a.Key)...)
		}
		return oneOfLabels(relative, all, "table.relative_to", "no axis has it")
	}
	return nil
}

// figure checks the keys of a figure and its reference.
func (n *nameCheck) figure(f *Figure, at string) *spec.InputError {
	keys := slices.Clone(f.Panels)
	paths := make([]string, len(keys))
	for i := range keys {
		paths[i] = fmt.Sprintf("%s.panels[%d]", at, i)
	}
	if f.Series != "" {
		keys, paths = append(keys, f.Series), append(paths, at+".series")
	}
	// A single group of bars may be named after any key.
	if one := f.Kind == "bars" && n.varies(f.Series) && n.acts(f.X); f.Kind == "lines" ||
		f.Kind == BreakEvenKind || f.Kind == "bars" && !one {
		keys, paths = append(keys, f.X), append(paths, at+".x")
	}
	for i, key := range keys {
		if err := n.key(key, paths[i]); err != nil {
			return err
		}
	}
	if err := n.printed(f, at); err != nil {
		return err
	}
	if err := n.where(f.Where, at+".where"); err != nil || f.Relative == "" {
		return err
	}
	return n.label(f.RelativeKey(), f.Relative, at+".relative_to")
}

// breakEven checks the keys of a break-even.
func (n *nameCheck) breakEven(b *BreakEven, at string) *spec.InputError {
	if err := n.key(b.Along, at+".along"); err != nil {
		return err
	}
	if err := n.key(b.AmongKey(), at+".among"); err != nil {
		return err
	}
	if err := n.label(b.AmongKey(), b.Against, at+".against"); err != nil {
		return err
	}
	return n.where(b.Where, at+".where")
}

// difference checks the axis and the label of a difference.
func (n *nameCheck) difference(d *Difference, at string) *spec.InputError {
	if n.st.axis(d.ByKey()) < 0 {
		return n.noAxis(d.ByKey(), at+".by")
	}
	if err := n.label(d.ByKey(), d.Against, at+".against"); err != nil {
		return err
	}
	return n.where(d.Where, at+".where")
}

// tolerance checks the axis and the labels of a rule.
func (n *nameCheck) tolerance(t *Tolerance, at string) *spec.InputError {
	among := t.Among
	if among == "" && len(n.st.Axes) > 0 {
		among = n.st.Axes[len(n.st.Axes)-1].Key
	}
	if t.Among != "" && n.st.axis(t.Among) < 0 {
		return n.noAxis(t.Among, at+".among")
	}
	if t.Relative != "" {
		if err := n.label(among, t.Relative, at+".relative_to"); err != nil {
			return err
		}
	}
	for i, label := range t.Ranking {
		if err := n.label(among, label, fmt.Sprintf("%s.ranking[%d]", at, i)); err != nil {
			return err
		}
	}
	return n.where(t.Where, at+".where")
}

// key refuses a key that has the same value at all points.
func (n *nameCheck) key(key, at string) *spec.InputError {
	if n.varies(key) {
		return nil
	}
	return n.noAxis(key, at)
}

// noAxis returns the error for a key that is no axis.
func (n *nameCheck) noAxis(key, at string) *spec.InputError {
	var axes []string
	for _, a := range n.st.Axes {
		axes = append(axes, a.Key)
	}
	if axes == nil {
		return spec.BadInput(at, "give the study an axis",
			"%s is %s, and the study has no axes", at, key)
	}
	return spec.BadInput(at, spec.OneOf(key, axes),
		"%s is %s, which is no axis of the study", at, key)
}

// varies reports whether a key is an axis or differs between points.
func (n *nameCheck) varies(key string) bool {
	return n.st.axis(key) >= 0 || key != "" && len(n.labelsOf(key)) > 1
}

// acts reports whether a key acts at some point.
func (n *nameCheck) acts(key string) bool {
	k, ok := spec.FindKey(key)
	return ok && !k.Shorthand && slices.ContainsFunc(n.points,
		func(p Point) bool { return k.Acts(&p.Spec) })
}

// labelsOf lists the different labels of a key at the points.
func (n *nameCheck) labelsOf(key string) []string {
	labels, ok := n.labels[key]
	if !ok {
		seen := map[string]bool{}
		for i := range n.points {
			if l := n.st.LabelAt(&n.points[i], key); !seen[l] {
				seen[l], labels = true, append(labels, l)
			}
		}
		n.labels[key] = labels
	}
	return labels
}

// label refuses a label that a key has at no point.
func (n *nameCheck) label(key, label, at string) *spec.InputError {
	return oneOfLabels(label, n.labelsOf(key), at, "no point has it as "+key)
}

// oneOfLabels refuses a label that is not in a list.
func oneOfLabels(label string, labels []string, at, why string) *spec.InputError {
	if slices.Contains(labels, label) {
		return nil
	}
	return spec.BadInput(at, spec.OneOf(label, labels), "%s is %q: %s", at, label, why)
}

// where refuses keys with values that no point has, alone or together.
func (n *nameCheck) where(where map[string]any, at string) *spec.InputError {
	if len(where) == 0 {
		return nil
	}
	for _, key := range spec.SortedKeys(where) {
		for i, value := range whereValues(key, where[key]) {
			if n.met(map[string]any{key: value}) {
				continue
			}
			path := spec.Join(at, key)
			if _, isList := where[key].([]any); isList {
				path = fmt.Sprintf("%s[%d]", path, i)
			}
			text := fmt.Sprint(value)
			return spec.BadInput(path, spec.OneOf(text, n.labelsOf(key)),
				"%s is %s: no point has it", spec.Join(at, key), text)
		}
	}
	if !n.met(where) {
		return spec.BadInput(at, "give values that one point has together",
			"%s: no point has all of them", at)
	}
	return nil
}

// met reports whether some point has the values.
func (n *nameCheck) met(where map[string]any) bool {
	return slices.ContainsFunc(n.points, func(p Point) bool { return Matches(&p, where, n.names) })
}

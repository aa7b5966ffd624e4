package study

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/plot/limits"
	"contend/internal/input"
)

// check tests every name and value of a study, and every point to which it
// expands.
func (st *Study) check() *input.Error {
	if err := cmp.Or(input.CheckFileName(st.Name, "name"),
		(&config.Settings{Spec: st.Base, Runs: st.Runs}).CheckRuns(), st.checkVariants(),
		st.checkTwice()); err != nil {
		return err
	}
	for i, a := range slices.Concat(st.Axes, st.Quick.Axes) {
		at := fmt.Sprintf("axes[%d]", i)
		if n := len(st.Axes); i >= n {
			at = fmt.Sprintf("quick.axes[%d]", i-n)
		}
		if err := st.checkAxis(a, at); err != nil {
			return err
		}
	}
	for i, o := range st.Overrides {
		if err := st.checkValues(o.Set, fmt.Sprintf("overrides[%d].set", i)); err != nil {
			return err
		}
	}
	refs := referencesIn("", reflect.ValueOf(st).Elem())
	if err := cmp.Or(st.checkValues(st.Quick.Set, "quick.set"), st.checkReferences(refs),
		st.checkOutput(), st.checkChosen()); err != nil {
		return err
	}
	return st.checkPoints()
}

// checkPoints tests the points to which the study expands. It drops axes that
// flags made ineffective.
func (st *Study) checkPoints() *input.Error {
	points, err := st.Points()
	if err != nil {
		return err.(*input.Error)
	}
	dropped, problem := st.checkAxes(points)
	if problem != nil {
		return problem
	}
	if dropped {
		return st.checkPoints()
	}
	if err := st.checkFlags(); err != nil {
		return err
	}
	if err := st.checkActing(points); err != nil {
		return err
	}
	if err := cmp.Or(st.checkLabels(points), st.checkNames(points),
		st.checkGlyphs(points)); err != nil {
		return err
	}
	st.acting = st.actingAt(points)
	return st.checkFigures(points)
}

// Check tests the study after flags have changed it.
func (st *Study) Check() error {
	return InFlag(st.check(), "")
}

// checkVariants tests the variants' names, keys and values.
func (st *Study) checkVariants() *input.Error {
	seen := map[string]bool{}
	for i, v := range st.Variants {
		at := fmt.Sprintf("variants[%d]", i)
		switch {
		case strings.TrimSpace(v.Name) == "":
			return input.Bad(at+".name", "give a name for tables and figures", "%s has no name", at)
		case seen[v.Name]:
			return input.Bad(at+".name", "give each name once",
				"two variants are called %s", v.Name)
		}
		seen[v.Name] = true
		if err := st.checkValues(v.Set, at+".set"); err != nil {
			return err
		}
	}
	return nil
}

// checkChosen refuses variants without an axis that has them: the base alone would be run.
func (st *Study) checkChosen() *input.Error {
	chooses := func(a Axis) bool { return a.Key == variantKey }
	if len(st.Variants) > 0 && !slices.ContainsFunc(slices.Concat(st.Axes, st.Quick.Axes), chooses) {
		return input.Bad("variants[0].name",
			`add [[axes]] with key = "variant" and their names as values`,
			"the study has variants and no axis that chooses from them")
	}
	return nil
}

// checkOutput tests figures, break-evens, landmarks, differences and tolerances.
func (st *Study) checkOutput() *input.Error {
	if err := checkPrinted(st.Labels, "labels"); err != nil {
		return err
	}
	for i := range st.Figures {
		if err := st.Figures[i].check(fmt.Sprintf("figures[%d]", i), st); err != nil {
			return err
		}
	}
	return cmp.Or(st.checkTolerances(), st.checkBreakEvens(), st.checkLandmarks(),
		st.checkDifferences())
}

// CheckMetric refuses a metric that no run has, and names the present name of
// a renamed one.
func CheckMetric(metric, at string, r *config.Registry) *input.Error {
	var known []string
	for _, m := range metrics.MetricsOf(r) {
		known = append(known, m.Name)
	}
	err := oneOf(at, metric, known)
	if err != nil {
		err.Right += "; contend list metrics has all"
	}
	return err
}

// checkValues tests the keys and values of a table such as overrides.set.
func (st *Study) checkValues(set map[string]any, at string) *input.Error {
	for _, path := range input.SortedKeys(set) {
		s := st.defaults()
		if k, ok := config.FindKey(path); ok && k.IsParameter() && st.Base.Registry.Knows(&k) {
			continue // the points show what it is a parameter of
		}
		if err := s.Assign(path, set[path]); err != nil {
			err.Key = input.Join(at, path)
			return err
		}
	}
	if err := config.Exclusive(input.SortedKeys(set), set, st.Base.Registry); err != nil {
		err.Key = input.Join(at, err.Key)
		return err
	}
	return nil
}

// checkWhere tests the keys and values of a table such as overrides.when, in
// which a value may be a list of values.
func (st *Study) checkWhere(where map[string]any, at string) *input.Error {
	for _, path := range input.SortedKeys(where) {
		for _, v := range whereValues(path, where[path]) {
			if k, ok := config.FindKey(path); ok && k.IsParameter() && st.Base.Registry.Knows(&k) {
				continue
			}
			if err := st.Assign(&Point{Spec: st.defaults().Spec}, path, v); err != nil {
				err.Key = input.Join(at, path)
				return err
			}
		}
	}
	return nil
}

// checkTwice refuses metrics, axes and figures that are named twice.
func (st *Study) checkTwice() *input.Error {
	var figures []string
	for _, f := range st.Figures {
		figures = append(figures, f.Name)
	}
	for _, list := range []struct {
		kind, key string
		names     []string
	}{
		{"primary", "", st.Primary}, {"table.metrics", "", st.Table.Metrics},
		{"axes", ".key", st.axisKeys()}, {"figures", ".name", figures},
	} {
		for i, name := range list.names {
			if slices.Contains(list.names[:i], name) {
				return input.Bad(fmt.Sprintf("%s[%d]%s", list.kind, i, list.key), "give each once",
					"%s names %s twice", list.kind, name)
			}
		}
	}
	return nil
}

// checkGlyphs refuses figures with text that their font cannot draw, before the
// first run.
func (st *Study) checkGlyphs(points []Point) *input.Error {
	n := newNameCheck(st, points)
	plain := func(text string) bool {
		return strings.IndexFunc(text, func(r rune) bool { return r >= 0x7f }) < 0
	}
	for i, f := range st.Figures {
		texts := append([]string{f.XLabel, f.YLabel, st.Name}, n.labelsOf(f.keys()...)...)
		for _, labels := range []map[string]any{st.Labels, f.Labels} {
			for _, label := range labels {
				texts = append(texts, label.(string))
			}
		}
		for _, text := range texts {
			if plain(text) {
				continue
			}
			if err := limits.CheckText(text); err != nil {
				return input.Bad(fmt.Sprintf("figures[%d]", i),
					"give another name, or leave the figure out",
					"the figure %s cannot have %q drawn: its font lacks a character", f.Name, text)
			}
		}
	}
	return nil
}

package experiments

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/cosim"
	"contend/experiments/spec"
)

// check tests a study as a whole: every name and value it holds, and every
// point it expands to.
func (st *Study) check(names spec.Names) *spec.InputError {
	if st.Name != spec.BaseName(st.Name) || strings.Trim(st.Name, ".") == "" {
		return spec.BadInput("name", "give one that can be the name of a folder", "name is %q",
			st.Name)
	}
	if err := spec.CheckPrintable(st.Name, "name"); err != nil {
		return err
	}
	if err := (&spec.Settings{Spec: st.Base, Runs: st.Runs}).CheckRuns(); err != nil {
		return err
	}
	if err := st.checkVariants(names); err != nil {
		return err
	}
	if err := st.checkTwice(); err != nil {
		return err
	}
	for i, a := range st.Axes {
		if err := st.checkAxis(a, fmt.Sprintf("axes[%d]", i), names); err != nil {
			return err
		}
	}
	for i, a := range st.Quick.Axes {
		if err := st.checkAxis(a, fmt.Sprintf("quick.axes[%d]", i), names); err != nil {
			return err
		}
	}
	if err := checkValues(st.Quick.Set, "quick.set", names); err != nil {
		return err
	}
	for i, o := range st.Overrides {
		at := fmt.Sprintf("overrides[%d]", i)
		if err := checkValues(o.Set, at+".set", names); err != nil {
			return err
		}
		if err := st.checkWhere(o.When, at+".when", names); err != nil {
			return err
		}
	}
	if err := st.checkOutput(names); err != nil {
		return err
	}
	return st.checkPoints(names)
}

// checkPoints tests what the study expands to.
func (st *Study) checkPoints(names spec.Names) *spec.InputError {
	points, err := st.Points(names)
	if err != nil {
		return err.(*spec.InputError)
	}
	dropped, problem := st.checkAxes(points)
	if problem != nil {
		return problem
	}
	if dropped {
		return st.checkPoints(names)
	}
	if err := st.checkActing(points, names); err != nil {
		return err
	}
	if err := st.checkLabels(points, names); err != nil {
		return err
	}
	if err := st.checkNames(points, names); err != nil {
		return err
	}
	if err := st.checkGlyphs(points); err != nil {
		return err
	}
	st.acting = acting(points)
	return st.checkFigures(points, names)
}

// Check tests the study after flags have changed it.
func (st *Study) Check(names spec.Names) error {
	if err := st.check(names); err != nil {
		return err
	}
	return nil
}

// checkVariants tests the variants' names, keys and values.
func (st *Study) checkVariants(names spec.Names) *spec.InputError {
	seen := map[string]bool{}
	for i, v := range st.Variants {
		at := fmt.Sprintf("variants[%d]", i)
		switch {
		case strings.TrimSpace(v.Name) == "":
			return spec.BadInput(at+".name", "give one for tables and figures", "%s has no name",
				at)
		case seen[v.Name]:
			return spec.BadInput(at+".name", "give each name once", "there are two variants %s",
				v.Name)
		}
		seen[v.Name] = true
		if err := checkValues(v.Set, at+".set", names); err != nil {
			return err
		}
	}
	return nil
}

// checkOutput tests table, figures and tolerances.
func (st *Study) checkOutput(names spec.Names) *spec.InputError {
	if err := checkMetrics(st.Primary, "primary"); err != nil {
		return err
	}
	if err := checkMetrics(st.Table.Metrics, "table.metrics"); err != nil {
		return err
	}
	if err := checkMetrics(st.Quick.Metrics, "quick.metrics"); err != nil {
		return err
	}
	for i, key := range st.Table.Keys {
		if _, ok := spec.FindKey(key); !ok {
			err := spec.UnknownKey(key)
			err.Key = fmt.Sprintf("table.keys[%d]", i)
			return err
		}
	}
	for i, f := range st.Figures {
		at := fmt.Sprintf("figures[%d]", i)
		if kinds := []string{"bars", "lines", "scatter", SizesKind}; !slices.Contains(kinds,
			f.Kind) {
			return spec.BadInput(at+".kind", spec.OneOf(f.Kind, kinds), "%s.kind is %q", at, f.Kind)
		}
		if f.Name == "" || spec.BaseName(f.Name) != f.Name {
			return spec.BadInput(at+".name", "give a file name without folder", "%s.name is %q", at,
				f.Name)
		}
		if err := f.checkOrdinate(at); err != nil {
			return err
		}
		if err := st.checkWhere(f.Where, at+".where", names); err != nil {
			return err
		}
		if err := f.checkPanels(at); err != nil {
			return err
		}
		if f.Kind == SizesKind {
			if err := f.checkSizes(at); err != nil {
				return err
			}
			f.X = "" // which is no key
		}
		for _, part := range []struct{ name, key string }{{".x", f.X}, {".series", f.Series}} {
			if part.name == ".x" && f.Kind == "scatter" {
				continue
			}
			if _, ok := FindAxisKey(part.key); !ok &&
				!(part.key == "" && (part.name == ".series" || f.Kind == SizesKind)) {
				err := spec.UnknownKey(part.key)
				err.Key = at + part.name
				return err
			}
		}
	}
	if err := st.checkBreakEvens(names); err != nil {
		return err
	}
	if err := st.checkWhere(st.Published.Elsewhere, "published.elsewhere", names); err != nil {
		return err
	}
	for i, t := range st.Tolerances {
		at := fmt.Sprintf("tolerances[%d]", i)
		if rules := []string{"ratio", "difference", "order", "ranking"}; !slices.Contains(rules,
			t.Rule) {
			return spec.BadInput(at+".rule", spec.OneOf(t.Rule, rules), "%s.rule is %q", at, t.Rule)
		}
		if (t.Rule == "ranking") != (len(t.Ranking) > 1) {
			return spec.BadInput(at+".ranking", "give two or more values where the rule is "+
				"ranking, none otherwise", "%s.ranking has %d values and the rule is %s", at, len(
				t.Ranking), t.Rule)
		}
		if err := checkOne(t.Metric, at+".metric"); err != nil {
			return err
		}
		if err := st.checkWhere(t.Where, at+".where", names); err != nil {
			return err
		}
	}
	return nil
}

// checkSizes tests what figures by size of the jobs need.
func (f *Figure) checkSizes(at string) *spec.InputError {
	switch {
	case f.X != "size" && f.X != "rank":
		return spec.BadInput(at+".x", "give size or rank", "%s.x is %q", at, f.X)
	case f.Metric != "sum_pairwise_distance" && f.Metric != "jobs":
		return spec.BadInput(at+".metric", "give sum_pairwise_distance or jobs",
			"%s.metric is %q, which is not known by size", at, f.Metric)
	case f.Series == "" || f.Relative == "":
		return spec.BadInput(at+".relative_to", "give series, an axis key, and relative_to, the "+
			"value of it to compare with", "%s compares with nothing", at)
	}
	return nil
}

// checkOrdinate tests what a figure draws.
func (f *Figure) checkOrdinate(at string) *spec.InputError {
	if f.Kind == "scatter" {
		return f.checkColumns(at)
	}
	return checkOne(f.Metric, at+".metric")
}

func checkMetrics(metrics []string, at string) *spec.InputError {
	for i, m := range metrics {
		if err := checkOne(m, fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return err
		}
	}
	return nil
}

func checkOne(metric, at string) *spec.InputError {
	var known []string
	for _, m := range cosim.MetricInfos() {
		known = append(known, m.Name)
	}
	if now, ok := spec.Renamed[metric]; ok {
		return spec.BadInput(at, "take "+now, "the metric %s is called %s now", metric, now)
	}
	if !slices.Contains(known, metric) {
		return spec.BadInput(at, spec.OneOf(metric, known), "%s is %q", at, metric)
	}
	return nil
}

// checkValues tests keys and values of a table such as overrides.set.
func checkValues(set map[string]any, at string, names spec.Names) *spec.InputError {
	for _, path := range spec.SortedKeys(set) {
		s := spec.Defaults()
		if err := s.Assign(path, set[path], names); err != nil {
			err.Key = spec.Join(at, path)
			return err
		}
	}
	return nil
}

// checkWhere tests keys and values of a table such as overrides.when, where a
// value may be a list of values.
func (st *Study) checkWhere(where map[string]any, at string, names spec.Names) *spec.InputError {
	for _, path := range spec.SortedKeys(where) {
		k, _ := FindAxisKey(path)
		list, isList := where[path].([]any)
		if !isList || k.Type == "list of integers" || k.Type == "list of booleans" {
			list = []any{where[path]}
		}
		for _, v := range list {
			if err := st.Assign(&Point{Spec: spec.DefaultSpec()}, path, v, names); err != nil {
				err.Key = spec.Join(at, path)
				return err
			}
		}
	}
	return nil
}

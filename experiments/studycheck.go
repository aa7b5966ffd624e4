package experiments

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
)

// check tests every name and value of a study, and every point to which it
// expands.
func (st *Study) check(names spec.Names) *spec.InputError {
	if err := input.CheckFileName(st.Name, "name"); err != nil {
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

// checkPoints tests the points to which the study expands. It drops axes that
// flags made ineffective.
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
	if err := st.checkFlags(names); err != nil {
		return err
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
	st.acting = st.actingAt(points)
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
			return spec.BadInput(at+".name", "give a name for tables and figures",
				"%s has no name", at)
		case seen[v.Name]:
			return spec.BadInput(at+".name", "give each name once",
				"two variants are called %s", v.Name)
		}
		seen[v.Name] = true
		if err := checkValues(v.Set, at+".set", names); err != nil {
			return err
		}
	}
	return nil
}

// checkOutput tests metrics, table, figures, break-evens and tolerances.
func (st *Study) checkOutput(names spec.Names) *spec.InputError {
	if err := checkMetrics(st.Primary, "primary", st.Base.Registry); err != nil {
		return err
	}
	if err := checkMetrics(st.Table.Metrics, "table.metrics", st.Base.Registry); err != nil {
		return err
	}
	if err := checkMetrics(st.Quick.Metrics, "quick.metrics", st.Base.Registry); err != nil {
		return err
	}
	for i, key := range st.Table.Keys {
		if _, ok := spec.FindKey(key); !ok {
			err := spec.UnknownKey(key)
			err.Key = fmt.Sprintf("table.keys[%d]", i)
			return err
		}
	}
	if err := checkPrinted(st.Labels, "labels"); err != nil {
		return err
	}
	for i := range st.Figures {
		if err := st.Figures[i].check(fmt.Sprintf("figures[%d]", i), st, names); err != nil {
			return err
		}
	}
	if err := st.checkBreakEvens(names); err != nil {
		return err
	}
	if err := st.checkDifferences(names); err != nil {
		return err
	}
	if err := st.checkWhere(st.Published.Elsewhere, "published.elsewhere", names); err != nil {
		return err
	}
	for i := range st.Tolerances {
		at := fmt.Sprintf("tolerances[%d]", i)
		if err := st.Tolerances[i].check(at, st, names); err != nil {
			return err
		}
	}
	return nil
}

// check tests the keys of a rule one by one.
func (t *Tolerance) check(at string, st *Study, names spec.Names) *spec.InputError {
	rules := []string{"ratio", "difference", "order", "ranking", "agreement"}
	if !slices.Contains(rules, t.Rule) {
		return spec.BadInput(at+".rule", spec.OneOf(t.Rule, rules), "%s.rule is %q", at, t.Rule)
	}
	if (t.Rule == "ranking") != (len(t.Ranking) > 1) {
		return spec.BadInput(at+".ranking",
			"give two or more values where the rule is ranking, none otherwise",
			"%s.ranking has %d values and the rule is %s", at, len(t.Ranking), t.Rule)
	}
	if t.Rule == "agreement" && (t.Relative == "" || !(t.Within > 0) || t.Interval || t.Offset != 0) {
		return spec.BadInput(at+".relative_to",
			"give relative_to and within, and neither interval nor offset",
			"%s.rule is agreement: it compares each case with a reference", at)
	}
	if err := checkMetric(t.Metric, at+".metric", st.Base.Registry); err != nil {
		return err
	}
	return st.checkWhere(t.Where, at+".where", names)
}

// checkMetrics tests a list of metrics.
func checkMetrics(metrics []string, at string, r *spec.Registry) *spec.InputError {
	for i, m := range metrics {
		if err := checkMetric(m, fmt.Sprintf("%s[%d]", at, i), r); err != nil {
			return err
		}
	}
	return nil
}

// checkMetric refuses a metric that no run has, and names the present name of
// a renamed one.
func checkMetric(metric, at string, r *spec.Registry) *spec.InputError {
	var known []string
	for _, m := range cosim.MetricsOf(r) {
		known = append(known, m.Name)
	}
	if now, ok := spec.Renamed[metric]; ok {
		return spec.BadInput(at, "use "+now, "the metric %s was renamed to %s", metric, now)
	}
	if !slices.Contains(known, metric) {
		return spec.BadInput(at, spec.OneOf(metric, known)+"; contend list metrics has all", "%s is %q",
			at, metric)
	}
	return nil
}

// checkValues tests the keys and values of a table such as overrides.set.
func checkValues(set map[string]any, at string, names spec.Names) *spec.InputError {
	for _, path := range spec.SortedKeys(set) {
		s := spec.Defaults()
		if err := s.Assign(path, set[path], names); err != nil {
			err.Key = spec.Join(at, path)
			return err
		}
	}
	if err := spec.Exclusive(spec.SortedKeys(set)); err != nil {
		err.Key = spec.Join(at, err.Key)
		return err
	}
	return nil
}

// checkWhere tests the keys and values of a table such as overrides.when, in
// which a value may be a list of values.
func (st *Study) checkWhere(where map[string]any, at string, names spec.Names) *spec.InputError {
	for _, path := range spec.SortedKeys(where) {
		k, _ := FindAxisKey(path)
		list, isList := where[path].([]any)
		if !isList || strings.HasPrefix(k.Type, "list of ") {
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

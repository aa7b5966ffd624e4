package experiments

import (
	"fmt"
	"slices"
	"strings"
)

// check tests a study as a whole: every name and value it holds, and every
// point it expands to.
func (st *Study) check(names Names) *InputError {
	if st.Name != baseName(st.Name) || strings.Trim(st.Name, ".") == "" {
		return badInput("name", "give one that can be the name of a folder", "name is %q", st.Name)
	}
	if err := (&settings{st.Base, st.Runs}).checkRuns(); err != nil {
		return err
	}
	for i := range st.Axes {
		if err := st.Axes[i].check(fmt.Sprintf("axes[%d]", i), names); err != nil {
			return err
		}
	}
	for i := range st.Quick.Axes {
		if err := st.Quick.Axes[i].check(fmt.Sprintf("quick.axes[%d]", i), names); err != nil {
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
		if err := checkWhere(o.When, at+".when", names); err != nil {
			return err
		}
	}
	if err := st.checkOutput(names); err != nil {
		return err
	}
	if _, err := st.Points(names); err != nil {
		return err.(*InputError)
	}
	return nil
}

// Check tests the study after flags have changed it.
func (st *Study) Check(names Names) error {
	if err := st.check(names); err != nil {
		return err
	}
	return nil
}

// checkOutput tests table, figures and tolerances.
func (st *Study) checkOutput(names Names) *InputError {
	if err := checkMetrics(st.Primary, "primary"); err != nil {
		return err
	}
	if err := checkMetrics(st.Table.Metrics, "table.metrics"); err != nil {
		return err
	}
	if err := checkMetrics(st.Quick.Metrics, "quick.metrics"); err != nil {
		return err
	}
	for i, f := range st.Figures {
		at := fmt.Sprintf("figures[%d]", i)
		if !slices.Contains([]string{"bars", "lines"}, f.Kind) {
			return badInput(at+".kind", oneOf(f.Kind, []string{"bars", "lines"}), "%s.kind is %q", at, f.Kind)
		}
		if f.Name == "" || baseName(f.Name) != f.Name {
			return badInput(at+".name", "give a file name without folder", "%s.name is %q", at, f.Name)
		}
		if err := checkOne(f.Metric, at+".metric"); err != nil {
			return err
		}
		if err := checkWhere(f.Where, at+".where", names); err != nil {
			return err
		}
		for _, part := range []struct{ name, key string }{{".x", f.X}, {".series", f.Series}} {
			if _, ok := FindKey(part.key); !ok && !(part.name == ".series" && part.key == "") {
				err := unknownKey(part.key)
				err.Key = at + part.name
				return err
			}
		}
	}
	for i, t := range st.Tolerances {
		at := fmt.Sprintf("tolerances[%d]", i)
		if rules := []string{"ratio", "difference", "order"}; !slices.Contains(rules, t.Rule) {
			return badInput(at+".rule", oneOf(t.Rule, rules), "%s.rule is %q", at, t.Rule)
		}
		if err := checkOne(t.Metric, at+".metric"); err != nil {
			return err
		}
		if err := checkWhere(t.Where, at+".where", names); err != nil {
			return err
		}
	}
	return nil
}

func checkMetrics(metrics []string, at string) *InputError {
	for i, m := range metrics {
		if err := checkOne(m, fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return err
		}
	}
	return nil
}

func checkOne(metric, at string) *InputError {
	var known []string
	for _, m := range metricInfos {
		known = append(known, m.Name)
	}
	if !slices.Contains(known, metric) {
		return badInput(at, oneOf(metric, known), "%s is %q", at, metric)
	}
	return nil
}

// checkValues tests keys and values of a table such as overrides.set.
func checkValues(set map[string]any, at string, names Names) *InputError {
	for _, path := range sortedKeys(set) {
		s := defaults()
		if err := s.assign(path, set[path], names); err != nil {
			err.Key = join(at, path)
			return err
		}
	}
	return nil
}

// checkWhere tests keys and values of a table such as overrides.when, where a
// value may be a list of values.
func checkWhere(where map[string]any, at string, names Names) *InputError {
	for _, path := range sortedKeys(where) {
		k, _ := FindKey(path)
		list, isList := where[path].([]any)
		if !isList || k.Type == "list of integers" || k.Type == "list of booleans" {
			list = []any{where[path]}
		}
		for _, v := range list {
			if err := checkValues(map[string]any{path: v}, at, names); err != nil {
				return err
			}
		}
	}
	return nil
}

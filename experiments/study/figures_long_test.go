//go:build long

package study

import (
	"testing"

	"contend/experiments/spec"
	"contend/experiments/studies"
)

// In built-in studies bars stand in more than one group, or are one series along x: a
// single group hides what the abscissa is for.
func TestLongBuiltinBarsHaveSeveralGroups(t *testing.T) {
	for _, name := range studies.Names() {
		st, err := Load(name, spec.BuiltinNames())
		if err != nil {
			t.Fatal(err)
		}
		points, err := st.Points(spec.BuiltinNames())
		if err != nil {
			continue // the study needs a log
		}
		for _, f := range st.Figures {
			groups := map[string]bool{}
			for i := range points {
				if Matches(&points[i], f.Where, spec.BuiltinNames()) {
					groups[st.LabelAt(&points[i], f.X)] = true
				}
			}
			if f.Kind == "bars" && len(groups) < 2 {
				t.Errorf("%s: figure %s has %d groups of bars over %s", name, f.Name, len(groups), f.X)
			}
		}
	}
}

//go:build long

package report

import (
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/studies"
	"contend/experiments/study"
	"contend/internal/must"
)

// Every number a study has from a paper is under a rule about its size, unless
// the paper's other numbers are divided by it, and every rule says why.
func TestLongEveryPublishedFigureHasARule(t *testing.T) {
	names := config.Builtin()
	for _, name := range studies.Names() {
		st := must.Have(study.Load(name, names))
		if st.Tolerances == nil && st.Published.CSV == "" && st.Published.File == "" {
			continue
		}
		folder := &experiments.Folder{Records: map[experiments.RunKey]experiments.Record{}}
		r := must.Have(folder.Results(st, names))
		judged := map[[2]string]bool{}
		for i := range st.Tolerances {
			rule := &st.Tolerances[i]
			if rule.Why == "" {
				t.Errorf("%s: the rule %q does not say why", name, describeRule(rule))
			}
			if rule.AtLeast != 0 && rule.Rule != study.BoundsRule {
				t.Errorf("%s: the rule %q is content with %d cells", name, describeRule(rule),
					rule.AtLeast)
			}
			for _, label := range rule.Ranking { // another one would be passed over in silence
				if _, ok := r.Study.Sibling(r.Points, 0, rule.AmongKey(r.Study), label); !ok {
					t.Errorf("%s: a rule ranks %s, which is no %s", name, label, rule.AmongKey(r.Study))
				}
			}
			if rule.Rule == "ranking" || rule.Rule == study.BoundsRule { // of no published figure
				continue
			}
			for _, c := range RuleCells(r, rule) {
				judged[[2]string{strings.Join(c.as.Labels, " "), c.Metric}] = true
				if base, ok := r.Study.Sibling(r.Points, c.Point, rule.AmongKey(r.Study), rule.Relative); ok &&
					rule.Relative != "" {
					judged[[2]string{strings.Join(r.Points[base].Labels, " "), c.Metric}] = true
				}
			}
		}
		for _, f := range Printed(r) {
			if st.Published.Program != "" {
				continue // near saturation curves of two programs need not agree
			}
			if !f.Elsewhere && !judged[[2]string{strings.Join(f.as.Labels, " "), f.Metric}] {
				t.Errorf("%s: no rule is about %s of %v", name, f.Metric, f.as.Labels)
			}
		}
	}
}

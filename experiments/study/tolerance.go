package study

import (
	"cmp"
	"fmt"
	"regexp"

	"contend/internal/input"
)

// BoundsRule requires that means, or their ratios to a reference, lie between two bounds. It rests
// on no published figure: documents conclude by it.
const BoundsRule = "bounds"

// ruleName is what a rule may be called, so that a document can cite it as STUDY.NAME.
var ruleName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// checkTolerances tests each rule, and that no two have the same name.
func (st *Study) checkTolerances() *input.Error {
	seen := map[string]int{}
	for i := range st.Tolerances {
		t, at := &st.Tolerances[i], fmt.Sprintf("tolerances[%d]", i)
		if err := t.check(at); err != nil {
			return err
		}
		if st.BreakEvenNamed(t.Metric) != nil && (t.Rule != BoundsRule || t.Relative != "") {
			return input.Bad(at+".metric", "give the rule bounds without relative_to, or a metric",
				"%s.metric is %q, a break_even", at, t.Metric)
		}
		if t.Name == "" {
			continue
		}
		if !ruleName.MatchString(t.Name) {
			return input.Bad(at+".name", "give lower-case letters, digits and single hyphens, such as "+
				"mbs-first", "%s.name is %q", at, t.Name)
		}
		if first, twice := seen[t.Name]; twice {
			return input.Bad(at+".name", "give each name once",
				"tolerances[%d] and %s are both called %s", first, at, t.Name)
		}
		seen[t.Name] = i
	}
	return nil
}

// check tests the keys of a rule one by one.
func (t *Tolerance) check(at string) *input.Error {
	rules := []string{"ratio", "difference", "ranking", "agreement", CoverageRule, JobCoverageRule,
		CostRule, BoundsRule}
	if err := oneOf(at+".rule", t.Rule, rules); err != nil {
		return err
	}
	if (t.Rule == "ranking") != (len(t.Ranking) > 1) {
		return input.Bad(at+".ranking",
			"give two or more values where the rule is ranking, none otherwise",
			"%s.ranking has %d values and the rule is %s", at, len(t.Ranking), t.Rule)
	}
	if t.Rule == "agreement" && (t.Relative == "" || !(t.Within > 0) || t.Interval || t.Offset != 0) {
		return input.Bad(at+".relative_to",
			"give relative_to and within, and neither interval nor offset",
			"%s.rule is agreement: it compares each case with a reference", at)
	}
	return cmp.Or(t.checkBounds(at), t.checkCoverage(at))
}

// checkBounds tests the keys that only a rule about bounds has, and those that it does not have.
func (t *Tolerance) checkBounds(at string) *input.Error {
	own := map[string]bool{"of": t.Of != "", "min": t.Min != nil, "max": t.Max != nil}
	if t.Rule != BoundsRule {
		for _, key := range input.SortedKeys(own) {
			if own[key] {
				return input.Bad(at+"."+key, "leave it out, or give the rule bounds",
					"%s.rule is %s, which has no %s", at, t.Rule, key)
			}
		}
		return nil
	}
	switch {
	case t.Within != 0:
		return input.Bad(at+".within", "give min or max", "%s.rule is bounds, which has no within", at)
	case t.Offset != 0:
		return input.Bad(at+".offset", "leave it out", "%s.rule is bounds, which has no offset", at)
	case t.Min == nil && t.Max == nil:
		return input.Bad(at+".min", "give min, max or both", "%s.rule is bounds and has none", at)
	case t.Min != nil && t.Max != nil && *t.Min > *t.Max:
		return input.Bad(at+".max", "give at least min", "%s.max is %g and min is %g", at, *t.Max,
			*t.Min)
	case t.Of != "" && t.Of == t.Relative:
		return input.Bad(at+".of", "give another value than relative_to",
			"%s measures %s relative to itself", at, t.Of)
	}
	return nil
}

package study

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"contend/internal/input"
)

// BoundsRule requires that means, or their ratios to a reference, lie between two bounds. It rests
// on what a paper says of its curves (Printed), or on nothing published: documents conclude by it.
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
		if st.derived(t.Metric) && (t.Rule != BoundsRule || t.Relative != "") {
			return input.Bad(at+".metric", "give the rule bounds without relative_to, or a metric",
				"%s.metric is %q, a break_even or a landmark", at, t.Metric)
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
	if t.Set != "" {
		if err := oneOf(at+".set", t.Set, []string{"before", "after"}); err != nil {
			return err
		}
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
	own := map[string]bool{"of": t.Of != "", "min": t.Min != nil, "max": t.Max != nil,
		"printed": t.Printed != ""}
	if t.Rule != BoundsRule {
		for _, key := range input.SortedKeys(own) {
			if own[key] {
				return input.Bad(at+"."+key, "leave it out, or give the rule bounds",
					"%s.rule is %s, which has no %s", at, t.Rule, key)
			}
		}
		return nil
	}
	_, number := t.PrintedNumber()
	switch {
	case t.Within != 0:
		return input.Bad(at+".within", "give min or max", "%s.rule is bounds, which has no within", at)
	case t.Offset != 0:
		return input.Bad(at+".offset", "leave it out", "%s.rule is bounds, which has no offset", at)
	case t.Min == nil && t.Max == nil && !number:
		return input.Bad(at+".min", "give min, max or both, or a number as printed",
			"%s.rule is bounds and has none", at)
	case t.Min != nil && t.Max != nil && *t.Min > *t.Max:
		return input.Bad(at+".max", "give at least min", "%s.max is %g and min is %g", at, *t.Max,
			*t.Min)
	case t.Of != "" && t.Of == t.Relative:
		return input.Bad(at+".of", "give another value than relative_to",
			"%s measures %s relative to itself", at, t.Of)
	}
	return nil
}

// PrintedNumber returns what the rule has as printed if that is a number, which may have commas
// between thousands.
func (t *Tolerance) PrintedNumber() (x float64, ok bool) {
	x, err := strconv.ParseFloat(t.printedDigits(), 64)
	return x, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
}

// printedDigits returns what the rule has as printed without commas.
func (t *Tolerance) printedDigits() string { return strings.ReplaceAll(t.Printed, ",", "") }

// Bounds returns the ends between which a rule about bounds wants values, infinite where there is
// none. Without ends of its own they are the values that round to the number as printed.
func (t *Tolerance) Bounds() (low, high float64) {
	if x, ok := t.PrintedNumber(); ok && t.Min == nil && t.Max == nil {
		half := halfUnit(t.printedDigits())
		return x - half, x + half
	}
	low, high = math.Inf(-1), math.Inf(1)
	if t.Min != nil {
		low = *t.Min
	}
	if t.Max != nil {
		high = *t.Max
	}
	return low, high
}

// WhenSet says whether the tolerance was set before or after results of the study were seen.
func (t *Tolerance) WhenSet() string { return cmp.Or(t.Set, "after") }

// PrintedInText reports whether some rule is about a number or a sentence that a paper printed.
func (st *Study) PrintedInText() bool {
	return slices.ContainsFunc(st.Tolerances, func(t Tolerance) bool { return t.Printed != "" })
}

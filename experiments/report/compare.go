package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/input"
)

// Verdict is the result of one rule.
type Verdict struct {
	Name    string   // by which documents cite the rule, "" for none
	Metric  string   // that the rule is about, "" for the rule about jumps over time
	Rule    string   // the rule in words, behind its name
	Why     string   // the source of its tolerance, "" if the study has none
	Printed string   // what a paper printed that the rule is about, "" for none; see study.Tolerance
	Pass    bool     // the rule holds
	Summary string   // the number of cells or groups within
	Details []string // cells or groups, a line each: those not within, of bounds all of them
	// Cells are the published cells in the order of their rows. A ranking has none.
	Cells  []Cell
	Groups []Group // what a rule about bounds measured
}

// Compare judges the results by the rules of the study, and jumps over time by full simulations of
// some of them. It returns nil where there is neither.
func Compare(r *experiments.Results) []Verdict {
	verdicts := Judge(r)
	if v, checked := jumpVerdict(r); checked {
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// Judge judges the results by the rules of the study ([[tolerances]]). It leaves out rules about
// published values if no point has any, for example with another log.
func Judge(r *experiments.Results) (verdicts []Verdict) {
	for i := range r.Study.Tolerances {
		t := &r.Study.Tolerances[i]
		kind := ruleKinds[t.Rule]
		if incomparable(r, t) != "" || kind.published && !tables.HasPublished(r, t.Metric) {
			continue
		}
		verdicts = append(verdicts, JudgeRule(r, t))
	}
	return verdicts
}

// JudgeRule judges the results by one rule, which flags have not made meaningless.
func JudgeRule(r *experiments.Results, t *study.Tolerance) Verdict {
	v := Verdict{Name: t.Name, Metric: t.Metric, Rule: describeRule(t), Why: t.Why,
		Printed: t.Printed}
	ruleKinds[t.Rule].judge(&v, r, t)
	return v
}

// ruleKind is how rules of a kind judge results and describe themselves, and whether they are about
// published values.
type ruleKind struct {
	judge     func(*Verdict, *experiments.Results, *study.Tolerance)
	describe  func(*study.Tolerance) string
	published bool
}

// ruleKinds holds the kinds by the value of rule in [[tolerances]].
var ruleKinds = map[string]ruleKind{
	"ratio":               {judgeCells, describeCells, true},
	"difference":          {judgeCells, describeCells, true},
	"ranking":             {judgeRanking, describeRanking, false},
	"agreement":           {judgeAgreement, describeAgreement, false},
	study.CoverageRule:    {judgeCoverage, describeCoverage, false},
	study.JobCoverageRule: {judgeCoverage, describeCoverage, false},
	study.CostRule:        {judgeCost, describeCost, false},
	study.BoundsRule:      {judgeBounds, describeBounds, false},
}

// decide sets v.Pass: enough of the cells or groups of the rule lie within it. It returns the
// number that the rule wants.
func (v *Verdict) decide(t *study.Tolerance, within, of int) (wanted int) {
	wanted = cmp.Or(t.AtLeast, of)
	v.Pass = of > 0 && within >= wanted
	return wanted
}

// judgeCells judges a ratio or difference rule by its published cells. A cell that was not run
// counts as outside.
func judgeCells(v *Verdict, r *experiments.Results, t *study.Tolerance) {
	v.Cells = RuleCells(r, t)
	run, within := 0, 0
	for _, c := range v.Cells {
		if !c.Run {
			continue
		}
		run++
		if c.Within {
			within++
			continue
		}
		text := "difference " + input.Signed(c.Measured.Mean-c.Published)
		if t.Rule == "ratio" && c.Published != 0 {
			text = fmt.Sprintf("ratio %.3f", c.Ratio())
		}
		v.Details = append(v.Details, fmt.Sprintf("%s: measured %s, published %s, %s", c.Name,
			tables.WithError(c.Measured, "±"), tables.Significant(c.Published, 5), text))
	}
	wanted := v.decide(t, within, len(v.Cells))
	v.Summary = fmt.Sprintf("%d of %d published cells within, at least %d wanted",
		within, len(v.Cells), wanted)
	if run < len(v.Cells) {
		v.Summary += fmt.Sprintf("; %d of %d published cells were run", run, len(v.Cells))
	}
}

// describeRule states what a rule requires, and of which points.
func describeRule(t *study.Tolerance) string {
	text := ruleKinds[t.Rule].describe(t)
	var where []string
	for _, key := range input.SortedKeys(t.Where) {
		where = append(where, fmt.Sprintf("%s = %v", key, t.Where[key]))
	}
	if where != nil {
		text += ", where " + strings.Join(where, ", ")
	}
	if t.Name != "" {
		text = t.Name + ": " + text
	}
	return text
}

// percentOf returns a fraction in percent, rounded as decimal.Number does, since 100 times a
// fraction is off in its last digits.
func percentOf(fraction float64) string { return decimal.Number(100*fraction) + "%" }

// describeCells states what a ratio or difference rule requires.
func describeCells(t *study.Tolerance) string {
	published := "published"
	if t.Offset != 0 {
		published = fmt.Sprintf("(published %+g)", t.Offset)
	}
	metric, what, by := t.Metric, "measured over "+published, percentOf(t.Within)
	if t.Rule == "difference" {
		what, by = "measured less "+published, fmt.Sprintf("%g", t.Within)
	}
	if t.Relative != "" {
		metric += " relative to " + t.Relative
	}
	switch {
	case t.Within == 0 && t.Interval:
		by = "the interval"
	case t.Within == 0:
		return fmt.Sprintf("%s: as printed", metric)
	case t.Interval:
		by += " and the interval"
	}
	return fmt.Sprintf("%s: %s within %s", metric, what, by)
}

// String returns the verdict as contend compare prints it.
func (v Verdict) String() string {
	word := "FAIL"
	if v.Pass {
		word = "pass"
	}
	s := fmt.Sprintf("%s  %s (%s)\n", word, v.Rule, v.Summary)
	if v.Why != "" {
		s += "      why: " + v.Why + "\n"
	}
	for _, o := range v.Details {
		s += "      " + o + "\n"
	}
	return s
}

// incomparable returns the reason why a rule cannot judge the results, "" if it can. Rules that
// compare measured numbers alone also apply to other logs and machines, but not to the small
// version.
func incomparable(r *experiments.Results, t *study.Tolerance) string {
	changed := r.Study.Changed
	published := ruleKinds[t.Rule].published || t.Printed != ""
	if len(changed) == 0 || !published && !slices.Contains(changed, "--quick") {
		return ""
	}
	return "the runs have " + strings.Join(changed, " ") + ", and the rules are about the whole " +
		"study, unchanged"
}

// Incomparable returns the reason why no rule of the study can judge the results,
// "" if some rule can or the study has none.
func Incomparable(r *experiments.Results) string {
	why := ""
	for i := range r.Study.Tolerances {
		if why = incomparable(r, &r.Study.Tolerances[i]); why == "" {
			return ""
		}
	}
	return why
}

package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/report/tables"
	"contend/experiments/spec"
	"contend/experiments/stats"
	"contend/internal/decimal"
)

// Verdict is the result of one rule.
type Verdict struct {
	Rule    string   // the rule in words
	Why     string   // the source of its tolerance, "" if the study has none
	Pass    bool     // the rule holds
	Summary string   // the number of cells or groups within
	Outside []string // the cells or groups that are not within, a line each
}

// Compare tests the results against the tolerances of the study, and jumps over time
// against full simulations of some of them. It returns nil where there is neither. It leaves
// out rules about published figures if no point has any, for example with another log.
func Compare(r *experiments.Results, names spec.Names) []Verdict {
	var verdicts []Verdict
	for _, t := range r.Study.Tolerances {
		if v, judges := verdictOf(r, t, names); judges {
			verdicts = append(verdicts, v)
		}
	}
	if v, checked := jumpVerdict(r); checked {
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// verdictOf tests the results against one tolerance. It reports false if the rule is left out.
func verdictOf(r *experiments.Results, t experiments.Tolerance, names spec.Names) (Verdict, bool) {
	switch {
	case incomparable(r, &t) != "":
		return Verdict{}, false
	case t.Rule == "ranking":
		return compareRanking(r, t, names), true
	case t.Rule == "agreement":
		return compareAgreement(r, t, names), true
	case !tables.HasPublished(r, t.Metric):
		return Verdict{}, false
	case t.Rule == "order":
		return compareOrder(r, t, names), true
	}
	return compareCells(r, t, names), true
}

// compareCells tests every published cell of a ratio or difference rule. A cell
// that was not run is not within.
func compareCells(r *experiments.Results, t experiments.Tolerance, names spec.Names) Verdict {
	v := Verdict{Rule: describeRule(r, t), Why: t.Why}
	rows := r.Study.Published.MustRows()
	cells, run, within := RuleCells(r, &t, names), 0, 0
	for _, c := range cells {
		if !c.Run {
			continue
		}
		run++
		if c.Within(&t) {
			within++
			continue
		}
		text := "difference " + spec.Signed(c.Measured.Mean-c.Published)
		if t.Rule == "ratio" && c.Published != 0 {
			text = fmt.Sprintf("ratio %.3f", c.Measured.Mean/c.Published)
		}
		v.Outside = append(v.Outside, fmt.Sprintf("%s: measured %s, published %s, %s",
			c.Name(rows), tables.WithError(c.Measured, "±"), tables.Significant(c.Published, 5), text))
	}
	least := t.AtLeast
	if least == 0 {
		least = len(cells)
	}
	v.Pass = len(cells) > 0 && within >= least
	v.Summary = fmt.Sprintf("%d of %d published cells within, at least %d wanted",
		within, len(cells), least)
	if run < len(cells) {
		v.Summary += fmt.Sprintf("; %d of %d published cells were run", run, len(cells))
	}
	return v
}

// Cells lists the cells of a rule that were run.
func Cells(r *experiments.Results, t experiments.Tolerance, names spec.Names) []Cell {
	return slices.DeleteFunc(RuleCells(r, &t, names), func(c Cell) bool { return !c.Run })
}

// among returns the axis along which a rule ranks or divides.
func among(r *experiments.Results, t experiments.Tolerance) string {
	if keys := r.AxisKeys(); t.Among == "" && len(keys) > 0 {
		return keys[len(keys)-1]
	}
	return t.Among
}

// orderGroup is a group of points that differ in one axis only.
type orderGroup struct {
	name                string
	measured, published []float64
	missing             int // cells that were not run
}

// orderGroups groups the cells of an order rule.
func orderGroups(r *experiments.Results, t *experiments.Tolerance, names spec.Names) []orderGroup {
	var groups []orderGroup
	axis := slices.Index(r.AxisKeys(), among(r, *t))
	rows := r.Study.Published.MustRows()
	for _, c := range RuleCells(r, t, names) {
		if axis < 0 {
			break
		}
		name := c.Name(rows)
		if c.Point >= 0 {
			labels := slices.Clone(r.Points[c.Point].Labels)
			name = strings.Join(slices.Delete(labels, axis, axis+1), " ")
		}
		i := slices.IndexFunc(groups, func(g orderGroup) bool { return g.name == name })
		if i < 0 {
			i, groups = len(groups), append(groups, orderGroup{name: name})
		}
		if g := &groups[i]; c.Run {
			g.measured, g.published = append(g.measured, c.Measured.Mean),
				append(g.published, c.Published)
		} else {
			g.missing++
		}
	}
	return groups
}

// compareOrder tests Kendall's tau of each group of points that differ in one
// axis only. A group fails if one of its published cells was not run.
func compareOrder(r *experiments.Results, t experiments.Tolerance, names spec.Names) Verdict {
	v := Verdict{Rule: describeRule(r, t), Why: t.Why}
	pass, tried, lowest := 0, 0, math.Inf(1)
	for _, g := range orderGroups(r, &t, names) {
		tau := stats.KendallTau(g.measured, g.published)
		if math.IsNaN(tau) && g.missing == 0 {
			continue // a group of one cell, or all cells tied
		}
		tried++
		if tau < lowest {
			lowest = tau
		}
		switch run := len(g.measured); {
		case g.missing > 0:
			v.Outside = append(v.Outside, fmt.Sprintf("%s: %d of %d published cells were run",
				g.name, run, run+g.missing))
		case tau >= t.Tau:
			pass++
		default:
			v.Outside = append(v.Outside, fmt.Sprintf("%s: tau %.2f", g.name, tau))
		}
	}
	v.Pass = tried > 0 && pass == tried
	v.Summary = fmt.Sprintf("%d of %d groups", pass, tried)
	if !math.IsInf(lowest, 1) {
		v.Summary += fmt.Sprintf(", least tau %.2f", lowest)
	}
	return v
}

// describeRule returns in words what a rule requires, and of which points.
func describeRule(r *experiments.Results, t experiments.Tolerance) string {
	text := describeCells(t)
	switch t.Rule {
	case "order":
		text = fmt.Sprintf("%s: Kendall's tau of the order at least %g", t.Metric, t.Tau)
	case "ranking":
		text = describeRanking(t)
	case "agreement":
		text = describeAgreement(t)
	}
	var where []string
	for _, key := range spec.SortedKeys(t.Where) {
		where = append(where, fmt.Sprintf("%s = %v", key, t.Where[key]))
	}
	if where != nil {
		text += ", where " + strings.Join(where, ", ")
	}
	return text
}

// percent writes a fraction in percent, without the digits by which products of floating-point
// numbers are off.
func percent(fraction float64) string { return decimal.Number(100*fraction) + "%" }

// describeCells returns in words what a ratio or difference rule requires.
func describeCells(t experiments.Tolerance) string {
	published := "published"
	if t.Offset != 0 {
		published = fmt.Sprintf("(published %+g)", t.Offset)
	}
	metric, what, by := t.Metric, "measured over "+published, percent(t.Within)
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
	for _, o := range v.Outside {
		s += "      " + o + "\n"
	}
	return s
}

package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/claims"
	"contend/experiments/report"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/input"
)

// mostDetails is the number of groups up to which a page has the value of each behind a conclusion.
const mostDetails = 4

// conclusionsFile is the table beside a page with the values behind its conclusions.
const conclusionsFile = "conclusions.csv"

// conclusion is the verdict of a rule by which documents of ours conclude.
type conclusion struct {
	report.Verdict
	value   string     // the range of the groups' values and the worst of them, "" if it is not stated
	details [][]string // the name and the value of each group
}

// rulesOf returns the rules that judge the comparison, without those of numbers in the text of a
// paper, which have a table of their own, and the conclusions of documents of ours.
func rulesOf(r *experiments.Results) (rules []report.Verdict, conclusions []conclusion) {
	for _, v := range report.Compare(r) {
		switch {
		case v.Printed != "":
			continue
		case v.Groups == nil:
			rules = append(rules, v)
			continue
		}
		c := conclusion{Verdict: v}
		if t := claims.RuleOf(r.Study, v.Name); t != nil {
			c.value = valueOf(t, v.Groups)
		}
		for i := range v.Groups {
			g := &v.Groups[i]
			c.details = append(c.details, []string{g.Name,
				strings.TrimPrefix(strings.TrimPrefix(g.String(), g.Name), ": ")})
		}
		conclusions = append(conclusions, c)
	}
	return rules, conclusions
}

// valueOf returns the range of the values that a rule about bounds measured, and the group that is
// nearest to a bound or farthest outside.
func valueOf(t *study.Tolerance, groups []report.Group) string {
	nearest := nearestTo(t, groups)
	if nearest == nil {
		return ""
	}
	text, low, high := nearest.ValueText(), math.Inf(1), math.Inf(-1)
	for i := range groups {
		if !math.IsNaN(groups[i].Mean) {
			low, high = min(low, groups[i].Mean), max(high, groups[i].Mean)
		}
	}
	if len(groups) > 1 && low <= high {
		text = fmt.Sprintf("%s to %s, worst %s: %s", tables.Significant(low, 3),
			tables.Significant(high, 3), nearest.Name, text)
	}
	return text
}

// nearestTo returns the group whose value is nearest to a bound of a rule or farthest outside, nil
// if there is none.
func nearestTo(t *study.Tolerance, groups []report.Group) (nearest *report.Group) {
	for i := range groups {
		if nearest == nil || margin(t, &groups[i]) < margin(t, nearest) {
			nearest = &groups[i]
		}
	}
	return nearest
}

// margin returns the distance of a group's value from the nearest bound of a rule, below 0 outside
// of the bounds.
func margin(t *study.Tolerance, g *report.Group) float64 {
	low, high := g.Ends(t)
	least, most := t.Bounds()
	room := min(low-least, most-high)
	if !g.Run || math.IsNaN(room) {
		return math.Inf(-1)
	}
	return room
}

// requirement returns a rule without the points that it is about, and these.
func requirement(v *report.Verdict) (rule, where string) {
	rule, where, _ = strings.Cut(v.Rule, ", where ")
	return rule, where
}

// becauseOf states the reason of a rule, shortly if it is that of the rule before.
func becauseOf(why, before string) string {
	why, before = strings.TrimSuffix(why, "."), strings.TrimSuffix(before, ".")
	switch why {
	case "":
		return ""
	case before:
		return " Why: as above."
	}
	return " Why: " + why + "."
}

// writeRules counts the rules that judge the comparison, and lists those that fail; the account has
// all. Rules that require the same of different points for the same reason are one line.
func (p *page) writeRules(list []report.Verdict) {
	if list == nil {
		return
	}
	fails := func(v report.Verdict) bool { return !v.Pass }
	failed := 0
	for _, v := range list {
		if fails(v) {
			failed++
		}
	}
	fmt.Fprintf(p, "\n%d of %d rules pass; [the account](%s.csv) has all with their reasons.",
		len(list)-failed, len(list), p.name)
	if failed > 0 {
		p.WriteString(" Those that fail:\n")
	}
	p.WriteString("\n")
	before := ""
	for _, alike := range groupRules(list) {
		j := &alike[0]
		switch {
		case !slices.ContainsFunc(alike, fails):
			continue
		case len(alike) == 1:
			fmt.Fprintf(p, "- %s: %s.", j.Rule, j.Summary)
		default:
			p.WriteString(alikeText(alike))
		}
		p.WriteString(becauseOf(j.Why, before) + "\n")
		before = j.Why
	}
}

// groupRules returns the rules that require the same for the same reason together, in the order of
// the first of them.
func groupRules(list []report.Verdict) (groups [][]report.Verdict) {
	at := map[[2]string]int{}
	for _, j := range list {
		rule, _ := requirement(&j)
		key := [2]string{rule, j.Why}
		i, known := at[key]
		if !known {
			i = len(groups)
			at[key], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], j)
	}
	return groups
}

// alikeText states how many of some rules that require the same passed, and which failed.
func alikeText(alike []report.Verdict) string {
	rule, _ := requirement(&alike[0])
	passed, fails := 0, []string{}
	for i := range alike {
		if alike[i].Pass {
			passed++
			continue
		}
		_, where := requirement(&alike[i])
		fails = append(fails, fmt.Sprintf("%s (%s)", cmp.Or(where, "all points"), alike[i].Summary))
	}
	text := fmt.Sprintf("- %s: passed for %d of %d sets of points", rule, passed, len(alike))
	if len(fails) > 0 {
		text += ", failed for " + strings.Join(fails, "; ")
	}
	return text + "."
}

// writeConclusions lists the conclusions with the values of their groups. Of many groups it states
// the range and the worst, and a table beside the page has all.
func (p *page) writeConclusions(list []conclusion) {
	if list == nil {
		return
	}
	all, text, before, end := [][]string{{"rule", "group", "value"}}, "", "", ":"
	for i := range list {
		c := &list[i]
		holds := ""
		if !c.Pass {
			holds = "does not hold: "
		}
		var values []string
		for _, d := range c.details {
			values = append(values, strings.TrimPrefix(d[0]+": "+d[1], ": "))
			all = append(all, []string{c.Name, d[0], d[1]})
		}
		if len(values) > mostDetails && c.value != "" {
			values = []string{fmt.Sprintf("%d groups from %s", len(values), c.value)}
			end = fmt.Sprintf(", of which [a table](%s/%s) has every value:", p.name, conclusionsFile)
		}
		text += fmt.Sprintf("- %s%s: %s.%s\n", holds, c.Rule, strings.Join(values, "; "),
			becauseOf(c.Why, before))
		before = c.Why
	}
	if end != ":" {
		p.files[conclusionsFile] = all
	}
	p.WriteString("\nConclusions" + end + "\n\n" + text)
}

// textCell is a number of the text of a paper and the group of its rule that is farthest from it.
type textCell struct {
	rule    *study.Tolerance
	verdict *report.Verdict
	group   *report.Group
	printed float64
}

// textCells returns the numbers of the text of a paper that rules of a study have as printed.
func textCells(r *experiments.Results) (list []textCell) {
	for i := range r.Study.Tolerances {
		t := &r.Study.Tolerances[i]
		printed, number := t.PrintedNumber()
		if !number {
			continue
		}
		v := report.JudgeRule(r, t)
		c := textCell{t, &v, nil, printed}
		for k := range v.Groups {
			g := &v.Groups[k]
			if c.group == nil || g.Run && (!c.group.Run || c.far(g) > c.far(c.group)) {
				c.group = g
			}
		}
		if c.group != nil {
			list = append(list, c)
		}
	}
	return list
}

// far returns how far a group is from the number.
func (c *textCell) far(g *report.Group) float64 {
	if math.IsNaN(g.Mean) {
		return math.Inf(1)
	}
	return math.Abs(g.Mean - c.printed)
}

// textNumbers returns the numbers of the text of a paper that were run, and those that were not.
func textNumbers(r *experiments.Results, traces []string) (run, rest []number) {
	for _, c := range textCells(r) {
		n := number{name: c.group.Name, metric: c.rule.Metric, published: c.rule.Printed}
		at := report.PrintedNumber{Point: c.group.Point}
		if !c.group.Run {
			n.outcome, n.reason = notRun, whyNotRun(r, &at, traces)
			rest = append(rest, n)
			continue
		}
		n.outcome = within
		if !c.verdict.Pass {
			n.outcome = failed
			if otherVersion(r, &at) {
				n.outcome = failedOther
			}
		}
		n.published = strings.ReplaceAll(c.rule.Printed, ",", "")
		if n.measured = "NaN"; !math.IsInf(c.group.Mean, 0) {
			n.measured = tables.Significant(c.group.Mean, 5)
		}
		run = append(run, n)
	}
	return run, rest
}

// writeText writes a table of what a paper states in its text and the measured values.
func writeText(p *page, r *experiments.Results) {
	grid := [][]string{{"rule", "of", "printed", "measured", "holds"}}
	for i := range r.Study.Tolerances {
		t := &r.Study.Tolerances[i]
		if t.Printed == "" {
			continue
		}
		v := report.JudgeRule(r, t)
		if _, number := t.PrintedNumber(); !number {
			grid = append(grid, []string{t.Name, input.Plural(len(v.Groups), "group"), t.Printed,
				valueOf(t, v.Groups), yesNo(v.Pass)})
			continue
		}
		for _, g := range v.Groups {
			grid = append(grid, []string{t.Name, g.Name, t.Printed, g.ValueText(), yesNo(g.Within)})
		}
	}
	for i := len(grid) - 1; i > 1; i-- {
		if grid[i][2] == grid[i-1][2] && strings.Contains(grid[i][2], " ") {
			grid[i][2] = "as above"
		}
	}
	if len(grid) > 1 {
		p.section("Printed in the text", grid, 3)
		fmt.Fprintf(p, "\n[The account](%s.csv) has each rule with its reason.\n", p.name)
	}
}

// yesNo returns a truth as a word.
func yesNo(holds bool) string {
	if holds {
		return "yes"
	}
	return "no"
}

// textError returns the error of a number of the text, |log(measured / printed)|, and its name.
func (c *textCell) textError() (e float64, name string, ok bool) {
	if !c.group.Run || !(c.group.Mean > 0 && c.printed > 0) {
		return 0, "", false
	}
	name = fmt.Sprintf("%s, %s: %s for a printed %s", c.group.Name, c.rule.Metric,
		tables.Significant(c.group.Mean, 5), c.rule.Printed)
	return math.Abs(math.Log(c.group.Mean / c.printed)), name, true
}

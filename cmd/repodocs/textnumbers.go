package main

import (
	"fmt"
	"math"
	"strings"

	"contend/experiments"
	"contend/experiments/report"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/input"
)

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

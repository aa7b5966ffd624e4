package main

import (
	"fmt"
	"math"
	"strings"

	"contend/experiments"
	"contend/experiments/report"
	"contend/experiments/report/tables"
)

// tally counts printed numbers by their outcome, and those that were not run by the reason.
type tally struct {
	of      map[outcome]int
	reasons []string // in the order of the numbers
	missing map[string]int
}

// tallyOf counts the numbers of accounts.
func tallyOf(list ...account) tally {
	t := tally{of: map[outcome]int{}, missing: map[string]int{}}
	for i := range list {
		for _, n := range list[i].numbers {
			if t.of[n.outcome]++; n.outcome == notRun {
				t.reasons = append(t.reasons, n.reason)
				t.missing[n.reason]++
			}
		}
	}
	t.reasons = tables.Unique(t.reasons)
	return t
}

// failed counts the numbers outside of their tolerance.
func (t *tally) failed() int { return t.of[failed] + t.of[failedOther] }

// run counts the numbers that were run.
func (t *tally) run() int { return t.of[within] + t.failed() + t.of[divisor] }

// printed counts all numbers.
func (t *tally) printed() int { return t.run() + t.of[notRun] }

// missingText lists the numbers that were not run by reason.
func (t *tally) missingText() string {
	var parts []string
	for _, reason := range t.reasons {
		parts = append(parts, fmt.Sprintf("%d: %s", t.missing[reason], reason))
	}
	return strings.Join(parts, "; ")
}

// numbersText states the counts of printed numbers, their mean error and the worst cell, "" if
// there are no numbers.
func (a *account) numbersText(mean, worst string) string {
	t := tallyOf(*a)
	if t.printed() == 0 {
		return ""
	}
	text := fmt.Sprintf("\n**%d of %d printed numbers are within tolerance.**", t.of[within],
		t.printed())
	if t.failed() > 0 {
		text += fmt.Sprintf(" Failed: %d", t.failed())
		if other := t.of[failedOther]; other > 0 {
			text += fmt.Sprintf(", of them %d on another version of the log", other)
		}
		text += "."
	}
	if n := t.of[divisor]; n > 0 {
		text += fmt.Sprintf(" Divisors only: %d.", n)
	}
	if n := t.of[notRun]; n > 0 {
		text += fmt.Sprintf(" Not run: %d (%s).", n, t.missingText())
	}
	if mean != "" {
		text += " Mean error: " + mean + "."
	}
	if worst != "" {
		text += " Worst cell: " + worst + "."
	}
	return text + fmt.Sprintf(" [The account](%s.csv) lists all.\n", a.name)
}

// errorsOf returns the geometric mean of the errors of all judged numbers, and the largest one with
// its number, "" where there is none. The error of a number is |log(measured / published)|.
func errorsOf(r *experiments.Results) (mean, worst string) {
	judged := judge(r)
	sum, count, largest := 0.0, 0, 0.0
	add := func(e float64, name string) {
		if sum, count = sum+e, count+1; e > largest || count == 1 {
			largest, worst = e, fmt.Sprintf("%s (%s)", errorText(e), name)
		}
	}
	for _, f := range report.Printed(r) {
		c, ok := judged[keyOf(&f)]
		if !ok || f.Elsewhere || !(c.Measured.Mean > 0 && c.Published > 0) { // no ratio with 0
			continue
		}
		metric := c.Metric
		if c.relative != "" {
			metric += " relative to " + c.relative
		}
		add(math.Abs(math.Log(c.Ratio())), fmt.Sprintf("%s, %s: %s for a printed %s", c.Name, metric,
			tables.Significant(c.Measured.Mean, 5), tables.Significant(c.Published, 5)))
	}
	for _, c := range textCells(r) {
		if e, name, ok := c.textError(); ok {
			add(e, name)
		}
	}
	if largest < 1e-12 {
		worst = ""
	}
	if count > 0 {
		mean = errorText(sum / float64(count))
	}
	return mean, worst
}

// errorText returns the error exp(e) - 1 in percent.
func errorText(e float64) string {
	percent := 100 * math.Expm1(e)
	switch {
	case percent < 1e-9:
		return "0%"
	case percent < 0.001:
		return "below 0.001%"
	}
	return tables.Significant(percent, 2) + "%"
}

// gaps returns the section about numbers without runs of another program, which are in no account,
// "" if there are none.
func gaps(list []number) string {
	grid := [][]string{{"number of", "metric", "why not", "published"}}
	for _, n := range list {
		if n.outcome == notRun {
			grid = append(grid, []string{n.name, n.metric, n.reason, n.published})
		}
	}
	if len(grid) == 1 {
		return ""
	}
	return fmt.Sprintf("\n## Known gaps\n\n%d printed numbers have no run here.\n\n%s",
		len(grid)-1, tables.MarkdownTable(grid, 3))
}

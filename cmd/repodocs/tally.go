package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/report"
	"contend/experiments/report/tables"
)

// tally counts printed numbers by what came of them.
type tally struct {
	within, failed, otherVersion, divisors int // otherVersion counts some of the failed ones
	missing                                []missingCount
}

// missingCount counts the numbers that were not run for one reason.
type missingCount struct {
	reason string
	count  int
}

// add counts numbers.
func (t *tally) add(list []number) {
	for _, n := range list {
		switch n.outcome {
		case within:
			t.within++
		case failed:
			t.failed++
		case failedOther:
			t.failed++
			t.otherVersion++
		case divisor:
			t.divisors++
		case notRun:
			t.miss(n.reason)
		}
	}
}

// miss counts a number that was not run.
func (t *tally) miss(reason string) {
	i := slices.IndexFunc(t.missing, func(m missingCount) bool { return m.reason == reason })
	if i < 0 {
		i, t.missing = len(t.missing), append(t.missing, missingCount{reason: reason})
	}
	t.missing[i].count++
}

func (t *tally) run() int { return t.within + t.failed + t.divisors }

func (t *tally) notRun() (n int) {
	for _, m := range t.missing {
		n += m.count
	}
	return n
}

func (t *tally) printed() int { return t.run() + t.notRun() }

// missingText lists the numbers that were not run by reason.
func (t *tally) missingText() string {
	var parts []string
	for _, m := range t.missing {
		parts = append(parts, fmt.Sprintf("%d: %s", m.count, m.reason))
	}
	return strings.Join(parts, "; ")
}

// numbersTable returns the counts of printed numbers as a table of one row.
func (a *account) numbersTable(r *experiments.Results, names *config.Registry) string {
	var t tally
	t.add(a.numbers)
	mean, worst := errorsOf(r, names)
	return tables.MarkdownTable([][]string{
		{"paper", "printed numbers", "run here", "within tolerance", "failed",
			"failed on another version of the log", "mean error", "worst cell", "not run"},
		{a.measuredAgainst(), fmt.Sprint(t.printed()), fmt.Sprint(t.run()), fmt.Sprint(t.within),
			fmt.Sprint(t.failed), fmt.Sprint(t.otherVersion), mean, worst, t.missingText()}}, 1)
}

// errorsOf returns the geometric mean of the errors of all judged numbers, and the largest one with
// its number, "" where there is none. The error of a number is |log(measured / published)|.
func errorsOf(r *experiments.Results, names *config.Registry) (mean, worst string) {
	judged := judge(r, names)
	sum, count, largest := 0.0, 0, 0.0
	for _, f := range report.Printed(r) {
		c, ok := judged[keyOf(&f)]
		if !ok || f.Elsewhere || !(c.Measured.Mean > 0 && c.Published > 0) { // no ratio with 0
			continue
		}
		e := math.Abs(math.Log(c.Ratio()))
		sum, count = sum+e, count+1
		if e <= largest && count > 1 {
			continue
		}
		largest = e
		metric := c.Metric
		if c.relative != "" {
			metric += " relative to " + c.relative
		}
		worst = fmt.Sprintf("%s (%s, %s: %s for a printed %s)", errorText(e), c.Name, metric,
			tables.Significant(c.Measured.Mean, 5), tables.Significant(c.Published, 5))
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

// gaps returns the part of a page that lists printed numbers without runs, "" if there are none.
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

package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/internal/decimal"
	"contend/internal/input"
)

// Metrics resolves a choice of metrics: names, "all", or none for the metrics of the study's table.
// It refuses a metric that no pair has.
func (c *PairedComparison) Metrics(wanted []string) ([]string, error) {
	var have []string
	for i := range c.Pairs {
		if m := c.Pairs[i].Metric; !slices.Contains(have, m) {
			have = append(have, m)
		}
	}
	if slices.Equal(wanted, []string{"all"}) {
		return have, nil
	}
	for _, m := range wanted {
		if !slices.Contains(have, m) {
			problem := fmt.Sprintf("no pair of runs has a metric %q", m)
			return nil, &input.Error{Where: "--metric " + m, Problem: problem,
				Right: input.OneOf(m, have)}
		}
	}
	if len(wanted) > 0 {
		return wanted, nil
	}
	absent := func(m string) bool { return !slices.Contains(have, m) }
	shown := slices.DeleteFunc(tableMetrics(c.results), absent)
	if len(shown) == 0 {
		return have, nil
	}
	return shown, nil
}

// testTexts names what is tested, by whether it is the ratio, in tables.
var testTexts = map[bool]string{true: "A / B", false: "A - B"}

// sharedText returns the text that textOf returns for all pairs; "" and false if they differ.
func sharedText(pairs []*Pair, textOf func(*Pair) string) (text string, same bool) {
	for _, p := range pairs {
		if textOf(p) != textOf(pairs[0]) {
			return "", false
		}
	}
	return textOf(pairs[0]), true
}

// otherKeys returns the keys of the axes that identify a group of pairs.
func (c *PairedComparison) otherKeys() []string {
	return WithoutAxis(c.results.AxisKeys(), c.axis)
}

// pairsOf returns the pairs of a metric, in order.
func (c *PairedComparison) pairsOf(metric string) []*Pair {
	var pairs []*Pair
	for i := range c.Pairs {
		if c.Pairs[i].Metric == metric {
			pairs = append(pairs, &c.Pairs[i])
		}
	}
	return pairs
}

// significant returns yes or no, "" if there is no test.
func (c *PairedComparison) significant(p *Pair) string {
	switch {
	case math.IsNaN(p.Adjusted):
		return ""
	case p.Adjusted < c.Alpha():
		return "yes"
	}
	return "no"
}

// Tables returns the comparison as a table for each metric.
func (c *PairedComparison) Tables(metrics []string) []Grid {
	var grids []Grid
	for _, m := range metrics {
		grids = append(grids, c.grid(m, markdown))
	}
	return grids
}

// grid returns the table of one metric.
func (c *PairedComparison) grid(metric string, f form) Grid {
	var header []string
	for _, key := range c.otherKeys() {
		header = append(header, ShortKey(key))
	}
	pairs := c.pairsOf(metric)
	unit, sameUnit := sharedText(pairs, func(p *Pair) string { return p.Unit })
	test, sameTest := sharedText(pairs, func(p *Pair) string { return testTexts[p.OfRatio] })
	header = append(header, "A", "B")
	if !sameUnit {
		header = append(header, "unit")
	}
	left := len(header)
	header = append(header, "pairs", Title("A - B", unit), "A / B")
	if !sameTest {
		header = append(header, "test of", "p")
	} else {
		header = append(header, "p of "+test)
	}
	cells := [][]string{append(header, "p (Holm)", "significant")}
	for _, p := range pairs {
		row := append(slices.Clone(p.Group), p.A, p.B, p.Unit)[:left]
		row = append(row, strconv.Itoa(p.Difference.N), f.number(p.Difference), ratioText(&p.Ratio))
		if !sameTest {
			row = append(row, testTexts[p.OfRatio])
		}
		cells = append(cells, append(row, pText(p.P), pText(p.Adjusted),
			cmp.Or(p.Note, c.significant(p))))
	}
	g := Grid{Heading: c.heading(f.title(metric, unit), pairs, unit), Cells: cells, Left: left}
	f.names(c.results, &g)
	return g
}

// heading returns the title of a metric and the size of its family of tests.
func (c *PairedComparison) heading(title string, pairs []*Pair, unit string) string {
	tests := 0
	for _, p := range pairs {
		if !math.IsNaN(p.P) {
			tests++
		}
	}
	return title + ", " + input.Plural(tests, "test") + c.pairsNeeded(pairs, unit)
}

// pairsNeeded states how many pairs of runs the tests need to distinguish a mean of A that is Apart
// above that of B from it, for the smallest and for the largest variance seen; "" if Apart is 0.
func (c *PairedComparison) pairsNeeded(pairs []*Pair, unit string) string {
	low, high := math.MaxInt, 0
	for _, p := range pairs {
		if e := p.Tested(); e.N > 1 && !math.IsNaN(e.Half) && c.Apart > 0 {
			n := e.ValuesFor(p.InTestedUnit(c.Apart, p.MeanB), c.results.Study.Runs.Confidence)
			low, high = min(low, n), max(high, n)
		}
	}
	if high == 0 {
		return ""
	}
	what := "replication"
	if c.draws == drawsWindows {
		what = "window"
	}
	text := input.Plural(high, what)
	if low < high {
		text = fmt.Sprintf("%d to %s, by pair", low, text)
	}
	return fmt.Sprintf("; to tell %s apart: about %s",
		strings.TrimSpace(decimal.Number(c.Apart)+" "+unit), text)
}

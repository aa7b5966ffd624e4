package tables

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/stats"
	"contend/internal/decimal"
	"contend/internal/input"
)

// ComparisonFormats lists the formats of PairedComparison.Write.
func ComparisonFormats() []string { return []string{"table", "csv", "latex"} }

// Metrics resolves a choice of metrics: names, or "all", or none for those of the
// study's table. It refuses a metric that no pair has.
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

// Write writes the comparison of some metrics in one of ComparisonFormats.
func (c *PairedComparison) Write(w io.Writer, format string, metrics []string) error {
	switch format {
	case "csv":
		return c.writeCSV(w, metrics)
	case "latex":
		_, err := io.WriteString(w, c.tex(metrics))
		return err
	}
	_, err := io.WriteString(w, c.markdown(metrics))
	return err
}

// WriteFiles writes comparison-KEY.csv with every metric, and comparison-KEY.md
// and comparison-KEY.tex with the given metrics.
func (c *PairedComparison) WriteFiles(dir string, metrics []string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return &input.Error{Problem: err.Error(), Right: "choose another folder with -o"}
	}
	all, err := c.Metrics([]string{"all"})
	if err != nil {
		return err
	}
	for _, file := range []struct {
		ending, format string
		metrics        []string
	}{{".csv", "csv", all}, {".md", "table", metrics}, {".tex", "latex", metrics}} {
		write := func(w io.Writer) error { return c.Write(w, file.format, file.metrics) }
		path := filepath.Join(dir, "comparison-"+c.Key+file.ending)
		if err := input.WriteFileWith(path, write); err != nil {
			return err
		}
	}
	return nil
}

// otherKeys returns the keys of the axes that identify a group of pairs.
func (c *PairedComparison) otherKeys() []string { return c.group(c.results.AxisKeys()) }

// testTexts names what is tested, by whether it is the ratio.
var testTexts = map[bool]string{true: "A / B", false: "A - B"}

// testOf names what is tested in all pairs, "" if that differs.
func testOf(pairs []*Pair) string {
	for _, p := range pairs {
		if p.OfRatio != pairs[0].OfRatio {
			return ""
		}
	}
	return testTexts[pairs[0].OfRatio]
}

// of returns the pairs of a metric, in order.
func (c *PairedComparison) of(metric string) []*Pair {
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

// commonUnit returns the unit of all pairs, "" if they differ.
func commonUnit(pairs []*Pair) string {
	for _, p := range pairs {
		if p.Unit != pairs[0].Unit {
			return ""
		}
	}
	return pairs[0].Unit
}

// grid returns the table of one metric as text, and the number of columns at its
// left that name the compared points.
func (c *PairedComparison) grid(metric string,
	number func(stats.Estimate) string) (cells [][]string, left int) {
	var header []string
	for _, key := range c.otherKeys() {
		header = append(header, ShortKey(key))
	}
	pairs := c.of(metric)
	common := commonUnit(pairs)
	header = append(header, "A", "B")
	if common == "" && slices.ContainsFunc(pairs, func(p *Pair) bool { return p.Unit != "" }) {
		header = append(header, "unit")
	}
	left = len(header)
	header = append(header, "pairs", Title("A - B", common), "A / B")
	test := testOf(pairs)
	if test == "" {
		header = append(header, "test of", "p")
	} else {
		header = append(header, "p of "+test)
	}
	header = append(header, "p (Holm)", "significant")
	cells = [][]string{header}
	for _, p := range pairs {
		row := append(slices.Clone(p.Group), p.A, p.B, p.Unit)[:left]
		row = append(row, strconv.Itoa(p.Difference.N), number(p.Difference), ratioText(&p.Ratio))
		if test == "" {
			row = append(row, testTexts[p.OfRatio])
		}
		cells = append(cells, append(row, pText(p.P), pText(p.Adjusted),
			cmp.Or(p.Note, c.significant(p))))
	}
	return cells, left
}

// ratioText returns a ratio and the ends of its interval, "" if there is none. The last decimal is
// the second significant digit of half the interval.
func ratioText(r *stats.PairedRatio) string {
	e := stats.Estimate{Mean: r.Mean, Half: (r.High - r.Low) / 2}
	switch {
	case math.IsNaN(r.Mean):
		return ""
	case math.IsNaN(e.Half):
		return MeanText(e)
	}
	decimals := decimalsOf(e.Half)
	return fmt.Sprintf("%s (%s to %s)", rounded(r.Mean, decimals), rounded(r.Low, decimals),
		rounded(r.High, decimals))
}

// pText returns a p-value with four decimals.
func pText(p float64) string {
	switch {
	case math.IsNaN(p):
		return ""
	case p < 0.0001:
		return "< 0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}

// heading returns the name of a metric and the size of its family of tests.
func (c *PairedComparison) heading(metric string) string {
	pairs, tests := c.of(metric), 0
	for _, p := range pairs {
		if !math.IsNaN(p.P) {
			tests++
		}
	}
	unit := commonUnit(pairs)
	return Title(metric, unit) + ", " + input.Plural(tests, "test") + c.needed(pairs, unit)
}

// needed states how many pairs of runs the tests need to distinguish a mean of A that is Apart
// above that of B from it, for the smallest and for the largest variance seen; "" if Apart is 0.
func (c *PairedComparison) needed(pairs []*Pair, unit string) string {
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

// markdown returns a table for each metric, with the caption in front.
func (c *PairedComparison) markdown(metrics []string) string {
	caption := c.Caption(metrics)
	text := "**" + caption[0] + "**\n\n" + strings.Join(caption[1:], "\n") + "\n"
	for _, m := range metrics {
		grid, left := c.grid(m, MeanText)
		text += "\n**" + c.heading(m) + "**\n\n" + MarkdownTable(grid, left)
	}
	return text
}

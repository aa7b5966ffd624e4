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

	"contend/experiments/export"
	"contend/experiments/spec/input"
	"contend/experiments/stats"
	"contend/internal/decimal"
	"contend/internal/table"
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

// ComparisonColumns are those of comparison-KEY.csv behind the other axes.
var ComparisonColumns = []table.Column{
	table.Plain("metric", "", "a [metric](metrics.md)"),
	table.Plain("unit", "", "unit of the values in the row, empty for a ratio"),
	table.Plain("by", "", "the key compared"),
	table.Plain("a", "", "its first value"),
	table.Plain("b", "", "its second value"),
	table.Plain("pairs", "runs", "replications both have"),
	table.Plain("mean_a", "unit", "mean at the first value over these replications"),
	table.Plain("mean_b", "unit", "mean at the second value"),
	table.Plain("difference", "unit", "mean of the paired differences, first less second"),
	table.Plain("difference_ci_half_width", "unit", "half the width of its interval"),
	table.Plain("ratio", "", "`mean_a` over `mean_b`"),
	table.Plain("ratio_ci_half_width", "", "half the width of its interval"),
	table.Plain("p", "", "p-value of the paired test"),
	table.Plain("p_holm", "", "p-value adjusted by Holm's method for all pairs of the metric"),
	table.Plain("significant", "", "yes or no at the confidence of the study; empty without a test"),
	table.Plain("note", "", "why there is no test, or what limits it"),
}

// writeCSV writes a row per metric and pair.
func (c *PairedComparison) writeCSV(w io.Writer, metrics []string) error {
	return writeCSV(w, c.otherKeys(), ComparisonColumns, func(write func(...any) error) {
		for _, m := range metrics {
			for _, p := range c.of(m) {
				write(append(export.Texts(p.Group), c.cells(p)...)...)
			}
		}
	})
}

// cells returns the cells of a pair in ComparisonColumns.
func (c *PairedComparison) cells(p *Pair) []any {
	in := func(x float64) any { return export.InUnit{X: x, Unit: p.Unit} }
	plain := func(x float64) any { return export.InUnit{X: x} }
	return []any{p.Metric, p.Unit, c.Key, p.A, p.B, p.Difference.N, in(p.MeanA), in(p.MeanB),
		in(p.Difference.Mean), in(p.Difference.Half), plain(p.Ratio.Mean), plain(p.Ratio.Half),
		plain(p.P), plain(p.Adjusted), c.significant(p), p.Note}
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
	header = append(header, "pairs", Title("A - B", common), "A / B", "p", "p (Holm)",
		"significant")
	cells = [][]string{header}
	for _, p := range pairs {
		row := append(slices.Clone(p.Group), p.A, p.B, p.Unit)[:left]
		cells = append(cells, append(row, c.figures(p, number)...))
	}
	return cells, left
}

// figures returns the cells of a pair after its names.
func (c *PairedComparison) figures(p *Pair, number func(stats.Estimate) string) []string {
	ratio, verdict := "", p.Note
	if !math.IsNaN(p.Ratio.Mean) {
		ratio = number(p.Ratio)
	}
	verdict = cmp.Or(verdict, c.significant(p))
	pairs := strconv.Itoa(p.Difference.N)
	return []string{pairs, number(p.Difference), ratio, pText(p.P), pText(p.Adjusted), verdict}
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

// needed says how many pairs of runs narrow half of the intervals to Apart, for the least and for
// the greatest variance seen; "" if that was not asked for.
func (c *PairedComparison) needed(pairs []*Pair, unit string) string {
	least, most := math.MaxInt, 0
	for _, p := range pairs {
		if p.Difference.N > 1 && !math.IsNaN(p.Difference.Half) && c.Apart > 0 {
			n := p.Difference.ValuesFor(c.Apart, c.results.Study.Runs.Confidence)
			least, most = min(least, n), max(most, n)
		}
	}
	if most == 0 {
		return ""
	}
	what := "replication"
	if c.draws == drawsWindows {
		what = "window"
	}
	text := input.Plural(most, what)
	if least < most {
		text = fmt.Sprintf("%d to %s, by pair", least, text)
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

// tex returns a tabular with booktabs rules for each metric, with the caption as
// comments in front.
func (c *PairedComparison) tex(metrics []string) string {
	b := strings.Builder{}
	b.WriteString(texPackages)
	for _, line := range c.Caption(metrics) {
		b.WriteString("% " + texComment(line) + "\n")
	}
	for _, m := range metrics {
		grid, left := c.grid(m, texNumber)
		texNames(grid, left, c.results.Study.Labels)
		columns := strings.Repeat("l", left) + strings.Repeat("r", len(grid[0])-left-1) + "l"
		fmt.Fprintf(&b, "\n%% %s\n%s", c.heading(m), tabular(grid, columns))
	}
	return b.String()
}

// texNumber is WithError in LaTeX, with thin spaces between thousands from 10000 on.
func texNumber(e stats.Estimate) string {
	words := strings.Fields(WithError(e, `\pm`))
	for i, w := range words {
		whole, _, _ := strings.Cut(w, ".")
		first := len(whole) - len(strings.TrimLeft(whole, "-"))
		if len(whole)-first < 5 {
			continue
		}
		for at := len(whole) - 3; at > first; at -= 3 {
			w = w[:at] + `\,` + w[at:]
		}
		words[i] = w
	}
	return "$" + strings.Join(words, " ") + "$"
}

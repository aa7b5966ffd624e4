package tables

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/stats"
)

// differences returns the comparisons that the study asks for in [[differences]], without
// those that have no pair of runs.
func differences(r *experiments.Results) (all []*PairedComparison) {
	for i := range r.Study.Differences {
		d := &r.Study.Differences[i]
		c := &PairedComparison{Key: d.ByKey(), results: r, rule: d,
			axis: slices.Index(r.AxisKeys(), d.ByKey())}
		pairs := r.Study.Against(r.Points, d)
		for _, at := range pairs {
			c.add(at[0], at[1], d.MetricOf(r.Study))
		}
		if c.Pairs == nil {
			continue
		}
		c.adjust(c.Pairs)
		c.commonDraws(pairs)
		all = append(all, c)
	}
	return all
}

// test compares paired values as the table states: at the confidence of the study and, where
// the differences decided on replications, corrected for the looks at them.
func (c *PairedComparison) test(a, b []float64) stats.PairedTest {
	st := c.results.Study
	if c.rule == nil || c.rule.Within == 0 {
		return stats.TestPairs(a, b, st.Runs.Confidence)
	}
	look := st.LookOf(len(a))
	t := stats.TestPairs(a, b, stats.LookConfidence(look, st.Runs.Confidence))
	t.P = stats.LookP(look, t.P)
	return t
}

// sequentialText states how differences that decided on replications were corrected, "" if they
// did not.
func (c *PairedComparison) sequentialText() string {
	percent := 100 * c.results.Study.Runs.Confidence
	switch {
	case !c.results.Study.Sequential():
		return ""
	case c.rule == nil || c.rule.Within == 0:
		return "Replications were added until differences that [[differences]] names were clear, " +
			"which these intervals and p-values do not account for."
	}
	return fmt.Sprintf("Replications were added until the interval tested excluded equality "+
		"or was at most %g%% of B on either side. For that the k-th look takes an "+
		"error of %.3g over k(k+1), in intervals, p-values and stops alike, so that each "+
		"interval holds in at least %g%% of studies whenever it stops.", 100*c.rule.Within,
		c.Alpha(), percent)
}

// differenceTitle names a table of differences.
func (c *PairedComparison) differenceTitle(metric string) string {
	return fmt.Sprintf("Differences of %s from %s, by %s", metric, c.rule.Against, c.Key)
}

// differenceTables returns the tables of all differences in Markdown.
func differenceTables(r *experiments.Results) string {
	var b strings.Builder
	for _, c := range differences(r) {
		metric := c.rule.MetricOf(r.Study)
		grid, left := c.grid(metric, MeanText)
		fmt.Fprintf(&b, "\n**%s**\n\n%s\n\n%s", markdownCell(c.differenceTitle(metric)),
			strings.Join(c.Caption([]string{metric})[1:], "\n"), MarkdownTable(grid, left))
	}
	return b.String()
}

// WriteDifferencesTeX writes differences.tex, a tabular for each difference.
func WriteDifferencesTeX(r *experiments.Results, w io.Writer) error {
	for _, c := range differences(r) {
		metric := c.rule.MetricOf(r.Study)
		text := "% " + texComment(c.differenceTitle(metric)) + "\n" + c.tex([]string{metric})
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

// WriteDifferences writes differences.csv, a row per pair of points. The column of the axis
// compared is empty.
func WriteDifferences(r *experiments.Results, w io.Writer) error {
	return writeCSV(w, r.AxisKeys(), ComparisonColumns, func(write func(...any) error) {
		for _, c := range differences(r) {
			for i := range c.Pairs {
				p := &c.Pairs[i]
				group := Texts(slices.Insert(slices.Clone(p.Group), c.axis, ""))
				write(append(group, c.cells(p)...)...)
			}
		}
	})
}

package tables

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/table"
	"contend/internal/written"
)

// WriteFiles writes comparison-KEY.csv with every metric, and comparison-KEY.md
// and comparison-KEY.tex with the given metrics.
func (c *PairedComparison) WriteFiles(out *written.Folder, metrics []string) error {
	all, err := c.Metrics([]string{"all"})
	if err != nil {
		return err
	}
	base := "comparison-" + c.Key
	if err := out.Write(base+".csv", func(w io.Writer) error {
		return c.writeCSV(w, all)
	}); err != nil {
		return err
	}
	if err := out.WriteText(base+".md", []byte(c.Markdown(metrics))); err != nil {
		return err
	}
	return out.WriteText(base+".tex", []byte(c.tex(metrics)))
}

// Markdown returns the caption, then a table for each metric.
func (c *PairedComparison) Markdown(metrics []string) string { return c.text(metrics, markdown) }

// Terminal returns the same as a text to read as it is, with labels and metrics as commands take
// them.
func (c *PairedComparison) Terminal(metrics []string) string { return c.text(metrics, terminal) }

// text returns the caption, then a table for each metric.
func (c *PairedComparison) text(metrics []string, f form) string {
	caption := c.Caption(metrics)
	text := "**" + f.prose(caption[0]) + "**\n\n" + strings.Join(caption[1:], "\n") + "\n"
	for _, m := range metrics {
		g := c.grid(m, f)
		text += g.text(f)
	}
	return text
}

// tex returns the caption as comments, then a table with booktabs rules for each metric.
func (c *PairedComparison) tex(metrics []string) string {
	packages, text := TeXPackages, ""
	for _, line := range c.Caption(metrics) {
		text += texComment(line)
	}
	for _, m := range metrics {
		g := c.grid(m, latex)
		packages = g.packages() // all have as many rows
		text += "\n% " + g.Heading + "\n" + g.tex()
	}
	return packages + text
}

// ComparisonColumns are the columns of comparison-KEY.csv behind the other axes.
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
	table.Plain("ratio", "", "geometric mean of the paired ratios, first over second; "+
		"`mean_a` over `mean_b` where `test` is difference"),
	table.Plain("ratio_ci_low", "", "lower end of its interval; empty where `test` is difference"),
	table.Plain("ratio_ci_high", "", "upper end of its interval"),
	table.Plain("test", "", "what `p` is of: ratio (paired t test of the logarithms) where all "+
		"values are above 0, else difference (paired t test)"),
	table.Plain("p", "", "p-value of that test; below 1 less the confidence of the study where "+
		"the interval of the ratio leaves out 1, or that of the difference 0"),
	table.Plain("p_holm", "", "p-value adjusted by Holm's method for the pairs of the metric that are compared"),
	table.Plain("significant", "", "yes or no at the confidence of the study; empty without a test"),
	table.Plain("note", "", "why there is no test, or what limits it: \"on these jobs\" where all "+
		"replications have the same jobs, so that `significant` says nothing of other jobs"),
}

// writeCSV writes a row per metric and pair.
func (c *PairedComparison) writeCSV(w io.Writer, metrics []string) error {
	columns := withJumps(c.results, ComparisonColumns)
	return writeCSV(w, c.otherKeys(), columns, func(write func(...table.Value) error) {
		for _, m := range metrics {
			for _, p := range c.pairsOf(m) {
				write(append(table.Texts(p.Group), c.csvCells(p)...)...)
			}
		}
	})
}

// csvCells returns the cells of a pair in ComparisonColumns.
func (c *PairedComparison) csvCells(p *Pair) []table.Value {
	text, plain := table.Text, func(x float64) table.Value { return table.InUnit(x, "") }
	in := func(x float64) table.Value { return table.InUnit(x, p.Unit) }
	cells := []table.Value{text(p.Metric), text(p.Unit), text(c.Key), text(p.A), text(p.B),
		table.Int(p.Difference.N), in(p.MeanA), in(p.MeanB), in(p.Difference.Mean),
		in(p.Difference.Half), plain(p.Ratio.Mean), plain(p.Ratio.Low), plain(p.Ratio.High),
		text(testNames[p.OfRatio]), plain(p.P), plain(p.Adjusted), text(c.significant(p)),
		text(c.limit(p))}
	return append(cells, jumpCells(c.results, p.Difference.Shared)...)
}

// testNames names what is tested, by whether it is the ratio, in CSV.
var testNames = map[bool]string{true: "ratio", false: "difference"}

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

// test compares two points by a number of pairs as the table states: at the confidence of the study
// and, where the differences decided on replications, corrected for the looks at them.
func (c *PairedComparison) test(i, j int, metric string, pairs int) stats.PairedTest {
	st := c.results.Study
	if c.rule == nil || c.rule.Within == 0 {
		return c.results.TestPairs(i, j, metric, st.Runs.Confidence)
	}
	look := st.LookOf(pairs)
	t := c.results.TestPairs(i, j, metric, stats.LookConfidence(look, st.Runs.Confidence))
	t.P = stats.LookP(look, t.P)
	return t
}

// sequentialText states how differences that decided on replications were corrected, "" if they
// did not.
func (c *PairedComparison) sequentialText() string {
	percent := 100 * c.results.Study.Runs.Confidence
	_, _, most := c.results.Study.Looks()
	switch {
	case !c.results.Study.Sequential():
		return ""
	case c.rule == nil || c.rule.Within == 0:
		return fmt.Sprintf("Replications were added, up to %d, until differences that [[differences]] "+
			"names were clear, which these intervals and p-values do not account for.", most)
	}
	return fmt.Sprintf("Replications were added, up to %d, until the interval tested excluded equality "+
		"or was at most %g%% of B on either side. For that the k-th look takes an "+
		"error of %.3g over k(k+1), in intervals, p-values and stops alike, so that each "+
		"interval holds in at least %g%% of studies whenever it stops.", most, 100*c.rule.Within,
		c.Alpha(), percent)
}

// differenceTitle names the table of a comparison that the study asks for.
func (c *PairedComparison) differenceTitle(f form) string {
	return fmt.Sprintf("Differences of %s from %s, by %s", f.metric(c.metric()),
		f.name(c.results, c.rule.Against), c.Key)
}

// metric returns the metric that the study compares.
func (c *PairedComparison) metric() string { return c.rule.MetricOf(c.results.Study) }

// differences returns the tables of all differences.
func (f form) differences(r *experiments.Results) (grids []Grid) {
	for _, c := range differences(r) {
		g := c.grid(c.metric(), f)
		g.Heading, g.Notes = c.differenceTitle(f), c.Caption([]string{c.metric()})[1:]
		grids = append(grids, g)
	}
	return grids
}

// WriteDifferencesTeX writes differences.tex, a tabular for each difference.
func WriteDifferencesTeX(r *experiments.Results, w io.Writer) error {
	for _, c := range differences(r) {
		text := texComment(c.differenceTitle(latex)) + c.tex([]string{c.metric()})
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

// WriteDifferences writes differences.csv, a row per pair of points. The column of the axis
// compared is empty.
func WriteDifferences(r *experiments.Results, w io.Writer) error {
	columns := withJumps(r, ComparisonColumns)
	return writeCSV(w, r.AxisKeys(), columns, func(write func(...table.Value) error) {
		for _, c := range differences(r) {
			for i := range c.Pairs {
				p := &c.Pairs[i]
				group := table.Texts(slices.Insert(slices.Clone(p.Group), c.axis, ""))
				write(append(group, c.csvCells(p)...)...)
			}
		}
	})
}

// Caption returns the title of the tables of some metrics, then a line for each fact that a reader
// needs.
func (c *PairedComparison) Caption(metrics []string) []string {
	study := c.results.Study
	name := cmp.Or(study.Title, study.Name)
	if study.Cites != "" {
		name += " (" + study.Cites + ")"
	}
	low, high, notes := c.pairCounts(metrics)
	title := OneLine(name) + ": paired by " + c.Key
	if c.against != "" {
		title += ", each against " + c.against
	}
	if c.where != nil {
		title += ", where " + strings.Join(c.where, ", ")
	}
	lines := []string{title, c.pairingText(low, high)}
	if high > 1 {
		lines = append(lines, c.methodLines(metrics)...)
	}
	shared := slices.ContainsFunc(c.Pairs, func(p Pair) bool {
		return slices.Contains(metrics, p.Metric) && p.Difference.Shared > 0
	})
	if shared {
		lines = append(lines, "Intervals and p have the errors of jumps over time at both values "+
			"(runs.fast_forward).")
	}
	lines = append(lines, c.sameJobsText(metrics), c.sequentialText(), trimText(c.results),
		queueText(c.results, metrics), lostText(c.results))
	none := "no interval and no test."
	if shared {
		none = "no test, and intervals are of jumps alone."
	}
	if notes[noteNoChance] {
		lines = append(lines, "No chance: what is tested is the same in all pairs, so there is "+none)
	}
	if notes[noteOneRun] {
		lines = append(lines, "One pair: no chance, so "+none)
	}
	if notes[noteSameRun] {
		lines = append(lines, "Same runs: both values give the same run, so there is nothing to test.")
	}
	lines = append(lines, c.remedyText(notes))
	if !c.results.Complete() {
		lines = append(lines, "The study is not complete: contend run resumes it.")
	}
	return NonEmpty(lines...)
}

// sameJobsText states that tests say nothing of other jobs, "" where jobs differ in all of them.
func (c *PairedComparison) sameJobsText(metrics []string) string {
	same := slices.ContainsFunc(c.Pairs, func(p Pair) bool {
		return slices.Contains(metrics, p.Metric) && c.limit(&p) == onTheseJobs
	})
	if !same {
		return ""
	}
	text := "On these jobs: all replications have the same jobs, so intervals and tests hold the " +
		"chance of what is drawn beside them, and say nothing of other jobs."
	if slices.ContainsFunc(c.results.Points, func(p study.Point) bool {
		return p.Spec.Workload.HasTrace()
	}) {
		text += " With workload.window each replication takes another window of the log."
	}
	return text
}

// pairCounts returns the smallest and the largest number of pairs of runs, and the notes that some
// pair has.
func (c *PairedComparison) pairCounts(metrics []string) (low, high int, notes map[string]bool) {
	low, notes = math.MaxInt, map[string]bool{}
	for i := range c.Pairs {
		p := &c.Pairs[i]
		if !slices.Contains(metrics, p.Metric) {
			continue
		}
		low, high = min(low, p.Difference.N), max(high, p.Difference.N)
		notes[p.Note] = true
	}
	return low, high, notes
}

// pairingText states how many runs were paired, and what the runs of a pair share.
func (c *PairedComparison) pairingText(low, high int) string {
	n := CountText(low, high) + " pairs of runs"
	if high == 1 {
		n = "1 pair of runs"
	}
	return n + map[draws]string{
		drawsWindows: ", by window: both runs take the same window of the log, " +
			"so the same jobs (common random numbers).",
		drawsJobs: ", by replication: both runs have the same seed and replication, " +
			"so the same jobs (common random numbers).",
		drawsCommon: ", by replication: both runs have the same seed and replication, " +
			"so the same random numbers. Their jobs differ all the same, by " + c.Key +
			c.differText() + ".",
		drawsApart: ", by replication: both runs draw their jobs separately, by " + c.Key +
			". The intervals are correct, but no narrower than unpaired ones.",
	}[c.draws] + c.calibrationText()
}

// differText lists the properties in which the jobs of pairs differ, "" if runs have recorded none.
func (c *PairedComparison) differText() string {
	if c.differ == nil {
		return ""
	}
	return ", in " + strings.Join(c.differ, ", ")
}

// calibrationText states that the numbers of messages differ where patterns are compared, else "".
func (c *PairedComparison) calibrationText() string {
	if c.Key != string(config.FieldPattern) || !slices.ContainsFunc(c.results.Points,
		func(p study.Point) bool { return p.Spec.Calibrates() }) {
		return ""
	}
	return " Each pattern is calibrated separately, so message counts differ between patterns."
}

// methodLines state how intervals and p-values of some metrics are computed.
func (c *PairedComparison) methodLines(metrics []string) []string {
	percent := 100 * c.results.Study.Runs.Confidence
	lines := []string{fmt.Sprintf("A - B: mean difference with its %g%% interval "+
		"by Student's t of the paired differences.", percent)}
	tested := map[bool]bool{} // by whether p is of the ratio
	for i := range c.Pairs {
		if p := &c.Pairs[i]; slices.Contains(metrics, p.Metric) {
			tested[p.OfRatio] = true
		}
	}
	if tested[true] {
		lines = append(lines, fmt.Sprintf("A / B: geometric mean of the paired ratios with its %g%% "+
			"interval by Student's t of their logarithms.", percent),
			"p of A / B: two-sided paired t test of the logarithms, that the ratio is 1.")
	}
	if tested[false] {
		lines = append(lines, "p of A - B: two-sided paired t test that the difference is 0, where a "+
			"value is 0 or less. A / B is then the ratio of the means, without an interval.")
	}
	family := "all pairs"
	if c.against != "" {
		family = "the pairs with " + c.against
	}
	return append(lines,
		"p (Holm): adjusted by Holm's method over "+family+" and all groups of a metric.",
		fmt.Sprintf("Significant: p (Holm) below %.3g. "+
			"The intervals are those of single pairs, not adjusted.", c.Alpha()))
}

// remedyText states how to get more replications, or replications that differ; "" if all pairs have
// a test.
func (c *PairedComparison) remedyText(notes map[string]bool) string {
	if !notes[noteOneRun] && !notes[noteNoChance] {
		return ""
	}
	for i := range c.results.Points {
		w := &c.results.Points[i].Spec.Workload
		if w.HasTrace() && w.Window == 0 && w.Shake == 0 {
			return "Replications of a log differ with workload.window " +
				"(each takes another window of the log) " +
				"or workload.shake (each moves the submissions at random)."
		}
	}
	if notes[noteOneRun] {
		return "More pairs: set runs.replications."
	}
	return ""
}

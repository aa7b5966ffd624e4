package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/study"
)

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
	if c.where != nil {
		title += ", where " + strings.Join(c.where, ", ")
	}
	lines := []string{title, c.pairingText(low, high)}
	if high > 1 {
		lines = append(lines, c.methodLines(metrics)...)
	}
	lines = append(lines, c.sequentialText(), trimText(c.results), queueText(c.results, metrics),
		lostText(c.results))
	if notes[noteNoChance] {
		lines = append(lines, "No chance: what is tested is the same in all pairs, so there is no "+
			"interval and no test.")
	}
	if notes[noteOneRun] {
		lines = append(lines, "One pair: no chance, so no interval and no test.")
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
	return append(lines,
		"p (Holm): adjusted by Holm's method over all pairs and all groups of a metric.",
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

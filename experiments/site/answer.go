package site

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/report/tables"
	"contend/experiments/stats"
	"contend/internal/input"
)

// Answer returns a table that compares the response times of each class of job sizes with those
// under the rule of the cluster: shorter, longer, or undecided.
func Answer(r *experiments.Results) (string, error) {
	st := r.Study
	const allocator = "allocator"
	own := st.Table.Relative
	if own == "" || !strings.Contains(strings.Join(st.Table.Metrics, " "), "response_time") {
		return "", &input.Error{Where: st.Name, Problem: "contend site did not write the study",
			Right: "give the folder of one that it wrote, with table.relative_to and metrics response_time"}
	}
	header := []string{}
	for _, key := range r.AxisKeys() {
		header = append(header, tables.ShortKey(key))
	}
	grid := [][]string{append(header, "jobs of", "windows", "ratio", "interval", "answer")}
	for _, metric := range st.Table.Metrics {
		if !strings.HasPrefix(metric, "response_time") {
			continue
		}
		for i := range r.Points {
			p := &r.Points[i]
			j, ok := st.Sibling(r.Points, i, allocator, own)
			if st.LabelAt(p, allocator) == own || !ok {
				continue
			}
			row := append(slices.Clone(p.Labels), sizeRange(metric))
			grid = append(grid, append(row, answerCells(r.PairedRatio(i, j, metric))...))
		}
	}
	return fmt.Sprintf("Response times over those of %s, with %g%% intervals of paired logarithms "+
		"over the windows.\n\n", own, 100*st.Runs.Confidence) +
		tables.MarkdownTable(grid, len(r.AxisKeys())+1), nil
}

// sizeRange returns the range of job sizes of a metric in words.
func sizeRange(metric string) string {
	class, ok := metrics.ClassOf(metric)
	switch {
	case !ok:
		return "all sizes"
	case class.Min == class.Max:
		return input.Plural(class.Min, "node")
	case class.Max == 0:
		return fmt.Sprintf("%d nodes and more", class.Min)
	}
	return fmt.Sprintf("%d to %d nodes", class.Min, class.Max)
}

// answerCells returns the cells of a ratio: the number of windows, the ratio with its interval, and
// the answer. An interval that includes 1 does not show equality: its ends bound the difference.
func answerCells(r stats.PairedRatio, ok bool) []string {
	const unknown = "cannot tell"
	if !ok {
		return []string{"0", "", "", unknown}
	}
	answer, interval := unknown, fmt.Sprintf("%.3f to %.3f", r.Low, r.High)
	switch {
	case math.IsNaN(r.Low):
		interval = ""
		if r.N > 1 && r.Mean == 1 {
			answer = "the same"
		}
	case r.High < 1:
		answer = "shorter"
	case r.Low > 1:
		answer = "longer"
	}
	return []string{strconv.Itoa(r.N), fmt.Sprintf("%.3f", r.Mean), interval, answer}
}

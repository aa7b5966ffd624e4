package site

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/cosim/metrics"
	"contend/experiments/report/tables"
	"contend/experiments/spec/input"
	"contend/experiments/stats"
)

// Answer says of each class of sizes whether jobs respond earlier or later than under the site's
// own rule, or that the runs cannot tell.
func Answer(r *experiments.Results) (string, error) {
	st := r.Study
	const allocator = "allocator"
	own := st.Table.Relative
	if own == "" || !strings.Contains(strings.Join(st.Table.Metrics, " "), "response_time") {
		return "", &input.Error{Where: st.Name, Problem: "the study is none that contend site wrote",
			Right: "give the folder of one, with table.relative_to and metrics response_time"}
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
			a, b := r.Paired(i, j, metric)
			row := append([]string{}, p.Labels...)
			grid = append(grid, append(append(row, sizesOf(metric)), verdict(a, b,
				st.Runs.Confidence)...))
		}
	}
	return fmt.Sprintf("Response times over those of %s, with %g%% intervals of paired logarithms over "+
		"the windows.\n\n", own, 100*st.Runs.Confidence) +
		tables.MarkdownTable(grid, len(r.AxisKeys())+1), nil
}

// sizesOf returns the sizes of jobs that a metric is of.
func sizesOf(metric string) string {
	class, ok := metrics.ClassOf(metric)
	switch {
	case !ok:
		return "all sizes"
	case class.Least == class.Most:
		return input.Plural(class.Least, "node")
	case class.Most == 0:
		return fmt.Sprintf("%d nodes and more", class.Least)
	}
	return fmt.Sprintf("%d to %d nodes", class.Least, class.Most)
}

// verdict returns the number of windows, the geometric mean of a over b with its interval, and what
// that says. An interval that includes 1 does not show that nothing differs: its ends bound the
// difference.
func verdict(a, b []float64, confidence float64) []string {
	var logs []float64
	for i := range a {
		if a[i] > 0 && b[i] > 0 {
			logs = append(logs, math.Log(a[i]/b[i]))
		}
	}
	windows := strconv.Itoa(len(logs))
	if len(logs) == 0 {
		return []string{windows, "", "", "cannot tell"}
	}
	e := stats.EstimateOf(logs, confidence)
	ratio := fmt.Sprintf("%.3f", math.Exp(e.Mean))
	if len(logs) < 2 {
		return []string{windows, ratio, "", "cannot tell"}
	}
	if slices.Min(logs) == slices.Max(logs) {
		e.Half = 0 // of values that do not vary
	}
	low, high := math.Exp(e.Mean-e.Half), math.Exp(e.Mean+e.Half)
	answer := "cannot tell"
	switch {
	case low == 1 && high == 1:
		answer = "the same"
	case high < 1:
		answer = "shorter"
	case low > 1:
		answer = "longer"
	}
	return []string{windows, ratio, fmt.Sprintf("%.3f to %.3f", low, high), answer}
}

package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/stats"
)

// Validation writes the document that puts every published figure beside the
// measured one: what became of all of them, and then a section per study, with
// its rules, and what differs from the paper. traces are the folders to look
// for logs in, which tells numbers that cannot be run from those that were not.
func Validation(all []*experiments.Results, names spec.Names, traces []string) string {
	var b strings.Builder
	b.WriteString("# Validation\n\n" + validationHead)
	if list := accounts(all, names, traces); list != nil {
		b.WriteString("\n" + accountTable(list) + "\n" + accountNote + "\n" + accuracyText(list))
	}
	var given []string
	for _, r := range all {
		validate(r, &b, names, traces)
		if r.Study.Changed == nil {
			given = append(given, r.Study.Name)
		}
	}
	for _, r := range notGiven(all, given, names) {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n%s.\n%s",
			r.Study.Name, r.Study.Title, r.Study.Cites, gaps(r, names, traces))
	}
	return b.String()
}

const validationHead = "Every figure a paper printed, beside what the program measures: the mean " +
	"over replications, the\n" +
	"ratio of the two, and its confidence interval. Written by `contend validation DIR...`.\n"

const accountNote = "A number is within tolerance if all rules of its study about it hold; the " +
	"rules and their reasons, which come from\n" +
	"the precision of the papers and not from the results, stand in the sections below. Errors " +
	"are the larger of measured\n" +
	"and printed over the smaller, less 1; the mean is the geometric one. What is run and " +
	"neither within nor failed only\n" +
	"divides others, which makes it 1 by itself. Curves that a paper draws without numbers are " +
	"not counted.\n"

func validate(r *experiments.Results, b *strings.Builder, names spec.Names, traces []string) {
	fmt.Fprintf(b, "\n## %s\n", r.Study.Name)
	for _, s := range []string{r.Study.Title, r.Study.Cites} {
		if s != "" {
			fmt.Fprintf(b, "\n%s.\n", s)
		}
	}
	// variants may have logs of their own
	if w := r.Study.Base.Workload; w.Source == "swf" && w.Trace != "" {
		fmt.Fprintf(b, "\nThe log %s on a %s.\n", spec.BaseName(w.Trace),
			r.Points[0].Spec.Machine.Phrase())
	}
	for _, in := range r.Study.Inputs {
		fmt.Fprintf(b, "\n%s.\n", in)
	}
	if text := r.KeptText(); text != "" {
		fmt.Fprintf(b, "\n%s\n", text)
	}
	if verdicts := Compare(r, names); verdicts != nil {
		b.WriteString("\nRules:\n\n")
		for _, v := range verdicts {
			word := "failed"
			if v.Pass {
				word = "passed"
			}
			fmt.Fprintf(b, "- %s: %s, %s.", v.Rule, word, v.Summary)
			if v.Why != "" {
				fmt.Fprintf(b, " Why: %s.", v.Why)
			}
			b.WriteString("\n")
		}
	}
	if text := publishedText(r); text != "" {
		fmt.Fprintf(b, "\n%s\n", text)
	}
	for _, m := range r.Metrics() {
		if hasPublished(r, m) {
			fmt.Fprintf(b, "\n### %s\n\n%s%s", title(m, cosim.UnitOf(m, &r.Study.Base)),
				MarkdownTable(validationGrid(r, m), len(rowKeys(r))), errorLine(r, m))
		}
	}
	if r.Study.Changed == nil {
		b.WriteString(gaps(r, names, traces))
	}
	if r.Study.Tolerances == nil && !slices.ContainsFunc(r.Metrics(), func(m string) bool {
		return hasPublished(r, m)
	}) {
		b.WriteString(relativeSection(r))
	}
	var shown []string
	for _, t := range r.Study.Tolerances {
		if t.Rule == "ranking" && !hasPublished(r, t.Metric) && !slices.Contains(shown, t.Metric) {
			shown = append(shown, t.Metric)
			fmt.Fprintf(b, "\n### %s\n\n%s", title(t.Metric, cosim.UnitOf(t.Metric, &r.Study.Base)),
				MarkdownTable(measuredGrid(r, t, names), len(r.Study.Axes)))
		}
		if t.Relative != "" {
			fmt.Fprintf(b, "\n### %s relative to %s\n\n%s", t.Metric, t.Relative,
				MarkdownTable(relativeGrid(r, t, names), len(rowKeys(r))))
		}
	}
	b.WriteString(breakEvens(r))
	if r.Study.Notes != nil {
		b.WriteString("\nWhat differs from the paper, and how open points are read:\n\n")
		for _, n := range r.Study.Notes {
			fmt.Fprintf(b, "- %s\n", n)
		}
	}
}

func title(metric, unit string) string {
	if unit == "" {
		return metric
	}
	return metric + " (" + unit + ")"
}

func validationHeader(r *experiments.Results) []string {
	header := rowKeys(r)
	for i := range header {
		header[i] = shortKey(header[i])
	}
	return append(header, "published", "measured", "runs", "ratio", "interval")
}

// validationGrid has a row for every published figure of one metric.
func validationGrid(r *experiments.Results, metric string) [][]string {
	grid := [][]string{validationHeader(r)}
	for i := range r.Points {
		e, ok := r.Estimate(i, metric)
		published, known := ownPublished(r, i, metric)
		if ok && known {
			grid = append(grid, append(rowLabels(r, i),
				ratioCells(e, published, cosim.LeastOf(metric))...))
		}
	}
	return grid
}

// ownPublished is Published without what another study has as its own.
func ownPublished(r *experiments.Results, point int, metric string) (float64, bool) {
	if e := r.Study.Published.Elsewhere; e != nil &&
		experiments.Matches(&r.Points[point], e, r.Names) {
		return 0, false
	}
	return r.Published(point, metric)
}

// errorLine sums up how far the measured values of a metric are from the published
// ones: the mean and the largest factor between the two, either way, as errors.
func errorLine(r *experiments.Results, metric string) string {
	sum, most, n := 0.0, 0.0, 0
	for i := range r.Points {
		e, ok := r.Estimate(i, metric)
		published, known := ownPublished(r, i, metric)
		if !ok || !known || !(e.Mean > 0 && published > 0) { // 0 is no factor away from anything
			continue
		}
		far := math.Abs(math.Log(e.Mean / published))
		sum, most, n = sum+far, max(most, far), n+1
	}
	if n < 2 {
		return ""
	}
	percent := func(far float64) string { return Significant(100*math.Expm1(far), 2) + "%" }
	return fmt.Sprintf("\nGeometric mean error %s over %d cells, largest %s.\n",
		percent(sum/float64(n)), n, percent(most))
}

// measuredGrid has a row for every point a ranking is about, where no paper has
// figures.
func measuredGrid(r *experiments.Results, t experiments.Tolerance, names spec.Names) [][]string {
	header := validationHeader(r)
	grid := [][]string{append(header[:len(r.Study.Axes)], "measured", "runs")}
	for i, p := range r.Points {
		if e, ok := r.Estimate(i, t.Metric); ok && experiments.Matches(&p, t.Where, names) {
			grid = append(grid, append(slices.Clone(p.Labels), withError(e, "±"), fmt.Sprint(e.N)))
		}
	}
	return grid
}

// relativeGrid is the same of figures divided by that of another point.
func relativeGrid(r *experiments.Results, t experiments.Tolerance, names spec.Names) [][]string {
	grid := [][]string{validationHeader(r)}
	for _, c := range cells(r, t, names) {
		grid = append(grid, append(rowLabels(r, c.point),
			ratioCells(c.measured, c.published, 0)...))
	}
	return grid
}

// relativeSection is the relative column of the table, where a paper draws it and
// prints no figures.
func relativeSection(r *experiments.Results) string {
	cells := relativeCells(r)
	if cells == nil {
		return ""
	}
	header := validationHeader(r)
	grid := [][]string{append(header[:len(r.Study.Axes)], "measured", "runs")}
	for i, p := range r.Points {
		if c, ok := cells[i]; ok && p.Labels[len(p.Labels)-1] != r.Study.Table.Relative {
			grid = append(grid, append(slices.Clone(p.Labels), withError(c.measured, "±"),
				fmt.Sprint(c.measured.N)))
		}
	}
	return fmt.Sprintf("\n### %s relative to %s\n\n%s", relativeMetric(r), r.Study.Table.Relative,
		MarkdownTable(grid, len(r.Study.Axes)))
}

// ratioCells are published, measured, runs, ratio and its interval. A figure
// published as 0 has no ratio. The measured one cannot be below least.
func ratioCells(e stats.Estimate, published, least float64) []string {
	cells := []string{Significant(published, 5), withError(e, "±"), fmt.Sprint(e.N), "", ""}
	if published == 0 {
		return cells
	}
	ratio := e.Mean / published
	cells[3] = fmt.Sprintf("%.3f", ratio)
	in := stats.Estimate{Mean: ratio, Half: e.Half / published}
	if low, high := in.Ends(least / published); low == low {
		cells[4] = fmt.Sprintf("%.3f to %.3f", low, high)
	}
	return cells
}

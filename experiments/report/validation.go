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
	"contend/experiments/study"
)

// Validation returns the document that compares every published figure with the
// measured one: the accounts of all papers, then a section for each study with
// its rules and its differences from the paper. traces lists the folders in which
// logs are searched; a number is reported as impossible to run if its log is in
// none of them. figures, if not empty, is the folder, relative to the document, that
// holds the files of ValidationFigures.
func Validation(all []*experiments.Results, names spec.Names, traces []string,
	figures string) string {
	var b strings.Builder
	b.WriteString("# Validation\n\n" + validationHead)
	if figures != "" {
		fmt.Fprintf(&b, validationPictures, figures, figures)
	}
	if list := accounts(all, names, traces); list != nil {
		b.WriteString("\n" + accountTable(list) + accountNote + "\n" + accuracyText(list))
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

// validationHead begins the document.
const validationHead = "This document compares every figure that a paper printed with what the " +
	"program measures:\nthe mean over replications, the ratio of the two, and its confidence " +
	"interval.\nWritten by `contend validation DIR...`.\n"

// validationPictures shows the figures of all numbers.
const validationPictures = "\n![measured against published numbers, with the line on which they " +
	"are\nequal](%s/validation.svg)\n![ratio of measured to published " +
	"numbers](%s/validation-ratio.svg)\n\n" +
	"Each point is a printed number that is run here. The grey band and the dashed lines are 5%% " +
	"around\nequality, the error that most papers state or imply.\n"

// accountNote explains the table of accounts.
const accountNote = `
A number is within tolerance if all rules of its study about it hold. The sections below list
the rules with their reasons, which are the precision of the papers and not the results. An
error is the larger of measured and printed value over the smaller, less 1; the mean error is
the geometric mean. A number that is run and neither within nor failed only divides others: its
own ratio is 1. Curves that a paper draws without numbers are not counted.
`

// validate writes the section of a study.
func validate(r *experiments.Results, b *strings.Builder, names spec.Names, traces []string) {
	validationIntro(r, b)
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
	publishedSections(r, b)
	if r.Study.Changed == nil {
		b.WriteString(gaps(r, names, traces))
	}
	hasFigures := func(m string) bool { return hasPublished(r, m) }
	if r.Study.Tolerances == nil && !slices.ContainsFunc(r.Metrics(), hasFigures) {
		b.WriteString(relativeSection(r))
	}
	ruleSections(r, b, names)
	b.WriteString(breakEvens(r))
	b.WriteString(jumpSection(r))
	if r.Study.Notes != nil {
		b.WriteString("\nDifferences from the paper, and how open points are read:\n\n")
		for _, n := range r.Study.Notes {
			fmt.Fprintf(b, "- %s\n", n)
		}
	}
}

// flagsOfRuns begins the sentence about the flags of a section's runs, flagsOfPublished the one
// that tells whether published figures are about such runs.
const (
	flagsOfRuns      = "These runs have "
	flagsOfPublished = "The published figures are of "
)

// validationIntro writes the heading of a section: what was run on which inputs.
func validationIntro(r *experiments.Results, b *strings.Builder) {
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
	if flags := slices.Concat(r.Study.Selected, r.Study.Changed); flags != nil &&
		publishedText(r) == "" { // that says so
		fmt.Fprintf(b, "\n%s%s.\n", flagsOfRuns, strings.Join(flags, " "))
	}
	if program := r.Program(); program != "" {
		fmt.Fprintf(b, "\nRuns made by contend %s.\n", program)
	}
}

// publishedSections writes a table for each metric with published figures.
func publishedSections(r *experiments.Results, b *strings.Builder) {
	for _, m := range r.Metrics() {
		if !hasPublished(r, m) {
			continue
		}
		table := MarkdownTable(validationGrid(r, m), len(rowKeys(r)))
		fmt.Fprintf(b, "\n### %s\n\n%s%s",
			title(m, unitOf(r, m, all(r))), table, errorLine(r, m))
	}
}

// ruleSections writes the tables of rankings without published figures and those
// of relative rules.
func ruleSections(r *experiments.Results, b *strings.Builder, names spec.Names) {
	var shown []string
	for _, t := range r.Study.Tolerances {
		isNew := !hasPublished(r, t.Metric) && !slices.Contains(shown, t.Metric)
		if t.Rule == "ranking" && isNew {
			shown = append(shown, t.Metric)
			table := MarkdownTable(measuredGrid(r, t, names), len(r.Study.Axes))
			fmt.Fprintf(b, "\n### %s\n\n%s",
				title(t.Metric, unitOf(r, t.Metric, all(r))), table)
		}
		if t.Rule == "agreement" {
			table := MarkdownTable(agreementGrid(r, t, names), len(r.Study.Axes))
			fmt.Fprintf(b, "\n### %s over that of %s\n\n%s", t.Metric, t.Relative, table)
		} else if t.Relative != "" {
			table := MarkdownTable(relativeGrid(r, t, names), len(rowKeys(r)))
			fmt.Fprintf(b, "\n### %s relative to %s\n\n%s", t.Metric, t.Relative, table)
		}
	}
}

// title returns a metric with its unit in parentheses.
func title(metric, unit string) string {
	if unit == "" {
		return metric
	}
	return metric + " (" + unit + ")"
}

// axisTitle returns a metric in words with its unit in parentheses, for an axis.
func axisTitle(metric, unit string) string {
	words := shortKey(metric)
	if words != "" {
		words = strings.ToUpper(words[:1]) + words[1:]
	}
	return title(words, unit)
}

// validationHeader returns the header of a table of published figures.
func validationHeader(r *experiments.Results) []string {
	header := rowKeys(r)
	for i := range header {
		header[i] = shortKey(header[i])
	}
	return append(header, "published", "measured", "runs", "ratio", "interval")
}

// validationGrid returns a row for every published figure of one metric.
func validationGrid(r *experiments.Results, metric string) [][]string {
	grid := [][]string{validationHeader(r)}
	for i := range r.Points {
		e, ok := r.Estimate(i, metric)
		published, known := ownPublished(r, i, metric)
		if ok && known {
			grid = append(grid, append(rowLabels(r, i),
				ratioCells(e, published, cosim.BoundsOf(metric, &r.Study.Base))...))
		}
	}
	return grid
}

// ownPublished is like Results.Published without figures that belong to another
// study.
func ownPublished(r *experiments.Results, point int, metric string) (float64, bool) {
	if e := r.Study.Published.Elsewhere; e != nil &&
		study.Matches(&r.Points[point], e, r.Names) {
		return 0, false
	}
	return r.Published(point, metric)
}

// errorLine states the geometric mean and the largest of the errors between the
// measured and the published values of a metric, "" for fewer than two cells.
func errorLine(r *experiments.Results, metric string) string {
	sum, most, n := 0.0, 0.0, 0
	for i := range r.Points {
		e, ok := r.Estimate(i, metric)
		published, known := ownPublished(r, i, metric)
		if !ok || !known || !(e.Mean > 0 && published > 0) { // no ratio with 0
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

// measuredGrid returns a row for every point that a ranking judges, for rankings
// without published figures.
func measuredGrid(r *experiments.Results, t study.Tolerance, names spec.Names) [][]string {
	header := validationHeader(r)
	grid := [][]string{append(header[:len(r.Study.Axes)], "measured", "runs")}
	for i, p := range r.Points {
		if e, ok := r.Estimate(i, t.Metric); ok && study.Matches(&p, t.Where, names) {
			grid = append(grid, append(slices.Clone(p.Labels), withError(e, "±"), fmt.Sprint(e.N)))
		}
	}
	return grid
}

// relativeGrid returns a row for every cell of a relative rule.
func relativeGrid(r *experiments.Results, t study.Tolerance, names spec.Names) [][]string {
	grid := [][]string{validationHeader(r)}
	for _, c := range cells(r, t, names) {
		grid = append(grid, append(rowLabels(r, c.point),
			ratioCells(c.measured, c.published, stats.AtLeast(0))...))
	}
	return grid
}

// relativeSection returns the relative column of the table, for papers that draw
// it and print no figures.
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

// ratioCells returns published value, measured value, number of runs, ratio and
// the interval of the ratio. A published 0 has no ratio. The measured value lies
// within the bounds.
func ratioCells(e stats.Estimate, published float64, b stats.Bounds) []string {
	cells := []string{Significant(published, 5), withError(e, "±"), fmt.Sprint(e.N), "", ""}
	if published == 0 {
		return cells
	}
	ratio := e.Mean / published
	cells[3] = fmt.Sprintf("%.3f", ratio)
	in := stats.Estimate{Mean: ratio, Half: e.Half / published}
	ends := stats.Bounds{Least: b.Least / published, Most: b.Most / published}
	if low, high := in.Ends(ends); low == low {
		cells[4] = fmt.Sprintf("%.3f to %.3f", low, high)
	}
	return cells
}

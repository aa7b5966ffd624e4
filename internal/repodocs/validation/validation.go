package validation

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/cosim/metrics"
	"contend/experiments/report/compare"
	"contend/experiments/report/tables"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/experiments/stats"
	"contend/experiments/study"
)

// Write writes docs/VALIDATION.md, its figures, and the sentences about accuracy in README.md into
// the folder of the repository. traces lists the folders in which logs are searched.
func Write(root string, all []*experiments.Results, names spec.Names, traces []string) error {
	readme := filepath.Join(root, "README.md")
	old, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	document := Validation(all, names, traces)
	copied, err := CopyAccuracy(document, string(old))
	if err != nil {
		return err
	}
	if err := saveFigures(all, names, filepath.Join(root, "docs", figureFolder)); err != nil {
		return err
	}
	if err := input.WriteFile(filepath.Join(root, "docs", "VALIDATION.md"),
		[]byte(document)); err != nil {
		return err
	}
	return input.WriteFile(readme, []byte(copied))
}

// figureFolder is the folder beside the document that holds its figures.
const figureFolder = "figures"

// Validation returns the document that compares every published figure with the
// measured one: the accounts of all papers, then a section for each study with
// its rules and its differences from the paper. A number is reported as impossible to run if
// its log is in none of the folders of traces.
func Validation(all []*experiments.Results, names spec.Names, traces []string) string {
	var b strings.Builder
	b.WriteString("# Validation\n\n" + validationHead)
	if _, _, any := validationFigures(all, names); any {
		fmt.Fprintf(&b, validationPictures, figureFolder, figureFolder)
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
	"interval.\nWritten by `make docs`.\n"

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
	if verdicts := compare.Compare(r, names); verdicts != nil {
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
	if text := tables.PublishedText(r); text != "" {
		fmt.Fprintf(b, "\n%s\n", text)
	}
	publishedSections(r, b)
	if r.Study.Changed == nil {
		b.WriteString(gaps(r, names, traces))
	}
	hasFigures := func(m string) bool { return tables.HasPublished(r, m) }
	if r.Study.Tolerances == nil && !slices.ContainsFunc(r.Metrics(), hasFigures) {
		b.WriteString(relativeSection(r))
	}
	ruleSections(r, b, names)
	b.WriteString(tables.BreakEvenTables(r))
	b.WriteString(jumpSection(r))
	if r.Study.Notes != nil {
		b.WriteString("\nDifferences from the paper, and how open points are read:\n\n")
		for _, n := range r.Study.Notes {
			fmt.Fprintf(b, "- %s\n", n)
		}
	}
}

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
		fmt.Fprintf(b, "\nThe log %s on a %s.\n", input.BaseName(w.Trace),
			r.Points[0].Spec.Machine.Phrase())
	}
	for _, in := range r.Study.Inputs {
		fmt.Fprintf(b, "\n%s.\n", in)
	}
	if flags := slices.Concat(r.Study.Selected, r.Study.Changed); flags != nil &&
		tables.PublishedText(r) == "" { // that says so
		fmt.Fprintf(b, "\nThese runs have %s.\n", strings.Join(flags, " "))
	}
	if program := r.Program(); program != "" {
		fmt.Fprintf(b, "\nRuns made by contend %s.\n", program)
	}
}

// publishedSections writes a table for each metric with published figures.
func publishedSections(r *experiments.Results, b *strings.Builder) {
	for _, m := range r.Metrics() {
		if !tables.HasPublished(r, m) {
			continue
		}
		cells := ratioGrid(r, publishedCells(r, m), metrics.BoundsOf(m, &r.Study.Base))
		table := tables.MarkdownTable(cells, len(tables.RowKeys(r)))
		fmt.Fprintf(b, "\n### %s\n\n%s%s",
			tables.Title(m, tables.UnitOf(r, m, tables.AllPoints(r))), table, errorLine(r, m))
	}
}

// ruleSections writes the tables of rankings without published figures and those
// of relative rules.
func ruleSections(r *experiments.Results, b *strings.Builder, names spec.Names) {
	var shown []string
	for _, t := range r.Study.Tolerances {
		isNew := !tables.HasPublished(r, t.Metric) && !slices.Contains(shown, t.Metric)
		if t.Rule == "ranking" && isNew {
			shown = append(shown, t.Metric)
			table := measuredTable(r, func(i int) (stats.Estimate, bool) {
				e, ok := r.Estimate(i, t.Metric)
				return e, ok && study.Matches(&r.Points[i], t.Where, names)
			})
			fmt.Fprintf(b, "\n### %s\n\n%s",
				tables.Title(t.Metric, tables.UnitOf(r, t.Metric, tables.AllPoints(r))), table)
		}
		if t.Rule == "agreement" {
			table := tables.MarkdownTable(agreementGrid(r, t, names), len(r.Study.Axes))
			fmt.Fprintf(b, "\n### %s over that of %s\n\n%s", t.Metric, t.Relative, table)
		} else if t.Relative != "" && !t.Covers() {
			cells := ratioGrid(r, compare.RuleCells(r, &t, names), stats.AtLeast(0))
			table := tables.MarkdownTable(cells, len(tables.RowKeys(r)))
			fmt.Fprintf(b, "\n### %s relative to %s\n\n%s", t.Metric, t.Relative, table)
		}
	}
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/report"
	"contend/experiments/report/tables"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/input"
)

// validationFolder is a folder of results and the name of their page.
type validationFolder struct {
	Name string
	*experiments.Results
}

// writeAccount writes the pages of some folders of results into docs/validation. From all pages that are
// there it writes docs/VALIDATION.md, its figures, and the sentences about accuracy in README.md.
// root is the folder of the repository; traces lists the folders in which logs are searched.
func writeAccount(root string, folders []validationFolder, names config.Names, traces []string) error {
	dir := filepath.Join(root, "docs", pageFolder)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	write := func(f validationFolder) error {
		return input.WriteFile(filepath.Join(dir, f.Name+".md"), []byte(validationPage(f, names, traces)))
	}
	for _, f := range folders {
		if err := write(f); err != nil {
			return err
		}
	}
	for _, f := range notRun(folders, names) {
		if _, err := os.Stat(filepath.Join(dir, f.Name+".md")); err == nil {
			continue
		}
		if err := write(f); err != nil {
			return err
		}
	}
	pages, err := readPages(dir)
	if err != nil {
		return err
	}
	return writeFront(root, pages)
}

// pageFolder is the folder below docs with a page for each folder of results.
const pageFolder = "validation"

// validationPage returns the page about the results of a study: what was run, the account of printed
// numbers, rules, tables and differences from the paper. A number is reported as impossible to run
// if its log is in none of the folders of traces.
func validationPage(f validationFolder, names config.Names, traces []string) string {
	var b strings.Builder
	validate(f, &b, names, traces)
	return b.String()
}

// validate writes the page of a study.
func validate(f validationFolder, b *strings.Builder, names config.Names, traces []string) {
	r := f.Results
	validationIntro(f, b)
	if counts(r) {
		a := accountOf(r, names, traces)
		b.WriteString("\n" + a.table())
	}
	ran := func(runs []metrics.Result) bool { return len(runs) > 0 }
	if !slices.ContainsFunc(r.Runs, ran) {
		b.WriteString(gaps(r, names, traces))
		return
	}
	verdictLists(r, b, names)
	if text := tables.PublishedText(r); text != "" {
		fmt.Fprintf(b, "\n%s\n", text)
	}
	publishedSections(r, b)
	if r.Study.Changed == nil {
		b.WriteString(gaps(r, names, traces))
	}
	hasFigures := func(m string) bool { return tables.HasPublished(r, m) }
	judges := func(t study.Tolerance) bool { return t.Rule != study.BoundsRule }
	if !slices.ContainsFunc(r.Study.Tolerances, judges) &&
		!slices.ContainsFunc(r.Metrics(), hasFigures) {
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

// verdictLists writes the rules that judge the comparison, which the front page counts, and apart
// from them the conclusions of documents of ours.
func verdictLists(r *experiments.Results, b *strings.Builder, names config.Names) {
	var rules, conclusions string
	for _, v := range report.Compare(r, names) {
		why := ""
		if v.Why != "" {
			why = " Why: " + v.Why + "."
		}
		word, holds := "failed", "does not hold: "
		if v.Pass {
			word, holds = "passed", ""
		}
		if v.Groups != nil {
			conclusions += fmt.Sprintf("- %s%s: %s.%s\n", holds, v.Rule,
				strings.Join(v.Details, "; "), why)
		} else {
			rules += fmt.Sprintf("- %s: %s, %s.%s\n", v.Rule, word, v.Summary, why)
		}
	}
	for _, list := range []struct{ heading, text string }{
		{"Rules", rules}, {"Conclusions", conclusions},
	} {
		if list.text != "" {
			fmt.Fprintf(b, "\n%s:\n\n%s", list.heading, list.text)
		}
	}
}

// validationIntro writes the head of a page: what was run on which inputs.
func validationIntro(f validationFolder, b *strings.Builder) {
	r := f.Results
	fmt.Fprintf(b, "# %s\n", f.Name)
	for _, s := range []string{r.Study.Title, r.Study.Cites} {
		if s != "" {
			fmt.Fprintf(b, "\n%s.\n", s)
		}
	}
	switch logs := logsOf(r); len(logs) {
	case 0:
	case 1:
		fmt.Fprintf(b, "\nThe log %s on a %s.\n", logs[0], r.Points[0].Spec.Machine.Phrase())
	default:
		fmt.Fprintf(b, "\nThe logs %s.\n", strings.Join(logs, ", "))
	}
	for _, in := range r.Study.InputNotes("") {
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

// logsOf lists the logs that the points of a study name.
func logsOf(r *experiments.Results) (logs []string) {
	for i := range r.Points {
		w := &r.Points[i].Spec.Workload
		if w.Source != "swf" || w.Trace == "" {
			continue
		}
		if name := input.BaseName(w.Trace); !slices.Contains(logs, name) {
			logs = append(logs, name)
		}
	}
	return logs
}

// publishedSections writes a table for each metric with published figures.
func publishedSections(r *experiments.Results, b *strings.Builder) {
	for _, m := range r.Metrics() {
		if !tables.HasPublished(r, m) {
			continue
		}
		cells := ratioGrid(r, publishedCells(r, m), metrics.BoundsOf(m, &r.Study.Base))
		table := tables.MarkdownTable(cells, len(tables.RowKeys(r)))
		fmt.Fprintf(b, "\n## %s\n\n%s%s",
			tables.Title(m, tables.UnitOf(r, m, tables.AllPoints(r))), table, errorLine(r, m))
	}
}

// ruleSections writes the tables of rankings without published figures and those
// of relative rules.
func ruleSections(r *experiments.Results, b *strings.Builder, names config.Names) {
	var shown []string
	for _, t := range r.Study.Tolerances {
		isNew := !tables.HasPublished(r, t.Metric) && !slices.Contains(shown, t.Metric)
		if t.Rule == "ranking" && isNew {
			shown = append(shown, t.Metric)
			table := measuredTable(r, func(i int) (stats.Estimate, bool) {
				e, ok := r.Estimate(i, t.Metric)
				return e, ok && study.Matches(&r.Points[i], t.Where, names)
			})
			fmt.Fprintf(b, "\n## %s\n\n%s",
				tables.Title(t.Metric, tables.UnitOf(r, t.Metric, tables.AllPoints(r))), table)
		}
		if t.Rule == "agreement" {
			table := tables.MarkdownTable(agreementGrid(r, t, names), len(r.Study.Axes))
			fmt.Fprintf(b, "\n## %s over that of %s\n\n%s", t.Metric, t.Relative, table)
		} else if t.Relative != "" && !t.Covers() && t.Rule != study.BoundsRule {
			cells := ratioGrid(r, report.RuleCells(r, &t, names), stats.AtLeast(0))
			table := tables.MarkdownTable(cells, len(tables.RowKeys(r)))
			fmt.Fprintf(b, "\n## %s relative to %s\n\n%s", t.Metric, t.Relative, table)
		}
	}
}

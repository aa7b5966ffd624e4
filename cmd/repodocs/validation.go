package main

import (
	"errors"
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
	"contend/experiments/studies"
	"contend/experiments/study"
	"contend/internal/input"
)

// validationFolder is a folder of results and the name of their page.
type validationFolder struct {
	Name string
	*experiments.Results
}

// pageFolder is the folder below docs with a page for each folder of results.
const pageFolder = "validation"

// WriteValidation writes the pages and accounts of some folders of results into docs/validation.
// From all accounts that are there it writes docs/VALIDATION.md, its figures, and the sentences
// about accuracy in README.md. A number counts as impossible to run if its log is in none of the
// folders of traces.
func (c *Repository) WriteValidation(folders []validationFolder, traces []string) error {
	dir := filepath.Join(c.Root, "docs", pageFolder)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, f := range c.notRun(folders) {
		if _, err := os.Stat(filepath.Join(dir, f.Name+".md")); err != nil {
			folders = append(folders, f)
		}
	}
	for _, f := range folders {
		a := accountOf(f, c.Names, traces)
		page := validationPage(f, &a, c.Names, traces)
		if err := errors.Join(a.write(dir),
			input.WriteFile(filepath.Join(dir, f.Name+".md"), []byte(page))); err != nil {
			return err
		}
	}
	list, err := readAccounts(dir)
	if err != nil {
		return err
	}
	return c.writeFront(list)
}

// notRun returns empty results for the built-in studies with printed numbers that are not given, or
// nil if no given study is built in.
func (c *Repository) notRun(folders []validationFolder) (rest []validationFolder) {
	builtin := func(f validationFolder) bool { return slices.Contains(studies.Names(), f.Study.Name) }
	if !slices.ContainsFunc(folders, builtin) {
		return nil
	}
	for _, name := range studies.Names() {
		given := func(f validationFolder) bool { return f.Study.Changed == nil && f.Study.Name == name }
		st := c.Load(name)
		if slices.ContainsFunc(folders, given) || !paperPrinted(&st.Published) {
			continue
		}
		r, err := experiments.NewMemory("").Results(st, c.Names)
		if err != nil {
			panic(fmt.Sprintf("validation: the built-in study %s: %v", name, err))
		}
		rest = append(rest, validationFolder{name, r})
	}
	return rest
}

// validationPage returns the page about the results of a study: what was run, the account of
// printed numbers, rules, tables and differences from the paper.
func validationPage(f validationFolder, a *account,
	names *config.Registry, traces []string) string {
	r, b := f.Results, &strings.Builder{}
	printed := a.numbers
	if !counted(r) {
		printed = numbersOf(r, names, traces)
	}
	validationIntro(a, r, b)
	if counted(r) {
		b.WriteString("\n" + a.numbersTable(r, names))
	}
	if a.program == "" {
		b.WriteString(gaps(printed))
		return b.String()
	}
	verdictLists(r, b, names)
	if text := tables.PublishedText(r); text != "" {
		fmt.Fprintf(b, "\n%s\n", text)
	}
	publishedSections(r, b)
	if r.Study.Changed == nil {
		b.WriteString(gaps(printed))
	}
	published := func(m string) bool { return tables.HasPublished(r, m) }
	judges := func(t study.Tolerance) bool { return t.Rule != study.BoundsRule }
	if !slices.ContainsFunc(r.Study.Tolerances, judges) &&
		!slices.ContainsFunc(r.Metrics(), published) {
		b.WriteString(relativeSection(r))
	}
	ruleSections(r, b, names)
	for _, g := range tables.BreakEvens(r) {
		b.WriteString(g.Markdown())
	}
	b.WriteString(jumpSection(r))
	if r.Study.Notes != nil {
		b.WriteString("\nDifferences from the paper, and how open points are read:\n\n")
		for _, n := range r.Study.Notes {
			fmt.Fprintf(b, "- %s\n", n)
		}
	}
	return b.String()
}

// verdictLists writes the rules that judge the comparison, which the front page counts, and apart
// from them the conclusions of documents of ours.
func verdictLists(r *experiments.Results, b *strings.Builder, names *config.Registry) {
	var rules, conclusions string
	for _, v := range report.Compare(r) {
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
func validationIntro(a *account, r *experiments.Results, b *strings.Builder) {
	fmt.Fprintf(b, "# %s\n", a.name)
	for _, s := range []string{a.title, a.cites} {
		if s != "" {
			fmt.Fprintf(b, "\n%s.\n", s)
		}
	}
	switch len(a.logs) {
	case 0:
	case 1:
		fmt.Fprintf(b, "\nThe log %s on a %s.\n", a.logs[0], r.Points[0].Spec.Machine.Phrase())
	default:
		fmt.Fprintf(b, "\nThe logs %s.\n", strings.Join(a.logs, ", "))
	}
	for _, in := range r.Study.InputNotes("") {
		fmt.Fprintf(b, "\n%s.\n", in)
	}
	if flags := slices.Concat(r.Study.Selected, r.Study.Changed); flags != nil &&
		tables.PublishedText(r) == "" { // that says so
		fmt.Fprintf(b, "\nThese runs have %s.\n", strings.Join(flags, " "))
	}
	if a.program != "" {
		fmt.Fprintf(b, "\nRuns made by contend %s.\n", a.program)
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
func ruleSections(r *experiments.Results, b *strings.Builder, names *config.Registry) {
	var shown []string
	for _, t := range r.Study.Tolerances {
		isNew := !tables.HasPublished(r, t.Metric) && !slices.Contains(shown, t.Metric)
		if t.Rule == "ranking" && isNew {
			shown = append(shown, t.Metric)
			table := measuredTable(r, func(i int) (stats.Estimate, bool) {
				e, ok := r.Estimate(i, t.Metric)
				return e, ok && study.Matches(&r.Points[i], t.Where)
			})
			fmt.Fprintf(b, "\n## %s\n\n%s",
				tables.Title(t.Metric, tables.UnitOf(r, t.Metric, tables.AllPoints(r))), table)
		}
		if t.Rule == "agreement" {
			table := tables.MarkdownTable(agreementGrid(r, t, names), len(r.Study.Axes))
			fmt.Fprintf(b, "\n## %s over that of %s\n\n%s", t.Metric, t.Relative, table)
		} else if t.Relative != "" && !t.Covers() && t.Rule != study.BoundsRule {
			cells := ratioGrid(r, report.RuleCells(r, &t), stats.AtLeast(0))
			table := tables.MarkdownTable(cells, len(tables.RowKeys(r)))
			fmt.Fprintf(b, "\n## %s relative to %s\n\n%s", t.Metric, t.Relative, table)
		}
	}
}

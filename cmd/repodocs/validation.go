package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/report"
	"contend/experiments/report/tables"
	"contend/experiments/studies"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/written"
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
	folders, readings := splitReadings(folders)
	for _, f := range c.notRun(folders) {
		if _, err := os.Stat(filepath.Join(dir, f.Name+".md")); err != nil {
			folders = append(folders, f)
		}
	}
	for _, f := range folders {
		a := accountOf(f, traces)
		page := validationPage(f, &a, traces) + readingsSection(readings[f.Name])
		delete(readings, f.Name)
		if err := errors.Join(a.write(dir),
			written.Replace(filepath.Join(dir, f.Name+".md"), []byte(page))); err != nil {
			return err
		}
	}
	for name, r := range readings {
		if err := replaceReadings(filepath.Join(dir, name+".md"), r); err != nil {
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
func (c *Repository) notRun(folders []validationFolder) (without []validationFolder) {
	builtin := func(f validationFolder) bool { return slices.Contains(studies.Names(), f.Study.Name) }
	if !slices.ContainsFunc(folders, builtin) {
		return nil
	}
	for _, name := range studies.Names() {
		given := func(f validationFolder) bool { return f.Study.Changed == nil && f.Study.Name == name }
		st := c.Load(name)
		if slices.ContainsFunc(folders, given) || !paperPrinted(st) ||
			strings.HasSuffix(name, readingsOf) {
			continue
		}
		r, err := experiments.NewMemory("").Results(st, c.Names)
		if err != nil {
			panic(fmt.Sprintf("validation: the built-in study %s: %v", name, err))
		}
		without = append(without, validationFolder{name, r})
	}
	return without
}

// validationPage returns the page about the results of a study: what was run, the account of
// printed numbers, rules, tables and differences from the paper.
func validationPage(f validationFolder, a *account, traces []string) string {
	r, b := f.Results, &strings.Builder{}
	printed := a.numbers
	if !counted(r) {
		printed = numbersOf(r, traces)
	}
	writeIntro(b, a, r)
	if counted(r) {
		b.WriteString("\n" + a.numbersTable(r))
	}
	if a.program == "" {
		b.WriteString(gaps(printed))
		return b.String()
	}
	writeVerdicts(b, r)
	if text := tables.PublishedText(r); text != "" {
		fmt.Fprintf(b, "\n%s\n", text)
	}
	writePublished(b, r)
	writeText(b, r)
	if r.Study.Changed == nil {
		b.WriteString(gaps(printed))
	}
	published := func(m string) bool { return tables.HasPublished(r, m) }
	judges := func(t study.Tolerance) bool { return t.Rule != study.BoundsRule }
	if !slices.ContainsFunc(r.Study.Tolerances, judges) &&
		!slices.ContainsFunc(r.Metrics(), published) {
		writeRelative(b, r)
	}
	writeRules(b, r)
	for _, g := range tables.BreakEvensAsNamed(r) {
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

// writeVerdicts lists the rules that judge the comparison, which the front page counts, and apart
// from them the conclusions of documents of ours.
func writeVerdicts(b *strings.Builder, r *experiments.Results) {
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
		if v.Groups != nil && v.Printed == "" {
			conclusions += fmt.Sprintf("- %s%s: %s.%s\n", holds, v.Rule,
				strings.Join(v.Details, "; "), why)
		} else {
			rules += fmt.Sprintf("- %s: %s, %s.%s\n", v.Rule, word, v.Summary, why)
		}
	}
	if rules != "" {
		b.WriteString("\nRules:\n\n" + rules)
	}
	if conclusions != "" {
		b.WriteString("\nConclusions:\n\n" + conclusions)
	}
}

// writeIntro writes the head of a page: what was run on which inputs.
func writeIntro(b *strings.Builder, a *account, r *experiments.Results) {
	fmt.Fprintf(b, "# %s\n", a.name)
	sentences := []string{a.title, a.cites}
	switch len(a.logs) {
	case 0:
	case 1:
		sentences = append(sentences,
			fmt.Sprintf("The log %s on a %s", a.logs[0], r.Points[0].Spec.Machine.Phrase()))
	default:
		sentences = append(sentences, "The logs "+strings.Join(a.logs, ", "))
	}
	sentences = append(sentences, r.Study.InputNotes("")...)
	if flags := slices.Concat(r.Study.Selected, r.Study.Changed); flags != nil &&
		tables.PublishedText(r) == "" { // that says so
		sentences = append(sentences, "These runs have "+strings.Join(flags, " "))
	}
	if a.program != "" {
		sentences = append(sentences, "Runs made by contend "+a.program)
	}
	for _, s := range sentences {
		if s != "" {
			fmt.Fprintf(b, "\n%s.\n", s)
		}
	}
}

// logsOf lists the logs that the points of a study name.
func logsOf(r *experiments.Results) (logs []string) {
	for i := range r.Points {
		if w := &r.Points[i].Spec.Workload; w.Source == "swf" && w.Trace != "" {
			logs = append(logs, input.BaseName(w.Trace))
		}
	}
	return tables.Unique(logs)
}

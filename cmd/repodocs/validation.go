package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/report/tables"
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
	folders, readings := splitReadings(folders)
	for _, f := range c.notRun(folders) {
		if _, err := os.Stat(filepath.Join(dir, f.Name+".md")); err != nil {
			folders = append(folders, f)
		}
	}
	for _, f := range folders {
		a := accountOf(f, traces)
		p := validationPage(f, &a, traces)
		p.writeNotes(f.Study, pageOfNotes(f, folders, dir))
		readingsSection(p, readings[f.Name])
		delete(readings, f.Name)
		if err := errors.Join(a.write(dir), p.write(dir)); err != nil {
			return err
		}
	}
	for name, r := range readings {
		if err := replaceReadings(dir, name, r); err != nil {
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
// printed numbers, the ratios to them, rules and other tables.
func validationPage(f validationFolder, a *account, traces []string) *page {
	r, p := f.Results, newPage(f.Name)
	writeIntro(p, a, r)
	if counted(r) {
		p.WriteString(a.numbersText(errorsOf(r)))
	}
	missing := ""
	if r.Study.Changed == nil && !counted(r) {
		missing = gaps(numbersOf(r, traces))
	}
	if a.program == "" {
		p.WriteString(missing)
		return p
	}
	if text := tables.PublishedText(r); text != "" {
		fmt.Fprintf(p, "\n%s\n", text)
	}
	p.writeRatios("Measured over published", append(publishedRatios(r), relativeRatios(r)...))
	p.writeRatios("Agreement", agreements(r))
	rules, conclusions := rulesOf(r)
	p.writeRules(rules)
	p.writeConclusions(conclusions)
	writeText(p, r)
	p.WriteString(missing)
	published := func(m string) bool { return tables.HasPublished(r, m) }
	judges := func(t study.Tolerance) bool { return t.Rule != study.BoundsRule }
	if !slices.ContainsFunc(r.Study.Tolerances, judges) &&
		!slices.ContainsFunc(r.Metrics(), published) {
		writeRelative(p, r)
	}
	writeRankings(p, r)
	for _, g := range tables.BreakEvensAsNamed(r) {
		p.WriteString(g.Markdown())
	}
	jumpSection(p, r)
	return p
}

// pageOfNotes returns the name of the page with the notes of a study: the page of the study, if
// there is one, or the page of the folder.
func pageOfNotes(f validationFolder, folders []validationFolder, dir string) string {
	given := func(o validationFolder) bool { return o.Name == f.Study.Name }
	_, missing := os.Stat(filepath.Join(dir, f.Study.Name+".md"))
	if missing == nil || slices.ContainsFunc(folders, given) {
		return f.Study.Name
	}
	return f.Name
}

// writeNotes writes the notes of a study, or a link to the page that has them.
func (p *page) writeNotes(st *study.Study, has string) {
	if st.Notes == nil {
		return
	}
	p.WriteString("\nDifferences from the paper, and how open points are read:")
	if has != p.name {
		fmt.Fprintf(p, " see [%s](%s.md).\n", has, has)
		return
	}
	p.WriteString("\n\n")
	for _, n := range st.Notes {
		fmt.Fprintf(p, "- %s\n", n)
	}
}

// writeIntro writes the head of a page: what was run on which inputs.
func writeIntro(p *page, a *account, r *experiments.Results) {
	fmt.Fprintf(p, "# %s\n", a.name)
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
			fmt.Fprintf(p, "\n%s.\n", s)
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

package main

import (
	"fmt"
	"slices"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/report"
	"contend/experiments/report/tables"
	"contend/experiments/studies"
	"contend/experiments/study"
)

// counts reports whether the account of a study is drawn up: it prints numbers and no flag
// changed it.
func counts(r *experiments.Results) bool {
	return r.Study.Changed == nil && PrintsNumbers(&r.Study.Published)
}

// PrintsNumbers reports whether a paper, not a program, printed the figures.
func PrintsNumbers(p *study.Published) bool { return p.CSV != "" && p.Program == "" }

// notRun returns empty results for the built-in studies with printed numbers that are not given.
// It returns nil if no given study is built in.
func notRun(folders []validationFolder, names config.Names) (rest []validationFolder) {
	builtin := func(f validationFolder) bool { return slices.Contains(studies.Names(), f.Study.Name) }
	if !slices.ContainsFunc(folders, builtin) {
		return nil
	}
	for _, name := range studies.Names() {
		given := func(f validationFolder) bool { return f.Study.Changed == nil && f.Study.Name == name }
		if slices.ContainsFunc(folders, given) {
			continue
		}
		st, err := study.Load(name, names)
		if err != nil {
			panic(fmt.Sprintf("validation: the built-in study %s: %v", name, err))
		}
		if !PrintsNumbers(&st.Published) {
			continue
		}
		r, err := experiments.NewMemory("").Results(st, names)
		if err != nil {
			panic(fmt.Sprintf("validation: the built-in study %s: %v", name, err))
		}
		rest = append(rest, validationFolder{name, r})
	}
	return rest
}

// accountHeader heads the table of an account. The front page is made from its row.
var accountHeader = []string{"paper", "printed numbers", "run here", "within tolerance", "failed",
	"failed on another version of the log", "mean error", "worst cell", "not run"}

// table returns the account as a table of one row.
func (a *account) table() string {
	return tables.MarkdownTable([][]string{accountHeader, {a.paper, fmt.Sprint(a.printed),
		fmt.Sprint(a.run), fmt.Sprint(a.within), fmt.Sprint(a.failed), fmt.Sprint(a.other),
		a.meanError(), a.worstText(), a.missingText()}}, 1)
}

// gaps returns the part of a section that lists printed numbers without runs, ""
// if there are none.
func gaps(r *experiments.Results, names config.Names, traces []string) string {
	grid := [][]string{{"number of", "metric", "why not", "published"}}
	for _, f := range report.Printed(r, names) {
		if f.Elsewhere || f.Ran {
			continue
		}
		grid = append(grid, []string{f.Name, f.Metric, whyNotRun(r, &f, traces), f.Text})
	}
	if len(grid) == 1 {
		return ""
	}
	return fmt.Sprintf("\n## Known gaps\n\n%d printed numbers have no run here.\n\n%s",
		len(grid)-1, tables.MarkdownTable(grid, 3))
}

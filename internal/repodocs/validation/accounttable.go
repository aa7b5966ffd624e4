package validation

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/report/compare"
	"contend/experiments/report/tables"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/experiments/studies"
	"contend/experiments/study"
)

// accounts returns the account of every study with printed numbers: of the given
// ones that no flag changed and, if one of them is built in, of the other
// built-in studies, none of whose numbers was run.
func accounts(all []*experiments.Results, names spec.Names, traces []string) []account {
	var list []account
	var given []string
	for _, r := range all {
		if r.Study.Changed == nil && PrintsNumbers(&r.Study.Published) {
			list, given = append(list, accountOf(r, names, traces)), append(given, r.Study.Name)
		}
	}
	for _, r := range notGiven(all, given, names) {
		list = append(list, accountOf(r, names, traces))
	}
	slices.SortStableFunc(list, func(a, b account) int {
		return strings.Compare(a.author(), b.author())
	})
	return list
}

// PrintsNumbers reports whether a paper, not a program, printed the figures.
func PrintsNumbers(p *study.Published) bool { return p.CSV != "" && p.Program == "" }

// author returns the paper without its table.
func (a *account) author() string {
	author, _, _ := strings.Cut(a.paper, ",")
	return author
}

// notGiven returns empty results for the built-in studies with printed numbers
// that are not given. It returns nil if no given study is built in.
func notGiven(all []*experiments.Results, given []string, names spec.Names) []*experiments.Results {
	builtin := func(r *experiments.Results) bool {
		return slices.Contains(studies.Names(), r.Study.Name)
	}
	if !slices.ContainsFunc(all, builtin) {
		return nil
	}
	var rest []*experiments.Results
	for _, name := range studies.Names() {
		if slices.Contains(given, name) {
			continue
		}
		st, err := study.Load(name, names)
		if err != nil {
			panic(fmt.Sprintf("experiments: the built-in study %s: %v", name, err))
		}
		if !PrintsNumbers(&st.Published) {
			continue
		}
		r, err := experiments.NewMemory("").Results(st, names)
		if err != nil {
			panic(fmt.Sprintf("experiments: the built-in study %s: %v", name, err))
		}
		rest = append(rest, r)
	}
	return rest
}

// accountTable returns the table at the beginning of VALIDATION.
func accountTable(list []account) string {
	grid := [][]string{{"paper", "printed numbers", "run here", "within tolerance", "failed",
		"mean error", "worst cell", "not available, or not run"}}
	total := account{paper: "all"}
	for i := range list {
		total.join(&list[i])
		grid = append(grid, list[i].row())
	}
	grid = append(grid, total.row())
	return tables.MarkdownTable(grid, 1)
}

// row returns the cells of an account in accountTable.
func (a *account) row() []string {
	return []string{a.paper, fmt.Sprint(a.printed), fmt.Sprint(a.run), fmt.Sprint(a.within),
		fmt.Sprint(a.failed), a.meanError(), a.worstText(), a.missingText()}
}

// These lines enclose the sentences about accuracy in VALIDATION and README.
const (
	accuracyBegins = "<!-- accuracy: written by make docs -->"
	accuracyEnds   = "<!-- end of accuracy -->"
)

// accuracyText states the accounts in sentences.
func accuracyText(list []account) string {
	total := account{paper: "all"}
	for i := range list {
		total.join(&list[i])
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nOf %d numbers that the papers print for the studies here %d are run: ",
		accuracyBegins, total.printed, total.run)
	fmt.Fprintf(&b, "%d are as near as the paper's own precision allows, %d are not",
		total.within, total.failed)
	if total.other > 0 {
		fmt.Fprintf(&b, " (%d of them on another version of the paper's log)", total.other)
	}
	switch rest := total.run - total.within - total.failed; rest {
	case 0:
	case 1:
		b.WriteString(", and 1 only divides others")
	default:
		fmt.Fprintf(&b, ", and %d only divide others", rest)
	}
	b.WriteString(".")
	if gaps := total.printed - total.run; gaps > 0 {
		fmt.Fprintf(&b, " %d are not run (%s).", gaps, total.missingText())
	}
	b.WriteString("\n\n")
	for i := range list {
		b.WriteString(list[i].sentence())
	}
	return b.String() + accuracyEnds + "\n"
}

// sentence returns the line about an account among the sentences about accuracy.
func (a *account) sentence() string {
	var b strings.Builder
	fmt.Fprintf(&b, "- %s: %d of %d run, %d within", a.paper, a.run, a.printed, a.within)
	if a.failed > 0 {
		fmt.Fprintf(&b, ", %d failed", a.failed)
	}
	switch worst := a.worstText(); {
	case worst != "":
		fmt.Fprintf(&b, "; mean error %s, worst cell %s", a.meanError(), worst)
	case a.errors != nil:
		b.WriteString(", without any error")
	}
	b.WriteString(".\n")
	return b.String()
}

// accuracyIn returns the sentences about accuracy of a document with the lines
// that enclose them, "" if there are none.
func accuracyIn(document string) string {
	_, rest, begins := strings.Cut(document, accuracyBegins)
	block, _, ends := strings.Cut(rest, accuracyEnds)
	if !begins || !ends {
		return ""
	}
	return accuracyBegins + block + accuracyEnds
}

// CopyAccuracy returns document, such as README, with the sentences about
// accuracy of validation in place of its own.
func CopyAccuracy(validation, document string) (string, error) {
	from, to := accuracyIn(validation), accuracyIn(document)
	for _, text := range []struct{ where, block string }{
		{"the validation", from}, {"the document", to},
	} {
		if text.block == "" {
			return "", &input.Error{Problem: text.where +
				" has no block of sentences about accuracy",
				Right: "put the lines " + accuracyBegins + " and " + accuracyEnds + " into it"}
		}
	}
	return strings.Replace(document, to, from, 1), nil
}

// gaps returns the part of a section that lists printed numbers without runs, ""
// if there are none.
func gaps(r *experiments.Results, names spec.Names, traces []string) string {
	grid := [][]string{{"number of", "metric", "why not", "published"}}
	for _, f := range compare.Printed(r, names) {
		if f.Elsewhere || f.Ran {
			continue
		}
		grid = append(grid, []string{f.Name, f.Metric, whyNotRun(r, &f, traces), f.Text})
	}
	if len(grid) == 1 {
		return ""
	}
	return fmt.Sprintf("\n### Known gaps\n\n%d printed numbers have no run here.\n\n%s",
		len(grid)-1, tables.MarkdownTable(grid, 3))
}

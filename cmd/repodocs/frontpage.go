package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/internal/written"
)

// writeFront writes docs/VALIDATION.md, its figures, and the sentences about accuracy in README.md.
func (c *Repository) writeFront(list []account) error {
	readme := filepath.Join(c.Root, "README.md")
	old, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	document := c.front(list)
	if sentences := accuracyIn(document); sentences != "" {
		copied, err := replaceAccuracy(string(old), sentences)
		if err != nil {
			return err
		}
		if err := written.Replace(readme, []byte(copied)); err != nil {
			return err
		}
	}
	if err := saveFigures(list, filepath.Join(c.Root, "docs", figureFolder)); err != nil {
		return err
	}
	return written.Replace(filepath.Join(c.Root, "docs", "VALIDATION.md"), []byte(document))
}

// figureFolder is the folder below docs that holds figures.
const figureFolder = "figures"

// front returns the front page: the sentences about accuracy and a row for each account.
func (c *Repository) front(list []account) string {
	var b strings.Builder
	b.WriteString(frontHead)
	if text := accuracyText(list); text != "" {
		b.WriteString("\n" + text)
	}
	b.WriteString(frontTable)
	for i := range list {
		b.WriteString(list[i].frontRow(c.misses(&list[i])))
	}
	if _, _, any := validationFigures(list); any {
		fmt.Fprintf(&b, frontFigures, figureFolder, figureFolder)
	}
	return b.String()
}

// misses returns the reason that a study states for its failed rules, "" if all rules hold.
func (c *Repository) misses(a *account) string {
	st := c.studyOf(a.name)
	if st == nil || !slices.ContainsFunc(a.rules, func(r ruleOutcome) bool { return !r.passed }) {
		return ""
	}
	return st.Misses
}

// frontHead begins the front page.
const frontHead = `# Validation

The page of a study compares numbers of a paper or of another program with numbers that contend
measures: the mean over replications, the ratio of the two, and its confidence interval. Rules judge
the comparison. Each rule states the reason of its tolerance: the precision of the paper, or an
accuracy that was stated in advance. A failed rule is shown as failed.

A printed number is within tolerance if all rules of its study about it hold. A divisor is a number
by which others are divided; it is not judged, because its own ratio is 1. Curves that a paper draws
without numbers are not counted. The numbers that its text states about them are counted, and its
claims in words are rules. A number about several curves counts once, by the curve that is farthest
from it. The error of a number is the larger of measured and printed value over the smaller, less 1;
mean errors are geometric means.

Each page names the program version that made its runs, and links to its rows as CSV.
[Claims](claims.md) are the rules by which other documents conclude.
` + "`go run ./cmd/repodocs validation DIR...`" + ` writes the pages of the studies whose results
are in the folders, and this page from all accounts.
`

// frontTable heads the table of studies, whose cells hold links.
const frontTable = "\n| study | measured against | workload | rules passed | printed numbers " +
	"within tolerance | failures and their causes |\n| --- | --- | --- | ---: | ---: | --- |\n"

// frontFigures shows the figures of all numbers.
const frontFigures = "\n![Measured against published numbers, with the line of " +
	"equality](%s/validation.svg)\n![Ratio of measured to published " +
	"numbers](%s/validation-ratio.svg)\n\n" +
	"Each point is a printed number that is run here. The grey band and the dashed lines are 5%% " +
	"around equality, the error\nthat most papers state or imply.\n"

// measuredAgainst names what a study is measured against: a paper, a program or itself.
func (a *account) measuredAgainst() string {
	return cmp.Or(shortCitation(a.cites), a.title, a.name)
}

// frontRow returns the row of the front page, with the reason why rules fail.
func (a *account) frontRow(why string) string {
	workload := "generated"
	if len(a.logs) > 2 {
		workload = fmt.Sprintf("%d logs", len(a.logs))
	} else if a.logs != nil {
		workload = strings.NewReplacer(".swf", "", ".gz", "").Replace(strings.Join(a.logs, ", "))
	}
	return fmt.Sprintf("| [%s](%s/%s.md) | %s | %s | %s | %s | %s |\n", a.name, pageFolder, a.name,
		a.measuredAgainst(), workload, a.rulesCell(), a.numbersCell(), why)
}

// passedRules counts the rules that passed.
func (a *account) passedRules() (n int) {
	for _, r := range a.rules {
		if r.passed {
			n++
		}
	}
	return n
}

// rulesCell states how many rules passed.
func (a *account) rulesCell() string {
	switch {
	case a.rules != nil:
		return fmt.Sprintf("%d of %d", a.passedRules(), len(a.rules))
	case a.program == "":
		return "not run"
	}
	return "no rules"
}

// numbersCell counts the numbers within tolerance and those not run.
func (a *account) numbersCell() string {
	t := tallyOf(*a)
	var parts []string
	if t.run() > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d", t.of[within], t.of[within]+t.failed()))
	}
	if gaps := t.of[notRun]; gaps > 0 {
		parts = append(parts, fmt.Sprintf("%d not run", gaps))
	}
	return strings.Join(parts, ", ")
}

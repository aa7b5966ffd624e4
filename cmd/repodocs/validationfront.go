package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"contend/internal/input"
)

// writeFront writes docs/VALIDATION.md, its figures, and the sentences about accuracy in README.md.
func writeFront(root string, pages []page) error {
	readme := filepath.Join(root, "README.md")
	old, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	document := front(pages)
	if accuracyIn(document) != "" {
		copied, err := CopyAccuracy(document, string(old))
		if err != nil {
			return err
		}
		if err := input.WriteFile(readme, []byte(copied)); err != nil {
			return err
		}
	}
	if err := saveFigures(pages, filepath.Join(root, "docs", figureFolder)); err != nil {
		return err
	}
	return input.WriteFile(filepath.Join(root, "docs", "VALIDATION.md"), []byte(document))
}

// figureFolder is the folder below docs that holds figures.
const figureFolder = "figures"

// front returns the front page: a line for each study.
func front(pages []page) string {
	var b strings.Builder
	b.WriteString(frontHead)
	if text := accuracyText(pages); text != "" {
		b.WriteString("\n" + text)
	}
	b.WriteString(frontTable)
	for i := range pages {
		b.WriteString(pages[i].row())
	}
	if _, _, any := validationFigures(pages); any {
		fmt.Fprintf(&b, frontFigures, figureFolder, figureFolder)
	}
	return b.String()
}

// frontHead begins the front page.
const frontHead = `# Validation

Each study has a page that compares what papers print, or other programs measure, with what this
program measures: the mean over replications, the ratio of the two, and its confidence interval.
Rules judge the comparison. Each states what its tolerance rests on: the precision of the paper, or
an accuracy that was stated in advance. A failed rule is shown as failed.

A printed number is within tolerance if all rules of its study about it hold. A number that other
numbers are divided by is not judged: its own ratio is 1. Curves that a paper draws without numbers
are not counted. An error on the pages is the larger of measured and printed value over the smaller,
less 1; mean errors are geometric means.

Each page names the program version that made its runs. [Claims](claims.md) are rules by which other
documents conclude.
` + "`go run ./cmd/repodocs validation DIR...`" + ` writes the pages of the studies whose
results are in the folders, and this page from all of them.
`

// frontTable heads the table of studies, whose cells hold links.
const frontTable = "\n| study | measured against | workload | rules passed | printed numbers " +
	"within tolerance | what fails, and why |\n| --- | --- | --- | ---: | ---: | --- |\n"

// frontFigures shows the figures of all numbers.
const frontFigures = "\n![Measured against published numbers, with the line of " +
	"equality](%s/validation.svg)\n![Ratio of measured to published " +
	"numbers](%s/validation-ratio.svg)\n\n" +
	"Each point is a printed number that is run here. The grey band and the dashed lines are 5%% " +
	"around equality, the error\nthat most papers state or imply.\n"

// row returns the line of a page.
func (p *page) row() string {
	rules, numbers, workload := "no rules", "", "generated"
	if all := p.passed + p.failed; all > 0 {
		rules = fmt.Sprintf("%d of %d", p.passed, all)
	} else if p.program == "" {
		rules = "not run"
	}
	if a := &p.account; a.paper != "" {
		var parts []string
		if a.run > 0 {
			parts = append(parts, fmt.Sprintf("%d of %d", a.within, a.within+a.failed))
		}
		if gaps := a.printed - a.run; gaps > 0 {
			parts = append(parts, fmt.Sprintf("%d not run", gaps))
		}
		numbers = strings.Join(parts, ", ")
	}
	if p.logs != "" {
		workload = strings.ReplaceAll(strings.ReplaceAll(p.logs, ".swf", ""), ".gz", "")
	}
	return fmt.Sprintf("| [%s](%s/%s.md) | %s | %s | %s | %s | %s |\n", p.name, pageFolder, p.name,
		cmp.Or(p.account.paper, p.source, p.title), workload, rules, numbers, whyFailed[p.name])
}

// These lines enclose the sentences about accuracy in VALIDATION and README.
const (
	accuracyBegins = "<!-- accuracy: written by make docs -->"
	accuracyEnds   = "<!-- end of accuracy -->"
)

// accuracyText states the sum of the accounts in sentences, "" if there are none.
func accuracyText(pages []page) string {
	var total account
	for i := range pages {
		total.join(&pages[i].account)
	}
	if total.printed == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nThe papers print %d numbers. We ran %d: %d match within the paper's "+
		"precision", accuracyBegins, total.printed, total.run, total.within)
	switch rest := total.run - total.within - total.failed; rest {
	case 0:
		fmt.Fprintf(&b, " and %d do not.\n", total.failed)
	case 1:
		fmt.Fprintf(&b, ", %d do not, and 1 serves only as a\ndivisor.", total.failed)
	default:
		fmt.Fprintf(&b, ", %d do not, and %d serve only as\ndivisors.", total.failed, rest)
	}
	if total.other > 0 {
		fmt.Fprintf(&b, " Of the %d, %d ran on another version of the paper's log.", total.failed,
			total.other)
	}
	if gaps := total.printed - total.run; gaps > 0 {
		fmt.Fprintf(&b, " We did not run %d\n(%s).", gaps, total.missingText())
	}
	return strings.TrimSuffix(b.String(), "\n") + "\n" + accuracyEnds + "\n"
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

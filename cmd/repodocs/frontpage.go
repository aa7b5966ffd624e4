package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/plot"
	"contend/internal/input"
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
	"around equality, the error\nthat Lo et al. state for their means.\n"

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

// These lines enclose the list of sums about accuracy in VALIDATION and README.
const (
	accuracyBegins = "<!-- accuracy: written by make docs -->"
	accuracyEnds   = "<!-- end of accuracy -->"
)

// accuracyText states three sums of the accounts in a list, "" if there are no printed numbers: how
// many numbers match, their mean error, and how many rules hold.
func accuracyText(list []account) string {
	t := tallyOf(list...)
	if t.printed() == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n- **%d of %d** printed numbers match within the precision of their paper. "+
		"%d do not", accuracyBegins, t.of[within], t.run(), t.failed())
	if other := t.of[failedOther]; other > 0 {
		fmt.Fprintf(&b, "\n  (%d of them on another version of the paper's log)", other)
	}
	switch divisors := t.of[divisor]; divisors {
	case 0:
		b.WriteString(".\n")
	case 1:
		b.WriteString(", and 1 serves only as a divisor.\n")
	default:
		fmt.Fprintf(&b, ", and %d serve only as divisors.\n", divisors)
	}
	if gaps := t.of[notRun]; gaps > 0 {
		fmt.Fprintf(&b, "  Not run: %d of %d printed numbers\n  (%s).\n", gaps, t.printed(),
			t.missingText())
	}
	fmt.Fprintf(&b, "- **%s** is the geometric mean error of the numbers that were run.\n",
		errorText(meanError(list)))
	passed, rules := 0, 0
	for i := range list {
		passed, rules = passed+list[i].passedRules(), rules+len(list[i].rules)
	}
	fmt.Fprintf(&b, "- **%d of %d** rules hold that compare contend with papers and other programs.\n",
		passed, rules)
	return b.String() + accuracyEnds + "\n"
}

// meanError returns the mean of |log(measured / published)| of the numbers that were run and are
// above 0.
func meanError(list []account) float64 {
	sum, n := 0.0, 0
	for i := range list {
		for _, number := range list[i].numbers {
			v, err := number.values()
			if number.outcome == notRun || err != nil || !(v[0] > 0 && v[1] > 0) {
				continue
			}
			sum, n = sum+math.Abs(math.Log(v[1]/v[0])), n+1
		}
	}
	return sum / float64(max(1, n))
}

// accuracyIn returns the sentences about accuracy of a document with the lines that enclose them,
// "" if there are none.
func accuracyIn(document string) string {
	_, rest, _ := strings.Cut(document, accuracyBegins)
	block, _, ends := strings.Cut(rest, accuracyEnds)
	if !ends {
		return ""
	}
	return accuracyBegins + block + accuracyEnds
}

// replaceAccuracy returns a document, such as README, with the given sentences about accuracy in
// place of its own.
func replaceAccuracy(document, sentences string) (string, error) {
	old := accuracyIn(document)
	if old == "" {
		return "", &input.Error{Problem: "the document has no block of sentences about accuracy",
			Right: "put the lines " + accuracyBegins + " and " + accuracyEnds + " into it"}
	}
	return strings.Replace(document, old, sentences, 1), nil
}

// validationBand is the half width of the band in the figures of published numbers: the error
// of 5% that Lo et al. state for their means, and the tolerance of most rules.
const validationBand = 0.05

// logFrom is the ratio of the largest to the least number from which axes are logarithmic.
const logFrom = 20

// validationFigures draws a point for every published number that was run, in a style for each
// paper. The first figure is measured against published numbers, with the line on which they are
// equal; the second is their ratio, in which small differences are seen. It reports false if there
// is no number.
func validationFigures(list []account) (scatter, ratio plot.Figure, any bool) {
	byAuthor := map[string]plot.Series{}
	numbers, zeros := 0, 0
	for i := range list {
		author, _, _ := strings.Cut(list[i].measuredAgainst(), ",")
		s := byAuthor[author]
		for _, n := range list[i].numbers {
			if n.outcome == notRun {
				continue
			}
			v, _ := n.values() // an account that was read or measured has numbers
			published, measured := v[0], v[1]
			if !(published > 0 && measured > 0) {
				zeros++
				continue
			}
			s.X, s.Y = append(s.X, published), append(s.Y, measured)
			s.Low, s.High = append(s.Low, v[2]*published), append(s.High, v[3]*published)
			numbers++
		}
		if s.Name = author; len(s.X) > 0 {
			byAuthor[author] = s
		}
	}
	var points []plot.Series
	for _, author := range input.SortedKeys(byAuthor) {
		points = append(points, byAuthor[author])
	}
	if numbers == 0 {
		return scatter, ratio, false
	}
	about := fmt.Sprintf("Every number that a paper printed and that is run here, %d of them; "+
		"whiskers are confidence intervals. Grey: within %g%%.", numbers, 100*validationBand)
	if zeros > 0 {
		about += fmt.Sprintf(" %d numbers of 0 or less are left out.", zeros)
	}
	scatter, ratio = validationScatter(points), validationRatio(points)
	scatter.Description, ratio.Description = about, about
	return scatter, ratio, true
}

// validationScatter draws measured against published numbers, on the same range along both
// axes.
func validationScatter(points []plot.Series) plot.Figure {
	var values []float64
	for _, s := range points {
		values = append(append(values, s.X...), s.Y...)
	}
	low, high := plot.Span(values)
	log := high > logFrom*low
	if low, high = 0, 1.05*high; log {
		low, _ = plot.Span(values)
		low, high = low/1.5, high*1.5
	}
	axis := func(label string) plot.Axis {
		return plot.Axis{Label: label, Log: log, Min: new(low), Max: new(high)}
	}
	return plot.Figure{Kind: plot.Scatter, X: axis("Published"), Y: axis("Measured here"),
		Aspect: 1, Diagonal: validationBand, Series: points, Subject: "Measured and published numbers"}
}

// validationRatio draws the ratio of measured to published numbers.
func validationRatio(points []plot.Series) plot.Figure {
	d := plot.Figure{Kind: plot.Scatter, X: plot.Axis{Label: "Published"},
		Y:       plot.Axis{Label: "Measured over published", Log: true},
		Levels:  []float64{1 - validationBand, 1, 1 + validationBand},
		Subject: "Ratio of measured to published numbers"}
	var values []float64
	for _, s := range points {
		values = append(values, s.X...)
		of := plot.Series{Name: s.Name, X: s.X}
		for i, x := range s.X {
			of.Y = append(of.Y, s.Y[i]/x)
			of.Low, of.High = append(of.Low, s.Low[i]/x), append(of.High, s.High[i]/x)
		}
		d.Series = append(d.Series, of)
	}
	low, high := plot.Span(values)
	d.X.Log = high > logFrom*low
	return d
}

// saveFigures writes the figures of all published numbers into a folder: validation and
// validation-ratio. There are none if no number is run.
func saveFigures(list []account, dir string) error {
	scatter, ratio, any := validationFigures(list)
	if !any {
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	write := func(name string, text []byte) error {
		return written.Replace(filepath.Join(dir, name), text)
	}
	return errors.Join(plot.Save(scatter, write, "validation", []string{"svg"}),
		plot.Save(ratio, write, "validation-ratio", []string{"svg"}))
}

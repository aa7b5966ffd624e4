package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/report"
	"contend/experiments/study"
	"contend/internal/input"
)

// account is the facts of a page of validation, which a CSV file beside the page holds: the inputs
// of a study, the verdicts of its rules, and the outcome of each number that a paper printed.
type account struct {
	name    string // of the page and of its file
	title   string // of the study
	cites   string // the paper or the program that it is measured against, "" for none
	logs    []string
	program string // that made the runs, "" if there are none
	rules   []ruleOutcome
	numbers []number // first those that were run, by metric and point; then the others as printed
}

// ruleOutcome is the verdict of a rule of the comparison.
type ruleOutcome struct {
	rule    string // in words
	metric  string // "" for the rule about jumps over time
	passed  bool
	summary string // how many cells or groups are within
	why     string // the source of its tolerance
}

// outcome is the verdict on a printed number.
type outcome string

const (
	within outcome = "within" // all rules about it hold
	failed outcome = "failed"
	// failedOther is failed, on another version of the log than the paper's.
	failedOther outcome = "failed on another version of the log"
	divisor     outcome = "divisor" // no rule is about it: other numbers are divided by it
	notRun      outcome = "not run"
)

// number is a number that a paper printed.
type number struct {
	name, metric string // of its point
	outcome      outcome
	reason       string // why it was not run
	published    string
	// measured and the ends of the interval of its ratio to published are as on the page, "" where
	// there are none.
	measured, low, high string
}

// values parses the texts of a number that was run: the published and the measured value and the
// ends of the interval of their ratio, NaN where it has none.
func (n *number) values() (v [4]float64, err error) {
	for i, text := range []string{n.published, n.measured, cmp.Or(n.low, "NaN"),
		cmp.Or(n.high, "NaN")} {
		if v[i], err = strconv.ParseFloat(text, 64); err != nil {
			return v, fmt.Errorf("%s of %s has %q: want a number", n.metric, n.name, text)
		}
	}
	return v, nil
}

// counted reports whether the numbers of a study count in its account: a paper printed them, not
// another program, and no flag changed the study.
func counted(r *experiments.Results) bool {
	return r.Study.Changed == nil && paperPrinted(r.Study)
}

// paperPrinted reports whether a paper, not a program, printed figures of the study, in tables or
// in its text.
func paperPrinted(st *study.Study) bool {
	return st.Published.CSV != "" && st.Published.Program == "" || st.PrintedInText()
}

// accountOf returns the account of a page. traces lists the folders in which logs are searched.
func accountOf(f validationFolder, traces []string) account {
	r := f.Results
	a := account{name: f.Name, title: r.Study.Title, cites: r.Study.Cites, logs: logsOf(r),
		program: r.Program()}
	if counted(r) {
		a.numbers = numbersOf(r, traces)
	}
	if a.program == "" {
		return a
	}
	for _, v := range report.Compare(r) {
		if v.Groups == nil || v.Printed != "" { // the others are conclusions of our documents
			a.rules = append(a.rules, ruleOutcome{v.Rule, v.Metric, v.Pass, v.Summary, v.Why})
		}
	}
	return a
}

// numbersOf judges every printed number that belongs to a study.
func numbersOf(r *experiments.Results, traces []string) []number {
	judged := judge(r)
	var run []report.PrintedNumber
	var rest []number
	for _, f := range report.Printed(r) {
		switch {
		case f.Elsewhere:
		case f.Ran:
			run = append(run, f)
		default:
			rest = append(rest, number{name: f.Name, metric: f.Metric, outcome: notRun,
				reason: whyNotRun(r, &f, traces), published: f.Text})
		}
	}
	order := r.Metrics()
	slices.SortStableFunc(run, func(a, b report.PrintedNumber) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Metric), slices.Index(order, b.Metric)),
			cmp.Compare(a.Point, b.Point))
	})
	var list []number
	for i := range run {
		list = append(list, measuredNumber(r, &run[i], judged))
	}
	inText, inTextNotRun := textNumbers(r, traces)
	return slices.Concat(list, inText, rest, inTextNotRun)
}

// measuredNumber returns a printed number that was run, with its outcome.
func measuredNumber(r *experiments.Results, f *report.PrintedNumber,
	judged map[printedKey]judgement) number {
	n := number{name: f.Name, metric: f.Metric, outcome: divisor}
	if j, ok := judged[keyOf(f)]; ok {
		switch {
		case j.good:
			n.outcome = within
		case otherVersion(r, f):
			n.outcome = failedOther
		default:
			n.outcome = failed
		}
	}
	e, _ := r.Estimate(f.Point, f.Metric)
	published, _ := r.Published(f.Point, f.Metric)
	cells := ratioCells(e, published, metrics.BoundsOf(f.Metric, &r.Study.Base))
	n.published = cells[0]
	n.measured, _, _ = strings.Cut(cells[1], " ")
	n.low, n.high, _ = strings.Cut(cells[4], " to ")
	return n
}

// printedKey identifies a printed number.
type printedKey struct {
	row    int
	metric string
	point  int
}

// keyOf returns the key of a printed number.
func keyOf(f *report.PrintedNumber) printedKey { return printedKey{f.Row, f.Metric, f.Point} }

// judgement is a printed number with the verdict of all rules about it.
type judgement struct {
	report.Cell
	relative string // label of the reference, "" for the number itself
	good     bool   // all rules hold
}

// judge applies the ratio and difference rules of a study to its printed numbers. The rules about a
// number itself judge it or, if there are none, those about its ratio to another number.
func judge(r *experiments.Results) map[printedKey]judgement {
	judged := map[printedKey]judgement{}
	rules := slices.DeleteFunc(slices.Clone(r.Study.Tolerances), func(t study.Tolerance) bool {
		return t.Rule != "ratio" && t.Rule != "difference"
	})
	slices.SortStableFunc(rules, func(a, b study.Tolerance) int {
		return cmp.Compare(min(1, len(a.Relative)), min(1, len(b.Relative)))
	})
	for _, t := range rules {
		for _, c := range report.RuleCells(r, &t) {
			key := keyOf(&c.PrintedNumber)
			before, twice := judged[key]
			if !c.Run || twice && before.relative == "" && t.Relative != "" {
				continue
			}
			judged[key] = judgement{c, t.Relative, c.Within && (!twice || before.good)}
		}
	}
	return judged
}

// whyNotRun returns the reason why a printed number has no run.
func whyNotRun(r *experiments.Results, f *report.PrintedNumber, traces []string) string {
	if f.Point < 0 {
		flags := append(slices.Clone(r.Study.Selected), r.Study.Changed...)
		return "left out by " + strings.Join(flags, " ")
	}
	w := &r.Points[f.Point].Spec.Workload
	if w.Source == "swf" {
		if _, err := input.FindTrace(w.Trace, traces); err != nil {
			return "log " + input.LogName(w.Trace) + " is not available"
		}
	}
	return "not run"
}

// otherVersion reports whether a number was measured on another version of the log than the
// paper's.
func otherVersion(r *experiments.Results, f *report.PrintedNumber) bool {
	w := &r.Points[f.Point].Spec.Workload
	return w.Source == "swf" && slices.ContainsFunc(r.Study.InputNotes(w.Trace), func(s string) bool {
		return strings.Contains(s, input.NotThisVersion)
	})
}

// yearOfPaper matches the year in a citation.
var yearOfPaper = regexp.MustCompile(`\b(19|20)\d\d\b`)

// shortCitation returns the first author, the year and what follows of a citation, all of it if
// there is no year.
func shortCitation(cites string) string {
	at := yearOfPaper.FindStringIndex(cites)
	author := strings.TrimPrefix(cites, "the question of ")
	for _, end := range []string{",", " et al", " and ", ":"} {
		author, _, _ = strings.Cut(author, end)
	}
	if at == nil || author == "" {
		return cites
	}
	return fmt.Sprintf("%s et al. %s", author, cites[at[0]:])
}

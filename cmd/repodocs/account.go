package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/report"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/written"
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

// accountColumns heads the CSV file of an account. A row is a fact of the study, which its kind
// names, a rule with the metric that it is about, or a number; detail is the summary of a rule, or
// the reason why a number was not run; why is the source of a rule's tolerance.
var accountColumns = []string{"kind", "name", "metric", "outcome", "detail", "published",
	"measured", "ratio_low", "ratio_high", "why"}

// write writes the account into a folder.
func (a *account) write(dir string) error {
	rows := [][]string{{"title", a.title}, {"cites", a.cites}}
	for _, log := range a.logs {
		rows = append(rows, []string{"log", log})
	}
	rows = append(rows, []string{"program", a.program})
	for _, r := range a.rules {
		word := "failed"
		if r.passed {
			word = "passed"
		}
		rows = append(rows, []string{"rule", r.rule, r.metric, word, r.summary, "", "", "", "", r.why})
	}
	for _, n := range a.numbers {
		rows = append(rows, []string{"number", n.name, n.metric, string(n.outcome), n.reason,
			n.published, n.measured, n.low, n.high})
	}
	for i := range rows {
		rows[i] = append(rows[i], make([]string, len(accountColumns)-len(rows[i]))...)
	}
	return writeRows(filepath.Join(dir, a.name+".csv"), accountColumns, rows)
}

// readAccounts reads the accounts in a folder, in the order of what they are measured against.
func readAccounts(dir string) (list []account, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	if err != nil {
		return nil, err
	}
	for _, path := range files {
		a, err := readAccount(path)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	slices.SortStableFunc(list, func(a, b account) int {
		return cmp.Or(cmp.Compare(firstWord(a.cites), firstWord(b.cites)),
			cmp.Compare(a.name, b.name))
	})
	return list, nil
}

// firstWord returns the first word of a short citation, by which accounts are sorted, "-" for none.
func firstWord(cites string) string {
	return strings.FieldsFunc(shortCitation(cites)+" -", func(r rune) bool {
		return r == ' ' || r == ','
	})[0]
}

// readAccount reads the file of an account.
func readAccount(path string) (account, error) {
	a := account{name: strings.TrimSuffix(filepath.Base(path), ".csv")}
	rows, err := readRows(path, accountColumns)
	for i, row := range rows {
		if err := a.addRow(row); err != nil {
			return a, &input.Error{Where: fmt.Sprintf("%s:%d", path, i+2), Problem: err.Error(),
				Right: "write it with repodocs validation"}
		}
	}
	return a, err
}

// addRow adds the fact in a row of the file to the account.
func (a *account) addRow(row []string) error {
	name, metric, result, detail := row[1], row[2], row[3], row[4]
	switch row[0] {
	case "title":
		a.title = name
	case "cites":
		a.cites = name
	case "log":
		a.logs = append(a.logs, name)
	case "program":
		a.program = name
	case "rule":
		if result != "passed" && result != "failed" {
			return fmt.Errorf("the outcome of a rule is %q, neither passed nor failed", result)
		}
		a.rules = append(a.rules, ruleOutcome{name, metric, result == "passed", detail,
			row[9]})
	case "number":
		n := number{name, metric, outcome(result), detail, row[5], row[6], row[7], row[8]}
		known := []outcome{within, failed, failedOther, divisor, notRun}
		if !slices.Contains(known, n.outcome) {
			return fmt.Errorf("the outcome of a number is %q, none of %q", result, known)
		}
		if _, err := n.values(); err != nil && n.outcome != notRun {
			return err
		}
		a.numbers = append(a.numbers, n)
	default:
		return fmt.Errorf("no rows are of the kind %q", row[0])
	}
	return nil
}

// readRows reads a CSV file with a header. It returns the rows below the header.
func readRows(path string, header []string) ([][]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(bytes.NewReader(text))
	rows, err := r.ReadAll()
	if err != nil || len(rows) == 0 || !slices.Equal(rows[0], header) {
		return nil, &input.Error{Where: path,
			Problem: fmt.Sprintf("no table with the header %q (%v)", header, err),
			Right:   "delete it, and run make docs with the results of all studies"}
	}
	return rows[1:], nil
}

// writeRows writes a CSV file with a header.
func writeRows(path string, header []string, rows [][]string) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(append([][]string{header}, rows...)); err != nil {
		return err
	}
	return written.Replace(path, b.Bytes())
}

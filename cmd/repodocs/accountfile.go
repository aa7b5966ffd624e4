package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"contend/internal/input"
)

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

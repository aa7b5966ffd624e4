package main

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/report"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/input"
)

// account counts the outcome of the numbers that a paper printed in one table
// or figure.
type account struct {
	paper string
	// printed counts all numbers that belong to the study, run those that were
	// measured, within and failed those that rules judge. The rest only divides
	// other numbers.
	printed, run, within, failed int
	// other counts the failed ones that ran on another version of their log.
	other int
	// errors has |log(measured / published)| of every judged number.
	errors []float64
	worst  worstCell
	// missing counts the numbers not run, by reason.
	missing []missingCount
}

// worstCell is the judged number with the largest error.
type worstCell struct {
	far  float64 // |log(measured / published)|
	text string
}

// missingCount counts the numbers that were not run for one reason.
type missingCount struct {
	reason string
	count  int
}

// figureKey identifies a printed figure.
type figureKey struct {
	row    int
	metric string
	point  int
}

// accountOf judges every printed number of a study by the rules about the number
// itself or, if there are none, about its ratio to another number. traces lists
// the folders in which logs are searched.
func accountOf(r *experiments.Results, names config.Names, traces []string) account {
	a := account{paper: paperOf(r.Study)}
	judged := judge(r, names)
	for _, f := range report.Printed(r, names) {
		if f.Elsewhere {
			continue
		}
		a.printed++
		if !f.Ran {
			a.miss(whyNotRun(r, &f, traces))
			continue
		}
		a.run++
		c, ok := judged[figureKey{f.Row, f.Metric, f.Point}]
		if !ok {
			continue
		}
		if c.good {
			a.within++
		} else {
			a.failed++
			if otherVersion(r, &f) {
				a.other++
			}
		}
		a.add(&c.Cell, c.relative)
	}
	return a
}

// judgement is a cell with the verdict of all rules about it.
type judgement struct {
	report.Cell
	relative string // label of the reference, "" for the number itself
	good     bool   // all rules hold
}

// judge applies the ratio and difference rules of a study to its printed figures.
// Rules about the number itself come before those about ratios.
func judge(r *experiments.Results, names config.Names) map[figureKey]judgement {
	judged := map[figureKey]judgement{}
	for _, relative := range []bool{false, true} {
		now := map[figureKey]judgement{}
		for i := range r.Study.Tolerances {
			t := &r.Study.Tolerances[i]
			if t.Rule != "ratio" && t.Rule != "difference" || (t.Relative != "") != relative {
				continue
			}
			for _, c := range report.RuleCells(r, t, names) {
				key := figureKey{c.Row, c.Metric, c.Point}
				if _, done := judged[key]; done || !c.Run {
					continue
				}
				before, twice := now[key]
				now[key] = judgement{c, t.Relative, c.Within && (!twice || before.good)}
			}
		}
		for key, j := range now {
			judged[key] = j
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

// otherVersion reports whether a number was measured on another version of the
// log than the paper's.
func otherVersion(r *experiments.Results, f *report.PrintedNumber) bool {
	w := &r.Points[f.Point].Spec.Workload
	return w.Source == "swf" && slices.ContainsFunc(r.Study.InputNotes(w.Trace), func(s string) bool {
		return strings.Contains(s, input.NotThisVersion)
	})
}

// miss counts a number that was not run.
func (a *account) miss(reason string) {
	i := slices.IndexFunc(a.missing, func(m missingCount) bool { return m.reason == reason })
	if i < 0 {
		i, a.missing = len(a.missing), append(a.missing, missingCount{reason: reason})
	}
	a.missing[i].count++
}

// add includes the error of a judged number.
func (a *account) add(c *report.Cell, relative string) {
	if !(c.Measured.Mean > 0 && c.Published > 0) { // no ratio with 0
		return
	}
	far := math.Abs(math.Log(c.Measured.Mean / c.Published))
	a.errors = append(a.errors, far)
	if far < a.worst.far || a.worst.text != "" && far == a.worst.far {
		return
	}
	metric := c.Metric
	if relative != "" {
		metric += " relative to " + relative
	}
	a.worst = worstCell{far, fmt.Sprintf("%s, %s: %s for a printed %s", c.Name, metric,
		tables.Significant(c.Measured.Mean, 5), tables.Significant(c.Published, 5))}
}

// meanError returns the geometric mean of the errors, "" if there are none.
func (a *account) meanError() string {
	if a.errors == nil {
		return ""
	}
	sum := 0.0
	for _, e := range a.errors {
		sum += e
	}
	return errorText(sum / float64(len(a.errors)))
}

// errorText returns the error exp(far) - 1 in percent.
func errorText(far float64) string {
	percent := 100 * math.Expm1(far)
	switch {
	case percent < 1e-9:
		return "0%"
	case percent < 0.001:
		return "below 0.001%"
	}
	return tables.Significant(percent, 2) + "%"
}

// worstText returns the error and the name of the worst cell, "" if no cell has
// an error.
func (a *account) worstText() string {
	if a.worst.far < 1e-12 {
		return ""
	}
	return errorText(a.worst.far) + " (" + a.worst.text + ")"
}

// missingText lists the numbers not run by reason.
func (a *account) missingText() string {
	var parts []string
	for _, m := range a.missing {
		parts = append(parts, fmt.Sprintf("%d: %s", m.count, m.reason))
	}
	return strings.Join(parts, "; ")
}

// join adds the counts of another account to this one.
func (a *account) join(b *account) {
	a.printed += b.printed
	a.run += b.run
	a.within += b.within
	a.failed += b.failed
	a.other += b.other
	for _, m := range b.missing {
		for range m.count {
			a.miss(m.reason)
		}
	}
}

var yearOfPaper = regexp.MustCompile(`\b(19|20)\d\d\b`)

// paperOf returns the first author, the year and the table of the paper that a
// study cites, or its name.
func paperOf(st *study.Study) string { return cmp.Or(shortCitation(st.Cites), st.Name) }

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

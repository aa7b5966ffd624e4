package claims

import (
	"fmt"
	"math"
	"slices"

	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/input"
)

// numbers are the forms in which a document has the number of a rule.
var numbers = map[string]func(t *study.Tolerance, rows []Row, unit string) (string, error){
	"range":    rangeText,
	"range%":   percentText,
	"interval": intervalText,
	"bound":    func(t *study.Tolerance, _ []Row, _ string) (string, error) { return boundText(t, false) },
	"bound%":   func(t *study.Tolerance, _ []Row, _ string) (string, error) { return boundText(t, true) },
	"count":    countText,
}

// Forms lists the names of the forms.
func Forms() []string { return input.SortedKeys(numbers) }

// Number returns the number of a rule in a form, from its rows, one for each seed: the range of the
// values of its groups over all seeds; the same as a difference from 1 in percent; the value of the
// first seed with its interval and the range over seeds; the bounds of the rule, as they are or as a
// difference from 1 in percent; how many groups are within with the worst seed. An interval has the
// unit behind its value.
func Number(form, unit string, t *study.Tolerance, rows []Row) (string, error) {
	of := numbers[form]
	if of == nil {
		return "", fmt.Errorf("%s is no form of a number: %s", form, input.OneOf(form, Forms()))
	}
	if unit != "" && form != "interval" {
		return "", fmt.Errorf("the form %s takes no unit: put it behind the mark", form)
	}
	return of(t, rows, unit)
}

// over returns the range of the values of all groups and seeds.
func over(rows []Row) (least, most float64, err error) {
	least, most = math.Inf(1), math.Inf(-1)
	for i := range rows {
		if math.IsNaN(rows[i].Least) {
			return 0, 0, fmt.Errorf("the rows of seed %d have no number", rows[i].Seed)
		}
		least, most = min(least, rows[i].Least), max(most, rows[i].Most)
	}
	if rows == nil {
		return 0, 0, fmt.Errorf("the rule has no outcome: contend run it, then make docs")
	}
	return least, most, nil
}

// rangeText is the form range.
func rangeText(_ *study.Tolerance, rows []Row, _ string) (string, error) {
	least, most, err := over(rows)
	return span(least, most), err
}

// percentText is the form range%.
func percentText(_ *study.Tolerance, rows []Row, _ string) (string, error) {
	least, most, err := over(rows)
	if err == nil && least < 1 && most > 1 {
		return "", fmt.Errorf("%s lie on both sides of 1: take the form range", span(least, most))
	}
	if most <= 1 {
		least, most = most, least
	}
	return ends(percent(least), percent(most)), err
}

// intervalText is the form interval.
func intervalText(_ *study.Tolerance, rows []Row, unit string) (string, error) {
	least, most, err := over(rows)
	if err != nil {
		return "", err
	}
	first := &rows[0]
	if math.IsNaN(first.Low) || slices.ContainsFunc(rows, func(r Row) bool { return r.Of != 1 }) {
		return "", fmt.Errorf("the rule has several groups, or no interval: take the form range")
	}
	if unit != "" && unit != "%" {
		unit = " " + unit
	}
	text := fmt.Sprintf("%s%s (%s", value(first.Value), unit, span(first.Low, first.High))
	if len(rows) > 1 {
		text += "; seeds " + span(least, most)
	}
	return text + ")", nil
}

// boundText is the form bound, or bound%.
func boundText(t *study.Tolerance, asPercent bool) (string, error) {
	form := decimal.Number
	if asPercent {
		form = func(x float64) string { return decimal.Number(100 * math.Abs(x-1)) }
	}
	least, most := t.Bounds()
	switch {
	case t.Rule == "ratio" || t.Rule == "agreement":
		return decimal.Number(100 * t.Within), nil
	case t.Rule != study.BoundsRule:
		return "", fmt.Errorf("the rule has no bounds")
	case t.Min == nil && t.Max == nil:
		return t.Printed, nil
	case math.IsInf(least, 0):
		return form(most), nil
	case math.IsInf(most, 0):
		return form(least), nil
	}
	if asPercent && form(least) != form(most) {
		return "", fmt.Errorf("the bounds %g and %g differ from 1 by different percentages", least, most)
	}
	return ends(form(least), form(most)), nil
}

// countText is the form count.
func countText(_ *study.Tolerance, rows []Row, _ string) (string, error) {
	if rows == nil || rows[0].Of == 0 {
		return "", fmt.Errorf("the rule has no groups with an outcome")
	}
	worst := slices.MinFunc(rows, func(a, b Row) int { return a.Within - b.Within })
	return fmt.Sprintf("%d of %d", worst.Within, worst.Of), nil
}

// ends returns a range whose ends are texts, or one of them if both are the same.
func ends(least, most string) string {
	if least == most {
		return least
	}
	return least + " to " + most
}

// span returns a range of values. Its ends have decimals if one of them does.
func span(least, most float64) string {
	if isWhole(least) != isWhole(most) && !math.IsInf(most, 0) {
		return tables.Significant(least, 3) + " to " + tables.Significant(most, 3)
	}
	return ends(value(least), value(most))
}

// isWhole reports whether a number is a count rather than a ratio, as far as one can see.
func isWhole(x float64) bool { return math.Abs(x) >= 10 && x == math.Trunc(x) }

// value returns a number with three significant digits, a large whole one with all of its digits.
func value(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "never"
	case isWhole(x):
		return decimal.Number(x)
	}
	return tables.Significant(x, 3)
}

// percent returns the difference of a ratio from 1 in percent, with two significant digits.
func percent(x float64) string {
	p := math.Round(1e9*100*math.Abs(x-1)) / 1e9
	if p == 0 {
		return "0"
	}
	return tables.Significant(p, 2)
}

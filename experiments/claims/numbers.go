package claims

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/input"
)

// Forms are the forms in which a document has the number of a rule: the range of the values of its
// groups over all seeds; the same as a difference from 1 in percent; the value of the first seed
// with its interval and the range over seeds; the bounds of the rule.
var Forms = []string{"range", "range%", "interval", "bound"}

// Number returns the number of a rule in a form, from its rows, one for each seed. An interval has
// the unit behind its value.
func Number(form, unit string, t *study.Tolerance, rows []Row) (string, error) {
	switch {
	case !slices.Contains(Forms, form):
		return "", fmt.Errorf("%s is no form of a number: %s", form, input.OneOf(form, Forms))
	case unit != "" && form != "interval":
		return "", fmt.Errorf("the form %s takes no unit: put it behind the mark", form)
	case form == "bound":
		return boundText(t)
	}
	least, most, err := over(rows)
	switch {
	case err != nil:
		return "", err
	case form == "range":
		return span(least, most), nil
	case form == "interval":
		return intervalText(rows, unit, span(least, most))
	case least < 1 && most > 1:
		return "", fmt.Errorf("%s lie on both sides of 1: take the form range", span(least, most))
	case most <= 1:
		least, most = most, least
	}
	return ends(percent(least), percent(most)), nil
}

// over returns the range of the values of all groups and seeds.
func over(rows []Row) (least, most float64, err error) {
	if rows == nil {
		return 0, 0, errors.New("the rule has no outcome: contend run it, then make docs")
	}
	least, most = math.Inf(1), math.Inf(-1)
	for i := range rows {
		if math.IsNaN(rows[i].Least) {
			return 0, 0, fmt.Errorf("the rows of seed %d have no number", rows[i].Seed)
		}
		least, most = min(least, rows[i].Least), max(most, rows[i].Most)
	}
	return least, most, nil
}

// intervalText is the form interval; seeds is the range over seeds.
func intervalText(rows []Row, unit, seeds string) (string, error) {
	first := &rows[0]
	if math.IsNaN(first.Low) || slices.ContainsFunc(rows, func(r Row) bool { return r.Of != 1 }) {
		return "", errors.New("the rule has several groups, or no interval: take the form range")
	}
	if unit != "" && unit != "%" {
		unit = " " + unit
	}
	if seeds = "; seeds " + seeds; len(rows) == 1 {
		seeds = ""
	}
	return fmt.Sprintf("%s%s (%s%s)", value(first.Least), unit, span(first.Low, first.High), seeds), nil
}

// boundText is the form bound.
func boundText(t *study.Tolerance) (string, error) {
	if t.Rule == "ratio" || t.Rule == "agreement" {
		return decimal.Number(100 * t.Within), nil
	}
	least, most := t.Bounds()
	if t.Rule != study.BoundsRule || math.IsInf(least, 0) && math.IsInf(most, 0) {
		return "", errors.New("the rule has no bounds")
	}
	if math.IsInf(least, 0) {
		least = most
	} else if math.IsInf(most, 0) {
		most = least
	}
	return ends(decimal.Number(least), decimal.Number(most)), nil
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
	least, most = rounded(least), rounded(most)
	if isWhole(least) != isWhole(most) && !math.IsInf(most, 0) {
		return tables.Significant(least, 3) + " to " + tables.Significant(most, 3)
	}
	return ends(value(least), value(most))
}

// isWhole reports whether a number is a count rather than a ratio, as far as one can see.
func isWhole(x float64) bool { return math.Abs(x) >= 10 && x == math.Trunc(x) }

// rounded returns a number with three significant digits unless it is whole: 0.9996 is 1.
func rounded(x float64) float64 {
	if isWhole(x) {
		return x
	}
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	return x
}

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

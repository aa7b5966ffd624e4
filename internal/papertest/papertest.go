// Package papertest compares results with the numbers that papers print.
//
// A test states a number as it stands in the paper. A number that the program does not
// reproduce stays in the test as a known miss, with the program's own number. The test
// fails if the program's number changes. It also fails if the number comes to meet the
// printed one, so that the list of misses stays true.
package papertest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// Number is a number as a paper prints it.
type Number struct {
	// Printed has the paper's own digits, as "17,611" or "575.399". A value that rounds
	// to these digits meets it. A value from 2 to 3 meets "2 to 3".
	Printed string
	// Miss has the digits of the program's number if that does not meet Printed; else
	// it is empty. A value that rounds to these digits meets it.
	Miss string
}

// Check fails the test unless got agrees with n.
func (n Number) Check(t testing.TB, what string, got float64) {
	t.Helper()
	t.Logf("%s: %v, printed %s", what, got, n.Printed)
	if problem := n.problem(got); problem != "" {
		t.Errorf("%s: %s", what, problem)
	}
}

func (n Number) problem(got float64) string {
	met, err := meets(n.Printed, got)
	switch {
	case err != nil:
		return err.Error()
	case n.Miss == "" && !met:
		return fmt.Sprintf("%v, printed %s", got, n.Printed)
	case n.Miss == "":
		return ""
	case met:
		return fmt.Sprintf("%v meets the printed %s: it is no known miss any more", got, n.Printed)
	}
	switch same, err := meets(n.Miss, got); {
	case err != nil:
		return err.Error()
	case !same:
		return fmt.Sprintf("%v, known to miss the printed %s with %s", got, n.Printed, n.Miss)
	}
	return ""
}

// meets reports whether a value rounds to the digits, or lies in the range that they
// name.
func meets(digits string, got float64) (bool, error) {
	if low, high, ok := strings.Cut(digits, " to "); ok {
		a, err := number(low)
		if err != nil {
			return false, err
		}
		b, err := number(high)
		return a <= got && got <= b, err
	}
	if _, err := number(digits); err != nil {
		return false, err
	}
	digits = strings.ReplaceAll(digits, ",", "")
	_, fraction, _ := strings.Cut(digits, ".")
	return strconv.FormatFloat(got, 'f', len(fraction), 64) == digits, nil
}

func number(digits string) (float64, error) {
	return strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
}

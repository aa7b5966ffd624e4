// Package decimal writes numbers as result files hold them: plain decimals, never with an exponent, so that
// spreadsheets, CSV readers and people take them for what they are.
//
// There are three precisions. [Number] is that of most columns, [Time] that of columns in seconds or cycles, [Exact]
// that of labels and of files that are read back. A number that is not defined, NaN or infinite, is the empty text.
package decimal

import (
	"math"
	"strconv"
	"strings"
)

const (
	// digits is how many significant digits Number keeps: more than any confidence interval supports.
	digits = 9
	// timeDecimals is how many decimals Time keeps: milliseconds, or thousandths of a cycle.
	timeDecimals = 3
	// leastDigits is how many significant digits Time keeps of a number below 1, which a clock of many cycles a
	// second gives.
	leastDigits = 3
)

// Number writes a number: an integer as an integer with all its digits, any other number with at most nine significant
// digits, the digits before the point always among them.
func Number(x float64) string { return Significant(x, digits) }

// Time writes a time in seconds or cycles with at most three decimals; a time below 1 keeps three significant digits.
func Time(x float64) string {
	if !defined(x) {
		return ""
	}
	decimals := timeDecimals
	if x != 0 && math.Abs(x) < 1 {
		decimals = leastDigits - 1 - magnitude(x, leastDigits)
	}
	return fixed(x, decimals)
}

// Significant writes a number with at most n significant digits, the digits before the point always among them.
func Significant(x float64, n int) string {
	switch {
	case !defined(x):
		return ""
	case x == math.Trunc(x):
		return Exact(x)
	}
	return fixed(x, max(0, n-1-magnitude(x, n)))
}

// Exact writes the shortest text that reads back equal.
func Exact(x float64) string {
	if !defined(x) {
		return ""
	}
	return strconv.FormatFloat(x+0, 'f', -1, 64) // + 0 makes 0 of -0
}

func defined(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// magnitude is the power of ten of the first digit of x once x is rounded to n digits: 0.9996 with three is 1.00.
func magnitude(x float64, n int) int {
	_, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', n-1, 64), "e")
	power, err := strconv.Atoi(exponent)
	if err != nil {
		panic("decimal: no exponent: " + err.Error())
	}
	return power
}

// fixed rounds to so many decimals and leaves out the zeros at the end.
func fixed(x float64, decimals int) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', decimals, 64), 64)
	if err != nil {
		panic("decimal: a text that is no number: " + err.Error())
	}
	return Exact(rounded)
}

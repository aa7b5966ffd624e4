// Package decimal formats numbers for result files: as plain decimals, never with an
// exponent, so that spreadsheets, CSV readers and people read them alike.
//
// There are three precisions. [Number] is for most columns, [Time] for columns in
// seconds or cycles, and [Exact] for labels and for files that the program reads back.
// NaN and infinite numbers are undefined and give the empty text.
package decimal

import (
	"bytes"
	"math"
	"strconv"
)

const (
	// digits is the number of significant digits of Number, more than any confidence
	// interval supports.
	digits = 9
	// timeDecimals is the number of decimals of Time: milliseconds, or thousandths of a
	// cycle.
	timeDecimals = 3
	// leastDigits is the number of significant digits that Time keeps of a number below
	// 1. A clock of many cycles per second gives such numbers.
	leastDigits = 3
)

// Number formats a number. An integer keeps all its digits. Any other number has at
// most nine significant digits and always all digits before the point.
func Number(x float64) string { return Significant(x, digits) }

// Time formats a time in seconds or cycles with at most three decimals. A time below 1
// keeps three significant digits.
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

// Significant formats a number with at most n significant digits and always all digits
// before the point.
func Significant(x float64, n int) string {
	switch {
	case !defined(x):
		return ""
	case x == math.Trunc(x):
		return Exact(x)
	}
	return fixed(x, max(0, n-1-magnitude(x, n)))
}

// Exact formats a number as the shortest text that reads back equal.
func Exact(x float64) string {
	if !defined(x) {
		return ""
	}
	return strconv.FormatFloat(x+0, 'f', -1, 64) // + 0 turns -0 into 0
}

func defined(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// magnitude returns the power of ten of the first digit of x after rounding to n
// digits: 0.9996 becomes 1.00 with three.
func magnitude(x float64, n int) int {
	var buffer [32]byte
	text := strconv.AppendFloat(buffer[:0], x, 'e', n-1, 64)
	power, err := strconv.Atoi(string(text[bytes.IndexByte(text, 'e')+1:]))
	if err != nil {
		panic("decimal: no exponent: " + err.Error())
	}
	return power
}

// surelyShortest is a number of digits up to which every decimal text is the shortest that
// reads back as its float64 (DBL_DIG of C).
const surelyShortest = 15

// fixed rounds to the given number of decimals and drops trailing zeros.
func fixed(x float64, decimals int) string {
	var buffer [64]byte
	text := strconv.AppendFloat(buffer[:0], x, 'f', decimals, 64)
	if decimals > 0 && len(text) <= surelyShortest {
		end := len(text)
		for text[end-1] == '0' {
			end--
		}
		if text[end-1] == '.' {
			end--
		}
		if short := string(text[:end]); short != "-0" {
			return short
		}
		return "0"
	}
	rounded, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		panic("decimal: a text that is no number: " + err.Error())
	}
	return Exact(rounded)
}

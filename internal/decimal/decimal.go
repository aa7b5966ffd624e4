// Package decimal formats numbers for result files: as plain decimals, never with an
// exponent, so that spreadsheets, CSV readers and people read them alike.
//
// There are three precisions. [Number] is for most columns, [Time] for columns in
// seconds or cycles, and [Exact] for labels and for files that the program reads back.
// NaN and infinite numbers are undefined and give the empty text.
package decimal

import (
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
	// timeDigits is the number of significant digits that Time keeps of a shorter time.
	timeDigits = 7
)

// Number formats a number. An integer keeps all its digits. Any other number has at
// most nine significant digits and always all digits before the point.
func Number(x float64) string { return Significant(x, digits) }

// AppendNumber appends a number as Number formats it.
func AppendNumber(to []byte, x float64) []byte { return appendSignificant(to, x, digits) }

// Time formats a time in seconds or cycles with at most three decimals. A time below 1000 keeps
// seven significant digits, and one below 1, which a clock of many cycles a second gives, nine.
func Time(x float64) string {
	var buffer [longest]byte
	return string(AppendTime(buffer[:0], x))
}

// AppendTime appends a time as Time formats it.
func AppendTime(to []byte, x float64) []byte {
	switch size := math.Abs(x); {
	case size < 1:
		return AppendNumber(to, x)
	case size < 1000:
		return appendSignificant(to, x, timeDigits)
	}
	return appendRounded(to, x, 'f', timeDecimals)
}

// InUnit formats a number of a unit as result files have it: times by Time, other numbers by
// Number. The files runs.jsonl, runs.parquet and wide.parquet, and TOML, have exact numbers.
func InUnit(unit string, x float64) string {
	if IsTime(unit) {
		return Time(x)
	}
	return Number(x)
}

// AppendInUnit appends a number as InUnit writes it.
func AppendInUnit(to []byte, unit string, x float64) []byte {
	if IsTime(unit) {
		return AppendTime(to, x)
	}
	return AppendNumber(to, x)
}

// Signed formats a difference with its sign and four significant digits.
func Signed(x float64) string {
	if x >= 0 {
		return "+" + Significant(x, 4)
	}
	return Significant(x, 4)
}

// IsTime reports whether a unit is one of time. The time unit of a generated workload is none: only
// the workload defines its length.
func IsTime(unit string) bool { return unit == "s" || unit == "cycles" }

// Significant formats a number with at most n significant digits and always all digits
// before the point.
func Significant(x float64, n int) string {
	var buffer [longest]byte
	return string(appendSignificant(buffer[:0], x, n))
}

func appendSignificant(to []byte, x float64, n int) []byte {
	if math.Abs(x) >= math.Pow10(n) {
		return appendRounded(to, x, 'f', 0)
	}
	return appendRounded(to, x, 'e', n-1)
}

// appendRounded appends a number that is rounded as strconv formats it.
func appendRounded(to []byte, x float64, format byte, decimals int) []byte {
	if x == math.Trunc(x) || !defined(x) {
		return AppendExact(to, x)
	}
	var buffer [longest]byte
	text := strconv.AppendFloat(buffer[:0], x, format, decimals, 64)
	rounded, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		panic("decimal: a text that is no number: " + err.Error())
	}
	return AppendExact(to, rounded)
}

// Rounded returns a number with at most n significant digits. With 12 it is the same on all
// processors if it comes from a function of the library, whose last digits differ between them.
func Rounded(x float64, n int) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', n-1, 64), 64)
	if err != nil {
		return x // infinite
	}
	return rounded
}

// Exact formats a number as the shortest text that reads back equal.
func Exact(x float64) string {
	var buffer [longest]byte
	return string(AppendExact(buffer[:0], x))
}

// AppendExact appends a number as Exact formats it.
func AppendExact(to []byte, x float64) []byte {
	switch {
	case !defined(x):
		return to
	case x == math.Trunc(x) && math.Abs(x) < 1<<53: // the nearest other number is 1 away
		return strconv.AppendInt(to, int64(x), 10)
	}
	return strconv.AppendFloat(to, x+0, 'f', -1, 64) // + 0 turns -0 into 0
}

func defined(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// longest is the length in bytes of all but exceptional numbers.
const longest = 32

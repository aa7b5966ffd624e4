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
)

// Number formats a number. An integer keeps all its digits. Any other number has at
// most nine significant digits and always all digits before the point.
func Number(x float64) string { return Significant(x, digits) }

// AppendNumber appends a number as Number formats it.
func AppendNumber(to []byte, x float64) []byte { return appendSignificant(to, x, digits) }

// Time formats a time in seconds or cycles with at most three decimals. A time below 1, which a
// clock of many cycles a second gives, keeps nine significant digits.
func Time(x float64) string {
	var buffer [longest]byte
	return string(AppendTime(buffer[:0], x))
}

// AppendTime appends a time as Time formats it.
func AppendTime(to []byte, x float64) []byte {
	switch a := math.Abs(x); {
	case !defined(x):
		return to
	case x == math.Trunc(x):
		return appendExact(to, x)
	case a < 1:
		return appendDigits(to, x, digits)
	case a < 1e9:
		return appendDigits(to, x, digitsBefore(a)+timeDecimals)
	}
	return append(to, fixed(x, timeDecimals)...)
}

// digitsBefore returns the number of digits before the point of a number from 1 on.
func digitsBefore(x float64) int {
	n := 1
	for limit := 10.0; x >= limit; limit *= 10 {
		n++
	}
	return n
}

// Significant formats a number with at most n significant digits and always all digits
// before the point.
func Significant(x float64, n int) string {
	var buffer [longest]byte
	return string(appendSignificant(buffer[:0], x, n))
}

func appendSignificant(to []byte, x float64, n int) []byte {
	switch {
	case !defined(x):
		return to
	case x == math.Trunc(x):
		return appendExact(to, x)
	}
	return appendDigits(to, x, n)
}

// Exact formats a number as the shortest text that reads back equal.
func Exact(x float64) string {
	var buffer [longest]byte
	return string(appendExact(buffer[:0], x))
}

func appendExact(to []byte, x float64) []byte {
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

// appendDigits appends a number that is no integer with at most n significant digits and
// always all digits before the point. strconv finds n digits faster than n decimals.
func appendDigits(to []byte, x float64, n int) []byte {
	var buffer [longest]byte
	text := strconv.AppendFloat(buffer[:0], x, 'e', n-1, 64)
	at := bytes.IndexByte(text, 'e')
	power, err := strconv.Atoi(string(text[at+1:]))
	if err != nil {
		panic("decimal: no exponent: " + err.Error())
	}
	if power >= n || n > surelyShortest {
		return append(to, fixed(x, max(0, n-1-power))...)
	}
	if text = text[:at]; text[0] == '-' {
		to, text = append(to, '-'), text[1:]
	}
	if n > 1 {
		text[1] = text[0] // the point goes
		text = bytes.TrimRight(text[1:], "0")
	}
	if power < 0 {
		to = append(to, "0."...)
		for ; power < -1; power++ {
			to = append(to, '0')
		}
		return append(to, text...)
	}
	for i := range max(len(text), power+1) {
		if i == power+1 {
			to = append(to, '.')
		}
		if i < len(text) {
			to = append(to, text[i])
		} else {
			to = append(to, '0')
		}
	}
	return to
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

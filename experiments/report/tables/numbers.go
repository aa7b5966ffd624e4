package tables

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"contend/experiments/stats"
	"contend/internal/decimal"
)

// Significant returns a number with the given number of significant digits and without an exponent.
// Unlike decimal.Significant it keeps zeros at the end.
func Significant(x float64, digits int) string {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Sprint(x)
	}
	decimals := digits - 1 - int(math.Floor(math.Log10(math.Abs(x))))
	return fmt.Sprintf("%.*f", max(0, decimals), x)
}

// MeanText returns a mean and half of its interval as tables show them.
func MeanText(e stats.Estimate) string { return WithError(e, "±") }

// WithError returns a mean and half of its interval, with a sign between them. The last decimal of
// both is the second significant digit of the half.
func WithError(e stats.Estimate, sign string) string {
	if math.IsNaN(e.Half) {
		return Rounded(e)
	}
	half := Significant(e.Half, 2)
	if hasDigits(e.Half) {
		half = rounded(e.Half, decimalsOf(e.Half))
	}
	return Rounded(e) + " " + sign + " " + half
}

// Rounded returns a mean. Its last decimal is the second significant digit of half of its interval,
// or of a mean without one the fifth of its own.
func Rounded(e stats.Estimate) string {
	switch {
	case hasDigits(e.Half):
		return rounded(e.Mean, decimalsOf(e.Half))
	case math.IsNaN(e.Half) && e.Mean == math.Trunc(e.Mean):
		return decimal.Exact(e.Mean)
	}
	return Significant(e.Mean, 5)
}

// hasDigits reports whether half of an interval decides the digits of a mean.
func hasDigits(half float64) bool { return half != 0 && !math.IsNaN(half) && !math.IsInf(half, 0) }

// decimalsOf returns the number of decimals with which a number above 0 has two significant digits,
// below 0 for a number of 100 or more.
func decimalsOf(x float64) int {
	two := strconv.FormatFloat(x, 'e', 1, 64) // as 9.96 is 10, one place further left
	exponent, err := strconv.Atoi(two[strings.IndexByte(two, 'e')+1:])
	if err != nil {
		panic("tables: a number has no exponent: " + err.Error())
	}
	return 1 - exponent
}

// rounded returns a number with a number of decimals. If that is below 0, zeros stand before the
// point.
func rounded(x float64, decimals int) string {
	if decimals < 0 {
		unit := math.Pow10(-decimals)
		x = math.Round(x/unit) * unit
	}
	text := fmt.Sprintf("%.*f", max(0, decimals), x)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// texNumber is MeanText in LaTeX, with thin spaces between thousands from 10000 on.
func texNumber(e stats.Estimate) string { return texDigits(WithError(e, `\pm`)) }

// texDigits returns numbers as a formula, with thin spaces between thousands from 10000 on.
func texDigits(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		whole, _, _ := strings.Cut(w, ".")
		first := len(whole) - len(strings.TrimLeft(whole, "-"))
		if len(whole)-first < 5 {
			continue
		}
		for at := len(whole) - 3; at > first; at -= 3 {
			w = w[:at] + `\,` + w[at:]
		}
		words[i] = w
	}
	return "$" + strings.Join(words, " ") + "$"
}

// ratioText returns a ratio and the ends of its interval, "" if there is none. The last decimal is
// the second significant digit of half the interval.
func ratioText(r *stats.PairedRatio) string {
	e := stats.Estimate{Mean: r.Mean, Half: (r.High - r.Low) / 2}
	switch {
	case math.IsNaN(r.Mean):
		return ""
	case math.IsNaN(e.Half):
		return MeanText(e)
	}
	decimals := decimalsOf(e.Half)
	return fmt.Sprintf("%s (%s to %s)", rounded(r.Mean, decimals), rounded(r.Low, decimals),
		rounded(r.High, decimals))
}

// pText returns a p-value with four decimals, "" for none.
func pText(p float64) string {
	switch {
	case math.IsNaN(p):
		return ""
	case p < 0.0001:
		return "< 0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}

// CountText returns a number, or a range of numbers as in "2 to 4".
func CountText(low, high int) string {
	if low < high {
		return fmt.Sprintf("%d to %d", low, high)
	}
	return fmt.Sprint(high)
}

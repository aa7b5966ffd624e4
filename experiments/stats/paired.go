package stats

import (
	"cmp"
	"math"
	"slices"

	"contend/internal/decimal"
)

// PairedTest is the result of a comparison by pairs of values.
type PairedTest struct {
	// Difference is the mean of a - b with the interval of the paired t test (Law,
	// Simulation Modeling and Analysis, sec. 10.2.1), in the unit of the values.
	Difference Estimate
	// Ratio is the result of RatioOfPairs if all values are above 0. Otherwise it is mean a / mean b
	// without an interval, NaN if mean b is 0.
	Ratio PairedRatio
	// OfRatio reports that P belongs to the ratio, because all values are above 0. Otherwise P belongs
	// to the difference.
	OfRatio bool
	// P is the p-value of the two-sided paired t test that the mean logarithm of a/b, or the mean of a
	// - b, is 0: from 0 to 1. If these do not vary it is NaN, or 1 if all of them are 0 and the values
	// vary together.
	P float64
}

// TestPairs compares a and b by one or more pairs of values.
func TestPairs(a, b []float64, confidence float64) PairedTest {
	t := PairedTest{}
	t.Difference, t.P = differenceOfPairs(a, b, confidence)
	if t.Ratio, t.OfRatio = RatioOfPairs(a, b, confidence); t.OfRatio {
		t.P = t.Ratio.P
		return t
	}
	nan := math.NaN()
	t.Ratio = PairedRatio{Mean: nan, Low: nan, High: nan, P: nan, N: len(a)}
	if below := Mean(b); below != 0 {
		t.Ratio.Mean = Mean(a) / below
	}
	return t
}

// differenceOfPairs returns the mean of d = a - b with its interval, and the p-value of t = mean(d)
// / (s(d)/√n) with n - 1 degrees of freedom (Law, sec. 10.2.1). Differences below the rounding
// error of a and b count as 0.
func differenceOfPairs(a, b []float64, confidence float64) (e Estimate, p float64) {
	n, largest := len(a), 0.0
	differences := make([]float64, n)
	for i := range differences {
		differences[i] = a[i] - b[i]
		largest = max(largest, math.Abs(a[i]), math.Abs(b[i]))
	}
	rounding := 0x1p-50 * largest
	e, p = EstimateOf(differences, confidence), math.NaN()
	if spread(differences) > rounding {
		deviation := sampleDeviation(differences) / math.Sqrt(float64(n))
		return e, studentP(e.Mean/deviation, n-1)
	}
	e.Half = math.NaN()
	if math.Abs(e.Mean) <= rounding {
		e.Mean = 0
		if spread(a) > rounding {
			p = 1
		}
	}
	return e, p
}

// WithShared returns the comparison with the half widths of errors that its pairs may share, of the
// mean of a - b and of the mean logarithm of a/b, as Estimate.WithShared adds them. confidence is
// that of the comparison. P has these errors too.
func (t PairedTest) WithShared(difference, logarithm, confidence float64) PairedTest {
	p := sharedP(t.Difference, difference, t.P, confidence)
	t.Difference = t.Difference.WithShared(difference)
	if !t.OfRatio {
		t.P = p
		return t
	}
	t.Ratio = t.Ratio.WithShared(logarithm, confidence)
	t.P = t.Ratio.P
	return t
}

// sharedP returns the p-value of a mean with a shared error of a half width, from its p-value
// without. Its deviation is half the width of the interval of both over Student's t, so p is below 1
// - confidence exactly if the interval of Estimate.WithShared excludes 0.
func sharedP(e Estimate, half, p, confidence float64) float64 {
	if !(half > 0) || math.IsNaN(e.Half) {
		return p
	}
	return studentP(e.Mean/e.WithShared(half).Half*studentT(float64(e.N-1), confidence), e.N-1)
}

// Tested returns the quantity that P tests against 0, with its interval: the mean logarithm of a/b,
// or the mean of a - b.
func (t *PairedTest) Tested() Estimate {
	if t.OfRatio {
		return t.Ratio.Logarithm()
	}
	return t.Difference
}

// InTestedUnit converts a difference from meanB to the unit of Tested: a logarithm for a ratio.
func (t *PairedTest) InTestedUnit(difference, meanB float64) float64 {
	if t.OfRatio {
		return math.Log1p(difference / meanB)
	}
	return difference
}

// studentP returns the two-sided p-value of Student's t: 2 F(-|t|).
func studentP(t float64, degrees int) float64 {
	return 2 * studentCDF(degrees, -math.Abs(t))
}

// PairedRatio is the ratio of n pairs of positive values: the geometric mean of a/b (Fleming and
// Wallace, Communications of the ACM 29(3), 1986), with the interval and the test of the paired
// logarithms l = log(a/b) (Law, Simulation Modeling and Analysis, sec. 10.2.1):
//
//	exp(mean(l) ± t s(l)/√n), and t = mean(l) / (s(l)/√n)
//
// So the interval excludes 1 exactly if P is below 1 - confidence. Pairs have equal weights even if
// their sizes differ manyfold, as those of windows of a log do.
type PairedRatio struct {
	// Mean is the geometric mean of a/b, above 0.
	Mean float64
	// Low and High bound the interval: Mean divided and multiplied by one factor. They are NaN for one
	// pair, or if all pairs have the same ratio.
	Low, High float64
	// P is the p-value of the two-sided paired t test that the mean logarithm is 0, from 0 to 1. If
	// all pairs have the same ratio it is NaN, or 1 if that ratio is 1 and the values vary.
	P float64
	// N is the number of pairs, at least 1.
	N int
	// Shared is that of the mean logarithm; see Estimate.
	Shared float64
}

// WithShared returns the ratio with the half width of an error of the mean logarithm that its pairs
// may share, as PairedTest.WithShared adds it. An infinite one leaves the ratio anywhere above 0.
func (r PairedRatio) WithShared(half, confidence float64) PairedRatio {
	if !(half > 0) {
		r.Shared = half
		return r
	}
	e := r.Logarithm()
	r.P = sharedP(e, half, r.P, confidence)
	e = e.WithShared(half)
	r.Low, r.High, r.Shared = ratioOf(e.Mean-e.Half), ratioOf(e.Mean+e.Half), half
	return r
}

// RatioOfPairs estimates a/b from one or more pairs. It reports false if there are none, or if a
// value is not above 0.
func RatioOfPairs(a, b []float64, confidence float64) (PairedRatio, bool) {
	logs, largest := make([]float64, len(a)), 1.0
	for i := range a {
		if !(a[i] > 0 && b[i] > 0) {
			return PairedRatio{}, false
		}
		logs[i] = decimal.Rounded(math.Log(a[i]/b[i]), quantileDigits)
		largest = max(largest, math.Abs(logs[i]))
	}
	if len(a) == 0 {
		return PairedRatio{}, false
	}
	e, nan := EstimateOf(logs, confidence), math.NaN()
	r := PairedRatio{Mean: ratioOf(e.Mean), Low: nan, High: nan, P: nan, N: len(a)}
	rounding := 0x1p-36 * largest // of quantileDigits digits
	switch {
	case spread(logs) > rounding:
		r.Low, r.High = ratioOf(e.Mean-e.Half), ratioOf(e.Mean+e.Half)
		r.P = studentP(e.Mean/(sampleDeviation(logs)/math.Sqrt(float64(e.N))), e.N-1)
	case math.Abs(e.Mean) <= rounding:
		r.Mean = 1
		if spread(a) > 0 {
			r.P = 1
		}
	}
	return r, true
}

// Logarithm returns the mean logarithm of a/b with its interval.
func (r *PairedRatio) Logarithm() Estimate {
	return Estimate{Mean: math.Log(r.Mean), Half: math.Log(r.High/r.Low) / 2, N: r.N, Shared: r.Shared}
}

// ratioOf returns exp of a mean logarithm, with the same bytes on every processor.
func ratioOf(log float64) float64 { return decimal.Rounded(math.Exp(log), quantileDigits) }

// Holm returns the p-values of a family of m tests, adjusted for their number, in the given order
// (Holm 1979, Scandinavian Journal of Statistics 6, 65-70). The k-th smallest one becomes
//
//	max(over j ≤ k) min(1, (m - j + 1) p(j))
//
// The probability that a true null hypothesis has an adjusted p below alpha is at most alpha, for
// any dependence between the tests. NaN stands for a missing test: it is returned as NaN and does
// not count in m.
func Holm(p []float64) []float64 {
	var order []int
	adjusted := make([]float64, len(p))
	for i, v := range p {
		adjusted[i] = math.NaN()
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	floor := 0.0
	for k, i := range order {
		floor = max(floor, min(1, float64(len(order)-k)*p[i]))
		adjusted[i] = floor
	}
	return adjusted
}

package stats

import (
	"math"

	"contend/internal/decimal"
)

// PairedRatio is the ratio of n pairs of positive values: the geometric mean of a/b (Fleming and
// Wallace, Communications of the ACM 29(3), 1986), with the interval and the test of the paired
// logarithms l = log(a/b) (Law, Simulation Modeling and Analysis, sec. 10.2.1):
//
//	exp(mean(l) ± t s(l)/√n), and t = mean(l) / (s(l)/√n)
//
// So the interval leaves out 1 exactly if P is below 1 - confidence. Pairs whose sizes differ
// manyfold, such as windows of a log, count alike.
type PairedRatio struct {
	// Mean is the geometric mean of a/b, above 0.
	Mean float64
	// Low and High bound the interval, which is as wide to both sides as a factor. They are NaN
	// for one pair, or if all pairs have the same ratio.
	Low, High float64
	// P is the p-value of the two-sided paired t test that the mean logarithm is 0, from 0 to 1. If
	// all pairs have the same ratio it is NaN, or 1 if that ratio is 1 and the values vary.
	P float64
	// N is the number of pairs, at least 1.
	N int
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
	return Estimate{Mean: math.Log(r.Mean), Half: math.Log(r.High/r.Low) / 2, N: r.N}
}

// ratioOf returns exp of a mean logarithm, with the same bytes on every processor.
func ratioOf(log float64) float64 { return decimal.Rounded(math.Exp(log), quantileDigits) }

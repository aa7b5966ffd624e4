package stats

import (
	"math"
)

// PairedTest is the result of a comparison by pairs of values.
type PairedTest struct {
	// Difference is the mean of a - b with the interval of the paired t test (Law,
	// Simulation Modeling and Analysis, sec. 10.2.1), in the unit of the values.
	Difference Estimate
	// Ratio is that of RatioOfPairs if all values are above 0. Else it is mean a / mean b without
	// an interval, NaN if mean b is 0.
	Ratio PairedRatio
	// OfRatio reports that P is of the ratio: all values are above 0. Else it is of the difference.
	OfRatio bool
	// P is the p-value of the two-sided paired t test that the mean logarithm of a/b, or the mean
	// of a - b, is 0: from 0 to 1. Without variation of these it is NaN, or 1 if all of them are 0
	// and the values vary together.
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

// differenceOfPairs returns the mean of d = a - b with its interval, and the p-value of
// t = mean(d) / (s(d)/√n) with n - 1 degrees of freedom (Law, sec. 10.2.1). What differs by less
// than the rounding of a and b counts as equal.
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

// Tested returns what P tests against 0, with its interval: the mean logarithm of a/b, or the mean
// of a - b.
func (t *PairedTest) Tested() Estimate {
	if t.OfRatio {
		return t.Ratio.Logarithm()
	}
	return t.Difference
}

// InTestedUnit converts a difference from meanB into the unit of Tested: a logarithm for a ratio.
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

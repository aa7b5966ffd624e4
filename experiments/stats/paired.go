package stats

import (
	"math"
)

// PairedTest is the result of a comparison of two means by pairs of values.
type PairedTest struct {
	// Difference is the mean of a - b with the interval of the paired t test (Law,
	// Simulation Modeling and Analysis, sec. 10.2.1), in the unit of the values.
	Difference Estimate
	// Ratio is mean a / mean b; see EstimateRatio (Cochran, Sampling Techniques, ch.
	// 6). It has no interval if the interval of mean b includes 0, because the exact
	// one is then unbounded (Fieller 1954, J. R. Statist. Soc. B 16, 175-185).
	Ratio Estimate
	// P is the p-value of the two-sided paired t test of no difference, from 0 to 1. If
	// all pairs differ by the same amount it is NaN, or 1 if the values vary together.
	P float64
}

// TestPairs compares the means of one or more pairs of values.
func TestPairs(a, b []float64, confidence float64) PairedTest {
	n, largest := len(a), 0.0
	differences := make([]float64, n)
	for i := range differences {
		differences[i] = a[i] - b[i]
		largest = max(largest, math.Abs(a[i]), math.Abs(b[i]))
	}
	rounding := 0x1p-50 * largest
	t := PairedTest{
		Difference: EstimateOf(differences, confidence),
		Ratio:      ratioOfPairs(a, b, rounding, confidence),
		P:          math.NaN(),
	}
	if spread(differences) > rounding {
		deviation := sampleDeviation(differences) / math.Sqrt(float64(n))
		t.P = studentP(t.Difference.Mean/deviation, n-1)
		return t
	}
	t.Difference.Half = math.NaN()
	if math.Abs(t.Difference.Mean) <= rounding {
		t.Difference.Mean = 0
		if spread(a) > rounding {
			t.P = 1
		}
	}
	return t
}

// ratioOfPairs is EstimateRatio without an interval if the interval would mislead: if
// the denominator may be 0, or if the ratio does not vary.
func ratioOfPairs(a, b []float64, rounding, confidence float64) Estimate {
	e, below := EstimateRatio(a, b, confidence), EstimateOf(b, confidence)
	if below.Half >= math.Abs(below.Mean) || e.Half*math.Abs(below.Mean) <= rounding {
		e.Half = math.NaN()
	}
	return e
}

// studentP returns the two-sided p-value of Student's t.
func studentP(t float64, degrees int) float64 {
	return 2 * studentCDF(degrees, -math.Abs(t))
}

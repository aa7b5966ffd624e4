package stats

import (
	"math"
)

// pairedTest is what pairs of values say about two means.
type pairedTest struct {
	// Difference is the mean of a - b, its interval that of the paired t test
	// (Law, Simulation Modeling and Analysis, sec. 10.2.1).
	Difference Estimate
	// Ratio is mean a / mean b, see estimateRatio (Cochran, Sampling Techniques,
	// ch. 6). It has no interval where that of mean b includes 0: the exact one
	// is then not bounded (Fieller 1954, J. R. Statist. Soc. B 16, 175-185).
	Ratio Estimate
	// P is that of the two-sided paired t test of no difference. Where all pairs
	// differ by the same amount it is NaN, but 1 where values vary together.
	P float64
}

// TestPairs compares the means of at least one pair of values.
func TestPairs(a, b []float64, confidence float64) pairedTest {
	n, largest := len(a), 0.0
	differences := make([]float64, n)
	for i := range differences {
		differences[i] = a[i] - b[i]
		largest = max(largest, math.Abs(a[i]), math.Abs(b[i]))
	}
	rounding := 0x1p-50 * largest
	t := pairedTest{
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

// ratioOfPairs is estimateRatio without an interval where that would mislead:
// where the denominator may be 0, and where the ratio does not vary.
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

package stats

import (
	"math"
	"slices"
	"sort"
)

// Estimate is a mean with its confidence interval.
type Estimate struct {
	// Mean is the mean of the runs, in the unit of the values.
	Mean float64
	// Half is half the width of the interval (Student's t), at least 0. It is NaN if
	// the sample shows no variation: for one run, or if all runs have the same value.
	Half float64
	// N is the number of runs, at least 0.
	N int
}

// EstimateOf returns the mean of n independent values with its confidence interval, for a
// confidence between 0 and 1 (Law, Simulation Modeling and Analysis, sec. 4.5):
//
//	mean ± t(n-1) s/√n
func EstimateOf(values []float64, confidence float64) Estimate {
	n := len(values)
	e := Estimate{Mean: Mean(values), Half: math.NaN(), N: n}
	if d := deviation(values); d > 0 {
		e.Half = studentT(float64(n-1), confidence) * d / math.Sqrt(float64(n))
	}
	return e
}

// Half returns half the width of the interval of an estimate whose variance is itself estimated,
// with degrees ≥ 1 of freedom: t(degrees) √variance.
func Half(variance float64, degrees int, confidence float64) float64 {
	return studentT(float64(degrees), confidence) * math.Sqrt(variance)
}

// deviation returns the standard deviation of a sample. It is 0 if all values are the
// same, whatever the rounding error of their mean.
func deviation(values []float64) float64 {
	if len(values) < 2 || spread(values) == 0 {
		return 0
	}
	return sampleDeviation(values)
}

// spread returns the range of a nonempty sample.
func spread(values []float64) float64 { return slices.Max(values) - slices.Min(values) }

// EstimateRatio returns the ratio r of the means of n paired values. Its interval follows from the
// first-order expansion of the ratio (Cochran, Sampling Techniques, 1977, sec. 2.11):
//
//	mean(a)/mean(b) ± t(n-1) s(a - r b) / (√n |mean(b)|)
//
// A ratio to a mean of zero is NaN, for example if no job waits.
func EstimateRatio(a, b []float64, confidence float64) Estimate {
	n := min(len(a), len(b))
	a, b = a[:n], b[:n]
	mean := Mean(b)
	e := Estimate{Mean: Mean(a) / mean, Half: math.NaN(), N: n}
	if mean == 0 {
		e.Mean = math.NaN()
		return e
	}
	residuals := make([]float64, n)
	for i := range residuals {
		residuals[i] = a[i] - float64(e.Mean*b[i]) // not fused: see exactsum.go
	}
	if d := deviation(residuals); d > 0 && !slices.Equal(a, b) {
		e.Half = studentT(float64(n-1), confidence) * d / math.Sqrt(float64(n)) / math.Abs(mean)
	}
	return e
}

// studentT returns the factor of a two-sided interval.
func studentT(degrees float64, confidence float64) float64 {
	return studentQuantile(degrees, 0.5+confidence/2)
}

// maxValues bounds ValuesFor: nobody waits for more runs.
const maxValues = 1_000_000

// ValuesFor returns the smallest n from 2 to a million with t(n-1) s/√n ≤ half: the number of
// values that narrow half of the interval to half, if they vary as the two or more values of e.
func (e Estimate) ValuesFor(half, confidence float64) int {
	deviation := e.Half * math.Sqrt(float64(e.N)) / studentT(float64(e.N-1), confidence)
	return 2 + sort.Search(maxValues-2, func(i int) bool {
		n := float64(2 + i)
		return studentT(n-1, confidence)*deviation/math.Sqrt(n) <= half
	})
}

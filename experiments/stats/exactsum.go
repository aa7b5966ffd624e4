// Package stats has the statistics of runs: means with confidence intervals, ratios, paired
// tests and adjusted p-values.
//
// EstimateOf gives the mean of the replications of a run with its interval. TestPairs compares
// two runs by pairs of replications with common random numbers, and Holm adjusts the p-values
// of a family of such tests.
//
// Statistics of results have the same bytes on every processor. A compiler may fuse x*y
// + z into one rounding if the processor has an instruction for it, as on arm64 and not
// on amd64. A conversion of the product to float64 prevents that (Go specification,
// Floating-point operators). Libraries lack such conversions in places, and they choose
// their own order of summation. So this package computes means and deviations itself
// and rounds quantiles.
package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"contend/internal/decimal"
)

// Mean returns the mean, or NaN for no values.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// sampleDeviation returns the standard deviation s of n ≥ 2 values by the corrected two-pass
// algorithm (Chan, Golub, LeVeque 1983, The American Statistician 37(3), algorithm 1.7). With
// d = x - mean(x):
//
//	s² = (Σ d² - (Σ d)²/n) / (n - 1)
func sampleDeviation(values []float64) float64 {
	mean, squares, rest := Mean(values), 0.0, 0.0
	for _, v := range values {
		d := v - mean
		squares += float64(d * d)
		rest += d
	}
	n := float64(len(values))
	return math.Sqrt((squares - float64(rest*rest)/n) / (n - 1))
}

// quantileDigits is the number of significant digits of quantiles and probabilities: more than any
// file shows, and fewer than those to which the library's series agree on all processors.
const quantileDigits = 12

// studentQuantile returns the t below which a share p of Student's distribution lies.
func studentQuantile(degrees, p float64) float64 {
	return decimal.Rounded(distuv.StudentsT{Mu: 0, Sigma: 1, Nu: degrees}.Quantile(p), quantileDigits)
}

// studentCDF returns the share of Student's distribution below t.
func studentCDF(degrees int, t float64) float64 {
	of := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(degrees)}
	return decimal.Rounded(of.CDF(t), quantileDigits)
}

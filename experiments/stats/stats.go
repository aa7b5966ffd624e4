// Package stats has the statistics of runs: means with confidence intervals, ratios, paired
// tests and adjusted p-values.
//
// EstimateOf returns the mean of the replications of a run with its interval. TestPairs compares
// two runs by pairs of replications with common random numbers, and Holm adjusts the p-values of a
// family of such tests.
//
// Example: the mean waits of five replications with the same jobs are 31, 28, 35, 30 and 33 s under
// FCFS, and 22, 21, 26, 20 and 24 s under EASY. FCFS has a mean of 31.4 s, with a 95% interval from
// 28.0 to 34.8 s. By pairs FCFS waits longer by 8.8 ± 1.4 s, or 1.39 times as long, from 1.31 to
// 1.48, with p = 0.00010; as one of two tests it has the adjusted p = 0.00019 (Example).
//
// Statistics of results have the same bytes on every processor. A compiler may fuse x*y + z into
// one rounding if the processor has an instruction for it, as on arm64 and not on amd64. A
// conversion of the product to float64 prevents that (Go specification, Floating-point operators).
// Libraries lack such conversions in places and choose other orders of summation. So this package
// computes means and deviations itself and rounds quantiles.
package stats

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"

	"contend/internal/decimal"
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
	// Shared is half the width of the interval of an error that the runs may share: 0 if there is no
	// such error, and NaN if its size is unknown, so that Half leaves it out.
	Shared float64
}

// WithShared returns the estimate with the half width of an interval of an error that its values
// may share, NaN for an unknown one. Replications do not reduce such an error. Their deviation has
// the part of it that differs between them, and the shared part does not depend on the sample. So
// the squares of the half widths add. If the sample shows no variation, as for one run, the interval
// is that of the shared error alone.
func (e Estimate) WithShared(half float64) Estimate {
	e.Shared = half
	switch {
	case !(half > 0):
	case math.IsNaN(e.Half):
		e.Half = half
	default:
		e.Half = math.Hypot(e.Half, half)
	}
	return e
}

// Sampled returns the part of Half that comes from the variation of the sample.
func (e Estimate) Sampled() float64 {
	if !(e.Shared > 0) {
		return e.Half
	}
	return math.Sqrt(max(0, float64(e.Half*e.Half)-float64(e.Shared*e.Shared)))
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

// deviation returns the standard deviation of a sample. It is exactly 0 if all values are equal,
// despite rounding errors of their mean.
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
		residuals[i] = a[i] - float64(e.Mean*b[i]) // not fused: see the package documentation
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

// maxValues bounds ValuesFor: more runs are impractical.
const maxValues = 1_000_000

// ValuesFor returns the smallest n from 2 to a million with t(n-1) s/√n ≤ half: the number of
// values with which the sampled half of the interval is at most half, if they vary like the two or
// more values of e.
func (e Estimate) ValuesFor(half, confidence float64) int {
	deviation := e.Sampled() * math.Sqrt(float64(e.N)) / studentT(float64(e.N-1), confidence)
	return 2 + sort.Search(maxValues-2, func(i int) bool {
		n := float64(2 + i)
		return studentT(n-1, confidence)*deviation/math.Sqrt(n) <= half
	})
}

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

// Rank returns the index of a percentile among n ≥ 1 sorted values by the rule of the nearest
// rank, ⌈percent/100 n⌉ - 1: the value there is the smallest one that percent of the values do
// not exceed. percent is from 0 to 100.
func Rank(percent, n int) int { return RankPerMille(10*percent, n) }

// RankPerMille is Rank for thousandths.
func RankPerMille(perMille, n int) int { return max(0, (perMille*n+999)/1000-1) }

// Percentile returns a percentile of sorted values by the rule of the nearest rank. It is one
// of the values.
func Percentile(sorted []float64, percent int) float64 {
	return sorted[Rank(percent, len(sorted))]
}

// countedBits is the number of leading binary digits that Counts keeps of a value.
const countedBits = 13

// Counts counts integers of at least 0 by value. It keeps the leading 13 binary digits of a value:
// values below 8192 are exact, and others are rounded down by less than one part in 4096. Its size
// depends on the largest value and not on the number of values: 8 bytes a value below 8192 and 32
// KiB for each doubling above. The zero value has counted nothing.
type Counts struct {
	number []int64 // by place
	n      int64
}

// Add counts a value.
func (c *Counts) Add(value int64) {
	place := countsPlace(value)
	for place >= len(c.number) {
		c.number = append(c.number, make([]int64, 1024)...)
	}
	c.number[place]++
	c.n++
}

// N returns the number of counted values.
func (c *Counts) N() int64 { return c.n }

// Percentile returns a percentile by the rule of the nearest rank, with the digits that Counts
// keeps. N must be at least 1.
func (c *Counts) Percentile(percent int) int64 {
	left := int64(Rank(percent, int(c.n)))
	for place, n := range c.number {
		if left -= n; left < 0 {
			return countsValue(place)
		}
	}
	panic("stats: a percentile of nothing")
}

// countsPlace returns the place of a value: each value below 2^13 has its own place, and each
// doubling above has 2^12 places, one for each value of the leading digits.
func countsPlace(value int64) int {
	dropped := max(0, bits.Len64(uint64(value))-countedBits)
	return dropped<<(countedBits-1) + int(value>>dropped)
}

// countsValue returns the smallest value with a place.
func countsValue(place int) int64 {
	dropped := max(0, place>>(countedBits-1)-1)
	return int64(place-dropped<<(countedBits-1)) << dropped
}

// Bounds are the smallest and the largest value that a quantity can have.
type Bounds struct {
	Min float64 // or minus infinity
	Max float64 // or infinity
}

// AtLeast returns the bounds of a quantity with a smallest value and no largest.
func AtLeast(low float64) Bounds { return Bounds{low, math.Inf(1)} }

// Ends returns the ends of the interval, Mean - Half and Mean + Half cut off at the bounds, or NaN
// if there is no interval. Without the bounds, Student's t gives impossible ends for few values
// whose deviation is of the size of their mean.
func (e Estimate) Ends(b Bounds) (low, high float64) {
	return max(e.Mean-e.Half, min(b.Min, e.Mean)), min(e.Mean+e.Half, max(b.Max, e.Mean))
}

// Cut reports whether the interval is shorter below its mean, and whether it is shorter above
// it, than its half width.
func (e Estimate) Cut(b Bounds) (below, above bool) {
	return e.Mean-e.Half < min(b.Min, e.Mean), e.Mean+e.Half > max(b.Max, e.Mean)
}

// LookConfidence returns the confidence of the interval at the k-th look, from 1, so that the
// intervals of all looks hold together with the given confidence. Adding values until an interval
// excludes 0 errs more often than the confidence of a single interval states. So the permitted
// error α = 1 - confidence is divided over all looks, whose number is unlimited:
//
//	α(k) = α / (k (k + 1)), and Σ 1/(k (k + 1)) = 1/2 + 1/6 + 1/12 + ... = 1
//
// By the union bound the interval at the last look holds too, for any stopping rule (Jennison and
// Turnbull, Group Sequential Methods, 2000, ch. 9: repeated confidence intervals). The bound costs
// width: with many values and 95%, a seventh at the first look and three fifths at the fifth.
func LookConfidence(look int, confidence float64) float64 {
	return 1 - (1-confidence)/lookFactor(look)
}

// LookP returns the p-value of a test at a look, corrected for all looks: min(1, p k (k + 1)).
func LookP(look int, p float64) float64 { return min(1, p*lookFactor(look)) }

// lookFactor returns k (k + 1), the reciprocal of the share of the error that look k gets.
func lookFactor(look int) float64 { return float64(look) * float64(look+1) }

// Drifts reports whether a queue grows: whether the mean of its increases over consecutive parts of
// a run is above a threshold, and its interval above 0. In a growing queue the increases are those
// of a random walk with a drift, nearly independent; in a steady queue they are negatively
// correlated, so a steady queue is rarely reported as growing (Wieland, Pasupathy and Schmeiser,
// Queueing-network stability: simulation-based checking, WSC 2003; Law and Kelton 2000, sec. 9.5.3:
// 10 to 30 batches).
func Drifts(increases []float64, threshold, confidence float64) bool {
	e := EstimateOf(increases, confidence)
	return e.Mean > threshold && !(e.Mean-e.Half <= 0 || math.IsNaN(e.Mean))
}

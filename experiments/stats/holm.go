package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm returns the p-values of a family of tests, adjusted for their number, in the
// given order (Holm 1979, Scandinavian Journal of Statistics 6, 65-70). It multiplies
// the k-th smallest of m by m-k+1 and makes no adjusted value smaller than that of a
// smaller p. The probability that any true null hypothesis has an adjusted p below
// alpha is at most alpha, however the tests depend on each other. NaN means that there
// is no test. It stays NaN and does not count.
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
	least := 0.0
	for k, i := range order {
		least = max(least, min(1, float64(len(order)-k)*p[i]))
		adjusted[i] = least
	}
	return adjusted
}

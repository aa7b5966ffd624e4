package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm returns the p-values of a family of m tests, adjusted for their number, in the given order
// (Holm 1979, Scandinavian Journal of Statistics 6, 65-70). The k-th smallest one becomes
//
//	max(over j ≤ k) min(1, (m - j + 1) p(j))
//
// The probability that a true null hypothesis has an adjusted p below alpha is at most alpha,
// however the tests depend on each other. NaN means that there is no test: it is returned as NaN
// and does not count in m.
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

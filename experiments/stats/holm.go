package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm returns p-values adjusted for being one family of tests, in the order
// given (Holm 1979, Scandinavian Journal of Statistics 6, 65-70): the k-th
// smallest of m is multiplied by m-k+1, and none is below a smaller one's. The
// chance that any true null hypothesis has an adjusted p below alpha is at most
// alpha, whatever the tests have in common. NaN, no test, stays NaN and does
// not count.
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

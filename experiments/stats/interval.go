package stats

import "math"

// Bounds are the smallest and the largest value that a quantity can have.
type Bounds struct {
	Min float64 // or minus infinity
	Max float64 // or infinity
}

// AtLeast returns the bounds of a quantity without a largest value.
func AtLeast(low float64) Bounds { return Bounds{low, math.Inf(1)} }

// Ends returns the ends of the interval, Mean - Half and Mean + Half cut off at the bounds, or NaN
// if there is no interval. Student's t alone gives impossible ends for few values that vary as much
// as they are large.
func (e Estimate) Ends(b Bounds) (low, high float64) {
	return max(e.Mean-e.Half, min(b.Min, e.Mean)), min(e.Mean+e.Half, max(b.Max, e.Mean))
}

// Cut reports whether the interval is shorter below its mean, and whether it is shorter above
// it, than its half width.
func (e Estimate) Cut(b Bounds) (below, above bool) {
	return e.Mean-e.Half < min(b.Min, e.Mean), e.Mean+e.Half > max(b.Max, e.Mean)
}

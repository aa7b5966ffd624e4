package stats

import "math"

// Bounds are the least and the greatest value that something can have, infinite where it
// has none.
type Bounds struct {
	Least float64 // the least value, or minus infinity
	Most  float64 // the greatest value, or infinity
}

// AtLeast returns the bounds of what has a least value and no greatest one.
func AtLeast(least float64) Bounds { return Bounds{least, math.Inf(1)} }

// Ends returns the ends of the interval, or NaN if there is none. They lie within the
// bounds. For few values that vary as much as they are large, Student's t would give ends
// that are not possible.
func (e Estimate) Ends(b Bounds) (low, high float64) {
	return max(e.Mean-e.Half, min(b.Least, e.Mean)), min(e.Mean+e.Half, max(b.Most, e.Mean))
}

// Cut reports whether the interval is shorter below its mean, and whether it is shorter above
// it, than its half width.
func (e Estimate) Cut(b Bounds) (below, above bool) {
	return e.Mean-e.Half < min(b.Least, e.Mean), e.Mean+e.Half > max(b.Most, e.Mean)
}

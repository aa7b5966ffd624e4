package stats

// Ends returns the ends of the interval, NaN where there is none. The lower one
// is not below least, the least value possible: of few values that vary as much
// as they are large, Student's t would have it go on to where none can be.
func (e Estimate) Ends(least float64) (low, high float64) {
	return max(e.Mean-e.Half, min(least, e.Mean)), e.Mean + e.Half
}

// Cut reports whether the interval is shorter below its mean than above it.
func (e Estimate) Cut(least float64) bool { return e.Mean-e.Half < min(least, e.Mean) }

package stats

// Ends returns the ends of the interval, or NaN if there is none. The lower end is at
// least least, the least possible value. For few values that vary as much as they are
// large, Student's t would give a lower end that is not possible.
func (e Estimate) Ends(least float64) (low, high float64) {
	return max(e.Mean-e.Half, min(least, e.Mean)), e.Mean + e.Half
}

// Cut reports whether the interval is shorter below its mean than above it.
func (e Estimate) Cut(least float64) bool { return e.Mean-e.Half < min(least, e.Mean) }

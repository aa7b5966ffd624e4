package experiments

import "math"

// ends returns the ends of the interval, NaN where there is none. The lower one
// is not below least, the least value possible: of few values that vary as much
// as they are large, Student's t would have it go on to where none can be.
func (e Estimate) ends(least float64) (low, high float64) {
	return max(e.Mean-e.Half, min(least, e.Mean)), e.Mean + e.Half
}

// cut reports whether the interval is shorter below its mean than above it.
func (e Estimate) cut(least float64) bool { return e.Mean-e.Half < min(least, e.Mean) }

// leastOf returns the least value a metric can have.
func leastOf(metric string) float64 {
	for i := range metricInfos {
		if metricInfos[i].Name == metric {
			return metricInfos[i].Least
		}
	}
	return math.Inf(-1)
}

// cutText says where the table's intervals, written with one half width for both
// sides, end earlier below; "" where none does.
func (r *Results) cutText() string {
	for _, m := range r.tableMetrics() {
		for i := range r.Points {
			if e, ok := r.Estimate(i, m); ok && e.cut(leastOf(m)) {
				return "Where a mean less its half width is below the least value possible, the interval ends there."
			}
		}
	}
	for _, c := range r.relativeCells() {
		if c.measured.cut(0) {
			return "Where a ratio less its half width is below 0, the interval ends there."
		}
	}
	return ""
}

package tables

import (
	"contend/experiments"
	"contend/experiments/cosim/metrics"
	"contend/experiments/stats"
)

// cutText states that some interval of the table is shorter on one side of the mean than
// its half width says, "" if none is.
func cutText(r *experiments.Results) string {
	below, above := false, false
	for _, m := range tableMetrics(r) {
		bounds := metrics.BoundsOf(m, &r.Study.Base)
		for i := range r.Points {
			if e, ok := r.Estimate(i, m); ok {
				b, a := e.Cut(bounds)
				below, above = below || b, above || a
			}
		}
	}
	switch {
	case below && above:
		return "Intervals are cut off at the smallest and the largest possible value."
	case below:
		return "Intervals are cut off at the smallest possible value."
	case above:
		return "Intervals are cut off at the largest possible value."
	}
	for _, c := range RelativeCells(r) {
		if below, _ := c.Measured.Cut(stats.AtLeast(0)); below {
			return "Intervals of ratios are cut off at 0."
		}
	}
	return ""
}

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
		return "If a mean less or plus its half width is not a possible value, the interval ends " +
			"at the last one that is."
	case below:
		return "If a mean less its half width is below the least possible value, " +
			"the interval ends there."
	case above:
		return "If a mean plus its half width is above the greatest possible value, " +
			"the interval ends there."
	}
	for _, c := range RelativeCells(r) {
		if below, _ := c.Measured.Cut(stats.AtLeast(0)); below {
			return "If a ratio less its half width is below 0, the interval ends there."
		}
	}
	return ""
}

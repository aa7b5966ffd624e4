package report

import (
	"contend/experiments"
	"contend/experiments/cosim"
)

// cutText states that some interval of the table is shorter below the mean than
// its half width says, "" if none is.
func cutText(r *experiments.Results) string {
	for _, m := range tableMetrics(r) {
		for i := range r.Points {
			if e, ok := r.Estimate(i, m); ok && e.Cut(cosim.LeastOf(m, &r.Study.Base)) {
				return "If a mean less its half width is below the least possible value, " +
					"the interval ends there."
			}
		}
	}
	for _, c := range relativeCells(r) {
		if c.measured.Cut(0) {
			return "If a ratio less its half width is below 0, the interval ends there."
		}
	}
	return ""
}

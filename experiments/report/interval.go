package report

import (
	"contend/experiments"
	"contend/experiments/cosim"
)

// cutText says where the table's intervals, written with one half width for both
// sides, end earlier below; "" where none does.
func cutText(r *experiments.Results) string {
	for _, m := range tableMetrics(r) {
		for i := range r.Points {
			if e, ok := r.Estimate(i, m); ok && e.Cut(cosim.LeastOf(m)) {
				return "Where a mean less its half width is below the least value possible, the " +
					"interval ends there."
			}
		}
	}
	for _, c := range relativeCells(r) {
		if c.measured.Cut(0) {
			return "Where a ratio less its half width is below 0, the interval ends there."
		}
	}
	return ""
}

package compare

import (
	"fmt"

	"contend/experiments"
	"contend/experiments/cosim/fastforward"
	"contend/experiments/report/tables"
	"contend/experiments/spec"
)

// jumpVerdict tests the jumps over time against full simulations of some of them. It reports
// false if none was checked.
func jumpVerdict(r *experiments.Results) (Verdict, bool) {
	j := tables.JumpsOf(r)
	summary := fmt.Sprintf("%d of %d rates within, 95%% wanted, less what chance explains",
		j.Checked-j.Wrong, j.Checked)
	if j.Differ > 0 {
		summary += fmt.Sprintf("; %d of %d jobs of exact jumps differ", j.Differ, j.Same+j.Differ)
	}
	return Verdict{
		Rule: fmt.Sprintf("rates of jobs that jump over time are within %s of those of full "+
			"simulations", spec.FieldFastForward),
		Why:     "the 95% interval of each rate is that narrow (runs.check_jumps draws the jumps)",
		Pass:    j.Differ == 0 && fastforward.Trusted(j.Wrong, j.Checked),
		Summary: summary,
	}, j.Checked > 0 || j.Differ > 0
}

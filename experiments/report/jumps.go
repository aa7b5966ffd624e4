package report

import (
	"fmt"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/spec"
)

// jumps sums what the runs of a study say of jumps over time.
type jumps struct {
	runs           int // that may jump
	least, most    float64
	share, error   cosim.Mean // percent
	exact          cosim.Mean // percent of the time jumped over
	checked, wrong int        // rates
	off            float64    // sum over rates, percent
	blocked        cosim.Mean // half widths of the intervals of packet_blocking_time, percent
	foreign        cosim.Mean // and of foreign_blocking_time
	same, differ   int        // jobs of exact jumps that did what was foreseen, and others
}

// jumpsOf sums over the runs in which time may be jumped over.
func jumpsOf(r *experiments.Results) (j jumps) {
	for i, p := range r.Points {
		if p.Spec.FastForward == 0 {
			continue
		}
		for _, run := range r.Runs[i] {
			if j.runs++; j.runs == 1 {
				j.least, j.most = p.Spec.FastForward, p.Spec.FastForward
			}
			j.least, j.most = min(j.least, p.Spec.FastForward), max(j.most, p.Spec.FastForward)
			if x, ok := run.Value("time_jumped"); ok {
				j.share.Add(x)
			}
			if x, ok := run.Value("rate_error"); ok {
				j.error.Add(x)
			}
			if x, ok := run.Value("exact_jumps"); ok {
				j.exact.Add(x)
			}
			j.addWaits(&run)
			n, _ := run.Value("rates_checked")
			beyond, _ := run.Value("jumps_beyond")
			off, _ := run.Value("jump_error")
			j.checked += int(n)
			j.wrong += int(beyond*n/100 + 0.5)
			j.off += off * n
		}
	}
	return j
}

// addWaits adds what a run says of its blocking times and of its exact jumps.
func (j *jumps) addWaits(run *cosim.Result) {
	if x, ok := run.Value("packet_blocking_error"); ok {
		j.blocked.Add(x)
	}
	if x, ok := run.Value("foreign_blocking_error"); ok {
		j.foreign.Add(x)
	}
	n, _ := run.Value("exact_checked")
	differ, _ := run.Value("exact_wrong")
	j.same += int(n - differ)
	j.differ += int(differ)
}

// waitText says how well blocking times are known.
func (j *jumps) waitText() string {
	if j.exact.N > 0 && j.exact.Value() == 100 {
		return ""
	}
	if j.blocked.N == 0 {
		return " How well blocking times are known is not known."
	}
	text := " Blocking times are corrected by full simulations of some jumps, which leaves " +
		"packet_blocking_time of a run uncertain by " + Significant(j.blocked.Value(), 2) + "%"
	if j.foreign.N > 0 {
		text += " and foreign_blocking_time by " + Significant(j.foreign.Value(), 2) + "%"
	}
	return text + " on average; runs.check_jumps says how many."
}

// exactText says what simulations of exact jumps found.
func (j *jumps) exactText() string {
	switch {
	case j.differ > 0:
		return fmt.Sprintf(" Exact jumps: %d of %d jobs did not do what was foreseen. That is an error "+
			"of the program: these results are not to be trusted.", j.differ, j.same+j.differ)
	case j.same > 0:
		return fmt.Sprintf(" Exact jumps: all of %d jobs did what was foreseen.", j.same)
	}
	return ""
}

// jumpText says in sentences how much time was jumped over, and what the checks found. It is ""
// for runs in which every flit is simulated.
func jumpText(r *experiments.Results) string {
	j := jumpsOf(r)
	if j.runs == 0 {
		return ""
	}
	settle := fmt.Sprint(j.least)
	if j.most > j.least {
		settle += " to " + fmt.Sprint(j.most)
	}
	text := fmt.Sprintf("Time was jumped over (%s = %s): %s%% of the service time of jobs, at rates "+
		"that leave a job's service time uncertain by %s%% on average.", spec.FieldFastForward, settle,
		Significant(j.share.Value(), 3), Significant(j.error.Value(), 2))
	text += j.waitText() + j.exactText()
	if j.checked == 0 && j.exact.N > 0 && j.exact.Value() == 100 {
		return text + " All jumps are exact, so there is no rate to check."
	}
	if j.checked == 0 {
		return text + " No rate was checked by a full simulation."
	}
	text += fmt.Sprintf(" Full simulations of some jumps: %d rates, off by %s%% on average, "+
		"%d of them by more than %s and their intervals.", j.checked,
		Significant(j.off/float64(j.checked), 2), j.wrong, string(spec.FieldFastForward))
	if !cosim.Trusted(j.wrong, j.checked) {
		text += " That is more than chance explains: the check has failed, and these results are not " +
			"to be trusted."
	}
	return text
}

// jumpVerdict tests the jumps over time against full simulations of some of them. It reports
// false if none was checked.
func jumpVerdict(r *experiments.Results) (Verdict, bool) {
	j := jumpsOf(r)
	summary := fmt.Sprintf("%d of %d rates within, 95%% wanted, less what chance explains",
		j.checked-j.wrong, j.checked)
	if j.differ > 0 {
		summary += fmt.Sprintf("; %d of %d jobs of exact jumps differ", j.differ, j.same+j.differ)
	}
	return Verdict{
		Rule: fmt.Sprintf("rates of jobs that jump over time are within %s of those of full "+
			"simulations", spec.FieldFastForward),
		Why:     "the 95% interval of each rate is that narrow (runs.check_jumps draws the jumps)",
		Pass:    j.differ == 0 && cosim.Trusted(j.wrong, j.checked),
		Summary: summary,
	}, j.checked > 0 || j.differ > 0
}

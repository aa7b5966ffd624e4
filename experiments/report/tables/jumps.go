package tables

import (
	"fmt"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/fastforward"
	"contend/experiments/metrics"
)

// jumps sums the metrics about jumps over time. Shares and errors are in percent.
type jumps struct {
	runs           int          // runs that may jump
	low, high      float64      // least and greatest runs.fast_forward
	Share          metrics.Mean // of the service time that was jumped over
	error          metrics.Mean // half widths of the interval of the mean service time
	exact, locked  metrics.Mean // shares of the time jumped over
	Checked, Wrong int          // rates checked, and those beyond their interval
	Off            float64      // sum of the errors of the checked rates
	blocked        metrics.Mean // half widths of the intervals of packet_blocking_time
	foreign        metrics.Mean // half widths of the intervals of foreign_blocking_time
	Same, Differ   int          // jobs of exact jumps that did what was foreseen, and others
}

// JumpsOf sums the metrics about jumps of all runs in which time may be jumped over.
func JumpsOf(r *experiments.Results) (j jumps) {
	for i, p := range r.Points {
		if p.Spec.FastForward == 0 {
			continue
		}
		for _, run := range r.Runs[i] {
			if j.runs++; j.runs == 1 {
				j.low = p.Spec.FastForward
			}
			j.low, j.high = min(j.low, p.Spec.FastForward), max(j.high, p.Spec.FastForward)
			for metric, mean := range map[string]*metrics.Mean{"time_jumped": &j.Share,
				"rate_error": &j.error, "exact_jumps": &j.exact, "locked_jumps": &j.locked,
				"packet_blocking_error": &j.blocked, "foreign_blocking_error": &j.foreign} {
				if x, ok := run.Value(metric); ok {
					mean.Add(x)
				}
			}
			value := func(metric string) float64 { x, _ := run.Value(metric); return x }
			n, differ := value("rates_checked"), value("exact_wrong")
			j.Checked += int(n)
			j.Wrong += int(value("jumps_beyond")*n/100 + 0.5)
			j.Off += value("jump_error") * n
			j.Same += int(value("exact_checked") - differ)
			j.Differ += int(differ)
		}
	}
	return j
}

// blockingText states the uncertainty of blocking times, "" if all jumps are exact.
func (j *jumps) blockingText() string {
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

// exactText states what simulations of exact jumps found, "" without any.
func (j *jumps) exactText() string {
	switch {
	case j.Differ > 0:
		return fmt.Sprintf(" Exact jumps: %d of %d jobs did not do what was foreseen. That is an error "+
			"of the program: these results are not to be trusted.", j.Differ, j.Same+j.Differ)
	case j.Same > 0:
		return fmt.Sprintf(" Exact jumps: all of %d jobs did what was foreseen.", j.Same)
	}
	return ""
}

// jumpText states in sentences how much time was jumped over, and the results of the checks. It is
// "" for runs in which every flit is simulated.
func jumpText(r *experiments.Results) string {
	j := JumpsOf(r)
	if j.runs == 0 {
		return ""
	}
	tolerance := fmt.Sprint(j.low)
	if j.high > j.low {
		tolerance += " to " + fmt.Sprint(j.high)
	}
	text := fmt.Sprintf("Time was jumped over (%s = %s): %s%% of the service time of jobs, at rates "+
		"that leave the mean service time of a run uncertain by %s%% on average.",
		config.FieldFastForward, tolerance,
		Significant(j.Share.Value(), 3), Significant(j.error.Value(), 2))
	if locked := j.locked.Value(); j.locked.N > 0 && locked > 0 {
		text += " In " + Significant(locked, 3) + "% of that time jobs that meet keep their phase " +
			"against each other (locked_jumps): a run in which they meet otherwise may have other rates."
	}
	text += j.blockingText() + j.exactText()
	if j.Checked == 0 && j.exact.N > 0 && j.exact.Value() == 100 {
		return text + " All jumps are exact, so there is no rate to check."
	}
	if j.Checked == 0 {
		return text + " No rate was checked by a full simulation."
	}
	text += fmt.Sprintf(" Full simulations of some jumps: %d rates, off by %s%% on average, "+
		"%d of them by more than %s and their intervals.", j.Checked,
		Significant(j.Off/float64(j.Checked), 2), j.Wrong, string(config.FieldFastForward))
	if !fastforward.Trusted(j.Wrong, j.Checked) {
		text += " That is more than chance explains: the check has failed, and these results are not " +
			"to be trusted."
	}
	return text
}

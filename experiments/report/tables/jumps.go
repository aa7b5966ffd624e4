package tables

import (
	"fmt"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
)

// jumps sums the metrics about jumps over time. Shares and errors are in percent.
type jumps struct {
	runs            int          // runs that may jump
	low, high       float64      // least and greatest runs.fast_forward
	Share           metrics.Mean // of the service time that was jumped over
	error           metrics.Mean // half widths of the interval of the mean service time
	exact           metrics.Mean // shares of the time jumped over
	Audits, Jams    int
	Largest         float64      // largest error of the time of a job in an audited jump
	Beyond          metrics.Mean // by audits: shares of the jumped time beyond the tolerance
	bias            metrics.Mean
	blocked, waited metrics.Mean // half widths of the intervals of blocking times: all, by others
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
				"rate_error": &j.error, "exact_jumps": &j.exact, "jump_bias": &j.bias,
				"packet_blocking_error": &j.blocked, "foreign_blocking_error": &j.waited} {
				if x, ok := run.Value(metric); ok {
					mean.Add(x)
				}
			}
			value := func(metric string) float64 { x, _ := run.Value(metric); return x }
			n := int(value("jumps_audited"))
			j.Audits += n
			if beyond, ok := run.Value("jumps_beyond"); ok {
				j.Beyond.Sum, j.Beyond.N = j.Beyond.Sum+beyond*float64(n), j.Beyond.N+n
			}
			j.Jams += int(value("jams"))
			j.Largest = max(j.Largest, value("largest_jump_error"))
		}
	}
	return j
}

// Kept reports whether jobs are off by more than runs.fast_forward in at most 5% of the time of
// jumps.
func (j *jumps) Kept() bool { return j.Beyond.N == 0 || j.Beyond.Value() <= 5 }

// blockingText states the uncertainty of blocking times, "" if all jumps are exact.
func (j *jumps) blockingText() string {
	if j.exact.N > 0 && j.exact.Value() == 100 {
		return ""
	}
	if j.blocked.N == 0 {
		return " How well blocking times are known is not known."
	}
	text := " packet_blocking_time of a run is uncertain by " + Significant(j.blocked.Value(), 2) + "%"
	if j.waited.N > 0 {
		text += " and foreign_blocking_time by " + Significant(j.waited.Value(), 2) + "%"
	}
	return text + " on average."
}

// jumpText states in sentences how much time was jumped over, and what audits have seen. It is ""
// for runs in which every flit is simulated.
func jumpText(r *experiments.Results) string {
	j := JumpsOf(r)
	if j.runs == 0 {
		return ""
	}
	tolerance := fmt.Sprint(j.low)
	if j.high > j.low {
		tolerance += " to " + fmt.Sprint(j.high)
	}
	text := fmt.Sprintf("Time was jumped over (%s = %s): %s%% of the service time of jobs, which "+
		"leaves the mean service time of a run uncertain by %s%% on average.",
		config.FieldFastForward, tolerance,
		Significant(j.Share.Value(), 3), Significant(j.error.Value(), 2)) + j.blockingText()
	if j.Audits == 0 {
		return text + " No jump was audited."
	}
	text += fmt.Sprintf(" %d audits: times of jobs in jumps are off by %s%% in the mean and by %s%% "+
		"at most; errors exceed %s in %s%% of the time.", j.Audits, Significant(j.bias.Value(), 2),
		Significant(j.Largest, 2), config.FieldFastForward, Significant(j.Beyond.Value(), 2))
	if j.Jams > 0 {
		text += fmt.Sprintf(" In %d of them jobs came to take another time than was foreseen, and were "+
			"simulated on until that had settled anew (jams).", j.Jams)
	}
	if !j.Kept() {
		text += " That is more than 5%: the tolerance is not kept."
	}
	return text
}

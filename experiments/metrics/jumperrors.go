package metrics

import (
	"math"
	"slices"
	"strings"
)

// jumpErrors has the metrics with an interval of their own in runs that jump over time
// (runs.fast_forward), each with the metric that holds its half width in percent. That of
// service_time is of all jobs; jobs that a warm-up leaves out count as like the others.
var jumpErrors = map[string]string{
	"service_time":          "rate_error",
	"slowdown_by_others":    "slowdown_by_others_error",
	"slowdown_by_order":     "slowdown_by_order_error",
	"slowdown_by_placement": "slowdown_by_placement_error",
	"packet_blocking_time":  "packet_blocking_error",
	"foreign_blocking_time": "foreign_blocking_error",
}

// unjumped lists the metrics that jumps leave as they are: those of the submitted jobs, and those
// of the jumps themselves.
var unjumped = []string{"jobs", "submitted_load", "offered_load", "time_jumped", "exact_jumps",
	"rate_error", "slowdown_by_others_error", "slowdown_by_order_error", "slowdown_by_placement_error",
	"jumps_audited", "jump_bias", "jump_error", "largest_jump_error", "jumps_beyond", "jams",
	"packet_blocking_error",
	"foreign_blocking_error", "simulated_flit_hops", "epochs_simulated", "epochs_recalled"}

// JumpHalf returns half the width of the 95% interval that jumps over time leave to a metric of a
// run, in the unit of the metric: 0 without an error, and NaN for an error of unknown size. Where
// all jumps are exact, jobs begin and end as in the full simulation, so the metrics of jobs have no
// error; those of packets have none either if no wait is estimated.
func (r *Result) JumpHalf(metric string) float64 {
	rate, jumps := r.Value("rate_error")
	if !jumps {
		return 0
	}
	name := InModelUnit(metric)
	if c, ok := ClassOf(name); ok && c.Of == "jobs" || slices.Contains(unjumped, name) {
		return 0
	}
	if own, ok := jumpErrors[name]; ok {
		percent, known := r.Value(own)
		if value, ok := r.Value(metric); ok && known {
			return math.Abs(value) * percent / 100
		}
		return math.NaN()
	}
	waits, known := r.Value("packet_blocking_error")
	if rate == 0 && (!ofPackets(name) || known && waits == 0) {
		return 0
	}
	return math.NaN()
}

// InModelUnit returns the metric that another one repeats in a real unit, or its own name.
func InModelUnit(metric string) string {
	for unit, real := range realUnits {
		name, ok := strings.CutSuffix(metric, real.suffix)
		if place, known := metricPlaces()[name]; ok && known && metricInfos[place].Unit == unit {
			return name
		}
	}
	return metric
}

// ofPackets reports whether a metric may depend on more than when and where jobs run.
func ofPackets(metric string) bool {
	place, known := metricPlaces()[metric]
	if known && place < len(metricRows) {
		return metricRows[place].of == nil
	}
	return !known || strings.HasPrefix(metric, "latency")
}

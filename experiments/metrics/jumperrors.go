package metrics

import (
	"math"
	"slices"
	"strings"

	"contend/internal/input"
)

// jumpErrors has the metrics with an interval of their own in runs that jump over time
// (runs.fast_forward). Of each there are the beginning of the names of the metrics with the error
// and the bias that audits show, in percent, and the metric with the half width that times alone
// leave. That of service_time is of all jobs; jobs that a warm-up leaves out count as like the
// others.
var jumpErrors = map[string]struct{ audited, alone string }{
	"service_time":          {audited: "service_time"},
	"slowdown_by_others":    {"service_time", "slowdown_by_others_error"},
	"slowdown_by_order":     {alone: "slowdown_by_order_error"},
	"slowdown_by_placement": {alone: "slowdown_by_placement_error"},
	"packet_blocking_time":  {audited: "packet_blocking"},
	"foreign_blocking_time": {audited: "foreign_blocking"},
}

// JumpErrorNames lists the metrics that have an interval of their own in runs that jump over time.
func JumpErrorNames() []string { return input.SortedKeys(jumpErrors) }

// unjumped lists the metrics that jumps leave as they are: those of the submitted jobs, and those
// of the jumps themselves.
var unjumped = []string{"jobs", "submitted_load", "offered_load", "time_jumped", "exact_jumps",
	"service_time_error", "service_time_bias", "packet_blocking_error", "packet_blocking_bias",
	"foreign_blocking_error", "foreign_blocking_bias", "slowdown_by_others_error",
	"slowdown_by_order_error", "slowdown_by_placement_error", "unseen_jams", "jumps_audited",
	"jump_error", "largest_jump_error", "jumps_beyond", "jams", "simulated_flit_hops",
	"epochs_simulated", "epochs_recalled"}

// JumpError is what jumps over time leave to a metric of a run, relative to its value.
type JumpError struct {
	// Half is the half width of the 95% interval if this is the only run, NaN if it is unknown.
	Half float64
	// Bias is the error that audits have seen, NaN if they have seen nothing.
	Bias float64
	// Alone is the part of Half that times alone leave. No audit measures it.
	Alone float64
}

// JumpError returns what jumps over time leave to a metric of a run: nothing where all jumps are
// exact, since jobs then begin and end as in the full simulation. Metrics of packets have no error
// either if no wait is estimated.
func (r *Result) JumpError(metric string) JumpError {
	service, jumps := r.Value("service_time_error")
	name := InModelUnit(metric)
	if c, ok := ClassOf(name); !jumps || ok && c.Of == "jobs" || slices.Contains(unjumped, name) {
		return JumpError{}
	}
	share := func(name string) float64 {
		if x, ok := r.Value(name); ok {
			return x / 100
		}
		return math.NaN()
	}
	if of, ok := jumpErrors[name]; ok {
		var e JumpError
		if of.audited != "" {
			e.Half, e.Bias = share(of.audited+"_error"), share(of.audited+"_bias")
		}
		if of.alone != "" {
			e.Alone = share(of.alone)
			e.Half = math.Hypot(e.Half, e.Alone)
		}
		return e
	}
	waits, known := r.Value("packet_blocking_error")
	if service == 0 && (!ofPackets(name) || known && waits == 0) {
		return JumpError{}
	}
	return JumpError{Half: math.NaN()}
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

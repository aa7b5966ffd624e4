package fastforward

import (
	"contend/experiments/cosim/metrics"
	"contend/router"
)

// Carried returns what the network carried, the jumps included.
func (e *Executor) Carried() *metrics.Carried {
	sums := e.checks.waits.correct(e.sums.messages)
	return &metrics.Carried{Net: e.stage.net, Totals: sums.totals(), Cycles: float64(e.now),
		NoWaits: e.checks.estimated && e.checks.waits.n == 0,
		Flits:   func(l router.Link) float64 { return e.sums.flits[l] }}
}

// Metrics adds the metrics of jumps.
func (e *Executor) Metrics(add func(string, float64)) {
	if e.sums.service > 0 {
		add("time_jumped", 100*e.sums.jumped/e.sums.service)
	}
	if e.sums.jumped > 0 {
		add("exact_jumps", 100*e.sums.exact/e.sums.jumped)
	}
	if e.sums.bounds.N > 0 {
		add("rate_error", 100*e.sums.bounds.Value())
	}
	if n := e.checks.errors.N; n > 0 {
		add("jump_error", 100*e.checks.errors.Value())
		add("jumps_beyond", 100*float64(e.checks.beyond)/float64(n))
		add("rates_checked", float64(n))
	}
	if w := &e.checks.waits; w.n > 0 {
		sums := w.correct(e.sums.messages)
		add("packet_blocking_error", 100*w.half(w.blocked, sums[blocked]))
		add("foreign_blocking_error", 100*w.half(w.foreign, sums[foreign]))
	}
	if same, other := e.checks.same, e.checks.other; same+other > 0 {
		add("exact_checked", float64(same+other))
		add("exact_wrong", float64(other))
	}
	add("simulated_flit_hops", e.stage.hops)
	add("epochs_simulated", float64(e.sums.simulated))
	add("epochs_recalled", float64(e.sums.recalled))
}

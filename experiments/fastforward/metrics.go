package fastforward

import (
	"contend/experiments/metrics"
	"contend/router"
)

// Carried returns the totals of what the network carried, including the jumps.
func (e *Executor) Carried() *metrics.Carried {
	sums := e.checks.waits.correct(e.sums.messages)
	return &metrics.Carried{Net: e.isolated.net, Totals: sums.rounded(), Cycles: float64(e.now),
		NoWaits: e.checks.sawEstimates && e.checks.estimates.size == 0,
		Flits: func(l router.Link) float64 {
			return e.sums.linkFlits[l] + float64(e.full.Net.Usage(l).Flits)
		}}
}

// Metrics reports the metrics of jumps.
func (e *Executor) Metrics(add func(string, float64)) {
	half := e.sums.spreads[0].sum.halfWidth
	if e.sums.serviceCycles > 0 {
		add("time_jumped", 100*e.sums.jumpedCycles/e.sums.serviceCycles)
		add("rate_error", 100*half(e.sums.variance)/e.sums.serviceCycles)
	}
	if e.sums.jumpedCycles > 0 {
		add("exact_jumps", 100*e.sums.exactCycles/e.sums.jumpedCycles)
		add("locked_jumps", 100*e.sums.lockedCycles/e.sums.jumpedCycles)
	}
	if n := e.checks.rateErrors.N; n > 0 {
		add("jump_error", 100*e.checks.rateErrors.Value())
		add("jumps_beyond", 100*float64(e.checks.beyond)/float64(n))
		add("rates_checked", float64(n))
	}
	if w := &e.checks.waits; e.checks.estimates.size > 0 {
		sums := w.correct(e.sums.messages)
		share := func(name string, variance float64, kind int) {
			if h := half(variance); h == 0 || sums[kind] > 0 { // nothing is a share of nothing
				add(name, 100*h/max(1, sums[kind]))
			}
		}
		share("packet_blocking_error", w.blocked+e.sums.blocked.variance, blocked)
		share("foreign_blocking_error", w.foreign+e.sums.foreign.variance, foreign)
	}
	if same, other := e.checks.reproduced, e.checks.differing; same+other > 0 {
		add("exact_checked", float64(same+other))
		add("exact_wrong", float64(other))
	}
	hops := e.isolated.flitHops
	for l := range e.sums.linkFlits {
		hops += float64(e.full.Net.Usage(router.Link(l)).Flits)
	}
	add("simulated_flit_hops", hops)
	add("epochs_simulated", float64(e.sums.simulated))
	add("epochs_recalled", float64(e.sums.recalled))
}

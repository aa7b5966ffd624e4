package fastforward

import (
	"math"

	"contend/experiments/metrics"
	"contend/router"
)

// Carried returns the totals of what the network carried, including the jumps.
func (e *Executor) Carried() *metrics.Carried {
	return &metrics.Carried{Net: e.full.Net, Totals: e.sums.messages.rounded(), Cycles: float64(e.now),
		Flits: func(l router.Link) float64 {
			return e.sums.linkFlits[l] + float64(e.full.Net.Usage(l).Flits)
		}}
}

// Metrics reports the metrics of jumps.
func (e *Executor) Metrics(add func(string, float64)) {
	if s := &e.sums; s.serviceCycles > 0 {
		add("time_jumped", 100*s.jumpedCycles/s.serviceCycles)
		add("rate_error", 100*e.serviceHalf())
	}
	if e.sums.jumpedCycles > 0 {
		add("exact_jumps", 100*e.sums.exactCycles/e.sums.jumpedCycles)
	}
	share := func(name string, half float64) {
		if !math.IsInf(half, 0) { // nothing is a share of nothing
			add(name, 100*half)
		}
	}
	share("packet_blocking_error", e.waitHalf(blocked, blockedError))
	share("foreign_blocking_error", e.waitHalf(foreign, foreignError))
	e.audits.metrics(add)
	hops := 0.0
	for l := range e.sums.linkFlits {
		hops += float64(e.full.Net.Usage(router.Link(l)).Flits)
	}
	add("simulated_flit_hops", hops)
	add("epochs_simulated", float64(e.sums.simulated))
	add("epochs_recalled", float64(e.sums.recalled))
}

// metrics reports what audits have seen.
func (a *audits) metrics(add func(string, float64)) {
	add("jumps_audited", float64(len(a.list)))
	if len(a.list) == 0 {
		return
	}
	bias, _ := a.mean(timeError)
	all, beyond := 0.0, 0.0
	for _, x := range a.jobs {
		if all += x.weight; x.size > a.tolerance {
			beyond += x.weight
		}
	}
	add("jump_bias", 100*bias)
	add("jump_error", 100*a.quantile())
	add("largest_jump_error", 100*a.jobs[0].size)
	add("jumps_beyond", 100*beyond/all)
	add("jams", float64(a.jams))
}

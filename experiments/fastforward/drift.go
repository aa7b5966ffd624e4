package fastforward

import "math"

// driftSum is the variance of a sum over time of a relative deviation: that of one trajectory from
// another one which begins in other phases. The deviation is drawn again with each period of the
// slowest beat, within which it stays the same. A deviation of variance v then adds to the sum over
// L cycles
//
//	v·L·min(L, period),
//
// as a mean over L/period independent draws has the variance v·period/L.
type driftSum struct {
	variance float64
	// within is the deviation of the sum since the current period began, and last the cycle up to
	// which it counts. It decays by exp(-t/period), as phases do.
	within float64
	last   int64
}

// add adds cycles up to now in which the deviation has a variance, weighted by a share. others is
// the sum of within over all sums of the same period: these are correlated, so that
// Var(A+B) = Var(A) + Var(B) + 2·sd(A)·sd(B).
func (d *driftSum) add(now int64, cycles, variance, period float64, share, others float64) {
	if cycles <= 0 {
		return
	}
	deviation := math.Sqrt(variance) * share
	within := deviation * min(cycles, period)
	d.variance += cycles*deviation*deviation/share*min(cycles, period) + 2*within*others
	d.within = d.within*math.Exp(-float64(now-d.last)/max(1, period)) + within
	d.last = now
}

// addDrift accounts for cycles in which a component is in other phases than it would be, given the
// variances of the relative rates of its jobs, and of their sum divided by the number of jobs.
func (e *Executor) addDrift(c *component, cycles, period float64, rate func(job int) float64,
	sum float64) {
	if cycles <= 0 {
		return
	}
	others := 0.0
	for _, k := range c.jobs {
		others += k.shared.within
	}
	n := float64(len(c.jobs))
	for i, k := range c.jobs {
		k.drift.add(e.now, cycles, rate(i), period, 1, k.drift.within)
		before := k.shared.variance
		k.shared.add(e.now, cycles, sum*n, period, 1/n, others)
		e.sums.variance += k.shared.variance - before
	}
}

// lastingCycles returns for how long jobs with iterations of these cycles keep their phases: for a
// period of the slowest beat between them, infinite where two keep the same phase, or for an
// iteration of the slowest.
func lastingCycles(iterations []float64) float64 {
	slowest := 0.0
	for _, cycles := range iterations {
		slowest = max(slowest, cycles)
	}
	return max(slowest, beat(iterations))
}

// beat returns the period of the slowest beat between jobs with iterations of these cycles: of a
// and b it is 1/|1/a - 1/b| = a·b/|a-b|.
func beat(iterations []float64) float64 {
	period := 0.0
	for i, a := range iterations {
		for _, b := range iterations[:i] {
			if a > 0 && b > 0 {
				period = max(period, a*b/math.Abs(a-b))
			}
		}
	}
	return period
}

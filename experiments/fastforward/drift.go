package fastforward

import "math"

// driftSum is the variance of a sum over time of the relative deviation of a trajectory from
// another one that begins in other phases. The deviation stays the same for a period of the phases,
// and is then drawn again. A deviation of variance v adds to the variance of the sum over L cycles
//
//	v·L·min(L, period),
//
// as a mean over L/period independent draws has the variance v·period/L.
type driftSum struct {
	variance float64
	// current is the standard deviation that the sum has gained in the current period, and last the
	// cycle of its last change. It decays by exp(-t/period), as phases do.
	current float64
	last    int64
}

// add adds cycles up to now in which the deviation has a variance, of which a share counts. others
// is the sum of current over all sums with the same deviation: they are fully correlated, so that
// Var(A+B) = Var(A) + Var(B) + 2·sd(A)·sd(B).
func (d *driftSum) add(now int64, cycles, variance, period float64, share, others float64) {
	if cycles <= 0 {
		return
	}
	deviation := math.Sqrt(variance) * share
	within := deviation * min(cycles, period)
	d.variance += cycles*deviation*deviation/share*min(cycles, period) + 2*within*others
	d.current = d.current*math.Exp(-float64(now-d.last)/max(1, period)) + within
	d.last = now
}

// addDrift adds the variance of cycles in which a component is in other phases than it would be,
// given the variances of the relative rate of each job, and of the sum of these divided by the
// number of jobs.
func (e *Executor) addDrift(c *component, cycles, period float64, rate func(job int) float64,
	sum float64) {
	if cycles <= 0 {
		return
	}
	others := 0.0
	for _, k := range c.jobs {
		others += k.inSum.current
	}
	n := float64(len(c.jobs))
	for i, k := range c.jobs {
		k.drift.add(e.now, cycles, rate(i), period, 1, k.drift.current)
		before := k.inSum.variance
		k.inSum.add(e.now, cycles, sum*n, period, 1/n, others)
		e.sums.variance += k.inSum.variance - before
	}
}

// phasePeriod returns the cycles for which jobs with iterations of these cycles keep their phases
// against each other: the longer of the slowest beat and the slowest iteration. It is infinite if
// two jobs keep the same phase.
func phasePeriod(iterations []float64) float64 {
	slowest := 0.0
	for _, cycles := range iterations {
		slowest = max(slowest, cycles)
	}
	return max(slowest, beatPeriod(iterations))
}

// beatPeriod returns the period of the slowest beat between jobs with iterations of these cycles:
// of a and b it is 1/|1/a - 1/b| = a·b/|a-b|.
func beatPeriod(iterations []float64) float64 {
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

package fastforward

import "math"

// endTrajectory ends the trajectory of a component now: it adds messages, flits and variances to
// the sums of the run, and moves the jobs to where they are.
func (e *Executor) endTrajectory(c *component) {
	if c.trajectory == nil {
		e.accountDrift(c)
		return
	}
	at := e.now - c.start
	e.checks.offer(c, at)
	t := c.trajectory
	jump := max(0, float64(at-t.simulated))
	v := e.variancesOf(c, jump)
	if !t.exactAlone() {
		e.addDrift(c, jump, t.period, func(i int) float64 { return v.phaseFactor * v.rates[i] },
			v.phaseFactor*v.sum)
	}
	sent := 0.0
	for i, k := range c.jobs {
		g, done := &t.progress[i], c.arrivedBy(i, at)
		arrived := done - k.done
		sent += arrived * g.perMessage[flits]
		if t.exact {
			e.checks.waits.exact.addWaits(&g.perMessage, arrived)
		}
		k.totals.add(&g.perMessage, arrived)
		e.sums.messages.add(&g.perMessage, arrived)
		e.Done += int64(done) - int64(k.done)
		if jump > 0 {
			e.accountJump(c, i, jump, v.meanFactor*v.rates[i])
		}
		g.moveOrigin(k, at, c.start)
		k.perMessage, k.lastExact = g.perMessage, t.exact
		k.stream++
		k.done = done
	}
	if jump > 0 {
		e.sums.variance += jump * jump * float64(len(c.jobs)) * v.sum * v.meanFactor
		e.accountWaits(c, jump, &v)
		if t.knowledge != nil && !t.exact {
			t.knowledge.cyclesSince += jump
			t.knowledge.estimatedCycles += jump
		}
	}
	for _, u := range t.links {
		e.sums.linkFlits[u.link] += float64(u.flits) * sent / float64(max(1, t.flits))
	}
}

// variances are those of short windows of a component.
type variances struct {
	rates            []float64 // of the relative rates of its jobs
	sum              float64   // of the sum of these, divided by the root of their number
	blocked, foreign float64   // of the number of packets that wait: for all, for other jobs

	// Factors of all of these: meanFactor for the error of the mean of the windows, which lasts for
	// the whole jump; phaseFactor for the phases in the jump, which are drawn again each period.
	meanFactor, phaseFactor float64
}

// variancesOf returns the variances of a jump of some cycles. The two terms of errorFactor keep
// their ratio when both are reduced by their covariance.
func (e *Executor) variancesOf(c *component, jump float64) variances {
	t, s := c.trajectory, &e.sums.spreads[c.spreadKind()]
	unit := e.unitsAt(c.jobs, t.estimates(), t.meanFactor())
	of := func(s *spread, squares, unit float64) float64 {
		return s.moderated(t.variance(squares), t.degrees(), unit)
	}
	mean := t.rateFactor()
	phases := t.errorFactor(jump) / max(1e-12, mean+min(1, t.period/max(1, jump)))
	v := variances{rates: make([]float64, len(c.jobs)), meanFactor: mean * phases, phaseFactor: phases}
	if !t.exactAlone() {
		v.blocked = of(&s.blocked, t.blockedSquares, unit.blocked)
		v.foreign = of(&s.foreign, t.foreignSquares, unit.foreign)
	}
	if t.exact && t.observed > 0 { // its rates are sure; only its waits are taken from some of it
		return v
	}
	for i := range v.rates {
		v.rates[i] = of(&s.rate, t.progress[i].squares, unit.rates[i])
	}
	v.sum = of(&s.sum, t.sumSquares, unit.sum)
	return v
}

// rateFactor returns the variance of the rates of a trajectory, relative to that of a short window.
func (t *trajectory) rateFactor() float64 {
	switch {
	case t.exactAlone():
		return 0
	case t.exact: // it is one of the windows
		return 1
	}
	return t.meanFactor()
}

// errorFactor returns the variance of the relative error of a jump of L cycles, relative to the
// variance of a short window. The error is the difference between the messages of a full simulation
// and those at the rates. With f = rateFactor the factor is
//
//	f + min(1, period/L) - 2·(seen/cycles)·m(seen/period)·m(L/period).
//
// The first term is the mean of the windows and the second the phases in the jump. Where no jump
// has shifted a job, the jump begins in phases that were seen. Phases then count as a process with
// the correlation exp(-|t|/period), and the third term is twice the covariance of the jump and the
// window before it, with m as in meanDecay.
func (t *trajectory) errorFactor(cycles float64) float64 {
	all := t.rateFactor() + min(1, t.period/max(1, cycles))
	if t.observed > 0 {
		all -= 2 * t.observed / t.sumL * meanDecay(t.observed/t.period) * meanDecay(cycles/t.period)
	}
	return max(0, all)
}

// meanDecay returns the mean of exp(-t) for t from 0 to x: (1 - exp(-x)) / x.
func meanDecay(x float64) float64 {
	if x < 1e-9 {
		return 1
	}
	return -math.Expm1(-x) / x
}

// accountJump adds the jump of the i-th job of a component, whose relative rate has a variance v:
// cycles²·v. The place of the job in a block of b cycles at the end is not known; as it is
// uniformly distributed, that adds b²/12.
func (e *Executor) accountJump(c *component, i int, jump, variance float64) {
	t, k := c.trajectory, c.jobs[i]
	if !t.exactAlone() {
		block := float64(k.perIteration) / t.progress[i].rate / float64(k.blocks())
		k.variance += block * block / 12
		e.sums.variance += block * block / 12
	}
	k.variance += jump * jump * variance
	e.sums.jumpedCycles += jump
	if len(c.jobs) > 1 && t.period > jump {
		e.sums.lockedCycles += jump
	}
	if t.exact {
		e.sums.exactCycles += jump
	}
	k.usedEstimate = k.usedEstimate || !t.exact || variance > 0
}

// accountWaits adds the variance of the waits of packets in a jump.
func (e *Executor) accountWaits(c *component, jump float64, v *variances) {
	t := c.trajectory
	if t.exactAlone() {
		return
	}
	for _, w := range []struct {
		sum      *driftSum
		variance float64
	}{{&e.sums.blocked, v.blocked}, {&e.sums.foreign, v.foreign}} {
		w.sum.variance += jump * jump * w.variance * v.meanFactor
		w.sum.add(e.now, jump, v.phaseFactor*w.variance, t.period, 1, w.sum.current)
	}
}

package fastforward

import "math"

// account ends the trajectory of a component now, and accounts for it.
func (e *Executor) account(c *component) {
	if c.trajectory == nil {
		e.accountDrift(c)
		return
	}
	at := e.now - c.began
	e.checks.offer(c, at)
	t := c.trajectory
	jump := max(0, float64(at-t.until))
	v := e.variancesOf(c, jump)
	if !t.alone() {
		e.addDrift(c, jump, t.period, func(i int) float64 { return v.phases * v.rates[i] },
			v.phases*v.sum)
	}
	sent := 0.0
	for i, k := range c.jobs {
		g, done := &t.progress[i], c.doneAt(i, at)
		arrived := done - k.done
		sent += arrived * g.each[flits]
		if t.exact {
			e.checks.waits.exact.addWaits(&g.each, arrived)
		}
		k.totals.add(&g.each, arrived)
		e.sums.messages.add(&g.each, arrived)
		e.Done += int64(done) - int64(k.done)
		if jump > 0 {
			e.accountJump(c, i, jump, v.mean*v.rates[i])
		}
		g.enter(k, at, c.began)
		k.each, k.exact = g.each, t.exact
		k.draws++
		k.done = done
	}
	if jump > 0 {
		e.sums.variance += jump * jump * float64(len(c.jobs)) * v.sum * v.mean
		e.accountWaits(c, jump, &v)
		if t.known != nil && !t.exact {
			t.known.used += jump
			t.known.served += jump
		}
	}
	for _, u := range t.use {
		e.sums.flits[u.link] += float64(u.flits) * sent / float64(max(1, t.flits))
	}
}

// variances are those of short windows of a component: of the relative rates of its jobs, of their
// sum divided by the root of their number, and of how many packets wait at a time. mean and phases
// are factors of these: mean for the error of the mean of the windows, which lasts for the whole
// jump, and phases for the phases in the jump, which are drawn again with each period.
type variances struct {
	rates                 []float64
	sum, blocked, foreign float64
	mean, phases          float64
}

// variancesOf returns those of a jump of some cycles. The two parts of trajectory.errorFactor keep
// their ratio where both are reduced by what they have in common.
func (e *Executor) variancesOf(c *component, jump float64) variances {
	t, s := c.trajectory, &e.sums.spreads[c.kind()]
	unit := e.unitsAt(c.jobs, t.estimates(), t.meanFactor())
	of := func(s *spread, squares, unit float64) float64 {
		return s.with(t.variance(squares), t.degrees(), unit)
	}
	mean := t.rateFactor()
	phases := t.errorFactor(jump) / max(1e-12, mean+min(1, t.period/max(1, jump)))
	v := variances{rates: make([]float64, len(c.jobs)), mean: mean * phases, phases: phases}
	if !t.alone() {
		v.blocked = of(&s.blocked, t.blocked, unit.blocked)
		v.foreign = of(&s.foreign, t.foreign, unit.foreign)
	}
	if t.exact && t.seen > 0 { // its rates are sure; only its waits are taken from some of it
		return v
	}
	for i := range v.rates {
		v.rates[i] = of(&s.rate, t.progress[i].squares, unit.rates[i])
	}
	v.sum = of(&s.sum, t.sum, unit.sum)
	return v
}

// rateFactor returns by what to multiply the variance of a short window for that of the rates of a
// trajectory.
func (t *trajectory) rateFactor() float64 {
	switch {
	case t.alone():
		return 0
	case t.exact: // it is one of the windows
		return 1
	}
	return t.meanFactor()
}

// errorFactor returns by what to multiply the variance of a short window for that of the relative
// difference between what jobs do in a jump of L cycles and what the rates say:
//
//	f + min(1, period/L) - 2·(seen/cycles)·m(seen/period)·m(L/period).
//
// The first term is the mean of the windows and the second the phases in the jump. Where no jump
// has shifted a job, the jump begins in phases that were seen. Phases then count as a process with
// the correlation exp(-|t|/period), and the third term is twice the covariance of the jump and the
// window before it, with m as in meanDecay.
func (t *trajectory) errorFactor(cycles float64) float64 {
	all := t.rateFactor() + min(1, t.period/max(1, cycles))
	if t.seen > 0 {
		all -= 2 * t.seen / t.cycles * meanDecay(t.seen/t.period) * meanDecay(cycles/t.period)
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

// accountJump accounts for the jump of the i-th job of a component, whose relative rate has a
// variance. Where in a block of b cycles the job is at the end is not known: uniformly distributed,
// that adds b²/12.
func (e *Executor) accountJump(c *component, i int, jump, variance float64) {
	t, k := c.trajectory, c.jobs[i]
	if !t.alone() {
		block := float64(k.perIteration) / t.progress[i].rate / float64(k.blocks())
		k.variance += block * block / 12
		e.sums.variance += block * block / 12
	}
	k.variance += jump * jump * variance
	e.sums.jumped += jump
	if len(c.jobs) > 1 && t.period > jump {
		e.sums.locked += jump
	}
	if t.exact {
		e.sums.exact += jump
	}
	k.estimated = k.estimated || !t.exact || variance > 0
}

// accountWaits adds the variance of the waits of packets in a jump.
func (e *Executor) accountWaits(c *component, jump float64, v *variances) {
	t := c.trajectory
	if t.alone() {
		return
	}
	for _, w := range []struct {
		sum      *driftSum
		variance float64
	}{{&e.sums.blocked, v.blocked}, {&e.sums.foreign, v.foreign}} {
		w.sum.variance += jump * jump * w.variance * v.mean
		w.sum.add(e.now, jump, v.phases*w.variance, t.period, 1, w.sum.within)
	}
}

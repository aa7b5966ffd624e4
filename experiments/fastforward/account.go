package fastforward

// account ends the trajectory of a component now, and accounts for it.
func (e *Executor) account(c *component) {
	if c.trajectory == nil {
		e.drift(c)
		return
	}
	at := e.now - c.began
	e.checks.offer(c, at)
	t := c.trajectory
	jump := max(0, float64(at-t.until))
	u := e.variancesOf(c, jump)
	if !t.alone() {
		e.wander(c, jump, t.period, func(i int) float64 { return u.phases * u.rates[i] }, u.phases*u.sum)
	}
	sent := 0.0
	for i, k := range c.jobs {
		leg, done := &t.legs[i], c.doneAt(i, at)
		arrived := done - k.done
		sent += arrived * leg.each[flits]
		if t.exact {
			e.checks.waits.sure.addWaits(&leg.each, arrived)
		}
		k.totals.add(&leg.each, arrived)
		e.sums.messages.add(&leg.each, arrived)
		e.Done += int64(done) - int64(k.done)
		if jump > 0 {
			e.accountJump(c, i, jump, u.mean*u.rates[i])
		}
		leg.enter(k, at, c.began)
		k.each, k.exact = leg.each, t.exact
		k.entered++
		k.done = done
	}
	if jump > 0 {
		e.sums.variance += jump * jump * float64(len(c.jobs)) * u.sum * u.mean
		e.accountWaits(c, jump, &u)
		if t.known != nil && !t.exact {
			t.known.used += jump
			t.known.served += jump
		}
	}
	for _, u := range t.use {
		e.sums.flits[u.link] += float64(u.flits) * sent / float64(max(1, t.flits))
	}
}

// variances are those of a jump: of the relative rates of its jobs, of their sum,
// and of how many packets wait at a time. Of each, so many times are those of the mean of the windows
// and of the phases in the jump, the two parts of trajectory.ahead.
type variances struct {
	rates                 []float64
	sum, blocked, foreign float64
	mean, phases          float64
}

// variancesOf returns those of a jump of so many cycles.
func (e *Executor) variancesOf(c *component, jump float64) variances {
	t, s := c.trajectory, &e.sums.spreads[c.kind()]
	unit := e.unitsAt(c.jobs, t.legs, t.settled())
	of := func(s *spread, squares, unit float64) float64 {
		return s.with(t.variance(squares), t.degrees(), unit)
	}
	mean := t.settledShare()
	phases := t.ahead(jump) / max(1e-12, mean+min(1, t.period/max(1, jump)))
	u := variances{rates: make([]float64, len(c.jobs)), mean: mean * phases, phases: phases}
	if !t.alone() {
		u.blocked = of(&s.blocked, t.blocked, unit.blocked)
		u.foreign = of(&s.foreign, t.foreign, unit.foreign)
	}
	if t.exact && t.seen > 0 { // it goes on as it does; only its waits are taken from some of it
		return u
	}
	for i := range u.rates {
		u.rates[i] = of(&s.rate, t.legs[i].squares, unit.rates[i])
	}
	u.sum = of(&s.sum, t.sum, unit.sum)
	return u
}

// accountJump accounts for the jump of the i-th job of a component. Its relative rate has a variance.
func (e *Executor) accountJump(c *component, i int, jump, variance float64) {
	t, k := c.trajectory, c.jobs[i]
	if !t.alone() { // where in a block of an iteration a job is, is not known
		block := float64(k.perIteration) / t.legs[i].rate / float64(k.blocks())
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

// accountWaits adds what is unsure of the waits of packets in a jump.
func (e *Executor) accountWaits(c *component, jump float64, u *variances) {
	t := c.trajectory
	if t.alone() {
		return
	}
	for _, w := range []struct {
		sum      *drifting
		variance float64
	}{{&e.sums.blocked, u.blocked}, {&e.sums.foreign, u.foreign}} {
		w.sum.variance += jump * jump * w.variance * u.mean
		w.sum.add(e.now, jump, u.phases*w.variance, t.period, 1, w.sum.off)
	}
}

package fastforward

import "math"

// jump is a time in which a component goes on as was forecast.
type jump struct {
	*forecast
	began, end int64
}

// consider lets a component jump, or begins an audit of the jump. It reports whether the component
// jumps.
func (e *Executor) consider(c *component, f *forecast) bool {
	for _, k := range c.jobs {
		k.readFull()
	}
	if !f.pays(c, e.now) {
		return false
	}
	if !f.exact {
		if c.audit = e.audits.draw(c, f, float64(f.endOf(c)-e.now)); c.audit != nil {
			return false
		}
	}
	e.beginJump(c, f)
	return true
}

// pays reports whether a jump would take two iterations of the slowest job at least.
func (f *forecast) pays(c *component, now int64) bool {
	return float64(f.endOf(c)-now) >= 2*f.slowest()
}

// beginJump begins a jump of a component.
func (e *Executor) beginJump(c *component, f *forecast) {
	e.leaveFull(c)
	e.skipTurns(c)
	c.jump = &jump{forecast: f, began: e.now, end: f.endOf(c)}
	c.nextDecision = c.jump.end
	if f.exact {
		return
	}
	e.shift(c)
	for _, k := range c.jobs {
		k.estimated = true
	}
}

// endJump ends the jump of a component now, if it is in one: it moves its jobs to where they are,
// and adds what they have sent to the sums of the run.
func (e *Executor) endJump(c *component) {
	if c.jump == nil {
		return
	}
	lasted, flits := float64(e.now-c.jump.began), 0.0
	for i, k := range c.jobs {
		p := &c.jump.jobs[i]
		arrived := e.moveJob(k, p)
		flits += arrived * p.perMessage[flitSum]
		k.totals.add(&p.perMessage, arrived)
		e.sums.messages.add(&p.perMessage, arrived)
		k.perMessage = p.perMessage
		e.sums.jumpedCycles += lasted
		if c.jump.exact {
			e.sums.exactCycles += lasted
		}
		if n := len(p.ends); c.jump.exact && n > 1 {
			e.sums.onePeriod.add(&p.perMessage, float64(int64(n)*k.perIteration))
		}
	}
	for _, u := range c.jump.links {
		e.sums.linkFlits[u.link] += float64(u.flits) * flits / max(1, c.jump.flits)
	}
	c.jump, c.nextDecision = nil, e.now
	e.endAudit(c)
}

// moveJob moves a job to where it is now in its periods, and returns the number of messages that
// have arrived. Those of an iteration count as arriving evenly.
func (e *Executor) moveJob(k *jobState, p *period) float64 {
	start, whole := k.iterationStart(), (k.total-k.base)/k.perIteration
	n := min(whole, p.iterationsBy(float64(e.now)-start))
	from, to := p.endOf(n), p.endOf(n+1)
	share := min(1, max(0, float64(e.now)-start-from)/max(1, to-from))
	if n == whole {
		share = 0
	}
	done := max(k.done, float64(k.base)+(float64(n)+share)*float64(k.perIteration))
	arrived := done - k.done
	e.Done += int64(done) - int64(k.done)
	k.done, k.iterationEnd = done, start+to
	if n > 0 {
		k.base += n * k.perIteration
		k.origin, k.computeCycles = int64(math.Round(start+from)), k.laterCompute
	}
	return arrived
}

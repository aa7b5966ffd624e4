package fastforward

import "math"

// maxHalf is the greatest relative half width at which a rate may be used.
const maxHalf = 0.5

// horizon returns the cycles for which a rate of relative half width h may be used in a job with a
// service time. The rates of different trajectories are independent, so the squares of their errors
// add up: a rate that is used for a share p of the service time adds (p·h)². The shares add up to
// one, so the service time has the relative half width Tolerance if p·h² <= Tolerance² for each
// rate.
func (s Config) horizon(half, service float64) float64 {
	switch {
	case half > maxHalf:
		return 0
	case half <= s.Tolerance:
		return math.Inf(1)
	}
	return service * (s.Tolerance / half) * (s.Tolerance / half)
}

// horizon returns the cycles for which the rates of a trajectory may be used.
func (e *Executor) horizon(t *trajectory, c *component, limit int64) float64 {
	if t.exactAlone() {
		return math.Inf(1)
	}
	shortest, needed := math.Inf(1), t.neededCycles(c, limit)
	for i, k := range c.jobs {
		g := &t.progress[i]
		half := max(g.halfWidth, e.halfWidth(t, c, i, needed))
		shortest = min(shortest, e.isolated.config.horizon(half, k.serviceAt(g.rate, c.start)))
	}
	return shortest
}

// halfWidth returns the relative half width of the 95% interval of the progress of a job in a jump.
func (e *Executor) halfWidth(t *trajectory, c *component, job int, cycles float64) float64 {
	s := &e.sums.spreads[c.spreadKind()]
	unit := e.unitsAt(c.jobs, t.estimates(), t.meanFactor()).rates[job]
	return s.sum.halfWidth(s.rate.moderated(t.variance(t.progress[job].squares), t.degrees(), unit) *
		t.errorFactor(cycles))
}

// suffices reports whether the intervals of the trajectory itself are narrow enough to use its
// rates for as long as they are needed, within a limit.
func (t *trajectory) suffices(c *component, s Config, limit int64) bool {
	needed := t.neededCycles(c, limit)
	for i, k := range c.jobs {
		if g := &t.progress[i]; s.horizon(g.halfWidth, k.serviceAt(g.rate, c.start)) < needed {
			return false
		}
	}
	return true
}

// neededCycles returns the cycles until the first job of a component ends, or the limit if that is
// earlier.
func (t *trajectory) neededCycles(c *component, limit int64) float64 {
	shortest := float64(limit)
	for i, k := range c.jobs {
		shortest = min(shortest, k.cyclesLeft(t.progress[i].rate))
	}
	return shortest
}

// setUsable sets the cycles for which the rates of a steady trajectory may be used.
func (t *trajectory) setUsable(cycles float64) {
	t.usable = int64(math.Round(min(cycles, never)))
}

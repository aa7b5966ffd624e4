package fastforward

import "math"

// maxHalf is the greatest relative half width of an interval that says anything about a rate.
const maxHalf = 0.5

// horizon returns for how many cycles a rate may be used that is known to a relative half width h,
// in a job with a service time. The rates of different trajectories are independent, so the squares
// of what they add to the service time sum up: a rate that holds for a share p of it adds (p·h)².
// The shares add up to one, so the service time is known to the relative half width Tolerance if
// p·h² <= Tolerance² for each rate.
func (s Config) horizon(half, service float64) float64 {
	switch {
	case half > maxHalf:
		return 0
	case half <= s.Tolerance:
		return math.Inf(1)
	}
	return service * (s.Tolerance / half) * (s.Tolerance / half)
}

// horizon returns for how many cycles from the beginning of a component its rates may be used.
func (e *Executor) horizon(t *trajectory, c *component, limit int64) float64 {
	if t.alone() {
		return math.Inf(1)
	}
	shortest, needed := math.Inf(1), t.needed(c, limit)
	for i, k := range c.jobs {
		g := &t.progress[i]
		half := max(g.half, e.halfWidth(t, c, i, needed))
		shortest = min(shortest, e.stage.config.horizon(half, k.service(g.rate, c.began)))
	}
	return shortest
}

// halfWidth returns the relative half width of the 95% interval of what a job does in some cycles.
func (e *Executor) halfWidth(t *trajectory, c *component, job int, cycles float64) float64 {
	s := &e.sums.spreads[c.kind()]
	unit := e.unitsAt(c.jobs, t.estimates(), t.meanFactor()).rates[job]
	return s.sum.half(s.rate.with(t.variance(t.progress[job].squares), t.degrees(), unit) *
		t.errorFactor(cycles))
}

// suffices reports whether the rates of a trajectory are known for as long as they are needed,
// within a time, as far as the trajectory itself shows.
func (t *trajectory) suffices(c *component, s Config, limit int64) bool {
	needed := t.needed(c, limit)
	for i, k := range c.jobs {
		if g := &t.progress[i]; s.horizon(g.half, k.service(g.rate, c.began)) < needed {
			return false
		}
	}
	return true
}

// needed returns for how many cycles the rates of a component are needed if no other job joins
// within a time: until a job ends.
func (t *trajectory) needed(c *component, limit int64) float64 {
	shortest := float64(limit)
	for i, k := range c.jobs {
		shortest = min(shortest, k.left(t.progress[i].rate))
	}
	return shortest
}

// holdFor sets for how many cycles the rates of a steady trajectory may be used.
func (t *trajectory) holdFor(cycles float64) {
	t.holds = int64(math.Round(min(cycles, never)))
}

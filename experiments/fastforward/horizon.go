package fastforward

import "math"

// mostHalf is the greatest relative half width of an interval that says anything about a rate.
const mostHalf = 0.5

// horizon returns for how many cycles a rate may be used that is known to a relative half width,
// in a job whose service takes so many cycles. The rates of different trajectories are
// independent, so the squares of what they do to the service time add up: a rate that holds for a
// share p of it adds (p·half)². The shares add up to one, so the service time is known to a
// relative half width of tolerance if p·half² <= settle² for each rate.
func (s Config) horizon(half, service float64) float64 {
	switch {
	case half > mostHalf:
		return 0
	case half <= s.Tolerance:
		return math.Inf(1)
	}
	return service * (s.Tolerance / half) * (s.Tolerance / half)
}

// service returns how many cycles a job takes in all if it goes on at a rate.
func (k *jobState) service(rate float64, now int64) float64 {
	return float64(now-k.began) + k.left(rate)
}

// left returns the cycles that a job still takes at a rate.
func (k *jobState) left(rate float64) float64 { return (float64(k.total) - k.done) / rate }

// horizon returns for how many cycles from the beginning of a component its rates may be used.
func (e *Executor) horizon(c *trajectory, p *component, limit int64) float64 {
	if c.alone() {
		return math.Inf(1)
	}
	least, needed := math.Inf(1), c.needed(p, limit)
	for i, k := range p.jobs {
		g := &c.legs[i]
		half := max(g.half, e.off(c, p, i, needed))
		least = min(least, e.stage.config.horizon(half, k.service(g.rate, p.began)))
	}
	return least
}

// off returns by what share the rate of a job may be off that is used for some cycles.
func (e *Executor) off(c *trajectory, p *component, i int, cycles float64) float64 {
	s := &e.sums.spreads[p.kind()]
	unit := e.unitsAt(p.jobs, c.legs, c.settled()).rates[i]
	return s.sum.half(s.rate.with(c.variance(c.legs[i].squares), c.degrees(), unit) *
		c.ahead(cycles))
}

// suffices reports whether the rates of a trajectory are known for as long as they are needed,
// within a time, as far as the trajectory itself tells.
func (c *trajectory) suffices(p *component, s Config, limit int64) bool {
	needed := c.needed(p, limit)
	for i, k := range p.jobs {
		if g := &c.legs[i]; s.horizon(g.half, k.service(g.rate, p.began)) < needed {
			return false
		}
	}
	return true
}

// needed returns for how many cycles the rates of a component are needed if no other job joins
// after a time: until a job ends.
func (c *trajectory) needed(p *component, limit int64) float64 {
	least := float64(limit)
	for i, k := range p.jobs {
		least = min(least, k.left(c.legs[i].rate))
	}
	return least
}

// holdFor has the rates of a steady trajectory hold for so many cycles, what was used of them
// before not counted.
func (c *trajectory) holdFor(cycles float64) {
	c.holds = int64(math.Round(min(cycles, math.MaxInt64/4)))
}

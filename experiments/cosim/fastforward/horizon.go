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
func (c *trajectory) horizon(p *component, s Config) float64 {
	if c.exact {
		return math.Inf(1)
	}
	least := c.drift(p, s)
	for i, k := range p.jobs {
		if g := &c.legs[i]; g.half > 0 {
			least = min(least, s.horizon(g.half, k.service(g.rate, p.began)))
		}
	}
	return least
}

// drift returns for how many cycles from the beginning of a component the rates may be used that
// have not varied while they were watched, or infinity if there are none.
//
// Two jobs whose turns differ a little may drift into each other that have not met so far. If
// they had moved by a turn against each other while they were watched, for W cycles, they would
// have met in any case. So in m cycles more they move by less than m/W of a turn. For m up to W
// what was not seen is no more than what was seen. For longer, a job is at odds with each of o
// others for half of that part of a turn in the mean, and takes as much longer at most as they
// need then: its rate is off by om/2W. A share p = m/S of a service of S cycles may add
// p·settle² to the square of its relative error, see horizon. So the m of
// (pom/2W)² = p·settle² is safe in any case. Then the jobs are watched again. A rate that is
// still the same has been so for all of the time.
func (c *trajectory) drift(p *component, s Config) float64 {
	longest := math.Inf(1)
	for i, k := range p.jobs {
		if g := &c.legs[i]; g.half == 0 && !c.exact {
			part := 2 * c.watched * s.Tolerance / c.others()
			safe := math.Cbrt(k.service(g.rate, p.began) * part * part)
			longest = min(longest, max(c.watched, safe))
		}
	}
	return c.spent + float64(c.until) + longest
}

// suffices reports whether the rates of a trajectory that vary are known for as long as they are
// needed, within a time, or for as long as those hold that do not vary.
func (c *trajectory) suffices(p *component, s Config, limit int64) bool {
	return c.horizon(p, s) >= min(c.needed(p, limit), c.drift(p, s))
}

// off returns by what share the rate of a leg may be off that is used for some cycles: see drift.
func (c *trajectory) off(g *leg, cycles float64) float64 {
	if g.half > 0 || c.exact {
		return g.half
	}
	return min(mostHalf, c.others()*cycles/(2*max(1, c.watched)))
}

// others returns how many others a job may drift into, and one where it is alone: its processes
// may do so too.
func (c *trajectory) others() float64 { return float64(max(1, len(c.legs)-1)) }

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

package cosim

import "math"

// mostHalf is the greatest relative half width of an interval that says anything about a rate.
const mostHalf = 0.5

// horizon returns for how many cycles a rate may be used that is known to a relative half width,
// in a job whose service takes so many cycles. The rates of different courses are independent, so
// the squares of what they do to the service time add up: a rate that holds for a share p of it
// adds (p·half)². The shares add up to one, so the service time is known to a relative half width
// of settle if p·half² <= settle² for each rate.
func (s settling) horizon(half, service float64) float64 {
	switch {
	case half > mostHalf:
		return 0
	case half <= s.half:
		return math.Inf(1)
	}
	return service * (s.half / half) * (s.half / half)
}

// service returns how many cycles a job takes in all if it goes on at a rate.
func (k *epochJob) service(rate float64, now int64) float64 {
	return float64(now-k.began) + k.left(rate)
}

// left returns the cycles that a job still takes at a rate.
func (k *epochJob) left(rate float64) float64 { return (float64(k.total) - k.done) / rate }

// horizon returns for how many cycles from the beginning of a component its rates may be used.
func (c *course) horizon(p *component, s settling) float64 {
	least := math.Inf(1)
	for i, k := range p.jobs {
		g := &c.legs[i]
		least = min(least, s.horizon(g.half, k.service(g.rate, p.began)))
	}
	return least
}

// needed returns for how many cycles the rates of a component are needed if no other job joins
// after a time: until a job ends.
func (c *course) needed(p *component, limit int64) float64 {
	least := float64(limit)
	for i, k := range p.jobs {
		least = min(least, k.left(c.legs[i].rate))
	}
	return least
}

// holdFor has the rates of a settled course hold for so many cycles, what was used of them
// before not counted.
func (c *course) holdFor(cycles float64) {
	c.holds = int64(math.Round(min(cycles, math.MaxInt64/4)))
}

package fastforward

import "math"

// A window is a time in which the jobs of a component were simulated, which began in some phases of
// the jobs against each other.
type window struct {
	legs []leg // with rates and means over messages
	pool
}

// pool is what windows of equal components have shown, weighted by their lengths. The relative
// rates of short windows have a variance. Phases last for a period, the slowest beat or an
// iteration, so those of a window of L cycles have a share min(1, period/L) of it.
type pool struct {
	windows int
	cycles  float64 // sum of their lengths L
	once    float64 // sum of L times the share
	twice   float64 // sum of L² times the share
	// Squares of differences to the mean, weighted by L: of the sum of the relative rates of the
	// jobs, as leg.squares of one, and of how many packets wait at a time.
	sum, blocked, foreign float64
}

// poolOf returns the pool of one window.
func poolOf(cycles, period float64) pool {
	share := min(1, period/max(1, cycles))
	return pool{windows: 1, cycles: cycles, once: cycles * share, twice: cycles * cycles * share}
}

// times returns how many times the variance the squares of differences are in the mean.
func (p *pool) times() float64 { return p.once - p.twice/max(1, p.cycles) }

// variance returns the variance that squares of differences tell of.
func (p *pool) variance(squares float64) float64 {
	if p.windows < 2 {
		return 0
	}
	return squares / p.times()
}

// degrees returns the degrees of freedom of the variances.
func (p *pool) degrees() float64 { return float64(max(0, p.windows-1)) }

// settled returns the share of the variance that the mean of the windows has.
func (p *pool) settled() float64 { return p.twice / max(1, p.cycles*p.cycles) }

// weights are those of two means.
type weights [2]float64

func (w weights) mean(a, b float64) float64 { return (w[0]*a + w[1]*b) / (w[0] + w[1]) }

// apart returns how far two values are apart, relative to their mean.
func (w weights) apart(a, b float64) float64 {
	if mean := w.mean(a, b); mean != 0 {
		return (b - a) / mean
	}
	return 0
}

// learn adds a window to what is known of a component, and what both differ by to the spreads of
// a run.
func (e *Executor) learn(c *component, k *knowledge, w *window) {
	if k.windows == 0 {
		k.legs, k.pool = w.legs, w.pool
		return
	}
	by, times := weights{k.cycles, w.cycles}, k.times()
	k.windows++
	k.cycles, k.once, k.twice = k.cycles+w.cycles, k.once+w.once, k.twice+w.twice
	times = k.times() - times - w.times()
	s := &e.sums.spreads[c.kind()]
	differ := func(known *float64, run *spread, unit, apart float64) {
		squares := apart * apart * by[0] * by[1] / (by[0] + by[1])
		*known += squares
		run.add(squares/times, 1, unit)
	}
	unit := e.unitsOf(c.jobs, k.settled(), func(i int) (all, others float64) {
		a, b := &k.legs[i], &w.legs[i]
		return by.mean(a.each[blocked]*a.rate, b.each[blocked]*b.rate),
			by.mean(a.each[foreign]*a.rate, b.each[foreign]*b.rate)
	})
	sum := 0.0
	var waits [2]messageSums // a cycle
	for i := range k.legs {
		g, other := &k.legs[i], &w.legs[i]
		waits[0].addWaits(&g.each, g.rate)
		waits[1].addWaits(&other.each, other.rate)
		apart := by.apart(g.rate, other.rate)
		sum += apart
		differ(&g.squares, &s.rate, unit.rates[i], apart)
		g.rate = by.mean(g.rate, other.rate)
		g.half = math.Hypot(by[0]*g.half, by[1]*other.half) / (by[0] + by[1])
		for kind := latency; kind < sumKinds; kind++ {
			g.each[kind] = by.mean(g.each[kind], other.each[kind])
		}
	}
	differ(&k.sum, &s.sum, unit.sum, sum/math.Sqrt(float64(len(k.legs))))
	differ(&k.blocked, &s.blocked, unit.blocked, waits[1][blocked]-waits[0][blocked])
	differ(&k.foreign, &s.foreign, unit.foreign, waits[1][foreign]-waits[0][foreign])
}

// period returns for how long jobs that go on at some rates keep their phases.
func period(jobs []*jobState, legs []leg) float64 {
	turns := make([]float64, len(jobs))
	for i, k := range jobs {
		turns[i] = float64(k.perIteration) / legs[i].rate
	}
	return lasting(turns)
}

// secondHalf returns the window of a trajectory that was watched, from a time on. It reports false
// where a job has done no turn in that.
func (c *trajectory) secondHalf(jobs []*jobState, from int64) (*window, bool) {
	w := &window{legs: make([]leg, len(jobs))}
	for i, k := range jobs {
		g := &c.legs[i]
		n := g.turnsFrom(k, from)
		if n == 0 {
			return nil, false
		}
		each := g.each
		if _, _, both := g.halves(k, from); both.Messages > 0 {
			each = eachOf(both)
		}
		times := g.times(k, n)
		rate := float64(k.perIteration) * float64(n) / float64(times[n]-times[0])
		w.legs[i] = leg{rate: rate, each: each, end: -1}
	}
	w.pool = poolOf(float64(from), period(jobs, w.legs))
	return w, true
}

// takeLive returns what was simulated in full of a component since it began, or since it was last
// taken. It reports false where a job has done too few iterations in it.
func (c *component) takeLive() (*window, bool) {
	w, cycles := &window{legs: make([]leg, len(c.jobs))}, math.Inf(1)
	for i, k := range c.jobs {
		l := &k.live
		if l.part != c || l.turns < leastIterations {
			return nil, false
		}
		lasted := float64(l.last - l.from)
		since := l.totals.Minus(&l.earlier)
		w.legs[i] = leg{rate: float64(k.perIteration) * float64(l.turns) / lasted,
			each: eachOf(since), end: -1}
		cycles = min(cycles, lasted)
	}
	for _, k := range c.jobs {
		k.live.part = nil
	}
	w.pool = poolOf(cycles, period(c.jobs, w.legs))
	return w, true
}

// with returns the window of a trajectory and of what was simulated in full before.
func (c *trajectory) with(live *window, jobs []*jobState) *window {
	w := &window{legs: make([]leg, len(jobs))}
	by := weights{float64(c.until), 0}
	if live != nil {
		by[1] = live.cycles
	}
	for i := range jobs {
		g := leg{rate: c.legs[i].rate, half: c.legs[i].half, each: c.legs[i].each, end: -1}
		if live != nil {
			other := &live.legs[i]
			g.rate = by.mean(g.rate, other.rate)
			g.half *= by[0] / (by[0] + by[1])
			for kind := latency; kind < sumKinds; kind++ {
				g.each[kind] = by.mean(g.each[kind], other.each[kind])
			}
		}
		w.legs[i] = g
	}
	w.pool = poolOf(by[0]+by[1], period(jobs, w.legs))
	return w
}

// alone reports whether a trajectory is that of a job that meets nobody and repeats itself.
func (c *trajectory) alone() bool { return c.exact && len(c.legs) == 1 }

// kind tells components of several jobs from jobs that meet nobody.
func (c *component) kind() int {
	if len(c.jobs) == 1 {
		return 1
	}
	return 0
}

// settledShare returns by what to multiply the variance for that of the rates of a trajectory.
func (c *trajectory) settledShare() float64 {
	switch {
	case c.alone():
		return 0
	case c.exact: // it is one of the windows
		return 1
	}
	return c.settled()
}

// ahead returns by what to multiply the variance for that of what jobs do in so many cycles less
// what the rates say: the mean of the windows is off, and the phases in those cycles are others.
// They are partly those that were seen, where no jump has moved a job before. Phases are then taken
// for a process whose correlation decays within a period.
func (c *trajectory) ahead(cycles float64) float64 {
	all := c.settledShare() + min(1, c.period/max(1, cycles))
	if c.seen > 0 {
		all -= 2 * c.seen / c.cycles * meanDecay(c.seen/c.period) * meanDecay(cycles/c.period)
	}
	return max(0, all)
}

// meanDecay returns the mean of exp(-t) from 0 to x.
func meanDecay(x float64) float64 {
	if x < 1e-9 {
		return 1
	}
	return -math.Expm1(-x) / x
}

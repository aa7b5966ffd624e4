package fastforward

import "math"

// window is a time in which the jobs of a component were simulated, which began in some phases of
// the jobs against each other.
type window struct {
	jobs []estimate
	pool
}

// pool is the length of the windows of equal components, and how they differ. Phases last for a
// period, so the mean rate of a window of L cycles has the variance v·min(1, period/L), if v is
// that of a window which is shorter than a period. With weights L the mean of all windows has the
// variance v·ΣL²s/(ΣL)², for s = min(1, period/L), and squared differences to it, weighted by L,
// sum to v·(ΣLs - ΣL²s/ΣL) in the mean.
type pool struct {
	windows int
	cycles  float64 // ΣL
	once    float64 // ΣLs
	twice   float64 // ΣL²s
	// Sums of squared differences to the mean, weighted by L: of the sum of the relative rates of
	// the jobs, and of how many packets wait at a time. estimate.squares is that of one rate.
	sum, blocked, foreign float64
}

// poolOf returns the pool of one window.
func poolOf(cycles, period float64) pool {
	share := min(1, period/max(1, cycles))
	return pool{windows: 1, cycles: cycles, once: cycles * share, twice: cycles * cycles * share}
}

// expectedSquares returns the expectation of a sum of squared differences for v = 1.
func (p *pool) expectedSquares() float64 { return p.once - p.twice/max(1, p.cycles) }

// variance returns v for a sum of squared differences.
func (p *pool) variance(squares float64) float64 {
	if p.windows < 2 {
		return 0
	}
	return squares / p.expectedSquares()
}

// degrees returns the degrees of freedom of the variances.
func (p *pool) degrees() float64 { return float64(max(0, p.windows-1)) }

// meanFactor returns the variance of the mean of the windows for v = 1.
func (p *pool) meanFactor() float64 { return p.twice / max(1, p.cycles*p.cycles) }

// learn adds a window to what is known of a component, and the differences of the two to the
// spreads of the run.
func (e *Executor) learn(c *component, k *knowledge, w *window) {
	if k.windows == 0 {
		k.jobs, k.pool = w.jobs, w.pool
		return
	}
	by, expected := weights{k.cycles, w.cycles}, k.expectedSquares()
	k.windows++
	k.cycles, k.once, k.twice = k.cycles+w.cycles, k.once+w.once, k.twice+w.twice
	expected = k.expectedSquares() - expected - w.expectedSquares()
	s := &e.sums.spreads[c.kind()]
	differ := func(known *float64, run *spread, unit, difference float64) {
		squares := difference * difference * by[0] * by[1] / (by[0] + by[1])
		*known += squares
		run.add(squares/expected, 1, unit)
	}
	unit := e.unitsOf(c.jobs, k.meanFactor(), func(i int) (all, others float64) {
		a, b := &k.jobs[i], &w.jobs[i]
		return by.mean(a.waiting(blocked), b.waiting(blocked)),
			by.mean(a.waiting(foreign), b.waiting(foreign))
	})
	sum := 0.0
	var waits [2]messageSums // a cycle
	for i := range k.jobs {
		g, other := &k.jobs[i], &w.jobs[i]
		waits[0].addWaits(&g.each, g.rate)
		waits[1].addWaits(&other.each, other.rate)
		difference := by.difference(g.rate, other.rate)
		sum += difference
		differ(&g.squares, &s.rate, unit.rates[i], difference)
		g.mix(by, other)
		g.half = math.Hypot(by[0]*g.half, by[1]*other.half) / (by[0] + by[1])
	}
	differ(&k.sum, &s.sum, unit.sum, sum/math.Sqrt(float64(len(k.jobs))))
	differ(&k.blocked, &s.blocked, unit.blocked, waits[1][blocked]-waits[0][blocked])
	differ(&k.foreign, &s.foreign, unit.foreign, waits[1][foreign]-waits[0][foreign])
}

// secondHalf returns the window of a trajectory of fixed length, from a time on. It reports false
// where a job has completed no iteration in it.
func (t *trajectory) secondHalf(jobs []*jobState, from int64) (*window, bool) {
	w := &window{jobs: make([]estimate, len(jobs))}
	for i, k := range jobs {
		g := &t.progress[i]
		n := g.iterationsFrom(k, from)
		if n == 0 {
			return nil, false
		}
		each := g.each
		if _, _, both := g.halves(k, from); both.Messages > 0 {
			each = eachOf(both)
		}
		times := g.times(k, n)
		rate := float64(k.perIteration) * float64(n) / float64(times[n]-times[0])
		w.jobs[i] = estimate{rate: rate, each: each}
	}
	w.pool = poolOf(float64(from), periodOf(jobs, w.jobs))
	return w, true
}

// takeFull returns the window of a component in the full simulation, since it began or since it was
// last taken. It reports false where a job has completed too few iterations in it.
func (c *component) takeFull() (*window, bool) {
	w, cycles := &window{jobs: make([]estimate, len(c.jobs))}, math.Inf(1)
	for i, k := range c.jobs {
		f := &k.full
		if f.component != c || f.iterations < minIterations {
			return nil, false
		}
		lasted := float64(f.last - f.from)
		since := f.totals.Minus(&f.earlier)
		w.jobs[i] = estimate{rate: float64(k.perIteration) * float64(f.iterations) / lasted,
			each: eachOf(since)}
		cycles = min(cycles, lasted)
	}
	for _, k := range c.jobs {
		k.full.component = nil
	}
	w.pool = poolOf(cycles, periodOf(c.jobs, w.jobs))
	return w, true
}

// with returns the window of a trajectory and of the full simulation before it, which may be nil.
func (t *trajectory) with(full *window, jobs []*jobState) *window {
	w := &window{jobs: t.estimates()}
	by := weights{float64(t.until), 0}
	if full != nil {
		by[1] = full.cycles
	}
	for i := range jobs {
		g := &w.jobs[i]
		if g.squares = 0; full != nil {
			g.mix(by, &full.jobs[i])
			g.half *= by[0] / (by[0] + by[1])
		}
	}
	w.pool = poolOf(by[0]+by[1], periodOf(jobs, w.jobs))
	return w
}

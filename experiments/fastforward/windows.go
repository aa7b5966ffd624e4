package fastforward

import "math"

// window has the estimates of a time in which the jobs of a component were simulated. It began in
// some phases of the jobs against each other.
type window struct {
	jobs []estimate
	pool
}

// pool sums up the lengths and the differences of windows of equal components. Phases last for a
// period, so the mean rate of a window of L cycles has the variance v·s with s = min(1, period/L),
// if v is that of a window shorter than a period. With weights L the mean of all windows has the
// variance v·ΣL²s/(ΣL)², and squared differences to it, weighted by L, have the expected sum
// v·(ΣLs - ΣL²s/ΣL).
type pool struct {
	windows int
	sumL    float64 // ΣL
	sumLS   float64 // ΣLs
	sumL2S  float64 // ΣL²s
	// Sums of squared differences to the mean, weighted by L: of the sum of the relative rates of
	// the jobs, and of the numbers of packets that wait. estimate.squares is that of one rate.
	sumSquares, blockedSquares, foreignSquares float64
}

// poolOf returns the pool of one window.
func poolOf(cycles, period float64) pool {
	share := min(1, period/max(1, cycles))
	return pool{windows: 1, sumL: cycles, sumLS: cycles * share, sumL2S: cycles * cycles * share}
}

// expectedSquares returns the expectation of a sum of squared differences for v = 1.
func (p *pool) expectedSquares() float64 { return p.sumLS - p.sumL2S/max(1, p.sumL) }

// variance returns the estimate of v from a sum of squared differences.
func (p *pool) variance(squares float64) float64 {
	if p.windows < 2 {
		return 0
	}
	return squares / p.expectedSquares()
}

// degrees returns the degrees of freedom of variance.
func (p *pool) degrees() float64 { return float64(max(0, p.windows-1)) }

// meanFactor returns the variance of the mean of the windows for v = 1.
func (p *pool) meanFactor() float64 { return p.sumL2S / max(1, p.sumL*p.sumL) }

// addWindow adds a window to the knowledge of a component, and their differences to the spreads of
// the run. The mean of two values a and b with weights p and q changes the sum of squares by
// (a-b)²·p·q/(p+q).
func (e *Executor) addWindow(c *component, k *knowledge, w *window) {
	if k.windows == 0 {
		k.jobs, k.pool = w.jobs, w.pool
		return
	}
	by, expected := weights{k.sumL, w.sumL}, k.expectedSquares()
	k.windows++
	k.sumL, k.sumLS, k.sumL2S = k.sumL+w.sumL, k.sumLS+w.sumLS, k.sumL2S+w.sumL2S
	expected = k.expectedSquares() - expected - w.expectedSquares()
	s := &e.sums.spreads[c.spreadKind()]
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
		waits[0].addWaits(&g.perMessage, g.rate)
		waits[1].addWaits(&other.perMessage, other.rate)
		difference := by.difference(g.rate, other.rate)
		sum += difference
		differ(&g.squares, &s.rate, unit.rates[i], difference)
		g.average(by, other)
		g.halfWidth = math.Hypot(by[0]*g.halfWidth, by[1]*other.halfWidth) / (by[0] + by[1])
	}
	differ(&k.sumSquares, &s.sum, unit.sum, sum/math.Sqrt(float64(len(k.jobs))))
	differ(&k.blockedSquares, &s.blocked, unit.blocked, waits[1][blocked]-waits[0][blocked])
	differ(&k.foreignSquares, &s.foreign, unit.foreign, waits[1][foreign]-waits[0][foreign])
}

// secondHalf returns the window from a time on of a trajectory of fixed length. It reports false if
// a job has completed no iteration in it.
func (t *trajectory) secondHalf(jobs []*jobState, from int64) (*window, bool) {
	w := &window{jobs: make([]estimate, len(jobs))}
	for i, k := range jobs {
		g := &t.progress[i]
		n := g.iterationsFrom(k, from)
		if n == 0 {
			return nil, false
		}
		each := g.perMessage
		if _, _, both := g.halfTotals(k, from); both.Messages > 0 {
			each = meansOf(both)
		}
		times := g.iterationTimes(k, n)
		rate := float64(k.perIteration) * float64(n) / float64(times[n]-times[0])
		w.jobs[i] = estimate{rate: rate, perMessage: each}
	}
	w.pool = poolOf(float64(from), phasePeriodOf(jobs, w.jobs))
	return w, true
}

// takeFullWindow returns the window of a component in the full simulation since the last call. It
// reports false if a job has completed too few iterations in it.
func (c *component) takeFullWindow() (*window, bool) {
	w, cycles := &window{jobs: make([]estimate, len(c.jobs))}, math.Inf(1)
	for i, k := range c.jobs {
		f := &k.full
		if f.component != c || f.iterations < minIterations {
			return nil, false
		}
		lasted := float64(f.lastEnd - f.windowStart)
		since := f.totals.Minus(&f.totalsBefore)
		w.jobs[i] = estimate{rate: float64(k.perIteration) * float64(f.iterations) / lasted,
			perMessage: meansOf(since)}
		cycles = min(cycles, lasted)
	}
	for _, k := range c.jobs {
		k.full.component = nil
	}
	w.pool = poolOf(cycles, phasePeriodOf(c.jobs, w.jobs))
	return w, true
}

// windowAfter joins the trajectory and the window of the full simulation before it, which may be
// nil.
func (t *trajectory) windowAfter(full *window, jobs []*jobState) *window {
	w := &window{jobs: t.estimates()}
	by := weights{float64(t.simulated), 0}
	if full != nil {
		by[1] = full.sumL
	}
	for i := range jobs {
		g := &w.jobs[i]
		if g.squares = 0; full != nil {
			g.average(by, &full.jobs[i])
			g.halfWidth *= by[0] / (by[0] + by[1])
		}
	}
	w.pool = poolOf(by[0]+by[1], phasePeriodOf(jobs, w.jobs))
	return w
}

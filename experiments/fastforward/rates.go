package fastforward

import (
	"math"

	"contend/experiments/stats"
)

const (
	minIterations = 4    // of the slowest job before the first test of batch means
	testGrowth    = 1.25 // factor from the iterations of one test to those of the next
	maxBatches    = 16   // from which an interval is estimated
	confidence    = 0.95 // of the intervals of all tests of a window together

	// windowShare is the least length of a window as a share of the time for which its rates are
	// used. Jobs may need long until they wait for each other. Where their rates differ by more than
	// the tolerance they go through all phases within one over it, in iterations of the slowest job,
	// and longer windows are not asked for.
	windowShare = 0.05
	// longestWindow is the length, in times one over the tolerance, after which rates are used as they
	// are. Audits tell how far they are off.
	longestWindow = 30
	maxHalf       = 0.5 // greatest relative half width of a rate that is used
)

// settled returns how the jobs of a component go on, or nil if that is not known well enough yet.
func (e *Executor) settled(c *component) *forecast {
	if f := e.sureForecast(c); f != nil {
		return f
	}
	if e.findRecurrence(c) {
		return nil // it has still to be measured
	}
	w, rounds := &c.window, c.rounds()
	if rounds < w.nextTest {
		return nil
	}
	w.nextTest = max(rounds+1, int(float64(rounds)*testGrowth))
	w.tests++
	f := e.estimate(c, min(rounds, maxBatches), stats.LookConfidence(w.tests, confidence))
	for _, k := range c.jobs {
		k.readFull()
	}
	left, phases := float64(f.endOf(c)-e.now), f.slowest()/e.config.Tolerance
	if !e.precise(c, f, left, phases) {
		return nil
	}
	if w.settled == 0 {
		w.settled = min(f.window, phases)
	}
	f.settled = w.settled
	if f.window < max(min(windowShare*left, phases), float64(w.shortest)) {
		return nil
	}
	return f
}

// precise reports whether the rates of a forecast are known well enough to be used for the cycles
// that are left, where a window of phases cycles goes through all phases.
func (e *Executor) precise(c *component, f *forecast, left, phases float64) bool {
	for i, k := range c.jobs {
		greatest := maxHalf
		if f.window < longestWindow*phases {
			greatest = e.config.greatestHalf(left, float64(e.now-k.start)+left)
		}
		if f.jobs[i].halfWidth > greatest {
			return false
		}
	}
	return true
}

// greatestHalf returns the relative half width that a rate may have if it is used for some cycles
// of a service time. The rates of different jumps are independent, so the squares of their errors
// add up: a rate that is used for a share p adds p·h². The shares add up to one, so the service
// time has the relative half width Tolerance if p·h² <= Tolerance² for each rate.
func (c *Config) greatestHalf(cycles, service float64) float64 {
	return min(maxHalf, c.Tolerance*math.Sqrt(max(1, service/max(1, cycles))))
}

// sureForecast returns the forecast of a job that is alone and whose last iteration began in an
// idle network, if all of its iterations are sure to be equal.
func (e *Executor) sureForecast(c *component) *forecast {
	last := &c.jobs[0].live.last
	if !e.repeatsSurely(c) || !last.alone {
		return nil
	}
	f := &forecast{exact: true, window: float64(last.cycles),
		jobs: []period{{ends: []float64{float64(last.cycles)}, perMessage: meansOf(last.totals)}}}
	e.addLinks(f, c)
	return f
}

// estimate returns the forecast of a component from its window. The half width of a rate is that of
// batch means (Law and Kelton, Simulation Modeling and Analysis, ch. 9): with the mean m and the
// standard deviation d of the cycles of an iteration in n batches it is t·d/(m·√n). Batches are no
// shorter than an iteration of the slowest job.
func (e *Executor) estimate(c *component, batches int, confidence float64) *forecast {
	f := &forecast{window: float64(e.now - c.window.opened)}
	e.addLinks(f, c)
	for _, k := range c.jobs {
		v := &k.live
		n, first := v.iterations(), v.ends[0]
		mean := float64(v.lastEnd-first) / float64(n)
		f.jobs = append(f.jobs, period{ends: []float64{mean},
			halfWidth:  batchMeans(v.ends, batches, confidence),
			perMessage: meansOf(v.totals.Minus(&v.before))})
	}
	return f
}

// batchMeans returns the relative half width of the interval of the mean time between events, from
// the last of them in equal batches.
func batchMeans(times []int64, batches int, confidence float64) float64 {
	each := (len(times) - 1) / batches
	times = times[len(times)-1-each*batches:]
	means := make([]float64, batches)
	for b := range means {
		means[b] = float64(times[(b+1)*each]-times[b*each]) / float64(each)
	}
	e := stats.EstimateOf(means, confidence)
	switch {
	case batches < 2:
		return math.Inf(1)
	case math.IsNaN(e.Half): // all are equal
		return 0
	}
	return e.Half / e.Mean
}

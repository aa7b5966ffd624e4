package fastforward

import (
	"math"
	"math/bits"
	"slices"

	"contend/experiments/stats"
	"contend/netsim"
	"contend/router"
)

const (
	minIterations = 3    // of the slowest job before the first test of batch means
	testGrowth    = 1.25 // factor from the iterations of one test to those of the next
	maxBatches    = 16   // from which an interval is estimated
	confidence    = 0.95 // of the intervals of all tests of a window together

	// windowShare is the minimum length of a window as a share of the time for which its rates are
	// used, because jobs may need a long time until they wait for each other: see also beat. If the
	// rates of the jobs differ by more than the tolerance, they go through all relative phases within
	// 1/tolerance iterations of the slowest job, and no longer window is required.
	windowShare = 0.2
	// longestWindow is the length of a window, in units of 1/tolerance iterations, after which rates
	// are used at any precision. Audits measure their errors.
	longestWindow = 30
	maxHalf       = 0.5 // greatest relative half width of a rate that is used
)

// settled returns the forecast of a component, or nil if its rates are not precise yet.
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
	recovery := e.full.Net.Recovery(c.links)
	if recovery > 0 && !c.warm { // rates fall and rise since the jobs have met
		if c.warm = e.now-w.opened >= recovery; c.warm {
			e.openWindow(c, w.shortest)
		}
		return nil
	}
	f := e.estimate(c, min(rounds, maxBatches), stats.LookConfidence(w.tests, confidence))
	left, phases := float64(e.longest(c, f)), f.slowest()/e.config.Tolerance
	if !e.precise(c, f, left, phases) {
		return nil
	}
	if w.settled == 0 {
		w.settled = min(f.window, phases)
	}
	f.settled = w.settled
	need := float64(max(w.shortest, recovery))
	if !e.audits.precise() {
		need = max(need, min(max(windowShare*left, f.beat(left)), phases))
	}
	if f.window < need {
		return nil
	}
	e.addLinks(f, c)
	return f
}

// beat returns the time in which two jobs pass through all of their relative phases: the maximum of
// those pairs that do so within some cycles.
func (f *forecast) beat(within float64) (longest float64) {
	for i := range f.jobs {
		for j := range i {
			a, b := f.jobs[i].iteration(), f.jobs[j].iteration()
			if t := a * b / math.Abs(a-b); t <= within {
				longest = max(longest, t)
			}
		}
	}
	return longest
}

// precise reports whether the rates of a forecast may be used for the cycles left. A window of
// phases cycles goes through all relative phases.
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

// greatestHalf returns the maximum relative half width of a rate that is used for some cycles of a
// service time. The rates of different jumps are independent, so the squares of their errors add
// up: a rate that is used for a share p adds p·h². The shares add up to one, so the service time
// has the relative half width Tolerance if p·h² <= Tolerance² for each rate.
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
		jobs: []period{{iterations: 1, cycles: float64(last.cycles), totals: last.totals}}}
	e.addLinks(f, c)
	return f
}

// estimate returns the forecast of a component from its window. The half width of a rate is that of
// batch means (Law and Kelton, Simulation Modeling and Analysis, ch. 9): with the mean m and the
// standard deviation d of the cycles of an iteration in n batches it is t·d/(m·√n). Batches are no
// shorter than an iteration of the slowest job.
func (e *Executor) estimate(c *component, batches int, confidence float64) *forecast {
	f := &forecast{window: float64(e.now - c.window.opened)}
	t := student(batches, confidence)
	for _, k := range c.jobs {
		v := &k.live
		n, first := v.iterations(), v.ends[0]
		mean := float64(v.lastEnd-first) / float64(n)
		f.jobs = append(f.jobs, period{iterations: 1, cycles: mean,
			halfWidth: batchMeans(v.ends, batches, t), totals: v.totals.Minus(&v.before)})
	}
	return f
}

// student returns the quantile of Student's t for the mean of some batches.
func student(batches int, confidence float64) float64 {
	return stats.Half(1, max(1, batches-1), confidence)
}

// batchMeans returns the relative half width of the interval of the mean time between events, from
// the last events, in batches of equal size, by a quantile t.
func batchMeans(times []int64, batches int, t float64) float64 {
	if batches < 2 {
		return math.Inf(1)
	}
	each := (len(times) - 1) / batches
	times = times[len(times)-1-each*batches:]
	n, squares := float64(batches), 0.0
	mean := float64(times[each*batches]-times[0]) / n
	for b := range batches {
		off := float64(times[(b+1)*each]-times[b*each]) - mean
		squares += float64(off * off)
	}
	return t * math.Sqrt(squares/(n*(n-1))) / mean
}

// If a component has the same state at two moments, with times counted from the moment, its future
// is periodic: what happened between the two repeats until a job ends. The ends of iterations are
// then exact.

// recurrence compares the states of a component at the ends of rounds, by their hashes. A round is
// over when each job has ended one more iteration.
type recurrence struct {
	enabled bool // the whole state can be compared
	rounds  int
	words   int64 // of all states so far
	state   router.Snapshot
	at      map[uint64]moment // by the hash of the state
}

// moment is the end of a round.
type moment struct {
	cycle int64
	ends  []int // of iterations in the window, by job
}

// repetition is a period that is simulated once more: to measure its waits, because the state does
// not contain the past waits of packets under way, and to compare the whole state at its end.
type repetition struct {
	forecast *forecast
	totals   []netsim.Totals // at its beginning, by job
	state    []int64         // likewise
}

// findRecurrence compares the state at the end of a round with all earlier ones. If it finds one of
// an equal hash, it begins to measure the period and reports true.
func (e *Executor) findRecurrence(c *component) bool {
	r, rounds := &c.recurrence, c.rounds()
	if !r.enabled || rounds <= r.rounds {
		return false
	}
	if r.rounds = rounds; float64(r.words) > e.affordable(c) {
		return false
	}
	if r.enabled = e.saveState(c); !r.enabled {
		return false
	}
	r.words += int64(len(r.state.Words))
	now, key := moment{cycle: e.now}, hashOf(r.state.Words)
	for _, k := range c.jobs {
		now.ends = append(now.ends, len(k.live.ends))
	}
	if then, found := r.at[key]; found {
		return e.repeatPeriod(c, &then, &now)
	}
	r.at[key] = now
	return false
}

// affordable returns how many words of states may be compared before one more is: a word takes about
// a tenth of the time of a hop of a packet. So states take a tenth of the time of the window, and
// at first half a percent of what a jump would leave out.
func (e *Executor) affordable(c *component) float64 {
	hops, left := int64(0), int64(math.MaxInt64)
	for _, k := range c.jobs {
		hops += k.live.totals.Hops - k.live.before.Hops
		left = min(left, e.full.Skippable(k.live.slot))
	}
	rounds := float64(max(1, c.recurrence.rounds))
	return float64(hops) * (1 + float64(left)/(20*rounds))
}

// hashOf returns a hash of words.
func hashOf(words []int64) uint64 {
	h := uint64(len(words))
	for _, w := range words {
		high, low := bits.Mul64(h^uint64(w), 0x9E3779B97F4A7C15)
		h = high ^ low + uint64(w)
	}
	return h
}

// saveState saves the state of a component. It reports false if a program has no state to save.
func (e *Executor) saveState(c *component) (ok bool) {
	s := &c.recurrence.state
	e.full.Net.Snapshot(s, c.links, c.slots)
	s.Words, ok = e.full.AppendState(s.Words, c.slots)
	for _, k := range c.jobs {
		s.Words = append(s.Words, k.live.delivered%k.perIteration)
	}
	return ok
}

// repeatPeriod forecasts that the time between two moments repeats. It simulates one more period,
// if another one follows before a job ends.
func (e *Executor) repeatPeriod(c *component, then, now *moment) bool {
	length := now.cycle - then.cycle
	f := &forecast{exact: true, window: float64(length),
		settled: float64(now.cycle - c.window.opened)}
	again := &repetition{forecast: f, state: slices.Clone(c.recurrence.state.Words)}
	for i, k := range c.jobs {
		n := int64(now.ends[i] - then.ends[i])
		if n == 0 || e.full.Skippable(k.live.slot) < 2*n {
			return false
		}
		f.jobs = append(f.jobs, period{iterations: n, cycles: float64(length)})
		again.totals = append(again.totals, e.full.Totals(k.live.slot))
	}
	c.repeats, c.nextDecision = again, e.now+length
	return true
}

// measurePeriod ends the simulation of a period and lets the component jump.
func (e *Executor) measurePeriod(c *component) {
	again := c.repeats
	f := again.forecast
	for i, k := range c.jobs {
		totals := e.full.Totals(k.live.slot)
		f.jobs[i].totals = totals.Minus(&again.totals[i])
	}
	c.repeats = nil
	if e.saveState(c); !slices.Equal(c.recurrence.state.Words, again.state) {
		c.recurrence.enabled = false // two states have one hash
		e.setTarget(c)
		return
	}
	e.addLinks(f, c)
	e.remember(c, f)
	if !e.consider(c, f) {
		e.stopTests(c)
	}
}

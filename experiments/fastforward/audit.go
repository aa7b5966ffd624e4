package fastforward

import (
	"math"
	"math/rand/v2"
	"slices"

	"contend/experiments/metrics"
	"contend/experiments/stats"
	"contend/netsim"
	"contend/router"
)

const (
	// auditShare is the probability of an audit for a jump of mean length, after the first jumps,
	// which are all audited.
	auditShare = 0.05
	// auditLength is the length of an audit, in units of the time in which rates settle. An audit
	// takes auditWindows windows at least, and is doubled until it is stationary.
	auditLength  = 15
	auditWindows = 2
)

// audits draws the jumps of a run that are audited: the component is simulated further, from the
// state of the network, and compared with the forecast of the jump. Jumps are drawn before their
// errors are known, so the errors of audits are a random sample of the errors of all jumps.
type audits struct {
	first     int // jumps that are audited for certain
	rng       *rand.Rand
	tolerance float64

	jumps  int     // number of jumps so far
	cycles float64 // sum over these jumps of forecast length times number of jobs
	list   []observation
	jobs   []jobError // in descending order of size
	jams   int        // audits with an error beyond the tolerance
}

// audit is an audit of a jump.
type audit struct {
	forecast    *forecast
	probability float64 // probability with which it was drawn
	began, end  int64   // beginning and end of the compared simulation; began is 0 until it begins
	marks       [3][]mark
	closed      bool // its errors are known, and the component jumps over the rest
	whole, last []jobErrors
}

// mark is the progress of a job at the end of an iteration.
type mark struct {
	cycle      int64
	iterations int
	totals     netsim.Totals
}

// draw decides whether the jump of a component is audited. After the first jumps, half of the
// probability is proportional to the length of the jump times the number of its jobs.
func (a *audits) draw(c *component, f *forecast, length float64) *audit {
	if a.rng == nil {
		return nil
	}
	length *= float64(len(c.jobs))
	a.jumps++
	a.cycles += length
	p := auditShare / 2 * (1 + length*float64(a.jumps)/a.cycles)
	if a.jumps <= a.first || c.window.shortest > 0 { // a jam has been there
		p = 1
	}
	if p = min(1, p); a.rng.Float64() >= p {
		return nil
	}
	return &audit{forecast: f, probability: p}
}

// continueAudit records the marks of an audit at its beginning, its middle and its end. At the end
// it decides whether the component jumps.
func (e *Executor) continueAudit(c *component) {
	a := c.audit
	switch {
	case a.began == 0:
		if c.rounds() < 0 {
			break
		}
		f := a.forecast
		length := int64(max(auditLength*f.settled, auditWindows*max(f.window, f.slowest())))
		a.began, a.end = e.now, e.now+length
		a.marks[0], a.marks[1] = c.marks(), nil
		e.stopTests(c)
		c.nextDecision = a.began + length/2
	case a.marks[1] == nil:
		a.marks[1], c.nextDecision = c.marks(), a.end
	default:
		e.judgeAudit(c)
	}
}

// judgeAudit ends an audit if its two halves agree, and doubles it otherwise. Then the component
// jumps, at the rates of the whole simulation so far. If an error is beyond the tolerance, the
// component is simulated further, until its rates have settled again over the length of the audit.
func (e *Executor) judgeAudit(c *component) {
	a, f, end := c.audit, c.audit.forecast, c.marks()
	first, last := errorsOf(c, f, a.marks[0], a.marks[1]), errorsOf(c, f, a.marks[1], end)
	for i, k := range c.jobs {
		if !first[i].known || !last[i].known || e.differ(k, &first[i], &last[i]) {
			a.marks[1], a.end = end, a.end+(a.end-a.began)
			c.nextDecision = a.end
			return
		}
	}
	a.whole, a.last = errorsOf(c, f, a.marks[0], end), last
	for i := range c.jobs {
		off := max(math.Abs(a.whole[i].errors[timeError]), math.Abs(last[i].errors[timeError]))
		if off > max(e.config.Tolerance, f.jobs[i].halfWidth) { // a jam
			e.audits.jams++
			e.endAudit(c)
			e.openWindow(c, a.end-a.began)
			return
		}
	}
	f = e.estimate(c, min(c.rounds(), maxBatches), confidence)
	e.remember(c, f)
	if a.closed = e.pays(c, f); a.closed {
		e.beginJump(c, f)
	}
}

// differ reports whether the errors of a job in the two halves of an audit differ by more than the
// tolerance and the noise.
func (e *Executor) differ(k *jobState, first, last *jobErrors) bool {
	noise := 2 * batchMeans(k.live.ends, min(maxBatches, k.live.iterations()), confidence)
	difference := math.Abs(last.errors[timeError] - first.errors[timeError])
	return difference > max(e.config.Tolerance, noise)
}

// marks returns the progress of the jobs of a component.
func (c *component) marks() (list []mark) {
	for _, k := range c.jobs {
		list = append(list, mark{k.live.lastEnd, k.live.iterations(), k.live.totals})
	}
	return list
}

// stopTests ends the tests of rates in a window.
func (e *Executor) stopTests(c *component) { c.window.target = math.MaxInt }

// The quantities that an audit compares for each job: the time of its iterations, and the mean
// numbers of its packets that wait at a time, for any job and for other jobs.
const (
	timeError = iota
	blockedError
	foreignError
	errorKinds
)

// jobErrors are the errors of a forecast of a job: the relative error of the time of its
// iterations, and the numbers of waiting packets less the forecast numbers. levels are the values
// of the forecast, 1 for the time.
type jobErrors struct {
	errors, levels [errorKinds]float64
	known          bool // the job has ended an iteration
}

// errorsOf returns the errors of a forecast between two marks.
func errorsOf(c *component, f *forecast, from, to []mark) []jobErrors {
	list := make([]jobErrors, len(c.jobs))
	for i := range c.jobs {
		p, e, n := &f.jobs[i], &list[i], to[i].iterations-from[i].iterations
		perCycle := float64(c.jobs[i].perIteration) / p.iteration()
		e.levels = [...]float64{1, p.perMessage[blocked] * perCycle, p.perMessage[foreign] * perCycle}
		if n <= 0 {
			continue
		}
		cycles := float64(to[i].cycle - from[i].cycle)
		seen := to[i].totals.Minus(&from[i].totals)
		e.known = true
		e.errors = [...]float64{cycles/float64(n)/p.iteration() - 1,
			float64(seen.Blocked)/cycles - e.levels[blockedError],
			float64(seen.Foreign)/cycles - e.levels[foreignError]}
	}
	return list
}

// endAudit records the errors of the whole jump, which ends now. If the audit followed a part of
// the jump, the errors of the last half of that part count for the rest.
func (e *Executor) endAudit(c *component) {
	a := c.audit
	c.audit = nil
	if a == nil || a.began == 0 || e.now == a.began {
		return
	}
	lasted := float64(e.now - a.began)
	followed := lasted
	if a.closed {
		followed = min(lasted, float64(a.end-a.began))
	} else {
		a.whole = errorsOf(c, a.forecast, a.marks[0], c.marks())
		a.last = a.whole
	}
	o := observation{cycles: lasted}
	for i := range c.jobs {
		if !a.whole[i].known {
			continue
		}
		for kind := range errorKinds {
			off := (a.whole[i].errors[kind]*followed + a.last[i].errors[kind]*(lasted-followed)) / lasted
			if kind == timeError {
				e.audits.addJob(jobError{math.Abs(off), lasted / a.probability})
			}
			o.errors[kind] += off
			o.levels[kind] += a.whole[i].levels[kind]
		}
		o.weight += lasted / a.probability
		o.jobs++
	}
	if o.jobs == 0 {
		return
	}
	for kind := range errorKinds {
		o.errors[kind] /= o.jobs
		o.levels[kind] /= o.jobs
	}
	e.audits.list = append(e.audits.list, o)
}

// observation is the result of one audit: means over the jobs of the jump, the length of the jump,
// and as weight the length times the number of jobs over the probability with which the jump was
// drawn.
type observation struct {
	errors, levels       [errorKinds]float64
	jobs, cycles, weight float64
}

// jobError is the relative error of the time of a job in an audited jump, without its sign.
type jobError struct{ size, weight float64 }

// addJob adds the error of a job.
func (a *audits) addJob(x jobError) {
	i, _ := slices.BinarySearchFunc(a.jobs, x, func(y, x jobError) int {
		if y.size > x.size {
			return -1
		}
		return 1
	})
	a.jobs = slices.Insert(a.jobs, i, x)
}

// quantile returns a bound that the relative error of a job in a jump exceeds in 5% of jumps: the
// weighted quantile of the errors in audits, where the unknown error of the jump itself counts as
// greater than all (conformal prediction: Tibshirani, Foygel Barber, Candès and Ramdas, NeurIPS
// 2019). Fewer than 20 errors have no such quantile; the bound is then the largest error, and at
// least the tolerance.
func (a *audits) quantile() float64 {
	all := 0.0
	for _, x := range a.jobs {
		all += x.weight
	}
	n := float64(len(a.jobs))
	exceeding := all / max(1, n)
	for _, x := range a.jobs {
		if exceeding += x.weight; exceeding > (1-confidence)*all*(n+1)/n {
			if n < 20 {
				return max(x.size, a.tolerance)
			}
			return x.size
		}
	}
	return a.tolerance
}

// mean returns the mean error of all jumps, and the half width of its 95% interval, per cycle of a
// job, and NaN without audits. With the weights w, the errors x, the mean forecast as their level
// and m' = (Σw)²/Σw² (Kish, Survey Sampling, 1965, sec. 11.7) the half width is
//
//	t·s/√m' + (3/m')·max(tolerance·level, largest |x|),
//
// where Student's t has m' - 1 degrees of freedom. The second term is the rule of three (Hanley and
// Lippman-Hand, JAMA 249, 1983): if m' audits show no jam, up to 3/m' of the time may jam. The
// error of a jump that is shorter than the mean counts in proportion to its length.
func (a *audits) mean(kind int) (bias, half float64) {
	var w, w2, level, cycles, largest float64
	for i := range a.list {
		o := &a.list[i]
		w, w2 = w+o.weight, w2+o.weight*o.weight
		bias += o.weight * o.errors[kind]
		level += o.weight * o.levels[kind]
		cycles += o.cycles
	}
	if w == 0 {
		return 0, math.NaN()
	}
	bias, level = bias/w, level/w
	n, squares := w*w/w2, 0.0
	for i := range a.list {
		o := &a.list[i]
		squares += o.weight * (o.errors[kind] - bias) * (o.errors[kind] - bias)
		share := min(1, o.cycles*float64(len(a.list))/cycles)
		largest = max(largest, share*math.Abs(o.errors[kind]))
	}
	half = 3 / n * max(a.tolerance*level, largest)
	if n >= 2 {
		half += stats.Half(squares/w/(n-1), int(n)-1, confidence)
	}
	return bias, half
}

// halfOf returns the half width of a 95% interval from a known variance.
func halfOf(variance float64) float64 {
	if variance == 0 {
		return 0
	}
	return stats.Half(variance, math.MaxInt32, confidence)
}

// serviceHalf returns the half width of the 95% interval of the mean service time, relative to it,
// with the bias that audits show.
func (e *Executor) serviceHalf() float64 {
	half := halfOf(e.sums.drawnVariance)
	if e.sums.unsureCycles > 0 {
		bias, mean := e.audits.mean(timeError)
		if math.IsNaN(mean) {
			mean = e.config.Tolerance
		}
		half += (math.Abs(bias) + mean) * e.sums.unsureCycles
	}
	return half / e.sums.serviceCycles
}

// waitHalf returns the half width of the 95% interval of a sum of waits, relative to it. If no
// audit has seen a wait, the error of the estimated waits may be all of them.
func (e *Executor) waitHalf(sum, kind int) float64 {
	all, half := e.sums.messages[sum], 0.0
	if unsure := all - e.sums.sure[sum]; unsure > 0 {
		bias, mean := e.audits.mean(kind)
		if mean += math.Abs(bias); mean > 0 {
			half += mean * e.sums.unsureCycles
		} else {
			half += unsure
		}
	}
	if half == 0 {
		return 0
	}
	return half / all
}

// Carried returns the totals of the network's traffic, including the jumps.
func (e *Executor) Carried() *metrics.Carried {
	return &metrics.Carried{Net: e.full.Net, Totals: e.sums.messages.rounded(), Cycles: float64(e.now),
		Flits: func(l router.Link) float64 {
			return e.sums.linkFlits[l] + float64(e.full.Net.Usage(l).Flits)
		}}
}

// Metrics reports the metrics of jumps.
func (e *Executor) Metrics(add func(string, float64)) {
	if s := &e.sums; s.serviceCycles > 0 {
		add("time_jumped", 100*s.jumpedCycles/s.serviceCycles)
		add("rate_error", 100*e.serviceHalf())
	}
	if e.sums.jumpedCycles > 0 {
		add("exact_jumps", 100*e.sums.exactCycles/e.sums.jumpedCycles)
	}
	share := func(name string, half float64) {
		if !math.IsInf(half, 0) { // nothing is a share of nothing
			add(name, 100*half)
		}
	}
	share("packet_blocking_error", e.waitHalf(blocked, blockedError))
	share("foreign_blocking_error", e.waitHalf(foreign, foreignError))
	e.audits.metrics(add)
	hops := 0.0
	for l := range e.sums.linkFlits {
		hops += float64(e.full.Net.Usage(router.Link(l)).Flits)
	}
	add("simulated_flit_hops", hops)
	add("epochs_simulated", float64(e.sums.simulated))
	add("epochs_recalled", float64(e.sums.recalled))
}

// metrics reports the results of audits.
func (a *audits) metrics(add func(string, float64)) {
	add("jumps_audited", float64(len(a.list)))
	if len(a.list) == 0 {
		return
	}
	bias, _ := a.mean(timeError)
	all, beyond := 0.0, 0.0
	for _, x := range a.jobs {
		if all += x.weight; x.size > a.tolerance {
			beyond += x.weight
		}
	}
	add("jump_bias", 100*bias)
	add("jump_error", 100*a.quantile())
	add("largest_jump_error", 100*a.jobs[0].size)
	add("jumps_beyond", 100*beyond/all)
	add("jams", float64(a.jams))
}

package fastforward

import (
	"cmp"
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
	// which are all audited. Of more than manyJumps it falls as one over their number. Then the audits
	// of a run of any length weigh as much as some 80 equal ones: the mean error is known to a quarter
	// of the deviation of the errors, and more audits would narrow no interval, as one run has the
	// tolerance at least, and several runs differ.
	auditShare = 0.05
	manyJumps  = 1000
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
	jobs   []observation // of single jobs
	jams   int           // audits with an error beyond the tolerance

	// What the windows of estimated jumps say of the times of jobs: sums over jobs of the cycles that
	// they have jumped, and of these times the squares of the half widths of their rates.
	jumped, claimed float64
}

// audit is an audit of a jump.
type audit struct {
	forecast    *forecast
	probability float64 // probability with which it was drawn
	length      int64   // of the jump, if no other job had joined
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
func (a *audits) draw(c *component, f *forecast, cycles int64) *audit {
	if a.rng == nil {
		return nil
	}
	length := float64(cycles) * float64(len(c.jobs))
	a.jumps++
	a.cycles += length
	share := auditShare * min(1, manyJumps/float64(a.jumps))
	p := share / 2 * (1 + length*float64(a.jumps)/a.cycles)
	if a.jumps <= a.first || c.window.shortest > 0 { // a jam has been there
		p = 1
	}
	if p = min(1, p); a.rng.Float64() >= p {
		return nil
	}
	return &audit{forecast: f, probability: p, length: cycles}
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
			c.audit, c.jammed = nil, append(c.jammed, a)
			e.openWindow(c, a.end-a.began)
			return
		}
	}
	f = e.estimate(c, min(c.rounds(), maxBatches), confidence)
	e.addLinks(f, c)
	e.remember(c, f)
	if a.closed = e.pays(c, f); a.closed {
		e.beginJump(c, f)
	}
}

// differ reports whether the errors of a job in the two halves of an audit differ by more than the
// tolerance and the noise.
func (e *Executor) differ(k *jobState, first, last *jobErrors) bool {
	batches := min(maxBatches, k.live.iterations())
	noise := 2 * batchMeans(k.live.ends, batches, student(batches, confidence))
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
		perCycle := float64(c.jobs[i].perIteration) / p.iteration() / float64(max(1, p.totals.Messages))
		e.levels = [...]float64{1, float64(p.totals.Blocked) * perCycle,
			float64(p.totals.Foreign) * perCycle}
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

// endAudits records the errors of the jumps of a component, which end now: of one that is audited,
// and of those in which a jam was found and that would have gone on. If the audit followed a part
// of a jump, the errors of the last half of that part count for the rest.
func (e *Executor) endAudits(c *component) {
	for _, a := range c.jammed {
		e.audits.add(a, min(e.now-a.began, max(a.length, a.end-a.began)))
	}
	a := c.audit
	c.audit, c.jammed = nil, nil
	if a == nil || a.began == 0 || e.now == a.began {
		return
	}
	if !a.closed {
		a.end = e.now
		a.whole = errorsOf(c, a.forecast, a.marks[0], c.marks())
		a.last = a.whole
	}
	e.audits.add(a, e.now-a.began)
}

// add records the errors of an audited jump that lasts for some cycles.
func (a *audits) add(x *audit, cycles int64) {
	lasted, jobs := float64(cycles), 0.0
	followed := min(1, float64(x.end-x.began)/lasted)
	o := observation{}
	for i := range x.whole {
		whole, last := &x.whole[i], &x.last[i]
		if !whole.known {
			continue
		}
		jobs++
		job := observation{weight: lasted / x.probability}
		for kind := range errorKinds {
			off := whole.errors[kind]*followed + last.errors[kind]*(1-followed)
			job.errors[kind] = off
			o.errors[kind] += off
			o.levels[kind] += whole.levels[kind]
		}
		a.jobs = append(a.jobs, job)
	}
	for kind := range errorKinds {
		o.errors[kind] /= max(1, jobs)
		o.levels[kind] /= max(1, jobs)
	}
	if o.weight = lasted * jobs / x.probability; o.weight > 0 {
		a.list = append(a.list, o)
	}
}

// observation is the result of one audit: means over the jobs of the jump, and as weight the length
// of the jump times the number of these jobs over the probability with which it was drawn.
type observation struct {
	errors, levels [errorKinds]float64
	weight         float64
}

// size returns the relative error of the time, without its sign.
func (x *observation) size() float64 { return math.Abs(x.errors[timeError]) }

// quantile returns a bound that the relative error of a job in a jump exceeds in 5% of jumps: the
// weighted quantile of the errors in audits, where the unknown error of the jump itself counts as
// greater than all (conformal prediction: Tibshirani, Foygel Barber, Candès and Ramdas, NeurIPS
// 2019). Of few errors it is the largest or next to it, and the bound is then that of pooledHalf.
func (a *audits) quantile() float64 {
	if len(a.jobs) < fewAudits {
		return a.pooledHalf(a.jobs)
	}
	sorted := slices.SortedFunc(slices.Values(a.jobs),
		func(x, y observation) int { return cmp.Compare(y.size(), x.size()) })
	all, n := 0.0, float64(len(sorted))
	for _, x := range sorted {
		all += x.weight
	}
	exceeding := all / n
	for _, x := range sorted {
		if exceeding += x.weight; exceeding > (1-confidence)*all*(n+1)/n {
			return x.size()
		}
	}
	return a.tolerance
}

// pooledHalf returns the half width of the interval of the relative error of the time of a job in a
// jump, or of the mean over its jobs, by a list of such errors. Two estimates of its variance are
// pooled by their degrees of freedom: that of batch means, as many as batches less one, from the
// windows of the jumps, and the mean square of the errors, as many as their effective number.
// Windows know of no jam that forms later: so they claim no less than the tolerance until audits
// have seen 20 errors of jobs. Without an audit it is the tolerance.
func (a *audits) pooledHalf(list []observation) float64 {
	if len(list) == 0 {
		return a.tolerance
	}
	errors := 0.0
	for i := range list {
		errors += list[i].weight * list[i].size() * list[i].size()
	}
	all, seen := weights(list)
	t, claimed := student(maxBatches, confidence), a.tolerance*a.tolerance
	if w := a.claimed / max(1, a.jumped); len(a.jobs) >= fewErrors || w > claimed {
		claimed = w
	}
	n := maxBatches - 1 + seen
	variance := ((maxBatches-1)*claimed/(t*t) + seen*errors/all) / n
	return stats.Half(variance, int(n), confidence)
}

const (
	fewAudits = 60 // from which on jams that none of them has seen count no more
	fewErrors = 20 // of jobs in audits
)

// unseen returns the part of the time that jams may take which no audit has seen: 3/m' of it by the
// rule of three (Hanley and Lippman-Hand, JAMA 249, 1983), or nothing of many audits.
func (a *audits) unseen() float64 {
	if n := len(a.list); n == 0 || n >= fewAudits {
		return 0
	}
	_, effective := weights(a.list)
	return 3 / effective
}

// weights returns the sum of the weights w of a list, and m' = (Σw)²/Σw² (Kish 1965, Survey Sampling,
// sec. 11.7).
func weights(list []observation) (sum, effective float64) {
	squares := 0.0
	for i := range list {
		sum, squares = sum+list[i].weight, squares+list[i].weight*list[i].weight
	}
	return sum, sum * sum / squares
}

// mean returns the mean error of all jumps per cycle of a job, half the width of its interval, and
// the mean forecast. The half width is t·s/√m', where s is the weighted deviation of the errors and
// Student's t has a degree of freedom less than there are audits. How much jams that no audit has
// seen change waits is not known: as the largest error seen.
func (a *audits) mean(kind int) (bias, half, level float64) {
	w, effective := weights(a.list)
	squares, largest := 0.0, 0.0
	for i := range a.list {
		o := &a.list[i]
		bias += o.weight / w * o.errors[kind]
		level += o.weight / w * o.levels[kind]
		largest = max(largest, math.Abs(o.errors[kind]))
	}
	for i := range a.list {
		o := &a.list[i]
		squares += o.weight / w * (o.errors[kind] - bias) * (o.errors[kind] - bias)
	}
	if n := len(a.list); n > 1 {
		half = stats.Half(squares/(effective-1), n-1, confidence)
	}
	if kind != timeError {
		half += a.unseen() * largest
	}
	return bias, half, level
}

// jobsHalf returns the half width of the interval of a mean by the mean square of the errors of jobs
// in jumps: however they depend on each other, the error of a mean over jobs has no larger one. It
// has a degree of freedom for each audit.
func (a *audits) jobsHalf(kind int) float64 {
	sum, squares := 0.0, 0.0
	for i := range a.jobs {
		x := &a.jobs[i]
		sum, squares = sum+x.weight, squares+x.weight*x.errors[kind]*x.errors[kind]
	}
	return stats.Half(squares/sum, len(a.list), confidence)
}

// precise reports whether the errors of jobs in jumps are so small that rates may be used as soon as
// they have settled: their interval is half of the tolerance at most, and no unseen jam counts.
func (a *audits) precise() bool {
	return len(a.list) >= fewAudits &&
		a.jobsHalf(timeError) <= a.tolerance/2
}

// carryHalf returns the half width of the 95% interval of a time with a variance from carries.
func carryHalf(variance float64) float64 {
	return stats.Half(variance, math.MaxInt32, confidence)
}

// addErrors reports what audits say of a mean of this run, relative to it: its bias, unless no
// audit has seen anything of the kind, and the half width of its interval, if this is the only run.
// all is the sum over the run that the mean is of. The error is at least the tolerance, unless it is
// less even if all jumps have the same one; waits of which no audit has seen any may be wrong as a
// whole.
func (e *Executor) addErrors(add func(string, float64), name string, kind int, all float64) {
	bias, half, level := e.audits.mean(kind)
	seen := level > 0 || bias != 0
	if kind == timeError {
		level = 1
	}
	unsure := e.sums.unsureCycles / max(1, all)
	off := max(math.Abs(bias)+half, e.config.Tolerance*level)
	if len(e.audits.jobs) > 0 && seen {
		shared := e.audits.jobsHalf(kind)
		if kind == timeError {
			shared = e.audits.pooledHalf(e.audits.list)
		}
		off = min(off, shared)
	}
	off *= unsure
	if unsure == 0 {
		bias, seen = 0, true
	}
	switch {
	case kind == timeError:
		off += carryHalf(e.sums.drawnVariance) / all
		add("unseen_jams", 100*e.audits.unseen()*e.config.Tolerance*unsure)
	case !seen && all > 0:
		off = 1
	}
	add(name+"_error", 100*off)
	if seen {
		add(name+"_bias", 100*bias*unsure)
	}
}

// Carried returns the totals of the network's traffic, including the jumps.
func (e *Executor) Carried() *metrics.Carried {
	return &metrics.Carried{Net: e.full.Net, Totals: e.sums.messages, Cycles: float64(e.now),
		Flits: func(l router.Link) float64 {
			return e.sums.linkFlits[l] + float64(e.full.Net.Usage(l).Flits)
		}}
}

// Metrics reports the metrics of jumps.
func (e *Executor) Metrics(add func(string, float64)) {
	s := &e.sums
	if s.serviceCycles > 0 {
		add("time_jumped", 100*s.jumpedCycles/s.serviceCycles)
		e.addErrors(add, "service_time", timeError, s.serviceCycles)
	}
	if s.jumpedCycles > 0 {
		add("exact_jumps", 100*s.exactCycles/s.jumpedCycles)
	}
	e.addErrors(add, "packet_blocking", blockedError, float64(s.messages.Blocked))
	e.addErrors(add, "foreign_blocking", foreignError, float64(s.messages.Foreign))
	e.audits.metrics(add)
	hops := 0.0
	for l := range s.linkFlits {
		hops += float64(e.full.Net.Usage(router.Link(l)).Flits)
	}
	add("simulated_flit_hops", hops)
	add("epochs_simulated", float64(s.simulated))
	add("epochs_recalled", float64(s.recalled))
}

// metrics reports the results of audits.
func (a *audits) metrics(add func(string, float64)) {
	add("jumps_audited", float64(len(a.list)))
	add("jump_error", 100*a.quantile())
	if len(a.list) == 0 {
		return
	}
	all, beyond, largest := 0.0, 0.0, 0.0
	for _, x := range a.jobs {
		if all += x.weight; x.size() > a.tolerance {
			beyond += x.weight
		}
		largest = max(largest, x.size())
	}
	add("largest_jump_error", 100*largest)
	add("jumps_beyond", 100*beyond/all)
	add("jams", float64(a.jams))
}

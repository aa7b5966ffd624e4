package fastforward

import (
	"math/rand/v2"

	"contend/netsim"
	"contend/scheduler"
)

// fullState is the state of a job in the full simulation, where it is simulated flit by flit with
// all other jobs for which no jump pays.
type fullState struct {
	on        bool
	slot      int32
	since     int64         // cycle in which it joined
	base      int64         // messages that count as arrived when it joined
	delivered int64         // messages since then
	first     int64         // cycle in which the first iteration since then ended
	last      int64         // cycle in which the last one ended
	totals    netsim.Totals // of the messages up to last

	// What is measured in a component, from the cycle from on: the iterations since then, and the
	// totals before. component is nil once takeFull has taken it.
	component  *component
	from       int64
	iterations int64
	earlier    netsim.Totals
}

// enteredFull notes the slot of a job that joins the full simulation.
func (e *Executor) enteredFull(slot int32, _ scheduler.JobID) {
	for int(slot) >= len(e.slots) {
		e.slots = append(e.slots, nil)
	}
	e.slots[slot], e.joining.full.slot = e.joining, slot
}

// delivered counts a message of a job in the full simulation.
func (e *Executor) delivered(slot int32) {
	k := e.slots[slot]
	f := &k.full
	f.delivered++
	e.deliveredFull++
	e.Done++
	if f.delivered%k.perIteration > 0 {
		return
	}
	if f.last = e.full.Net.Now(); f.first == 0 {
		f.first = f.last
	}
	f.totals = e.full.Totals(slot)
	f.iterations++
	if f.component != k.component {
		f.component, f.from, f.iterations, f.earlier = k.component, f.last, 0, f.totals
	}
}

// endedFull notes the end of a job in the full simulation.
func (e *Executor) endedFull(id scheduler.JobID, t netsim.Totals, _ bool) {
	for _, c := range e.components {
		for _, k := range c.jobs {
			if k.job.ID == id {
				e.accountFull(k, &t, k.full.delivered)
				k.done = float64(k.total)
				e.over = append(e.over, k)
				return
			}
		}
	}
}

// accountFull accounts for the messages that a job has sent in the full simulation, which it
// leaves.
func (e *Executor) accountFull(k *jobState, t *netsim.Totals, messages int64) {
	each := eachOf(*t)
	k.totals.add(&each, float64(messages))
	e.sums.messages.add(&each, float64(messages))
	e.checks.waits.exact.addWaits(&each, float64(messages))
	k.full.on = false
}

// locate updates what is known of a job in the full simulation: its progress, the beginning of its
// current iteration, and how long iterations take.
func (k *jobState) locate() {
	f := &k.full
	if !f.on {
		return
	}
	k.done = float64(f.base + f.delivered)
	n := f.delivered / k.perIteration
	if n == 0 {
		return
	}
	if k.base == f.base && n == 1 {
		k.iterationCycles = float64(f.last - k.origin)
	} else if n > 1 {
		k.iterationCycles = float64(f.last-f.first) / float64(n-1)
	}
	k.base, k.origin, k.computeCycles = f.base+n*k.perIteration, f.last, k.laterCompute
}

// enterFull has the jobs of a component resume in the full simulation.
func (e *Executor) enterFull(c *component) {
	for _, k := range c.jobs {
		if k.full.on {
			continue
		}
		e.drawIteration(k)
		skipped := float64(k.base) - k.done
		e.sums.messages.add(&k.each, skipped)
		k.totals.add(&k.each, skipped)
		if k.exact {
			e.checks.waits.exact.addWaits(&k.each, skipped)
		}
		e.Done += k.base - int64(k.done)
		k.done = float64(k.base)
		j := k.job
		j.Quota = k.total - k.base
		j.Lead = scheduler.Cycle(max(0, k.origin-e.now+k.computeCycles))
		if j.Quota == 0 { // it has sent all
			j.Lead = 1
		}
		j.Seed = k.nextDraws()
		k.full = fullState{on: true, since: e.now, base: k.base}
		e.joining = k
		e.full.Start(&j, k.nodes)
	}
	c.next = e.now + max(minRecheckCycles, (e.now-c.born)/4)
}

// drawIteration draws whether a job that sends restarts its iteration or begins the next. A job
// that computes continues to do so. Of an iteration that has sent for s cycles and
// sends for r more, the job is moved back by s with probability r/(s+r), and ahead by r with
// s/(s+r). The mean is 0, so neither messages nor progress are gained; the variance of the service
// time is s·r.
func (e *Executor) drawIteration(k *jobState) {
	sent := float64(e.now - k.origin - k.computeCycles)
	left := k.iterationCycles - float64(e.now-k.origin)
	if sent <= 0 || k.iterationCycles == 0 {
		return
	}
	k.origin = e.now - k.computeCycles
	left = max(0, left)
	rng := rand.New(rand.NewPCG(k.job.Seed, k.draws))
	if rng.Float64()*(sent+left) < sent {
		k.origin, k.computeCycles = e.now, k.laterCompute
		k.base = min(k.total, k.base+k.perIteration)
	}
	k.variance += sent * left
	e.sums.variance += sent * left
}

// leaveFull takes the jobs of a component out of the full simulation. A trajectory begins with
// their current iterations, whose messages so far do not count.
func (e *Executor) leaveFull(c *component) {
	e.account(c)
	for _, k := range c.jobs {
		if k.locate(); k.full.on {
			e.accountFull(k, &k.full.totals, k.base-k.full.base)
			e.Done -= int64(k.done) - k.base
			k.done = float64(k.base)
			k.draws++
			k.shifted = true
			e.full.Abandon(k.full.slot)
		}
	}
}

// accountDrift accounts for jobs that were simulated in full since a component began. Where a jump
// has shifted one of them, all are in other phases than they would be: they meet. That lasts for a
// period.
func (e *Executor) accountDrift(c *component) {
	c.sort()
	if full, ok := c.takeFull(); ok {
		e.learn(c, e.known(c), full)
	}
	lasted := float64(e.now - c.began)
	if lasted <= 0 || e.certain(c) {
		return
	}
	shifted, iterationCycles := false, make([]float64, len(c.jobs))
	waiting := make([][2]float64, len(c.jobs)) // packets at a time: all, and for other jobs
	for i, k := range c.jobs {
		k.locate()
		shifted = shifted || k.shifted
		iterationCycles[i] = k.iterationCycles
		t := e.full.Totals(k.full.slot)
		share := lasted / max(1, lasted, float64(e.now-k.full.since))
		waiting[i] = [2]float64{float64(t.Blocked) * share / lasted,
			float64(t.Foreign) * share / lasted}
	}
	if !shifted {
		return
	}
	for _, k := range c.jobs {
		k.shifted = true
	}
	// The phases are drawn once by the jump and would be others in the full simulation: the
	// difference of two has twice the variance of one.
	s, period := &e.sums.spreads[c.kind()], lastingCycles(iterationCycles)
	share := min(1, period/lasted)
	unit := e.unitsOf(c.jobs, share, func(i int) (all, others float64) {
		return waiting[i][0], waiting[i][1]
	})
	e.addDrift(c, lasted, period, func(i int) float64 {
		return 2 * s.rate.with(0, 0, unit.rates[i])
	}, 2*s.sum.with(0, 0, unit.sum))
	twice := 2 * share * (lasted * lasted)
	e.sums.blocked.variance += twice * s.blocked.with(0, 0, unit.blocked)
	e.sums.foreign.variance += twice * s.foreign.with(0, 0, unit.foreign)
}

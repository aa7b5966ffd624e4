package fastforward

import (
	"math/rand/v2"

	"contend/netsim"
	"contend/scheduler"
)

// fullState is the state of a job in the full simulation, where it is simulated flit by flit with
// all other jobs for which no jump pays.
type fullState struct {
	active    bool // the job is in the full simulation
	slot      int32
	joined    int64         // cycle in which it joined
	base      int64         // messages that count as arrived when it joined
	delivered int64         // messages since then
	firstEnd  int64         // cycle in which the first iteration since then ended
	lastEnd   int64         // cycle in which the last one ended
	totals    netsim.Totals // of the messages up to lastEnd

	// The window that is measured in a component. component is nil once takeFullWindow has read it.
	component    *component
	windowStart  int64         // cycle in which an iteration ended
	iterations   int64         // since windowStart
	totalsBefore netsim.Totals // of the messages up to windowStart
}

// enteredFull records the slot of the job that joins the full simulation.
func (e *Executor) enteredFull(slot int32, _ scheduler.JobID) {
	for int(slot) >= len(e.slots) {
		e.slots = append(e.slots, nil)
	}
	e.slots[slot], e.joining.full.slot = e.joining, slot
}

// countFull counts a message of a job in the full simulation.
func (e *Executor) countFull(slot int32) {
	k := e.slots[slot]
	f := &k.full
	f.delivered++
	e.deliveredFull++
	e.Done++
	if f.delivered%k.perIteration > 0 {
		return
	}
	if f.lastEnd = e.full.Net.Now(); f.firstEnd == 0 {
		f.firstEnd = f.lastEnd
	}
	f.totals = e.full.Totals(slot)
	f.iterations++
	if f.component != k.component {
		f.component, f.windowStart, f.iterations, f.totalsBefore = k.component, f.lastEnd, 0, f.totals
	}
}

// endedFull records that a job has ended in the full simulation.
func (e *Executor) endedFull(id scheduler.JobID, t netsim.Totals, _ bool) {
	for _, c := range e.components {
		for _, k := range c.jobs {
			if k.job.ID == id {
				e.accountFull(k, &t, k.full.delivered)
				k.done = float64(k.total)
				e.endedInFull = append(e.endedInFull, k)
				return
			}
		}
	}
}

// accountFull adds the messages of a job that leaves the full simulation to the sums.
func (e *Executor) accountFull(k *jobState, t *netsim.Totals, messages int64) {
	each := meansOf(*t)
	k.totals.add(&each, float64(messages))
	e.sums.messages.add(&each, float64(messages))
	e.checks.waits.exact.addWaits(&each, float64(messages))
	k.full.active = false
}

// readFull updates done, the origin and iterationCycles of a job from the full simulation.
func (k *jobState) readFull() {
	f := &k.full
	if !f.active {
		return
	}
	k.done = float64(f.base + f.delivered)
	n := f.delivered / k.perIteration
	if n == 0 {
		return
	}
	if k.base == f.base && n == 1 {
		k.iterationCycles = float64(f.lastEnd - k.origin)
	} else if n > 1 {
		k.iterationCycles = float64(f.lastEnd-f.firstEnd) / float64(n-1)
	}
	k.base, k.origin, k.computeCycles = f.base+n*k.perIteration, f.lastEnd, k.laterCompute
}

// enterFull resumes the jobs of a component in the full simulation.
func (e *Executor) enterFull(c *component) {
	for _, k := range c.jobs {
		if k.full.active {
			continue
		}
		e.drawIteration(k)
		skipped := float64(k.base) - k.done
		e.sums.messages.add(&k.perMessage, skipped)
		k.totals.add(&k.perMessage, skipped)
		if k.lastExact {
			e.checks.waits.exact.addWaits(&k.perMessage, skipped)
		}
		e.Done += k.base - int64(k.done)
		k.done = float64(k.base)
		j := k.job
		j.Quota = k.total - k.base
		j.Lead = scheduler.Cycle(max(0, k.origin-e.now+k.computeCycles))
		if j.Quota == 0 { // it has sent all
			j.Lead = 1
		}
		j.Seed = k.streamSeed()
		k.full = fullState{active: true, joined: e.now, base: k.base}
		e.joining = k
		e.full.Start(&j, k.nodes)
	}
	c.nextDecision = e.now + max(minRecheckCycles, (e.now-c.formed)/4)
}

// drawIteration draws whether a job that sends restarts its iteration or begins the next, since the
// full simulation can begin only there. A job that computes continues to do so. Of an iteration
// that has sent for s cycles and sends for r more, the job is moved back by s with probability
// r/(s+r), and ahead by r with s/(s+r). The mean is 0 and the variance of the service time s·r.
func (e *Executor) drawIteration(k *jobState) {
	sent := float64(e.now - k.origin - k.computeCycles)
	left := k.iterationCycles - float64(e.now-k.origin)
	if sent <= 0 || k.iterationCycles == 0 {
		return
	}
	k.origin = e.now - k.computeCycles
	left = max(0, left)
	rng := rand.New(rand.NewPCG(k.job.Seed, k.stream))
	if rng.Float64()*(sent+left) < sent {
		k.origin, k.computeCycles = e.now, k.laterCompute
		k.base = min(k.total, k.base+k.perIteration)
	}
	k.variance += sent * left
	e.sums.variance += sent * left
}

// leaveFull removes the jobs of a component from the full simulation. A trajectory begins with
// their current iterations, so the messages of these do not count here.
func (e *Executor) leaveFull(c *component) {
	e.endTrajectory(c)
	for _, k := range c.jobs {
		if k.readFull(); k.full.active {
			e.accountFull(k, &k.full.totals, k.base-k.full.base)
			e.Done -= int64(k.done) - k.base
			k.done = float64(k.base)
			k.stream++
			k.shifted = true
			e.full.Abandon(k.full.slot)
		}
	}
}

// accountDrift adds the variance of jobs that were simulated in full since a component began. If an
// earlier jump has shifted one of them, all that meet it are in other phases than they would be,
// for a period of their phases.
func (e *Executor) accountDrift(c *component) {
	c.sortJobs()
	if full, ok := c.takeFullWindow(); ok {
		e.addWindow(c, e.knowledgeOf(c), full)
	}
	lasted := float64(e.now - c.start)
	if lasted <= 0 || e.repeatsSurely(c) {
		return
	}
	shifted, iterationCycles := false, make([]float64, len(c.jobs))
	// Mean numbers of packets that wait: for all, and for other jobs.
	waiting := make([][2]float64, len(c.jobs))
	for i, k := range c.jobs {
		k.readFull()
		shifted = shifted || k.shifted
		iterationCycles[i] = k.iterationCycles
		t := e.full.Totals(k.full.slot)
		share := lasted / max(1, lasted, float64(e.now-k.full.joined))
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
	s, period := &e.sums.spreads[c.spreadKind()], phasePeriod(iterationCycles)
	share := min(1, period/lasted)
	unit := e.unitsOf(c.jobs, share, func(i int) (all, others float64) {
		return waiting[i][0], waiting[i][1]
	})
	e.addDrift(c, lasted, period, func(i int) float64 {
		return 2 * s.rate.moderated(0, 0, unit.rates[i])
	}, 2*s.sum.moderated(0, 0, unit.sum))
	twice := 2 * share * (lasted * lasted)
	e.sums.blocked.variance += twice * s.blocked.moderated(0, 0, unit.blocked)
	e.sums.foreign.variance += twice * s.foreign.moderated(0, 0, unit.foreign)
}

package fastforward

import (
	"math/rand/v2"
	"slices"

	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/scheduler"
)

// liveState is the state of a job while its flits are simulated.
type liveState struct {
	active    bool
	slot      int32
	base      int64         // messages that count as arrived when its simulation began
	delivered int64         // messages since then
	lastEnd   int64         // cycle in which the last iteration since then ended, or 0
	totals    netsim.Totals // of the messages up to lastEnd

	sends int64         // cycle in which the current iteration begins to send
	last  lastIteration // the iteration that ended at lastEnd

	// The window of its component: the cycles in which iterations ended, and the totals at the first.
	ends   []int64
	before netsim.Totals
}

// lastIteration has the time and the totals of one iteration.
type lastIteration struct {
	cycles int64 // from its first message to the first message of the next iteration
	alone  bool  // the network of its component was idle when it began to send
	totals netsim.Totals
}

// window is a time in which all jobs of a component are simulated.
type window struct {
	opened   int64
	shortest int64   // minimum length in cycles
	flits    []int64 // that links had carried when it opened
	target   int     // iterations that all jobs have to end before the next test of rates
	behind   int     // jobs that have ended fewer iterations than target
	nextTest int     // iterations of the slowest job before the next test of batch means
	tests    int     // of batch means so far
	settled  float64 // cycles after which the rates were first precise, or 0
}

// never is a time after the end of every run.
const never = 1 << 60

// enteredFull records the slot of the job whose simulation begins.
func (e *Executor) enteredFull(slot int32, _ scheduler.JobID) {
	for int(slot) >= len(e.slots) {
		e.slots = append(e.slots, nil)
	}
	e.slots[slot], e.joining.live.slot = e.joining, slot
}

// countFull counts a message of a job that has arrived.
func (e *Executor) countFull(slot int32) {
	k := e.slots[slot]
	f := &k.live
	f.delivered++
	e.Done++
	if f.delivered%k.perIteration > 0 {
		return
	}
	now, totals := e.full.Net.Now(), e.full.Totals(slot)
	c := k.component
	f.last = lastIteration{now - f.sends + k.laterCompute, f.sends >= c.formed+e.clearing,
		totals.Minus(&f.totals)}
	f.lastEnd, f.totals, f.sends = now, totals, now+k.laterCompute
	if len(f.ends) == 0 {
		f.before = totals
	}
	f.ends = append(f.ends, now)
	if f.iterations() == c.window.target {
		if c.window.behind--; c.window.behind == 0 {
			c.due, e.due = true, true
		}
	}
}

// iterations returns the iterations that a job has ended in the window, -1 if the first has yet to
// begin.
func (f *liveState) iterations() int { return len(f.ends) - 1 }

// endedFull records that a job has ended in the simulation.
func (e *Executor) endedFull(id scheduler.JobID, t netsim.Totals, _ bool) {
	for _, c := range e.components {
		for _, k := range c.jobs {
			if k.job.ID == id {
				e.leave(k, t)
				k.done = float64(k.total)
				e.endedInFull = append(e.endedInFull, k)
				return
			}
		}
	}
}

// leave adds the totals of a job whose simulation ends to the sums.
func (e *Executor) leave(k *jobState, t netsim.Totals) {
	all := sumsOf(t)
	k.totals.add(&all, 1)
	e.sums.messages.add(&all, 1)
	k.live.active = false
}

// readFull updates done, base and the origin of a job from the simulation.
func (k *jobState) readFull() {
	f := &k.live
	if !f.active {
		return
	}
	k.done = float64(f.base + f.delivered)
	if n := f.delivered / k.perIteration; n > 0 {
		k.base, k.origin, k.computeCycles = f.base+n*k.perIteration, f.lastEnd, k.laterCompute
	}
}

// enterFull begins to simulate those jobs of a component that are not being simulated, and opens
// its window.
func (e *Executor) enterFull(c *component) {
	for _, k := range c.jobs {
		if k.live.active {
			continue
		}
		e.drawIteration(k)
		if k.iterationEnd > 0 && !e.regenerates(k) { // its last packets would not be quite gone
			e.shift(c)
		}
		skipped := float64(k.base) - k.done
		e.sums.messages.add(&k.perMessage, skipped)
		k.totals.add(&k.perMessage, skipped)
		e.Done += k.base - int64(k.done)
		k.done = float64(k.base)
		j := k.job
		j.Quota = k.total - k.base
		j.Lead = scheduler.Cycle(max(0, k.origin-e.now+k.computeCycles))
		if j.Quota == 0 { // it has sent all
			j.Lead = 1
		}
		j.Seed = k.streamSeed()
		k.live = liveState{active: true, base: k.base, sends: e.now + int64(j.Lead)}
		e.joining = k
		e.full.Start(&j, k.nodes)
	}
	c.simulated = true
	e.openWindow(c, 0)
}

// drawIteration draws whether a job that is sending restarts its iteration or begins the next one,
// because the simulation can begin only there. A job that is computing continues to compute. If the
// iteration has sent for s cycles and sends for r more, the job moves back by s with probability
// r/(s+r), and ahead by r with probability s/(s+r). The mean is 0 and the variance of the service
// time s·r.
func (e *Executor) drawIteration(k *jobState) {
	sent := float64(e.now - k.origin - k.computeCycles)
	if sent <= 0 || k.iterationEnd == 0 {
		return
	}
	left := max(0, k.iterationEnd-float64(e.now))
	k.origin = e.now - k.computeCycles
	rng := rand.New(rand.NewPCG(k.job.Seed, k.stream))
	if rng.Float64()*(sent+left) < sent {
		k.origin, k.computeCycles = e.now, k.laterCompute
		k.base = min(k.total, k.base+k.perIteration)
	}
	k.drawnVariance += sent * left
	e.shift(k.component)
}

// leaveFull ends the simulation of the jobs of a component. A jump begins with their current
// iterations, so the messages of these do not count here.
func (e *Executor) leaveFull(c *component) {
	c.simulated = false
	for _, k := range c.jobs {
		if k.readFull(); k.live.active {
			e.leave(k, k.live.totals)
			e.Done -= int64(k.done) - k.base
			k.done = float64(k.base)
			k.stream++
			e.full.Abandon(k.live.slot)
		}
	}
}

// openWindow begins to measure the jobs of a component, for some cycles at least.
func (e *Executor) openWindow(c *component, shortest int64) {
	if c.links == nil {
		for _, k := range c.jobs {
			c.links = append(c.links, k.links...)
		}
		slices.Sort(c.links)
		c.links = slices.Compact(c.links)
	}
	c.window = window{opened: e.now, shortest: shortest, nextTest: minIterations,
		flits: c.window.flits[:0]}
	for _, l := range c.links {
		c.window.flits = append(c.window.flits, e.full.Net.Usage(l).Flits)
	}
	draws := slices.ContainsFunc(c.jobs, func(k *jobState) bool {
		return k.config.Draws() || patterns.OwnSizes(k.config.Name)
	})
	c.recurrence = recurrence{enabled: e.comparable && !draws}
	for _, k := range c.jobs {
		k.live.ends = k.live.ends[:0]
	}
	c.window.behind = len(c.jobs)
}

// rounds returns the iterations that every job of a component has ended in its window.
func (c *component) rounds() int {
	least := c.jobs[0].live.iterations()
	for _, k := range c.jobs {
		least = min(least, k.live.iterations())
	}
	return least
}

// setTarget sets the number of iterations after which rates are tested again: one more if states
// are compared.
func (e *Executor) setTarget(c *component) {
	w := &c.window
	w.target = c.rounds() + 1
	if !c.recurrence.enabled {
		w.target = max(w.target, w.nextTest)
	}
	w.behind = 0
	for _, k := range c.jobs {
		if k.live.iterations() < w.target {
			w.behind++
		}
	}
}

// addLinks adds to a forecast the flits that the links of a component have carried in its window.
func (e *Executor) addLinks(f *forecast, c *component) {
	for i, l := range c.links {
		n := e.full.Net.Usage(l).Flits - c.window.flits[i]
		if n > 0 {
			f.links = append(f.links, linkUse{l, n})
		}
		if e.full.Net.Wiring().Kind(l) == router.Ejection {
			f.flits += float64(n)
		}
	}
}

// linkUse counts the flits that have crossed a link.
type linkUse struct {
	link  router.Link
	flits int64
}

package fastforward

import (
	"slices"

	"contend/netsim"
	"contend/router"
	"contend/scheduler"
)

// liveState is the state of a job in the simulation.
type liveState struct {
	slot      int32
	delivered int64         // messages that have arrived
	lastEnd   int64         // cycle in which the last iteration ended, or 0
	totals    netsim.Totals // of the simulated messages up to lastEnd

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

// enteredFull records the slot of a job that starts.
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
	k := e.running(id)
	k.totals = k.totals.Plus(&t, 1)
	e.sums.messages = e.sums.messages.Plus(&t, 1)
	k.ended = true
	e.endedInFull = append(e.endedInFull, k)
}

// running returns the state of a job that sends messages and has not ended.
func (e *Executor) running(id scheduler.JobID) *jobState {
	return e.slots[slices.IndexFunc(e.slots, func(k *jobState) bool {
		return k != nil && k.job.ID == id && !k.killed && !k.ended
	})]
}

// openWindow begins to measure the jobs of a component, for some cycles at least.
func (e *Executor) openWindow(c *component, shortest int64) {
	c.opened = true
	c.window = window{opened: e.now, shortest: shortest, nextTest: minIterations,
		flits: c.window.flits[:0]}
	for _, l := range c.links {
		c.window.flits = append(c.window.flits, e.full.Net.Usage(l).Flits)
	}
	draws := slices.ContainsFunc(c.jobs, func(k *jobState) bool {
		return k.config.Draws() && !k.tasks // slow ranks of a graph are drawn once
	})
	c.recurrence = recurrence{enabled: e.comparable && !draws, at: map[uint64]moment{}}
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

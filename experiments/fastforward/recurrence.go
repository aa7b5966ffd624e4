package fastforward

import (
	"slices"

	"contend/netsim"
	"contend/router"
)

// If a component has the same state at two moments, with times counted from the moment, its future
// is periodic: what happened between the two repeats until a job ends. The ends of iterations are
// then exact.

// maxStates is the number of states that are kept. It bounds the rounds of a period.
const maxStates = 8

// recurrence compares the states of a component at the ends of rounds. A round is over when each
// job has ended one more iteration.
type recurrence struct {
	enabled bool // the whole state can be compared
	rounds  int
	states  []savedState // by round, modulo maxStates
}

// savedState is the state of a component at the end of a round.
type savedState struct {
	cycle int64
	state router.Snapshot
	ends  []int // of iterations in the window, by job; empty if no state was saved
}

// repetition is a period that is simulated once more, to measure how long packets wait in it: how
// long those under way have waited is no part of the state.
type repetition struct {
	forecast *forecast
	totals   []netsim.Totals // when it began, by job
}

// findRecurrence compares the state at the end of a round with earlier ones. If it finds an equal
// one, it begins to measure the period and reports true.
func (e *Executor) findRecurrence(c *component) bool {
	r, rounds := &c.recurrence, c.rounds()
	if !r.enabled || rounds <= r.rounds {
		return false
	}
	if r.states == nil {
		r.states = make([]savedState, maxStates)
	}
	for round := r.rounds + 1; round < rounds; round++ {
		r.states[round%maxStates].ends = nil
	}
	r.rounds = rounds
	now := &r.states[rounds%maxStates]
	if !e.saveState(c, now) {
		r.enabled = false
		return false
	}
	for back := 1; back < min(maxStates, rounds); back++ {
		then := &r.states[(rounds-back)%maxStates]
		if len(then.ends) > 0 && slices.Equal(then.state.Words, now.state.Words) {
			return e.repeatPeriod(c, then, now)
		}
	}
	return false
}

// saveState saves the state of a component. It reports false if a program has no state to save.
func (e *Executor) saveState(c *component, m *savedState) bool {
	m.cycle, m.ends = e.now, m.ends[:0]
	var slots []int32
	for _, k := range c.jobs {
		slots = append(slots, k.live.slot)
	}
	slices.Sort(slots)
	e.full.Net.Snapshot(&m.state, c.links, slots)
	words, ok := e.full.AppendState(m.state.Words, slots)
	for _, k := range c.jobs {
		m.ends = append(m.ends, len(k.live.ends))
		words = append(words, k.live.delivered%k.perIteration)
	}
	m.state.Words = words
	return ok
}

// repeatPeriod makes the future repeat what happened between two moments, and simulates one more
// period.
func (e *Executor) repeatPeriod(c *component, then, now *savedState) bool {
	length := now.cycle - then.cycle
	f := &forecast{exact: true, window: float64(length),
		settled: float64(now.cycle - c.window.opened)}
	again := &repetition{forecast: f}
	for i, k := range c.jobs {
		if now.ends[i] == then.ends[i] {
			return false
		}
		var p period
		for _, end := range k.live.ends[then.ends[i]:] {
			p.ends = append(p.ends, float64(end+length-k.live.lastEnd))
		}
		f.jobs = append(f.jobs, p)
		again.totals = append(again.totals, e.full.Totals(k.live.slot))
	}
	c.repeats, c.nextDecision = again, e.now+length
	return true
}

// measurePeriod ends the simulation of a period and lets the component jump.
func (e *Executor) measurePeriod(c *component) {
	f := c.repeats.forecast
	for i, k := range c.jobs {
		totals := e.full.Totals(k.live.slot)
		f.jobs[i].perMessage = meansOf(totals.Minus(&c.repeats.totals[i]))
	}
	e.addLinks(f, c)
	e.remember(c, f)
	c.repeats = nil
	if !e.consider(c, f) {
		e.stopTests(c)
	}
}

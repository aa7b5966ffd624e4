package fastforward

import (
	"cmp"
	"slices"

	"contend/netsim"
	"contend/router"
	"contend/scheduler"
)

// component is a set of jobs whose packets may meet, directly or through others. It exists for an
// epoch: from one start or end of one of its jobs to the next.
type component struct {
	jobs         []*jobState
	formed       int64 // cycle from which it has these jobs
	nextDecision int64 // cycle of the next decision whether the jobs jump
	due          bool  // the decision is due now
	jump         *jump // nil while its jobs are simulated
	audit        *audit
	jammed       []*audit // that have found a jam
	// shiftedFrom is the cycle from which the jobs are in other phases than in a run without jumps,
	// or never.
	shiftedFrom int64
	drawn       int64 // Network.MarksDrawn at its beginning, or at that of its first exact jump

	slots      []int32       // of its jobs, in ascending order
	links      []router.Link // in ascending order
	opened     bool          // its window, once
	warm       bool          // the time in which limited queue pairs recover has passed: see settled
	window     window
	recurrence recurrence
	repeats    *repetition // a period that is simulated once more
}

// join starts a job, and makes one component of it and of all components whose links it may use.
func (e *Executor) join(k *jobState) {
	c := &component{formed: e.now, jobs: []*jobState{k}, shiftedFrom: never}
	k.component = c
	for _, l := range k.links {
		for _, other := range e.users[l] {
			if other.component != c {
				e.absorb(c, other.component)
			}
		}
		e.users[l] = append(e.users[l], k)
		k.shifted = k.shifted || e.skipped[l]
	}
	k.live.sends = e.now + int64(k.job.Lead)
	e.joining = k
	e.full.Start(&k.job, k.nodes)
	e.form(c)
}

// absorb moves the jobs of a component into another that is formed now.
func (e *Executor) absorb(into, from *component) {
	e.closeEpoch(from)
	for _, k := range from.jobs {
		k.component = into
	}
	into.jobs = append(into.jobs, from.jobs...)
	e.unlist(from)
}

// form lists a component whose jobs are known.
func (e *Executor) form(c *component) {
	slices.SortFunc(c.jobs, func(a, b *jobState) int { return cmp.Compare(a.nodes[0], b.nodes[0]) })
	e.lister++
	for _, k := range c.jobs {
		c.slots = append(c.slots, k.live.slot)
		for _, l := range k.links {
			c.links = e.list(c.links, l)
		}
	}
	slices.Sort(c.slots)
	slices.Sort(c.links)
	c.nextDecision, c.drawn = e.now, e.full.Net.MarksDrawn(c.links)
	e.components = append(e.components, c)
	if slices.ContainsFunc(c.jobs, func(k *jobState) bool { return k.shifted }) {
		e.shift(c)
	}
}

// skipped reports whether messages of a job have been left out.
func (c *component) skipped() bool {
	return slices.ContainsFunc(c.jobs, func(k *jobState) bool { return k.skipped })
}

// unlist removes a component from the list of components.
func (e *Executor) unlist(c *component) {
	i := slices.Index(e.components, c)
	e.components = slices.Delete(e.components, i, i+1)
}

// shift records that, from now on, the jobs of a component are in different phases than in a run
// without jumps.
func (e *Executor) shift(c *component) {
	c.shiftedFrom = min(c.shiftedFrom, e.now)
	e.skipTurns(c)
	for _, k := range c.jobs {
		k.shifted = true
	}
}

// skipTurns records that turns on the links of a component may differ from those of a run without
// jumps, also for later jobs on these links.
func (e *Executor) skipTurns(c *component) {
	if e.turns && e.links.changing { // lost packets go anywhere
		for l := range e.skipped {
			e.skipped[l] = true
		}
	}
	for i := 0; e.turns && i < len(c.jobs); i++ {
		for _, l := range c.jobs[i].links {
			e.skipped[l] = true
		}
	}
}

// closeEpoch ends the jump or the simulation of a component, and adds the cycles in which its jobs
// were unsure.
func (e *Executor) closeEpoch(c *component) {
	e.endJump(c)
	e.endAudits(c)
	if c.shiftedFrom == never && c.skipped() && e.full.Net.MarksDrawn(c.links) > c.drawn {
		e.shift(c) // marks are drawn by the numbers of messages, which jumps leave out
		c.shiftedFrom = c.formed
	}
	if c.shiftedFrom == never || e.repeatsSurely(c) {
		return
	}
	for _, k := range c.jobs {
		k.unsure += float64(e.now - c.shiftedFrom)
	}
}

// removeEnded dissolves a component of which jobs have ended, appends these to done, and forms new
// components of the others.
func (e *Executor) removeEnded(c *component, done []scheduler.JobID) []scheduler.JobID {
	e.closeEpoch(c)
	e.unlist(c)
	for _, k := range c.jobs {
		if k.ended {
			done = append(done, k.job.ID)
			e.finishJob(k)
		}
	}
	e.regroupAll(c)
	return done
}

// regroupAll forms new components of the jobs of an old one that have not left it.
func (e *Executor) regroupAll(old *component) {
	for _, k := range old.jobs {
		if k.component == old {
			e.regroup(k, old)
		}
	}
}

// CanKill implements scheduler.Killer.
func (e *Executor) CanKill() bool { return e.full.CanKill() }

// Kill implements scheduler.Killer. The jobs of the component are simulated until the last message
// of the job has left the network: see release.
func (e *Executor) Kill(id scheduler.JobID) {
	if i := slices.IndexFunc(e.computing, func(j computingJob) bool { return j.id == id }); i >= 0 {
		list := slices.Delete(e.computing, i, i+1)
		e.computing = nil
		for _, j := range list {
			e.computing.Push(j)
		}
		return
	}
	k := e.running(id)
	c := k.component
	e.closeEpoch(c)
	all := e.full.Totals(k.live.slot)
	e.sums.messages = e.sums.messages.Plus(&all, 1)
	e.Done -= k.live.delivered
	e.sumUp(k)
	e.full.Kill(id)
	k.killed, e.killed = true, append(e.killed, k)
	e.unlist(c)
	e.regroupAll(c)
}

// release frees the links of killed jobs of which no message is left.
func (e *Executor) release() {
	for i := len(e.killed) - 1; i >= 0; i-- {
		k := e.killed[i]
		if e.full.Leaves(k.live.slot) && e.slots[k.live.slot] == k {
			continue
		}
		c := k.component
		e.killed = slices.Delete(e.killed, i, i+1)
		e.closeEpoch(c)
		e.leave(k)
		e.unlist(c)
		e.regroupAll(c)
	}
}

// releaseCycles is the time between two looks at the messages of killed jobs.
const releaseCycles = 1000

// leave frees the links of a job.
func (e *Executor) leave(k *jobState) {
	for _, l := range k.links {
		i := slices.Index(e.users[l], k)
		e.users[l] = slices.Delete(e.users[l], i, i+1)
	}
	k.component = nil
}

// sumUp adds the cycles of a job that ends to the sums of the run.
func (e *Executor) sumUp(k *jobState) {
	e.sums.serviceCycles += float64(e.now - k.start)
	e.sums.unsureCycles += k.unsure
	e.sums.drawnVariance += k.drawnVariance
}

// finishJob frees the links of a job that has ended and reports its totals.
func (e *Executor) finishJob(k *jobState) {
	e.leave(k)
	e.sumUp(k)
	if e.Unsure != nil {
		e.Unsure(k.job.ID, k.unsure, carryHalf(k.drawnVariance))
	}
	if e.Ended != nil {
		e.Ended(k.job.ID, k.totals, k.estimated)
	}
}

// regroup forms a component of a job and of the jobs of an old component that it may meet.
func (e *Executor) regroup(first *jobState, old *component) {
	c := &component{formed: e.now, jobs: []*jobState{first}, shiftedFrom: never}
	first.component = c
	for i := 0; i < len(c.jobs); i++ {
		for _, l := range c.jobs[i].links {
			for _, k := range e.users[l] {
				if k.component == old {
					k.component = c
					c.jobs = append(c.jobs, k)
				}
			}
		}
	}
	e.form(c)
}

// runSums has the sums of a run.
type runSums struct {
	simulated, recalled int // forecasts

	// Cycles of jobs: all; jumped over; jumped over exactly; and in different phases than in a run
	// without jumps.
	serviceCycles, jumpedCycles, exactCycles, unsureCycles float64

	drawnVariance float64       // of the sum of service times, from the first carries
	messages      netsim.Totals // of all jobs
	linkFlits     []float64     // flits that crossed links in jumps, by link
}

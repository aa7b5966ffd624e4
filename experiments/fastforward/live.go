package fastforward

import (
	"math"
	"math/rand/v2"

	"contend/netsim"
	"contend/scheduler"
)

// live is the part of a job that is simulated flit by flit as it goes, with all other jobs for
// which a jump does not pay.
type live struct {
	on          bool
	slot        int32
	since       int64         // cycle in which it joined
	base        int64         // messages that count as arrived when it joined
	heard       int64         // since then
	first, last int64         // cycles in which the first iteration since then ended, and the last
	totals      netsim.Totals // up to then
	// What is learnt of a component since the cycle from: the iterations, and the totals before.
	part    *component
	from    int64
	turns   int64
	earlier netsim.Totals
}

const (
	// A run may simulate so many messages for each that it carries. What jumps have saved pays for
	// trajectories, and this bounds what trajectories cost that save nothing.
	mostSimulated = 1.05
	mostChecked   = 0.1 // of the messages that a run simulates, in checks
	firstCost     = 8   // iterations of a trajectory, before any was followed
	leastRecheck  = 256 // cycles until a jump may pay that did not
)

// begun notes the slot of a job that joins the full simulation.
func (e *Executor) begun(slot int32, id scheduler.JobID) {
	for int(slot) >= len(e.slots) {
		e.slots = append(e.slots, nil)
	}
	e.slots[slot], e.joining.live.slot = e.joining, slot
}

// heard counts a message of a job that is simulated in full.
func (e *Executor) heard(slot int32) {
	k := e.slots[slot]
	l := &k.live
	l.heard++
	e.heardLive++
	e.Done++
	if l.heard%k.perIteration == 0 {
		if l.last = e.live.Net.Now(); l.first == 0 {
			l.first = l.last
		}
		l.totals = e.live.Totals(slot)
		l.turns++
		if l.part != k.part {
			l.part, l.from, l.turns, l.earlier = k.part, l.last, 0, l.totals
		}
	}
}

// ended notes the end of a job that is simulated in full.
func (e *Executor) ended(id scheduler.JobID, t netsim.Totals, _ bool) {
	for _, c := range e.parts {
		for _, k := range c.jobs {
			if k.job.ID == id {
				e.settle(k, &t, k.live.heard)
				k.done = float64(k.total)
				e.over = append(e.over, k)
				return
			}
		}
	}
}

// settle adds messages that a job has sent in the full simulation, which it leaves.
func (e *Executor) settle(k *jobState, t *netsim.Totals, heard int64) {
	each := eachOf(*t)
	k.totals.add(&each, float64(heard))
	e.sums.messages.add(&each, float64(heard))
	e.checks.waits.sure.addWaits(&each, float64(heard))
	k.live.on = false
}

// locate tells where a job is that is simulated in full.
func (k *jobState) locate() {
	l := &k.live
	if !l.on {
		return
	}
	k.done = float64(l.base + l.heard)
	n := l.heard / k.perIteration
	if n == 0 {
		return
	}
	began := k.origin
	if k.base == l.base && n == 1 {
		k.turn = float64(l.last - began)
	} else if n > 1 {
		k.turn = float64(l.last-l.first) / float64(n-1)
	}
	k.base, k.origin, k.lead = l.base+n*k.perIteration, l.last, k.pause
}

// enterLive has the jobs of a component go on in the full simulation. A job that computes goes on
// with that. One that sends begins to send anew, in the same iteration or in the next, as is drawn:
// it has then as many messages on their way in the mean as it would, and as many behind it.
func (e *Executor) enterLive(c *component) {
	for _, k := range c.jobs {
		if k.live.on {
			continue
		}
		j := k.job
		sent := float64(e.now - k.origin - k.lead)
		if left := k.turn - float64(e.now-k.origin); sent > 0 && k.turn > 0 {
			k.origin = e.now - k.lead
			left = max(0, left)
			rng := rand.New(rand.NewPCG(j.Seed, k.entered))
			if rng.Float64()*(sent+left) < sent {
				k.origin, k.lead = e.now, k.pause
				k.base = min(k.total, k.base+k.perIteration)
			}
			k.variance += sent * left
			e.sums.variance += sent * left
		}
		skipped := float64(k.base) - k.done
		e.sums.messages.add(&k.each, skipped)
		k.totals.add(&k.each, skipped)
		if k.exact {
			e.checks.waits.sure.addWaits(&k.each, skipped)
		}
		e.Done += k.base - int64(k.done)
		k.done = float64(k.base)
		j.Quota = k.total - k.base
		j.Lead = scheduler.Cycle(max(0, k.origin-e.now+k.lead))
		if j.Quota == 0 { // it has sent all
			j.Lead = 1
		}
		j.Seed += k.entered * 0x9e3779b97f4a7c15
		k.live = live{on: true, since: e.now, base: k.base}
		e.joining = k
		e.live.Start(&j, k.nodes)
	}
	c.next = e.now + max(leastRecheck, (e.now-c.born)/4)
}

// leaveLive takes the jobs of a component out of the full simulation.
func (e *Executor) leaveLive(c *component) {
	e.account(c)
	for _, k := range c.jobs {
		if k.locate(); k.live.on {
			// A trajectory begins with the current iteration.
			e.settle(k, &k.live.totals, k.base-k.live.base)
			e.Done -= int64(k.done) - k.base
			k.done = float64(k.base)
			k.entered++
			k.moved = true
			e.live.Abandon(k.live.slot)
		}
	}
}

// jump follows trajectories of a component and has its jobs go on at their rates, if that costs
// less than what is foreseen to be left to simulate.
func (e *Executor) jump(c *component) error {
	for _, k := range c.jobs {
		// What an iteration owes to jobs that have left is no more seen when it is over.
		if k.locate(); k.turn == 0 || k.base > 0 && k.origin < c.born {
			return nil
		}
	}
	slowest, perCycle, left := 0.0, 0.0, math.Inf(1)
	for _, k := range c.jobs {
		slowest = max(slowest, k.turn)
		perCycle += float64(k.perIteration) / k.turn
		left = min(left, (float64(k.total)-k.done)/float64(k.perIteration)*k.turn)
	}
	epoch := float64(e.now - c.born)
	if e.sums.epochs.N > 0 {
		epoch = max(epoch, e.sums.epochs.Value())
	}
	c.sort()
	began := c.began
	if left = min(left, epoch); left < 2*slowest {
		return nil
	}
	c.began = e.now
	if t := e.recall(c, int64(left)); t != nil {
		c.began = began
		e.leaveLive(c)
		c.began = e.now
		c.trajectory, c.next = t, t.next(c)
		return nil
	}
	var known *knowledge
	length, many := e.iterations()+1, 2
	if len(c.jobs) == 1 && e.stage.forgets(c.jobs[0]) {
		length, many = leastIterations+1, 1
	}
	cost := length * slowest
	if many > 1 {
		known = e.known(c)
		cost += max(2*cost, e.drawnLength(left, slowest, known))
	}
	simulated := float64(e.heardLive+e.stage.messages) + cost*perCycle
	if left < 2*cost || simulated > mostSimulated*float64(e.Done) {
		c.began = began
		return nil
	}
	before := make([]jobState, len(c.jobs))
	for i, k := range c.jobs {
		before[i] = *k
	}
	t, err := e.explore(c, int64(min(left, 3*length*slowest)), int64(left), known)
	if many > 1 {
		e.sums.lengths.Add(float64(t.until) / slowest)
	}
	if err == nil && t.steady {
		if c.trajectory = t; e.remember(c, int64(left)) {
			e.sums.simulated++
			c.began, c.trajectory = began, nil
			for i, k := range c.jobs {
				before[i] = *k
			}
			e.leaveLive(c)
			for i, k := range c.jobs { // a trajectory may begin iterations before
				k.base, k.origin, k.lead = before[i].base, before[i].origin, before[i].lead
			}
			c.began, c.trajectory = e.now, t
			c.next = max(e.now, t.next(c))
			return nil
		}
	}
	for i, k := range c.jobs {
		*k = before[i]
	}
	c.began, c.trajectory = began, nil
	return err
}

// iterations returns how many iterations a trajectory takes, as far as is known.
func (e *Executor) iterations() float64 {
	if e.sums.lengths.N == 0 {
		return firstCost
	}
	return e.sums.lengths.Value()
}

// drift adds to what is unsure of jobs that were simulated in full since a component began. They
// are in other phases than they would be, if a jump has brought one of them to where it is. They
// meet, so that this lasts for about as long as a trajectory.
func (e *Executor) drift(c *component) {
	c.sort()
	if live, ok := c.takeLive(); ok {
		k := e.known(c)
		e.learn(c, k, live)
	}
	moved, waits, turns := false, [2]float64{}, make([]float64, len(c.jobs))
	met := make([][2]float64, len(c.jobs)) // waits: all, and for other jobs
	lasted := float64(e.now - c.began)
	if lasted <= 0 || len(c.jobs) == 1 && e.stage.forgets(c.jobs[0]) {
		return
	}
	for i, k := range c.jobs {
		k.locate()
		moved = moved || k.moved
		turns[i] = k.turn
		t := e.live.Totals(k.live.slot)
		share := lasted / max(1, lasted, float64(e.now-k.live.since))
		met[i] = [2]float64{float64(t.Blocked) * share, float64(t.Foreign) * share}
		waits[0], waits[1] = waits[0]+met[i][0], waits[1]+met[i][1]
	}
	if moved {
		for _, k := range c.jobs {
			k.moved = true
		}
		s := &e.sums.spreads[c.kind()]
		period := lasting(turns)
		again := 2 * min(1, period/lasted)
		unit := e.unitsOf(c.jobs, again/2, func(i int) (all, others float64) {
			return met[i][0] / lasted, met[i][1] / lasted
		})
		e.wander(c, lasted, period, func(i int) float64 {
			return 2 * s.rate.with(0, 0, unit.rates[i])
		}, 2*s.sum.with(0, 0, unit.sum))
		again *= lasted * lasted
		e.sums.blocked.variance += again * s.blocked.with(0, 0, unit.blocked)
		e.sums.foreign.variance += again * s.foreign.with(0, 0, unit.foreign)
	}
}

// wander adds the time that a component has been in other phases than it would be: variances of
// the rates of its jobs, and of their sum by job. Phases are others after a period.
func (e *Executor) wander(c *component, cycles, period float64, rate func(job int) float64,
	sum float64) {
	if cycles <= 0 {
		return
	}
	others := 0.0
	for _, k := range c.jobs {
		others += k.together.off
	}
	n := float64(len(c.jobs))
	for i, k := range c.jobs {
		k.drifts.add(e.now, cycles, rate(i), period, 1, k.drifts.off)
		before := k.together.variance
		k.together.add(e.now, cycles, sum*n, period, 1/n, others)
		e.sums.variance += k.together.variance - before
	}
}

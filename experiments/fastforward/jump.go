package fastforward

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"unsafe"

	"contend/experiments/sim/executor"
	"contend/netsim"
	"contend/scheduler"
)

// jump is a time in which the clock of a component stands. When it ends, its jobs go on from the
// state in which they were frozen, as many iterations later as they do in that time.
type jump struct {
	*forecast
	began, end int64
	frozen     *executor.Frozen
}

// consider lets a component jump, or begins an audit of the jump. It reports whether the component
// jumps.
func (e *Executor) consider(c *component, f *forecast) bool {
	if e.config.Holds {
		e.hold(c, f)
		return true
	}
	if !e.pays(c, f) {
		return false
	}
	if !f.exact {
		if c.audit = e.audits.draw(c, f, e.longest(c, f)); c.audit != nil {
			return false
		}
	}
	e.beginJump(c, f)
	return true
}

// pays reports whether a jump would cover at least two iterations of the slowest job.
func (e *Executor) pays(c *component, f *forecast) bool {
	return float64(e.longest(c, f)) >= max(1, 2*f.slowest())
}

// longest returns the maximum number of cycles of a jump: the iteration in which the first job ends
// is simulated. An exact jump has whole periods.
func (e *Executor) longest(c *component, f *forecast) int64 {
	periods := math.Inf(1)
	for i, k := range c.jobs {
		left := float64(e.full.Skippable(k.live.slot)) / float64(f.jobs[i].iterations)
		if f.exact {
			left = math.Floor(left)
		}
		periods = min(periods, left*f.jobs[i].cycles)
	}
	return int64(periods)
}

// beginJump begins a jump of a component. The first estimated jump of a job draws its carry: so it
// gains nothing in the mean.
func (e *Executor) beginJump(c *component, f *forecast) {
	c.jump = &jump{f, e.now, e.now + e.longest(c, f), e.full.Freeze(c.slots, c.links)}
	c.nextDecision = c.jump.end
	if f.exact {
		return
	}
	e.shift(c)
	for i, k := range c.jobs {
		if !k.estimated {
			k.estimated, k.carry = true, rand.New(rand.NewPCG(k.job.Seed, carryStream)).Float64()
			k.drawnVariance = f.jobs[i].iteration() * f.jobs[i].iteration() / 6
		}
	}
}

// hold lets the jobs of a component go on to their ends at the rates of a forecast. Their part of
// the network stands from now on.
func (e *Executor) hold(c *component, f *forecast) {
	e.full.Freeze(c.slots, c.links)
	c.nextDecision = never
	flits := 0.0
	for i, k := range c.jobs {
		p := &f.jobs[i]
		left := float64(k.job.Quota - k.live.delivered)
		service := float64(k.job.Quota) / float64(k.perIteration) * p.iteration()
		end := max(e.now+1, k.start+int64(math.Round(service)))
		times := left / float64(max(1, p.totals.Messages))
		all := e.full.Totals(k.live.slot)
		all = all.Plus(&p.totals, times)
		k.totals = k.totals.Plus(&all, 1)
		e.sums.messages = e.sums.messages.Plus(&all, 1)
		e.sums.jumpedCycles += float64(end - e.now)
		flits += times * float64(p.totals.Flits)
		k.ended, k.shifted, k.estimated = true, !f.exact, !f.exact
		if f.exact {
			e.sums.exactCycles += float64(end - e.now)
		} else {
			k.unsure = float64(end - e.now)
		}
		e.computeUntil(computingJob{cycle: scheduler.Cycle(end), id: k.job.ID, held: k})
	}
	for _, u := range f.links {
		e.sums.linkFlits[u.link] += float64(u.flits) * flits / max(1, f.flits)
	}
}

// carryStream is the stream of a job's seed that draws its carry.
const carryStream = 0x6a756d70

// endJump ends the jump of a component now, if it is in one: it leaves out the iterations of its
// jobs, adds their messages to the sums of the run, and simulates the part of a period that is left
// of an exact jump.
func (e *Executor) endJump(c *component) {
	j := c.jump
	if j == nil {
		return
	}
	c.jump, c.nextDecision = nil, never
	passed, flits := e.now-j.began, 0.0
	if j.exact {
		passed -= passed % int64(j.jobs[0].cycles)
	}
	for i, k := range c.jobs {
		n, p := j.skip(k, i, passed), &j.jobs[i]
		times := float64(n*k.perIteration) / float64(max(1, p.totals.Messages))
		e.full.Skip(k.live.slot, n)
		e.Done += n * k.perIteration
		k.live.delivered += n * k.perIteration
		k.live.lastEnd += passed
		k.live.sends += passed
		flits += times * float64(p.totals.Flits)
		k.totals = k.totals.Plus(&p.totals, times)
		e.sums.messages = e.sums.messages.Plus(&p.totals, times)
		e.sums.jumpedCycles += float64(passed)
		if j.exact {
			e.sums.exactCycles += float64(passed)
		} else {
			e.audits.jumped += float64(passed)
			e.audits.claimed += float64(passed) * p.halfWidth * p.halfWidth
		}
	}
	for _, u := range j.links {
		e.sums.linkFlits[u.link] += float64(u.flits) * flits / max(1, j.flits)
	}
	e.endAudits(c)
	c.opened = true
	e.stopTests(c)
	if err := e.full.CatchUp(j.frozen, j.began+passed); err != nil {
		e.err = cmp.Or(e.err, err)
	}
}

// skip returns the iterations that the i-th job of a jump does in some cycles.
func (j *jump) skip(k *jobState, i int, cycles int64) int64 {
	p := &j.jobs[i]
	if j.exact {
		return cycles / int64(p.cycles) * p.iterations
	}
	whole, rest := math.Modf(k.carry + float64(cycles)/p.iteration())
	k.carry = rest
	return int64(whole)
}

// forecast is the forecast progress of the jobs of a component: each job repeats a period.
type forecast struct {
	jobs   []period
	exact  bool    // the component repeats itself, and all have the same period
	window float64 // cycles of the simulation that it was estimated from
	// settled is the number of cycles after which its rates were first precise.
	settled float64
	links   []linkUse // in the window
	flits   float64   // of the messages that arrived in the window
}

// period is a period of a job.
type period struct {
	iterations int64
	cycles     float64
	halfWidth  float64       // relative half width of the 95% interval of its length
	totals     netsim.Totals // of some messages, from which those of all others follow
}

// iteration returns the mean cycles of an iteration.
func (p *period) iteration() float64 { return p.cycles / float64(p.iterations) }

// slowest returns the mean cycles of an iteration of the slowest job.
func (f *forecast) slowest() float64 {
	slowest := 0.0
	for i := range f.jobs {
		slowest = max(slowest, f.jobs[i].iteration())
	}
	return slowest
}

// memory has forecasts of components by their keys. It is cleared when it exceeds its limit in bytes.
type memory struct {
	limit, bytes int
	entries      map[string]*forecast
}

// put stores a forecast, unless a forecast from a longer window is stored.
func (m *memory) put(name string, f *forecast) {
	if known := m.entries[name]; known != nil && known.window >= f.window {
		return
	}
	if m.bytes > m.limit {
		m.bytes = 0
		clear(m.entries)
	}
	m.entries[name] = f
	m.bytes += len(name) + int(unsafe.Sizeof(*f)) + cap(f.links)*int(unsafe.Sizeof(linkUse{})) +
		cap(f.jobs)*int(unsafe.Sizeof(period{}))
}

// key returns a text that is the same for components with the same programs on the same nodes.
func (c *component) key() string {
	var b []byte
	for _, k := range c.jobs {
		drawn := uint64(0)
		if k.config.Work != nil && k.config.Draws() { // its slow ranks are drawn once
			drawn = k.job.Seed
		}
		b = fmt.Appendln(b, k.job.Pattern, drawn, k.job.Compute, k.job.Shape, k.nodes)
	}
	return string(b)
}

// remember stores the forecast of a component. The period of several jobs, or of a job with a
// state, depends on the state, so for an equal component the forecast is an estimate.
func (e *Executor) remember(c *component, f *forecast) {
	stored := *f
	if f.exact && !e.repeatsSurely(c) {
		stored.exact = false
		stored.jobs = nil
		for _, p := range f.jobs {
			stored.jobs = append(stored.jobs, period{iterations: 1, cycles: p.iteration(),
				halfWidth: e.config.Tolerance, totals: p.totals})
		}
	}
	e.sums.simulated++
	e.memory.put(c.key(), &stored)
}

// recall returns the forecast of an equal component, or nil. A job whose iterations are sure to be
// equal must begin the first one in an idle network.
func (e *Executor) recall(c *component) *forecast {
	f, k := e.memory.entries[c.key()], &c.jobs[0].live
	if f == nil || f.exact && (k.delivered > 0 || k.sends < e.now+e.clearing) {
		return nil
	}
	e.sums.recalled++
	return f
}

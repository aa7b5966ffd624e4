package fastforward

import (
	"encoding/binary"
	"math"
	"sort"
	"unsafe"
)

// jump is a time in which a component makes progress as forecast.
type jump struct {
	*forecast
	began, end int64
}

// consider lets a component jump, or begins an audit of the jump. It reports whether the component
// jumps.
func (e *Executor) consider(c *component, f *forecast) bool {
	for _, k := range c.jobs {
		k.readFull()
	}
	if !f.pays(c, e.now) {
		return false
	}
	if !f.exact {
		if c.audit = e.audits.draw(c, f, float64(f.endOf(c)-e.now)); c.audit != nil {
			return false
		}
	}
	e.beginJump(c, f)
	return true
}

// pays reports whether a jump would cover at least two iterations of the slowest job.
func (f *forecast) pays(c *component, now int64) bool {
	return float64(f.endOf(c)-now) >= 2*f.slowest()
}

// beginJump begins a jump of a component.
func (e *Executor) beginJump(c *component, f *forecast) {
	e.leaveFull(c)
	e.skipTurns(c)
	c.jump = &jump{forecast: f, began: e.now, end: f.endOf(c)}
	c.nextDecision = c.jump.end
	if f.exact {
		return
	}
	e.shift(c)
	for _, k := range c.jobs {
		k.estimated = true
	}
}

// endJump ends the jump of a component now, if it is in one: it moves its jobs to their positions,
// and adds their messages to the sums of the run.
func (e *Executor) endJump(c *component) {
	if c.jump == nil {
		return
	}
	lasted, flits := float64(e.now-c.jump.began), 0.0
	for i, k := range c.jobs {
		p := &c.jump.jobs[i]
		arrived := e.moveJob(k, p)
		flits += arrived * p.perMessage[flitSum]
		k.totals.add(&p.perMessage, arrived)
		e.sums.messages.add(&p.perMessage, arrived)
		k.perMessage = p.perMessage
		e.sums.jumpedCycles += lasted
		if c.jump.exact {
			e.sums.exactCycles += lasted
		}
		if n := len(p.ends); c.jump.exact && n > 1 {
			e.sums.onePeriod.add(&p.perMessage, float64(int64(n)*k.perIteration))
		}
	}
	for _, u := range c.jump.links {
		e.sums.linkFlits[u.link] += float64(u.flits) * flits / max(1, c.jump.flits)
	}
	c.jump, c.nextDecision = nil, e.now
	e.endAudit(c)
}

// moveJob moves a job to its position now in its periods, and returns the number of messages that
// have arrived. The messages of an iteration count as arriving evenly.
func (e *Executor) moveJob(k *jobState, p *period) float64 {
	start, whole := k.iterationStart(), (k.total-k.base)/k.perIteration
	n := min(whole, p.iterationsBy(float64(e.now)-start))
	from, to := p.endOf(n), p.endOf(n+1)
	share := min(1, max(0, float64(e.now)-start-from)/max(1, to-from))
	if n == whole {
		share = 0
	}
	done := max(k.done, float64(k.base)+(float64(n)+share)*float64(k.perIteration))
	arrived := done - k.done
	e.Done += int64(done) - int64(k.done)
	k.done, k.iterationEnd = done, start+to
	if n > 0 {
		k.base += n * k.perIteration
		k.origin, k.computeCycles = int64(math.Round(start+from)), k.laterCompute
	}
	return arrived
}

// forecast is the forecast progress of the jobs of a component: each job repeats a period.
type forecast struct {
	jobs   []period
	exact  bool    // the periods are exact, not estimates
	window float64 // cycles of the simulation that it was estimated from
	// settled is the number of cycles after which its rates were first precise.
	settled float64
	links   []linkUse // in the window
	flits   float64   // of the messages that arrived in the window
}

// period is a period of a job: some iterations, whose times count from its beginning.
type period struct {
	ends       []float64 // times at which its iterations end
	halfWidth  float64   // relative half width of the 95% interval of its length
	perMessage messageSums
}

// cycles returns the length of the period.
func (p *period) cycles() float64 { return p.ends[len(p.ends)-1] }

// iteration returns the mean cycles of an iteration.
func (p *period) iteration() float64 { return p.cycles() / float64(len(p.ends)) }

// roundOff is far less than a cycle, and more than the error of a sum of cycles.
const roundOff = 1e-6

// endOf returns the time at which the n-th iteration ends, 0 for n = 0.
func (p *period) endOf(n int64) float64 {
	if n <= 0 {
		return 0
	}
	per := int64(len(p.ends))
	return float64((n-1)/per)*p.cycles() + p.ends[(n-1)%per]
}

// iterationsBy returns the number of iterations that end by a time.
func (p *period) iterationsBy(at float64) int64 {
	at += roundOff
	whole := math.Floor(at / p.cycles())
	rest := at - whole*p.cycles()
	n := sort.Search(len(p.ends), func(i int) bool { return p.ends[i] > rest })
	return int64(whole)*int64(len(p.ends)) + int64(n)
}

// slowest returns the mean cycles of an iteration of the slowest job.
func (f *forecast) slowest() float64 {
	slowest := 0.0
	for i := range f.jobs {
		slowest = max(slowest, f.jobs[i].iteration())
	}
	return slowest
}

// endOf returns the cycle up to which the forecast holds: the first in which a job ends, or begins
// a last iteration that is not complete, because a period does not have the time of a part of an
// iteration.
func (f *forecast) endOf(c *component) int64 {
	first := math.Inf(1)
	for i, k := range c.jobs {
		first = min(first, k.iterationStart()+f.jobs[i].endOf((k.total-k.base)/k.perIteration))
	}
	return int64(math.Ceil(first - roundOff))
}

// memory has forecasts of components by their keys. It is cleared when it exceeds its limit.
type memory struct {
	limit, bytes int64
	entries      map[string]*forecast
}

// memoryLimit bounds the memory of a run, in bytes.
const memoryLimit = 256 << 20

// newMemory returns a memory with a limit in bytes.
func newMemory(limit int64) memory {
	return memory{limit: limit, entries: map[string]*forecast{}}
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
	m.bytes += int64(len(name)) + int64(unsafe.Sizeof(*f)) +
		int64(cap(f.links))*int64(unsafe.Sizeof(linkUse{})) +
		int64(cap(f.jobs))*int64(unsafe.Sizeof(period{}))
}

// key returns a text that is the same for components with the same programs on the same nodes.
func (c *component) key() string {
	var b []byte
	for _, k := range c.jobs {
		b = binary.AppendVarint(b, int64(k.job.Pattern))
		b = binary.AppendVarint(b, int64(k.job.Compute))
		b = binary.AppendVarint(b, int64(len(k.job.Shape)))
		for _, side := range k.job.Shape {
			b = binary.AppendVarint(b, int64(side))
		}
		b = binary.AppendVarint(b, int64(len(k.nodes)))
		for _, n := range k.nodes {
			b = binary.AppendVarint(b, int64(n))
		}
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
			stored.jobs = append(stored.jobs, period{ends: []float64{p.iteration()},
				perMessage: p.perMessage})
		}
	}
	e.sums.simulated++
	e.memory.put(c.key(), &stored)
}

// recall returns the forecast of an equal component, or nil. A job whose iterations are sure to be
// equal must begin its next iteration in an idle network.
func (e *Executor) recall(c *component) *forecast {
	f, k := e.memory.entries[c.key()], c.jobs[0]
	if f == nil || f.exact && (k.live.active ||
		!k.shifted && (k.origin < e.now || k.origin+k.computeCycles < e.now+e.clearing)) {
		return nil
	}
	e.sums.recalled++
	return f
}

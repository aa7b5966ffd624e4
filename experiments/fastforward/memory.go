package fastforward

import (
	"encoding/binary"

	"unsafe"
)

// knowledge is what the windows of equal components have shown.
type knowledge struct {
	jobs []estimate // by job
	pool
	links           []linkUse // of the last steady trajectory, nil for none
	flits           int64
	exact           bool
	estimatedCycles float64 // cycles for which its rates have been used as estimates
	cyclesSince     float64 // of these, since the last trajectory
}

// memory has the knowledge of components by their keys. It is cleared when it exceeds its limit.
type memory struct {
	limit, bytes int64
	entries      map[string]*knowledge
}

// memoryLimit bounds the memory of a run, in bytes.
const memoryLimit = 256 << 20

// newMemory returns a memory with a limit in bytes.
func newMemory(limit int64) memory {
	return memory{limit: limit, entries: map[string]*knowledge{}}
}

// put stores the knowledge of a component.
func (m *memory) put(name string, k *knowledge) {
	if m.bytes > m.limit {
		m.bytes = 0
		clear(m.entries)
	}
	m.entries[name] = k
	m.bytes += int64(len(name)) + int64(unsafe.Sizeof(*k)) +
		int64(cap(k.links))*int64(unsafe.Sizeof(linkUse{})) +
		int64(cap(k.jobs))*int64(unsafe.Sizeof(estimate{}))
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

// knowledgeOf returns the knowledge of a component, which is empty at first.
func (e *Executor) knowledgeOf(c *component) *knowledge {
	name := c.key()
	k := e.memory.entries[name]
	if k == nil {
		k = &knowledge{jobs: make([]estimate, len(c.jobs))}
		e.memory.put(name, k)
	}
	return k
}

// remember stores the steady trajectory of a component, and sets its rates to those of all windows.
// It reports false if the rates may be used for too short a time.
func (e *Executor) remember(c *component, t *trajectory, limit int64) bool {
	k := e.knowledgeOf(c)
	e.memory.bytes += int64(cap(t.links)-cap(k.links)) * int64(unsafe.Sizeof(linkUse{}))
	k.links, k.flits, k.exact, k.cyclesSince = t.links, t.flits, t.exact, 0
	if t.exactAlone() {
		e.addWindow(c, k, t.windowAfter(nil, c.jobs))
	}
	t.knowledge, t.pool = k, k.pool
	for i := range t.progress {
		g, known := &t.progress[i], &k.jobs[i]
		g.squares = known.squares
		if !t.exact {
			g.rate, g.halfWidth, g.perMessage = known.rate, known.halfWidth, known.perMessage
		}
	}
	t.period = phasePeriodOf(c.jobs, t.estimates())
	// Where no rate is known well enough, the intervals say so.
	t.setUsable(max(e.horizon(t, c, limit), drawnShare*float64(limit)))
	return t.usable >= 2*t.simulated
}

// recall returns a trajectory of a component with the rates of an equal one. It returns nil if
// these are not known well enough until a job ends or the limit is reached.
func (e *Executor) recall(c *component, limit int64) *trajectory {
	known := e.memory.entries[c.key()]
	if known == nil || known.links == nil {
		return nil
	}
	t := &trajectory{steady: true, flits: known.flits, knowledge: known, links: known.links,
		pool: known.pool, period: phasePeriodOf(c.jobs, known.jobs)}
	// Several jobs may meet in other phases than they did.
	t.exact = known.exact && e.repeatsSurely(c)
	for i, k := range c.jobs {
		t.progress = append(t.progress, progress{estimate: known.jobs[i], endTime: -1,
			// The first iteration may compute for another time.
			anchor: k.origin + k.computeCycles - k.laterCompute - c.start})
	}
	t.setUsable(e.horizon(t, c, limit) - known.cyclesSince)
	if float64(t.usable) < t.neededCycles(c, limit) {
		return nil
	}
	e.sums.recalled++
	return t
}

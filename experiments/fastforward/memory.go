package fastforward

import (
	"encoding/binary"

	"unsafe"
)

// knowledge is what windows have shown of a component.
type knowledge struct {
	jobs []estimate
	pool
	use    []linkUse // nil: no trajectory was steady
	flits  int64
	exact  bool
	served float64 // cycles for which its rates have been used as estimates
	used   float64 // of these: since the last trajectory
}

// memory keeps knowledge by the names of components. It is cleared when it exceeds its limit.
type memory struct {
	limit, bytes int64
	known        map[string]*knowledge
}

// memoryLimit is what a run may remember, in bytes.
const memoryLimit = 256 << 20

// newMemory returns a memory with a limit in bytes.
func newMemory(limit int64) memory {
	return memory{limit: limit, known: map[string]*knowledge{}}
}

// keep remembers what a component has shown.
func (m *memory) keep(name string, k *knowledge) {
	if m.bytes > m.limit {
		m.bytes = 0
		clear(m.known)
	}
	m.known[name] = k
	m.bytes += int64(len(name)) + int64(unsafe.Sizeof(*k)) +
		int64(cap(k.use))*int64(unsafe.Sizeof(linkUse{})) +
		int64(cap(k.jobs))*int64(unsafe.Sizeof(estimate{}))
}

// name returns a text that components share which have the same programs at the same places.
func (c *component) name() string {
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

// known returns what is known of a component, which is nothing at first.
func (e *Executor) known(c *component) *knowledge {
	name := c.name()
	k := e.memory.known[name]
	if k == nil {
		k = &knowledge{jobs: make([]estimate, len(c.jobs))}
		e.memory.keep(name, k)
	}
	return k
}

// remember keeps what a steady trajectory has shown, and gives it the rates that are then known. It
// reports false where these are not known well enough to be used at all.
func (e *Executor) remember(c *component, limit int64) bool {
	t, k := c.trajectory, e.known(c)
	e.memory.bytes += int64(cap(t.use)-cap(k.use)) * int64(unsafe.Sizeof(linkUse{}))
	k.use, k.flits, k.exact, k.used = t.use, t.flits, t.exact, 0
	if t.alone() {
		e.learn(c, k, t.with(nil, c.jobs))
	}
	t.known, t.pool = k, k.pool
	for i := range t.progress {
		g, known := &t.progress[i], &k.jobs[i]
		g.squares = known.squares
		if !t.exact {
			g.rate, g.half, g.each = known.rate, known.half, known.each
		}
	}
	t.period = periodOf(c.jobs, t.estimates())
	// Where no rate is known well enough, the intervals say so.
	t.holdFor(max(e.horizon(t, c, limit), drawnShare*float64(limit)))
	return t.holds >= 2*t.until
}

// recall returns the trajectory of a component that follows from what is known of an equal one, or
// nil where that is not known well enough until a job ends or a time is over.
func (e *Executor) recall(c *component, limit int64) *trajectory {
	known := e.memory.known[c.name()]
	if known == nil || known.use == nil {
		return nil
	}
	t := &trajectory{steady: true, flits: known.flits, known: known, use: known.use,
		pool: known.pool, period: periodOf(c.jobs, known.jobs)}
	// Several jobs may meet in other phases than they did.
	t.exact = known.exact && e.certain(c)
	for i, k := range c.jobs {
		t.progress = append(t.progress, progress{estimate: known.jobs[i], end: -1,
			// The first iteration may compute for another time.
			anchor: k.origin + k.computeCycles - k.laterCompute - c.began})
	}
	t.holdFor(e.horizon(t, c, limit) - known.used)
	if float64(t.holds) < t.needed(c, limit) {
		return nil
	}
	e.sums.recalled++
	return t
}

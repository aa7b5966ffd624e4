package fastforward

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"

	"contend/experiments/config"
	"contend/patterns"
)

// knowledge is what windows have shown of a component.
type knowledge struct {
	legs []leg // with mean rates, their intervals and means over messages
	pool
	use    []linkUse // nil: no trajectory was steady
	flits  int64
	exact  bool
	served float64 // cycles for which its rates have been used as estimates
	used   float64 // of them: since the last trajectory
}

// memory keeps what trajectories have shown, by the names of components. Where that is more than
// its limit allows it begins anew.
type memory struct {
	limit, bytes int64
	known        map[string]*knowledge
}

// memoryLimit is what a run may remember, in bytes.
const memoryLimit = 256 << 20

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
		int64(cap(k.legs))*int64(unsafe.Sizeof(leg{}))
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

// of returns what is known of a component.
func (e *Executor) known(c *component) *knowledge {
	name := c.name()
	k := e.memory.known[name]
	if k == nil {
		k = &knowledge{legs: make([]leg, len(c.jobs))}
		e.memory.keep(name, k)
	}
	return k
}

// remember keeps what a trajectory that is steady has shown, and gives it the rates that are then
// known. It reports false where these are not known well enough to be used at all.
func (e *Executor) remember(c *component, limit int64) bool {
	t, k := c.trajectory, e.known(c)
	e.memory.bytes += int64(cap(t.use)-cap(k.use)) * int64(unsafe.Sizeof(linkUse{}))
	k.use, k.flits, k.exact, k.used = t.use, t.flits, t.exact, 0
	if t.alone() {
		e.learn(c, k, t.with(nil, c.jobs))
	}
	t.known, t.pool = k, k.pool
	for i := range t.legs {
		g, known := &t.legs[i], &k.legs[i]
		g.squares = known.squares
		if !t.exact {
			g.rate, g.half, g.each = known.rate, known.half, known.each
		}
	}
	t.period = period(c.jobs, t.legs)
	// Where no rate is known well enough, the intervals say so.
	t.holdFor(max(e.horizon(t, c, limit), longShare*float64(limit)))
	return t.holds >= 2*t.until
}

// recall returns the trajectory of a component that is known from an equal one, and known well
// enough for a time that is limited.
func (e *Executor) recall(c *component, limit int64) *trajectory {
	known := e.memory.known[c.name()]
	if known == nil || known.use == nil {
		return nil
	}
	t := &trajectory{steady: true, flits: known.flits, known: known, use: known.use,
		pool: known.pool, legs: slices.Clone(known.legs), period: period(c.jobs, known.legs)}
	// Several jobs may meet in another way than they did.
	t.exact = known.exact && len(c.jobs) == 1 && e.stage.forgets(c.jobs[0])
	for i, k := range c.jobs {
		g := &t.legs[i]
		g.anchor = k.origin + k.lead - k.pause - c.began // the first iteration may begin otherwise
	}
	t.holdFor(e.horizon(t, c, limit) - known.used)
	if float64(t.holds) < t.needed(c, limit) {
		return nil
	}
	e.sums.recalled++
	return t
}

// pairsKey is what the pairs of a job depend on.
type pairsKey struct {
	pattern, size int
	shape         string // "" if the pattern takes none
}

// pairsOf returns the pairs of processes of a job that exchange messages.
func (e *Executor) pairsOf(k *jobState) ([]patterns.Pair, error) {
	key := pairsKey{pattern: k.job.Pattern, size: k.job.Size}
	if config.TakesShapes(k.config) {
		key.shape = fmt.Sprint(k.job.Shape)
	}
	if list, ok := e.pairs[key]; ok {
		return list, nil
	}
	list, err := patterns.Pairs(k.config, k.job.Size, k.job.Shape)
	if err == nil {
		e.pairs[key] = list
	}
	return list, err
}

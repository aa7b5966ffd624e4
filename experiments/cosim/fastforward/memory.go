package fastforward

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"contend/experiments/spec"
	"contend/patterns"
)

// knowledge is what steady trajectories have shown of a component.
type knowledge struct {
	legs         []leg // with rates, their intervals and means over messages
	use          []linkUse
	flits        int64
	exact        bool
	trajectories float64 // that the rates are the means of
	used         float64 // cycles for which the rates have been used as estimates
	length       int64   // see trajectory
	followed     float64
	own          own
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
	for i := range k.legs {
		m.bytes += int64(cap(k.legs[i].shares)) * int64(unsafe.Sizeof(share{}))
	}
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

// remember keeps the rates of a trajectory that is steady. What was known before from other
// trajectories of the same programs at the same places makes them better known. It reports false
// where rates are not known well enough to be used at all.
func (e *Executor) remember(c *component, limit int64) bool {
	name := c.name()
	k := e.memory.known[name]
	if k == nil {
		k = &knowledge{legs: make([]leg, len(c.jobs))}
		defer e.memory.keep(name, k)
	}
	t := c.trajectory
	k.use, k.flits, k.exact, k.own, k.length = t.use, t.flits, t.exact, t.own, t.length
	k.pool(t)
	t.known = k
	k.used = 0
	// Where no rate is known well enough, the intervals say so.
	t.holdFor(max(e.horizon(t, c, limit), longShare*float64(limit)))
	return t.holds >= 2*t.until
}

// pool adds trajectories to what is known, and gives them the rates that are then known.
func (k *knowledge) pool(c *trajectory) {
	n, m := k.trajectories, float64(c.many)
	for i := range c.legs {
		g, old := &c.legs[i], &k.legs[i]
		if n > 0 && !c.exact {
			off := g.rate/old.rate - 1
			g.own = ((n-1)*old.own + (m-1)*g.own + off*off*n*m/(n+m)) / (n + m - 1)
			g.rate = (n*old.rate + m*g.rate) / (n + m)
			g.half = math.Hypot(n*old.half, m*g.half) / (n + m)
		}
		k.legs[i] = leg{rate: g.rate, half: g.half, own: g.own, each: g.each, end: -1,
			shares: g.shares, apart: g.apart}
	}
	if n > 0 && !c.exact {
		c.many += int(n)
		c.followed += k.followed
	}
	k.trajectories, k.followed = float64(c.many), c.followed
}

// recall returns the trajectory of a component that is known from an equal one, and known well
// enough for a time that is limited.
func (e *Executor) recall(c *component, limit int64) *trajectory {
	known := e.memory.known[c.name()]
	if known == nil {
		return nil
	}
	t := &trajectory{steady: true, flits: known.flits, known: known, use: known.use,
		many: int(known.trajectories), length: known.length, own: known.own,
		followed: known.followed,
		legs:     slices.Clone(known.legs)}
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
	if spec.TakesShapes(k.config) {
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

package fastforward

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"contend/experiments/spec"
	"contend/experiments/stats"
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
	watched      float64 // see trajectory
	spent        float64
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

// remember keeps the rates of a trajectory that is steady. What was known before from other
// trajectories of the same programs at the same places makes them better known.
func (e *Executor) remember(c *component) {
	name := c.name()
	k := e.memory.known[name]
	if k == nil {
		k = &knowledge{legs: make([]leg, len(c.jobs))}
		defer e.memory.keep(name, k)
	}
	k.use, k.flits, k.exact = c.trajectory.use, c.trajectory.flits, c.trajectory.exact
	k.pool(c.trajectory)
	c.trajectory.known = k
	c.trajectory.holdFor(c.trajectory.horizon(c, e.stage.config) - k.used)
}

// pool adds a trajectory to what is known, and gives the trajectory the rates that are then known.
// Rates that vary in no trajectory, and are the same in all, have been watched since the first of
// them. All others have intervals from then on.
func (k *knowledge) pool(c *trajectory) {
	n := k.trajectories
	for i := range c.legs {
		g := &c.legs[i]
		if n > 0 && !c.exact {
			k.poolLeg(g, i)
		}
		k.legs[i] = leg{rate: g.rate, half: g.half, each: g.each, end: -1}
	}
	if c.exact {
		c.watched = float64(c.until)
	}
	if n > 0 {
		c.watched += k.watched + k.used - k.spent
	}
	k.trajectories++
	k.watched, k.spent, c.spent = c.watched, k.used, k.used
}

// poolLeg gives a leg the rate that is known from all trajectories. Those that vary have
// intervals. One that does not tells no more than another one. Of two that do not, but differ,
// each is a batch.
func (k *knowledge) poolLeg(g *leg, i int) {
	n, rate, half := k.trajectories, k.legs[i].rate, k.legs[i].half
	if half == 0 && g.half == 0 {
		if rate == g.rate {
			return
		}
		e := stats.EstimateOf([]float64{rate, g.rate}, confidence)
		g.rate, g.half = e.Mean, e.Half/e.Mean
		return
	}
	if half == 0 {
		half = g.half
	} else if g.half == 0 {
		g.half = half
	}
	g.half = math.Hypot(n*half, g.half) / (n + 1)
	g.rate = (n*rate + g.rate) / (n + 1)
}

// spend notes that a trajectory has been used for some cycles more than it was simulated. Where it
// is exact, that is as good as watching it.
func (k *knowledge) spend(c *trajectory, cycles float64) {
	if c.exact {
		k.watched += cycles
	} else {
		k.used += cycles
	}
}

// recall returns the trajectory of a component that is known from an equal one, and known well
// enough for a time that is limited.
func (e *Executor) recall(c *component, limit int64) *trajectory {
	known := e.memory.known[c.name()]
	if known == nil {
		return nil
	}
	t := &trajectory{steady: true, flits: known.flits, known: known, use: known.use,
		watched: known.watched, spent: known.spent, legs: slices.Clone(known.legs)}
	// Several jobs may meet in another way than they did.
	t.exact = known.exact && len(c.jobs) == 1 && e.stage.forgets(c.jobs[0])
	for i, k := range c.jobs {
		g := &t.legs[i]
		g.anchored = k.done - float64(k.base)
		// Its first iteration begins later or earlier than one that follows another does.
		late := k.origin + k.lead - k.pause - c.began
		if k.base == 0 && (late > 0 || k.origin == c.began) {
			g.anchor, g.anchored = late, 0
		}
	}
	t.holdFor(t.horizon(c, e.stage.config) - known.used)
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

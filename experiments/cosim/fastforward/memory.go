package fastforward

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"contend/experiments/spec"
	"contend/experiments/stats"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/router"
)

// knowledge is what a settled course has shown of a component.
type knowledge struct {
	rates, halves []float64
	each          []messageSums
	use           []linkUse
	flits         int64
	exact         bool
	courses       float64 // that the rates are the means of
	used          float64 // cycles for which the rates have been used as estimates
	watched       float64 // see course
	spent         float64
}

// memory keeps what courses have shown, as much of it as its limit allows: what was asked for
// least recently is forgotten first, a generation at a time.
type memory struct {
	limit         int64 // bytes, of a generation
	bytes         int64 // of the younger generation
	young, former map[string]*knowledge
}

// memoryLimit is what a run may remember in a generation, in bytes.
const memoryLimit = 128 << 20

func newMemory(limit int64) memory {
	return memory{limit: limit, young: map[string]*knowledge{}}
}

// find returns what is known under a name, or nil.
func (m *memory) find(name string) *knowledge {
	if k := m.young[name]; k != nil {
		return k
	}
	k := m.former[name]
	if k != nil {
		delete(m.former, name)
		m.keep(name, k)
	}
	return k
}

// keep remembers what was learnt under a name.
func (m *memory) keep(name string, k *knowledge) {
	if m.bytes > m.limit {
		m.young, m.former, m.bytes = map[string]*knowledge{}, m.young, 0
	}
	m.young[name] = k
	m.bytes += int64(len(name)) + int64(unsafe.Sizeof(*k)) +
		int64(cap(k.use))*int64(unsafe.Sizeof(linkUse{})) +
		int64(cap(k.each))*int64(unsafe.Sizeof(messageSums{})+2*unsafe.Sizeof(k.rates[0]))
}

// nameOf returns a text that components share which have the same programs at the same places, all
// of their nodes moved down by so much.
func (c *component) nameOf(moved topology.Node) string {
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
			b = binary.AppendVarint(b, int64(n-moved))
		}
		for i := range k.rails {
			if k.rails[i].sent == byChance {
				break // as likely as any other
			}
			b = binary.AppendVarint(b, k.rails[i].after(k.base, k.perIteration))
		}
	}
	return string(b)
}

// moved returns by how much the nodes of a component can be moved down.
func (s *stage) moved(c *component) topology.Node {
	if s.mover == nil {
		return 0
	}
	low, high := c.jobs[0].nodes[0], c.jobs[0].nodes[0]
	for _, k := range c.jobs {
		low, high = min(low, slices.Min(k.nodes)), max(high, slices.Max(k.nodes))
	}
	return s.mover.Moved(low, high)
}

// named returns the use of links under their places among the links of a component, which are the
// same wherever the component is moved.
func (s *stage) named(c *component, use []linkUse) (list []linkUse) {
	i := 0
	s.visit(c, func(place int, l router.Link) {
		if i < len(use) && use[i].link == l {
			list = append(list, linkUse{router.Link(place), use[i].flits})
			i++
		}
	})
	return list
}

// unnamed returns the use of links from that under their places: see named.
func (s *stage) unnamed(c *component, use []linkUse) (list []linkUse) {
	i := 0
	s.visit(c, func(place int, l router.Link) {
		if i < len(use) && int(use[i].link) == place {
			list = append(list, linkUse{l, use[i].flits})
			i++
		}
	})
	return list
}

// remember keeps the rates of a course that is settled. What was known before from other courses
// of the same programs at the same places makes them better known.
func (e *Executor) remember(c *component) {
	name := c.nameOf(e.stage.moved(c))
	k := e.known.find(name)
	if k == nil {
		n := len(c.jobs)
		k = &knowledge{rates: make([]float64, n), halves: make([]float64, n),
			each: make([]messageSums, n)}
		defer e.known.keep(name, k)
	}
	k.use, k.flits, k.exact = e.stage.named(c, c.course.use), c.course.flits, c.course.exact
	k.pool(c.course)
	c.course.known = k
	c.course.holdFor(c.course.horizon(c, e.stage.settle) - k.used)
}

// pool adds a course to what is known, and gives the course the rates that are then known. Rates
// that vary in no course, and are the same in all, have been watched since the first of them. All
// others have intervals from then on.
func (k *knowledge) pool(c *course) {
	n := k.courses
	for i := range c.legs {
		g := &c.legs[i]
		if n > 0 && !c.exact {
			k.poolLeg(g, i)
		}
		k.rates[i], k.halves[i], k.each[i] = g.rate, g.half, g.each
	}
	if c.exact {
		c.watched = float64(c.until)
	}
	if n > 0 {
		c.watched += k.watched + k.used - k.spent
	}
	k.courses++
	k.watched, k.spent, c.spent = c.watched, k.used, k.used
}

// poolLeg gives a leg the rate that is known from all courses. Those that vary have intervals. One
// that does not tells no more than another one. Of two that do not, but differ, each is a batch.
func (k *knowledge) poolLeg(g *leg, i int) {
	n, rate, half := k.courses, k.rates[i], k.halves[i]
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

// spend notes that a course has been used for some cycles more than it was simulated. Where it is
// exact, that is as good as watching it.
func (k *knowledge) spend(c *course, cycles float64) {
	if c.exact {
		k.watched += cycles
	} else {
		k.used += cycles
	}
}

// recall returns the course of a component that is known from an equal one, and known well enough
// for a time that is limited.
func (e *Executor) recall(c *component, limit int64) *course {
	known := e.known.find(c.nameOf(e.stage.moved(c)))
	if known == nil {
		return nil
	}
	course := &course{settled: true, flits: known.flits, known: known,
		watched: known.watched, spent: known.spent, legs: make([]leg, len(c.jobs))}
	// Several jobs may meet in another way than they did.
	course.exact = known.exact && len(c.jobs) == 1 && e.stage.forgets(c.jobs[0])
	for i, k := range c.jobs {
		course.legs[i] = leg{rate: known.rates[i], half: known.halves[i], each: known.each[i],
			anchored: k.done - float64(k.base), end: -1}
		// Its first iteration begins later or earlier than one that follows another does.
		late := k.origin + k.lead - k.pause - c.began
		if k.base == 0 && (late > 0 || k.origin == c.began) {
			course.legs[i].anchor, course.legs[i].anchored = late, 0
		}
	}
	course.holdFor(course.horizon(c, e.stage.settle) - known.used)
	if float64(course.holds) < course.needed(c, limit) {
		return nil
	}
	e.sums.recalled++
	course.use = e.stage.unnamed(c, known.use)
	return course
}

// pairsKey is what the pairs of a job depend on.
type pairsKey struct {
	pattern, size int
	shape         string // "" if the pattern takes none
}

func pairsKeyOf(k *epochJob) pairsKey {
	key := pairsKey{pattern: k.job.Pattern, size: k.job.Size}
	if spec.TakesShapes(k.config) {
		key.shape = fmt.Sprint(k.job.Shape)
	}
	return key
}

// pairsOf returns the pairs of processes of a job that exchange messages.
func (e *Executor) pairsOf(k *epochJob) ([]patterns.Pair, error) {
	key := pairsKeyOf(k)
	if list, ok := e.pairs[key]; ok {
		return list, nil
	}
	list, err := patterns.Pairs(k.config, k.job.Size, k.job.Shape)
	if err == nil {
		e.pairs[key] = list
	}
	return list, err
}

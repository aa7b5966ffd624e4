package fastforward

import (
	"encoding/binary"

	"unsafe"
)

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

// put stores a forecast, unless one from a longer window is known.
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

// remember stores the forecast of a component. What several jobs or one with a state repeat hangs
// on the state, so for equal ones it is an estimate.
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
// equal has to begin its next one in an idle network.
func (e *Executor) recall(c *component) *forecast {
	f, k := e.memory.entries[c.key()], c.jobs[0]
	if f == nil || f.exact && (k.live.active ||
		!k.shifted && (k.origin < e.now || k.origin+k.computeCycles < e.now+e.clearing)) {
		return nil
	}
	e.sums.recalled++
	return f
}

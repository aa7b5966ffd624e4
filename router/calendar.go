package router

import (
	"math/bits"

	"contend/internal/heap"
	"contend/router/topology"
)

// calendar is a timing wheel; later events wait in a heap. Only the worm engine, and nodes that
// rest, schedule events beyond the wheel.
type calendar struct {
	mask     int64             // length of the wheel less one
	slots    []slot            // of the wheel: cycle t has slot t & mask
	nodes    [][]topology.Node // nodes that may inject, by slot
	busy     []uint64          // a bit a slot that has events; in cache lines of its own
	nextTail []int32           // by packet: the next of the list slot.tails
	later    heap.Heap[event]  // events beyond the wheel
}

// slot holds the events of a cycle.
type slot struct {
	heads    int32   // list, by vcState.next, of the FIFOs whose heads compute their routes
	tails    int32   // list, by calendar.nextTail, of the packets whose tails arrive at nodes
	vaQueues []int32 // VCs, links or routers whose waiting heads VC allocation serves
}

// event is an event of any kind.
type event struct {
	cycle int64
	id    int32 // of a FIFO, a queue, a packet or a node
	kind  uint8
}

// The kinds of events.
const (
	headRouted = iota
	headsServed
	tailArrives
	nodeRested
)

// newCalendar returns a calendar for events up to span cycles ahead.
func newCalendar(span int64) calendar {
	n := int64(64)
	for n < span+1 {
		n *= 2
	}
	w := calendar{mask: n - 1, slots: make([]slot, n),
		nodes: make([][]topology.Node, n), busy: make([]uint64, n/64, max(16, n/64))}
	for i := range w.slots {
		w.slots[i] = slot{heads: none, tails: none}
	}
	return w
}

// slotOf returns the slot of a cycle within the wheel and marks it as busy.
func (w *calendar) slotOf(cycle int64) *slot {
	i := cycle & w.mask
	w.busy[i>>6] |= 1 << (i & 63)
	return &w.slots[i]
}

// index returns the index of the slot of a cycle.
func (w *calendar) index(cycle int64) int { return int(cycle & w.mask) }

// clear marks the slot of a cycle as empty.
func (w *calendar) clear(cycle int64) {
	i := cycle & w.mask
	w.busy[i>>6] &^= 1 << (i & 63)
}

// next returns the first cycle from now on that has events.
func (w *calendar) next(now int64) (int64, bool) {
	i := now & w.mask
	if word := w.busy[i>>6] >> (i & 63); word != 0 {
		return now + int64(bits.TrailingZeros64(word)), true
	}
	n := int64(len(w.busy))
	for k := int64(1); k <= n; k++ {
		if word := w.busy[(i>>6+k)%n]; word != 0 {
			return now - i&63 + k<<6 + int64(bits.TrailingZeros64(word)), true
		}
	}
	if len(w.later) > 0 {
		return w.later[0].cycle, true
	}
	return 0, false
}

// schedule enters an event that is no headRouted.
func (w *calendar) schedule(now int64, e event) {
	if e.cycle-now > w.mask {
		w.later.Push(e)
		return
	}
	s := w.slotOf(e.cycle)
	switch e.kind {
	case headsServed:
		s.vaQueues = append(s.vaQueues, e.id)
	case nodeRested:
		i := w.index(e.cycle)
		w.nodes[i] = append(w.nodes[i], topology.Node(e.id))
	default:
		for int(e.id) >= len(w.nextTail) {
			w.nextTail = append(w.nextTail, none)
		}
		w.nextTail[e.id], s.tails = s.tails, e.id
	}
}

// scheduleHead enters the head at the front of FIFO c, which is ready within the wheel.
func (w *calendar) scheduleHead(v *vcState, c Channel) {
	s := w.slotOf(v.ready)
	v.next, s.heads = s.heads, int32(c)
}

// moveLaterEvents moves the events from the heap that are within the wheel now.
func (b *Routers) moveLaterEvents() {
	w := &b.calendar
	for len(w.later) > 0 && w.later[0].cycle-b.now <= w.mask {
		if e := w.later.Pop(); e.kind == headRouted {
			w.scheduleHead(&b.vcs[e.id], Channel(e.id))
		} else {
			w.schedule(b.now, e)
		}
	}
}

// Before reports whether an event is due before another one.
func (e event) Before(other event) bool { return e.cycle < other.cycle }

// scheduleNode schedules injection at a node in a cycle, unless it is scheduled earlier.
func (b *Routers) scheduleNode(node topology.Node, cycle int64) {
	k := &b.injecting[int(node)*b.w.InjectionPorts]
	if cycle >= k.next {
		return
	}
	k.next = cycle
	b.calendar.schedule(b.now, event{cycle, int32(node), nodeRested})
}

// scheduleVA schedules VC allocation for a queue in a cycle, unless it is scheduled earlier.
func (b *Routers) scheduleVA(id int32, cycle int64) {
	if q := &b.requests[id]; cycle < q.servedAt {
		q.servedAt = cycle
		b.calendar.schedule(b.now, event{cycle, id, headsServed})
	}
}

// scheduleHead schedules route computation for the head at the front of FIFO c.
func (b *Routers) scheduleHead(v *vcState, c Channel) {
	if w := &b.calendar; v.ready-b.now <= w.mask {
		w.scheduleHead(v, c)
	} else {
		w.later.Push(event{v.ready, int32(c), headRouted})
	}
}

package router

import (
	"container/heap"
	"math/bits"

	"contend/router/topology"
)

// calendar holds what is to be looked at in each of the cycles ahead. What
// is further ahead than it is long waits in a heap; only the worm engine and
// nodes that rest look that far.
type calendar struct {
	mask     int64
	slots    []slot
	nodes    [][]topology.Node // of each slot: nodes that may inject
	busy     []uint64          // a bit a slot with something in it
	nextTail []int32           // the next tail of the slot, by packet
	later    eventHeap
}

// slot is what there is to do in a cycle: a list of headers, through the states of
// their channels, one of tails, through the calendar, and the channels or routers
// whose waiting headers are served.
type slot struct {
	heads    int32
	tails    int32
	vaQueues []int32
}

// The kinds of events that can lie far ahead.
const (
	headRouted = iota
	headsServed
	tailArrives
	nodeRested
)

type event struct {
	cycle int64
	id    int32
	kind  uint8
}

func newCalendar(span int64) calendar {
	n := int64(64)
	for n < span+1 {
		n *= 2
	}
	w := calendar{mask: n - 1, slots: make([]slot, n),
		nodes: make([][]topology.Node, n), busy: make([]uint64, n/64)}
	for i := range w.slots {
		w.slots[i] = slot{heads: none, tails: none}
	}
	return w
}

// at returns the slot of a cycle within the length of the calendar, to put
// something in.
func (w *calendar) slotOf(cycle int64) *slot {
	i := cycle & w.mask
	w.busy[i>>6] |= 1 << (i & 63)
	return &w.slots[i]
}

// now returns the index of the slot of a cycle.
func (w *calendar) index(cycle int64) int { return int(cycle & w.mask) }

// done marks the slot of a cycle as empty.
func (w *calendar) clear(cycle int64) {
	i := cycle & w.mask
	w.busy[i>>6] &^= 1 << (i & 63)
}

// next returns the first cycle from now on in which there is something to do.
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

// enter puts an event in the calendar of routers whose time is now.
func (w *calendar) schedule(now int64, e event) {
	if e.cycle-now > w.mask {
		w.scheduleLater(e)
		return
	}
	s := w.slotOf(e.cycle)
	switch e.kind {
	case headsServed:
		s.vaQueues = append(s.vaQueues, e.id)
	case nodeRested:
		i := e.cycle & w.mask
		w.nodes[i] = append(w.nodes[i], topology.Node(e.id))
	default:
		for int(e.id) >= len(w.nextTail) {
			w.nextTail = append(w.nextTail, none)
		}
		w.nextTail[e.id], s.tails = s.tails, e.id
	}
}

// foresee takes from the heap what is no longer too far ahead.
func (b *Routers) moveLaterEvents() {
	w := &b.calendar
	for len(w.later) > 0 && w.later[0].cycle-b.now <= w.mask {
		if e := heap.Pop(&w.later).(event); e.kind == headRouted {
			b.scheduleHead(&b.vcs[e.id], Channel(e.id))
		} else {
			w.schedule(b.now, e)
		}
	}
}

// eventHeap has the earliest event first. It implements heap.Interface.
type eventHeap []event

func (h eventHeap) Len() int           { return len(h) }
func (h eventHeap) Less(i, j int) bool { return h[i].cycle < h[j].cycle }
func (h eventHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *eventHeap) Push(e any)        { *h = append(*h, e.(event)) }
func (h *eventHeap) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	*h = (*h)[:last]
	return e
}

// tryNode has a node looked at in a cycle, unless it will be before. The cycle may lie beyond the
// calendar, as that does until which a node rests.
func (b *Routers) scheduleNode(node topology.Node, cycle int64) {
	k := &b.injecting[int(node)*b.w.InjectionPorts]
	if cycle >= k.next {
		return
	}
	k.next = cycle
	b.calendar.schedule(b.now, event{cycle, int32(node), nodeRested})
}

// serveLater has the waiting headers of queue id served in a cycle, unless they will be before. It
// is calendar.enter for that one kind of event, since headers do so often.
func (b *Routers) scheduleVA(id int32, cycle int64) {
	if q := &b.requests[id]; cycle < q.servedAt {
		q.servedAt = cycle
		if w := &b.calendar; cycle-b.now <= w.mask {
			s := w.slotOf(cycle)
			s.vaQueues = append(s.vaQueues, id)
			return
		}
		b.calendar.scheduleLater(event{cycle, id, headsServed})
	}
}

// routed has the header at the head of FIFO c ask when it is ready.
func (b *Routers) scheduleHead(k *vcState, c Channel) {
	if w := &b.calendar; k.ready-b.now <= w.mask {
		w.scheduleHead(k, c)
	} else {
		w.scheduleLater(event{k.ready, int32(c), headRouted})
	}
}

// push enters an event that is further ahead than the calendar is long.
func (w *calendar) scheduleLater(e event) { heap.Push(&w.later, e) }

// header enters the header at the head of FIFO c, which is ready within the length of the
// calendar.
func (w *calendar) scheduleHead(k *vcState, c Channel) {
	s := w.slotOf(k.ready)
	k.next, s.heads = s.heads, int32(c)
}

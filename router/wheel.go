package router

import (
	"math/bits"

	"contend/netsim/topology"
)

// wheel is a calendar: what is to be looked at in each of the cycles ahead. What
// is further ahead than it is long waits in a heap; only the worm engine and
// nodes that rest look that far.
type wheel struct {
	mask  int64
	slots []slot
	busy  []uint64 // a bit a slot with something in it
	later []event
}

type slot struct {
	tries   []Channel
	headers []Channel
	grants  []topology.Router
	tails   []int32
}

// The kinds of events that can lie far ahead.
const (
	headerRouted = iota
	headersServed
	tailArrives
	nodeRested
)

type event struct {
	cycle int64
	id    int32
	kind  uint8
}

func newWheel(span int64) wheel {
	n := int64(64)
	for n < span+1 {
		n *= 2
	}
	return wheel{mask: n - 1, slots: make([]slot, n), busy: make([]uint64, n/64)}
}

// at returns the slot of a cycle within the length of the wheel, to put
// something in.
func (w *wheel) at(cycle int64) *slot {
	i := cycle & w.mask
	w.busy[i>>6] |= 1 << (i & 63)
	return &w.slots[i]
}

// done marks the slot of a cycle as empty.
func (w *wheel) done(cycle int64) {
	i := cycle & w.mask
	w.busy[i>>6] &^= 1 << (i & 63)
}

// next returns the first cycle from now on in which there is something to do.
func (w *wheel) next(now int64) (int64, bool) {
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

// enter puts an event in the calendar of a bank whose time is now.
func (w *wheel) enter(now int64, e event) {
	if e.cycle-now > w.mask {
		w.push(e)
		return
	}
	s := w.at(e.cycle)
	switch e.kind {
	case headerRouted:
		s.headers = append(s.headers, Channel(e.id))
	case headersServed:
		s.grants = append(s.grants, topology.Router(e.id))
	case nodeRested:
		s.tries = append(s.tries, Channel(e.id))
	default:
		s.tails = append(s.tails, e.id)
	}
}

// turn takes from the heap what is no longer too far ahead.
func (w *wheel) turn(now int64) {
	for len(w.later) > 0 && w.later[0].cycle-now <= w.mask {
		w.enter(now, w.pop())
	}
}

func (w *wheel) push(e event) {
	h := append(w.later, e)
	i := len(h) - 1
	for i > 0 && h[(i-1)/2].cycle > h[i].cycle {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
	w.later = h
}

func (w *wheel) pop() event {
	h := w.later
	e, n := h[0], len(h)-1
	h[0] = h[n]
	h = h[:n]
	for i := 0; ; {
		j := 2*i + 1
		if j >= n {
			break
		}
		if j+1 < n && h[j+1].cycle < h[j].cycle {
			j++
		}
		if h[j].cycle >= h[i].cycle {
			break
		}
		h[i], h[j] = h[j], h[i]
		i = j
	}
	w.later = h
	return e
}

// try has the physical channel led by c looked at in a cycle, unless it will be
// before.
func (b *Bank) try(c Channel, cycle int64) {
	if k := &b.channels[c]; cycle < k.next {
		k.next = cycle
		s := b.wheel.at(cycle)
		s.tries = append(s.tries, c)
	}
}

// grant has the waiting headers of router r served in a cycle, unless they
// will be before.
func (b *Bank) grant(r topology.Router, cycle int64) {
	if cycle < b.nextGrant[r] {
		b.nextGrant[r] = cycle
		b.wheel.enter(b.now, event{cycle, int32(r), headersServed})
	}
}

// routed has the header at the head of FIFO c ask in a cycle.
func (b *Bank) routed(c Channel, cycle int64) {
	b.wheel.enter(b.now, event{cycle, int32(c), headerRouted})
}

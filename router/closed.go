package router

import "contend/netsim/topology"

// The closed form of the worm engine does without body flits. Where a FIFO is
// deep enough for full throughput (B·F >= D + C) and every packet's length is a
// multiple of B, the time flit j of a packet is sent on its k-th channel follows
// from when its header was sent on that and the next channels:
//
//	s(j,k) = max over m = 0 .. floor(j/B) of s(0,k+m) + m·C + (j - m·B)·F
//
// (a longest path in the recurrence: m places given back from m channels ahead,
// the other steps flit after flit; a step to a channel ahead and a place given
// back together are never longer than B flits after each other). So a header
// sent on channel k settles when the tail is sent on channel k - floor((L-1)/B),
// and one sent to the node settles it for all channels that are left. The last B
// flits of a packet follow each other at the full rate, so the next packet's
// first B flits never find a place taken once its header has found one; and when
// they leave a FIFO is known all at once, so one time a FIFO says it all, and a
// header never waits behind another packet's flits whose going is not known. The
// work is that of headers, whatever the length of packets.

// passage is what the closed form remembers of a packet: the channels its tail
// has not been settled on, and when its header was sent on them, in a ring.
type passage struct {
	next    int32 // channels the header has been sent on
	settled int32 // channels the tail has been settled on
	steps   int32 // channels ahead of the tail's that settle it: floor((L-1)/B)
	ring    int32 // where its ring begins
}

// closed is the state of the closed form.
type closed struct {
	passages []passage
	times    []int64 // of packet p from p·ring
	channels []Channel
	ring     int32
}

// ClosedFormIsExact reports whether the closed form gives the times of packets
// of all the given lengths.
func ClosedFormIsExact(w *Wiring, t Timing, lengths ...int32) bool {
	ok := WormsAreExact(w, t) && int64(t.Buffer)*t.Flit >= t.Link+t.Credit
	for _, l := range lengths {
		ok = ok && l%t.Buffer == 0
	}
	return ok
}

func newClosed(most, buffer int32) *closed {
	ring := int32(1)
	for ring < (most-1)/buffer+1 {
		ring *= 2
	}
	return &closed{ring: ring}
}

// begin makes room for packet p, whose header settles its tail so many channels
// behind.
func (c *closed) begin(p, steps int32) {
	for int32(len(c.passages)) <= p {
		c.passages = append(c.passages, passage{})
	}
	for need := (p + 1) * c.ring; int32(len(c.times)) < need; {
		c.times = append(c.times, 0)
		c.channels = append(c.channels, 0)
	}
	c.passages[p] = passage{steps: steps, ring: p * c.ring}
}

// start sends the header of the packet that was granted channel o, as soon as
// there is a place for it.
func (b *Bank) start(o Channel) {
	out := &b.channels[o]
	p := b.channels[out.holder].packet
	if out.sink {
		b.sendHeader(o, p, b.now)
		return
	}
	s := &b.claims[o]
	if s.slot == never {
		s.late = p
		return
	}
	b.sendHeader(o, p, max(b.now, s.slot+b.timing.Credit))
}

// injectHeader sends the next header of a node's source queue on its injection
// channel, if that is free and has a place.
func (b *Bank) injectHeader(c Channel) {
	ch, s := &b.channels[c], &b.claims[c]
	node := b.w.source[b.w.link[c]].Node
	if ch.holder != none || s.slot == never || b.queueHead[node] == none {
		return
	}
	t := b.afterRest(node, max(b.now, ch.freeAt, s.slot+b.timing.Credit))
	p := b.newPacket(node, t)
	b.closed.begin(p, (b.packets[p].Length-1)/b.timing.Buffer)
	ch.holder, b.claims[c].since = source, t
	b.sendHeader(c, p, t)
}

// sendHeader sends the header of packet p on channel o in cycle t, and settles
// the tail where that can be done now.
func (b *Bank) sendHeader(o Channel, p int32, t int64) {
	out, k, x := &b.channels[o], &b.packets[p], b.closed
	w := &x.passages[p]
	at := w.ring + w.next&(x.ring-1)
	x.times[at], x.channels[at] = t, o
	w.next++
	if out.holder >= 0 {
		k.Blocked += t - b.channels[out.holder].ready
		if !out.sink {
			k.Hops++
		}
	}
	if out.sink {
		for x.passages[p].settled < x.passages[p].next {
			b.settleTail(p)
		}
		return
	}
	if out.state != empty {
		panic("router: a header was sent behind a packet")
	}
	s := &b.claims[o]
	s.slot = never
	out.packet, out.length, out.state = p, k.Length, routing
	out.ready = max(t+b.timing.Link, s.left+1) + b.timing.Routing
	b.routed(o, out.ready)
	if w.next > w.steps {
		b.settleTail(p)
	}
}

// settleTail settles when the tail of packet p is sent on the first channel on
// which that is not settled, and what follows: the channel gets free, and the
// FIFO before it has a place for the next header.
func (b *Bank) settleTail(p int32) {
	x, k := b.closed, &b.packets[p]
	w := &x.passages[p]
	first, mask := w.settled, x.ring-1
	f := b.timing.Flit
	tail, gain, less := int64(0), int64(k.Length-1)*f, int64(b.timing.Buffer)*f-b.timing.Credit
	times := x.times[w.ring : w.ring+x.ring]
	for m := first; m <= min(first+w.steps, w.next-1); m++ {
		tail = max(tail, times[m&mask]+gain)
		gain -= less
	}
	o := x.channels[w.ring+first&mask]
	w.settled++
	out := &b.channels[o]
	in := out.holder
	b.claims[o].tail, b.claims[o].job = tail, k.Job
	out.holder, out.freeAt = none, tail+f
	b.use(o, k.Length, out.freeAt)
	if out.sink {
		b.wheel.enter(b.now, event{tail + b.timing.Link, p, tailArrives})
	}
	if in < 0 {
		b.injectHeader(o)
		return
	}
	if r := b.w.ends[in]; b.waitHead[r] != none {
		b.grant(topology.Router(r), out.freeAt)
	}
	b.vacate(Channel(in), tail, tail-int64(b.timing.Buffer-1)*f)
}

// vacate takes the packet at the head out of FIFO c, which its tail leaves in
// cycle left; the place for the next header is left in cycle slot.
func (b *Bank) vacate(c Channel, left, slot int64) {
	ch, s := &b.channels[c], &b.claims[c]
	ch.out, ch.packet, ch.state = none, none, empty
	s.left = left
	s.slot = slot
	switch {
	case s.late != none:
		p := s.late
		s.late = none
		b.sendHeader(c, p, max(b.claims[c].since, slot+b.timing.Credit))
	case ch.injects:
		b.injectHeader(c)
	}
}

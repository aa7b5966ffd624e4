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

//
// Where D + R >= B·F - C, as in the defaults and in single-flit buffers, a header
// takes longer from channel to channel than the terms above lose, so the last one
// is the greatest and the earlier times need not be known.

// nearRing is the length of the rings that are part of a trail.
const nearRing = 8

// trail is what the closed form remembers of a packet: one cache line.
type trail struct {
	blocked int64           // as in Packet, which learns of it at the end
	next    int32           // channels the header has been sent on
	settled int32           // channels the tail has been settled on
	steps   int32           // channels ahead of the tail's that settle it: floor((L-1)/B)
	length  int32           // L
	job     int32           // whose packet it is
	goal    place           // where it goes, on a plane
	ring    [nearRing]int32 // the channels the tail has not been settled on
}

// closed is the state of the closed form.
type closed struct {
	trails []trail // of each packet
	mask   int32   // length of a ring, less one
	less   int64   // B·F - C
	rings  []int32 // where they are longer than nearRing: of packet p from p·(mask+1)
	times  []int64 // when the header was sent on the channels of the ring; nil where the last will do
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

func newClosed(most int32, t Timing) *closed {
	c := &closed{mask: nearRing - 1, less: int64(t.Buffer)*t.Flit - t.Credit}
	for c.mask < (most-1)/t.Buffer {
		c.mask = 2*c.mask + 1
	}
	if t.Link+t.Routing < c.less {
		c.times = []int64{}
	}
	return c
}

// begin makes room for packet p, on its way to a place.
func (c *closed) begin(p int32, k *Packet, buffer int32, goal place) {
	for int32(len(c.trails)) <= p {
		c.trails = append(c.trails, trail{})
		if c.mask >= nearRing {
			c.rings = append(c.rings, make([]int32, c.mask+1)...)
		}
		if c.times != nil {
			c.times = append(c.times, make([]int64, c.mask+1)...)
		}
	}
	w := &c.trails[p]
	w.blocked, w.next, w.settled, w.steps = 0, 0, 0, (k.Length-1)/buffer
	w.length, w.job, w.goal = k.Length, k.Job, goal
}

// push notes that the header of packet p was sent on channel o in cycle t.
func (c *closed) push(p int32, w *trail, o Channel, t int64) {
	at := w.next & c.mask
	w.next++
	if c.mask < nearRing {
		w.ring[at&(nearRing-1)] = int32(o)
	} else {
		c.rings[p*(c.mask+1)+at] = int32(o)
	}
	if c.times != nil {
		c.times[p*(c.mask+1)+at] = t
	}
}

// channel returns the channel that is number i of the trail of packet p.
func (c *closed) channel(p int32, w *trail, i int32) Channel {
	if c.mask < nearRing {
		return Channel(w.ring[i&(nearRing-1)])
	}
	return Channel(c.rings[p*(c.mask+1)+i&c.mask])
}

// tally tells packet p what its trail knows of it, which has been to its node or
// not.
func (b *Bank) tally(p int32, ejected int32) {
	k, w := &b.packets[p], &b.closed.trails[p]
	k.Blocked, k.Hops = w.blocked, w.next-1-ejected
}

// askOrdered is stage 2 for a list of headers under dimension order, each of which
// asks for one channel: most meet nobody and have it at once.
func (b *Bank) askOrdered(c int32) {
	claims, now, fresh := b.claims, b.now, b.fresh
	for c != none {
		ch := &claims[c]
		out := &claims[ch.want]
		next := ch.next
		if out.holder&out.first == none && out.freeAt <= now {
			out.since, out.holder, ch.state = now, c, granted
			fresh = append(fresh, Channel(ch.want))
		} else {
			b.askFor(Channel(ch.want), Channel(c))
		}
		c = next
	}
	b.fresh = fresh
}

// startAll sends the headers of the packets that were granted channels in this
// cycle, as soon as there is a place for them.
func (b *Bank) startAll() {
	claims, x := b.claims, b.closed
	for _, o := range b.fresh {
		out := &claims[o]
		in := &claims[out.holder]
		p := in.packet
		w := &x.trails[p]
		switch {
		case out.sink:
			w.blocked += b.now - in.ready
			x.push(p, w, o, b.now)
			for w.settled < w.next {
				b.settle(p, w, b.now)
				w = &x.trails[p]
			}
		case out.state != empty:
			out.late = true
		default:
			t := max(b.now, b.place(out))
			w.blocked += t - in.ready
			b.sendHeader(out, o, p, t)
		}
	}
	b.fresh = b.fresh[:0]
}

// place returns the cycle from which an empty FIFO has room for a header, a
// credit after B-1 flits before the last packet's tail left it.
func (b *Bank) place(c *claim) int64 {
	return c.left + b.timing.Flit - b.closed.less
}

// injectHeader sends the next header of a node's source queue on its injection
// channel, if that is free and has a place.
func (b *Bank) injectHeader(c Channel, node topology.Node) {
	k := &b.claims[c]
	if k.holder != none || k.state != empty || b.queues[node].count == 0 {
		return
	}
	t := b.afterRest(node, max(b.now, k.freeAt, b.place(k)))
	p := b.newPacket(node, t)
	goal := place(0)
	if b.plane != nil {
		goal = b.plane[b.packets[p].To].here
	}
	b.closed.begin(p, &b.packets[p], b.timing.Buffer, goal)
	k.holder, k.since = source, t
	b.sendHeader(k, c, p, t)
}

// sendHeader sends the header of packet p on channel o, which does not lead to a
// node, in cycle t, and settles the tail where that can be done now.
func (b *Bank) sendHeader(out *claim, o Channel, p int32, t int64) {
	if out.state != empty {
		panic("router: a header was sent behind a packet")
	}
	x := b.closed
	w := &x.trails[p]
	x.push(p, w, o, t)
	out.packet, out.state = p, routing
	if r := uint(out.router); r < uint(len(b.plane)) {
		out.want = int32(b.plane[r].towards(w.goal))
	} else if b.order != nil {
		out.want = int32(b.order.only(topology.Router(out.router), b.packets[p].To))
	}
	out.ready = max(t+b.timing.Link, out.left+1) + b.timing.Routing
	b.routed(o, out.ready)
	if w.next > w.steps {
		b.settle(p, w, t)
	}
}

// settle settles when the tail of packet p, whose last header time is t, is sent
// on its next channel, and what follows: the channel gets free, and the FIFO
// before it has a place for the next header. That may be sent, and so may others,
// and trails be made for their packets.
func (b *Bank) settle(p int32, w *trail, t int64) {
	x := b.closed
	first := w.settled
	ahead := w.next - first - 1
	tail := t - int64(ahead)*x.less
	if x.times != nil {
		tail = max(tail, x.tail(p, first, ahead))
	}
	w.settled++
	free := tail + int64(w.length)*b.timing.Flit
	o := x.channel(p, w, first)
	out, u := &b.claims[o], &b.loads[o]
	in := out.holder
	out.holder, out.freeAt, out.job = none, free, w.job
	u.flits += int64(w.length)
	u.held += free - out.since
	if in < 0 {
		b.injectHeader(o, b.packets[p].From)
		return
	}
	if out.first != none || !b.queued {
		b.free(out, o, Channel(in))
	}
	if out.sink {
		b.tally(p, 1)
		b.wheel.enter(b.now, event{free - b.timing.Flit + b.timing.Link, p, tailArrives})
	}
	k := &b.claims[in]
	k.packet, k.state, k.left = none, empty, free-b.timing.Flit
	switch {
	case k.late:
		k.late = false
		b.sendLate(k, Channel(in))
	case k.injects:
		b.injectHeader(Channel(in), b.packets[p].From)
	}
}

// sendLate sends the header of the packet that holds channel o and has waited for
// its place.
func (b *Bank) sendLate(out *claim, o Channel) {
	in := &b.claims[out.holder]
	t := max(out.since, b.place(out))
	b.closed.trails[in.packet].blocked += t - in.ready
	b.sendHeader(out, o, in.packet, t)
}

// tail returns the maximum of the terms of the closed form, without that of the
// last header time, for the channel that is first of the trail of packet p.
func (x *closed) tail(p, first, ahead int32) int64 {
	times := x.times[p*(x.mask+1):][:x.mask+1]
	tail := -never
	for m := range ahead {
		tail = max(tail, times[(first+m)&x.mask]-int64(m)*x.less)
	}
	return tail
}

package router

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
	serial  int64           // (L-1)·F
	next    int32           // channels the header has been sent on
	settled int32           // channels the tail has been settled on
	steps   int32           // channels ahead of the tail's that settle it: floor((L-1)/B)
	length  int32           // L
	job     int32           // whose packet it is
	_       int32           //
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

// begin makes room for packet p.
func (c *closed) begin(p int32, k *Packet, t *Timing) {
	for int32(len(c.trails)) <= p {
		c.trails = append(c.trails, trail{})
		if c.mask >= nearRing {
			c.rings = append(c.rings, make([]int32, c.mask+1)...)
		}
		if c.times != nil {
			c.times = append(c.times, make([]int64, c.mask+1)...)
		}
	}
	c.trails[p] = trail{serial: int64(k.Length-1) * t.Flit, steps: (k.Length - 1) / t.Buffer, length: k.Length, job: k.Job}
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

// start sends the header of the packet that was granted channel o, as soon as
// there is a place for it.
func (b *Bank) start(o Channel) {
	switch out := &b.claims[o]; {
	case out.sink:
		b.sendHeader(o, b.claims[out.holder].packet, b.now)
	case out.state != empty:
		out.late = true
	default:
		b.sendHeader(o, b.claims[out.holder].packet, max(b.now, b.place(out)))
	}
}

// place returns the cycle from which an empty FIFO has room for a header, a
// credit after B-1 flits before the last packet's tail left it.
func (b *Bank) place(c *claim) int64 {
	return c.left + b.timing.Flit - b.closed.less
}

// injectHeader sends the next header of a node's source queue on its injection
// channel, if that is free and has a place.
func (b *Bank) injectHeader(c Channel) {
	k := &b.claims[c]
	node := b.node(c)
	if k.holder != none || k.state != empty || b.queues[node].count == 0 {
		return
	}
	turn := b.turn(node, k.freeAt)
	t := max(b.now, turn, b.place(k))
	p := b.newPacket(node, turn, t)
	b.closed.begin(p, &b.packets[p], &b.timing)
	k.holder, k.since = source, t
	b.sendHeader(c, p, t)
}

// sendHeader sends the header of packet p on channel o in cycle t, and settles
// the tail where that can be done now.
func (b *Bank) sendHeader(o Channel, p int32, t int64) {
	out, k, x := &b.claims[o], &b.packets[p], b.closed
	w := &x.trails[p]
	x.push(p, w, o, t)
	if out.holder >= 0 {
		k.Blocked += t - b.claims[out.holder].ready
		if out.sink {
			b.settle(p, t, w.next)
			return
		}
		k.Hops++
	}
	if out.state != empty {
		panic("router: a header was sent behind a packet")
	}
	b.head(out, p, k, max(t+b.timing.Link, out.left+1)+b.timing.Routing)
	b.routed(o, out.ready)
	if w.next > w.steps {
		b.settle(p, t, w.settled+1)
	}
}

// settle settles when the tail of packet p, whose last header time is t, is sent
// on its next channels, to the given number, and what follows: a channel gets
// free, and the FIFO before it has a place for the next header.
func (b *Bank) settle(p int32, t int64, to int32) {
	x := b.closed
	for {
		// What follows may send other headers, and make room for their packets.
		w := &x.trails[p]
		first := w.settled
		if first == to {
			return
		}
		w.settled++
		ahead := w.next - w.settled
		tail := t - int64(ahead)*x.less
		if x.times != nil {
			tail = max(tail, x.tail(p, first, ahead))
		}
		tail += w.serial
		o := x.channel(p, w, first)
		out, u := &b.claims[o], &b.loads[o]
		in := out.holder
		out.holder, out.freeAt, out.job = none, tail+b.timing.Flit, w.job
		u.flits += int64(w.length)
		u.held += out.freeAt - out.since
		if in < 0 {
			b.injectHeader(o)
			continue
		}
		b.free(out, o, Channel(in))
		if out.sink {
			b.wheel.enter(b.now, event{tail + b.timing.Link, p, tailArrives})
		}
		k := &b.claims[in]
		k.packet, k.state, k.left = none, empty, tail
		switch {
		case k.late:
			k.late = false
			b.sendHeader(Channel(in), b.claims[k.holder].packet, max(k.since, b.place(k)))
		case k.injects:
			b.injectHeader(Channel(in))
		}
	}
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

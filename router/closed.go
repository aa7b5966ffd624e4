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

// A trail is what the closed form remembers of a packet: its numbers, and then a
// ring of the channels its tail has not been settled on.
const (
	trailNext    = iota // channels the header has been sent on
	trailSettled        // channels the tail has been settled on
	trailSteps          // channels ahead of the tail's that settle it: floor((L-1)/B)
	trailRing           // from here on
)

// closed is the state of the closed form.
type closed struct {
	trails []int32 // of packet p from p·stride
	stride int32
	mask   int32   // length of a ring, less one
	less   int64   // B·F - C
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
	ring := int32(1)
	for ring < (most-1)/t.Buffer+1 {
		ring *= 2
	}
	c := &closed{mask: ring - 1, stride: 16, less: int64(t.Buffer)*t.Flit - t.Credit}
	for c.stride < trailRing+ring {
		c.stride *= 2
	}
	if t.Link+t.Routing < c.less {
		c.times = []int64{}
	}
	return c
}

// begin makes room for packet p, whose header settles its tail so many channels
// behind.
func (c *closed) begin(p, steps int32) {
	for need := (p + 1) * c.stride; int32(len(c.trails)) < need; {
		c.trails = append(c.trails, 0)
	}
	if c.times != nil {
		for need := (p + 1) * (c.mask + 1); int32(len(c.times)) < need; {
			c.times = append(c.times, 0)
		}
	}
	w := c.trails[p*c.stride:]
	w[trailNext], w[trailSettled], w[trailSteps] = 0, 0, steps
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
	if k.holder != none || k.state != empty || b.queueHead[node] == none {
		return
	}
	t := max(b.now, k.freeAt, b.place(k))
	p := b.newPacket(node, t)
	b.closed.begin(p, (b.packets[p].Length-1)/b.timing.Buffer)
	k.holder, k.since = source, t
	b.sendHeader(c, p, t)
}

// sendHeader sends the header of packet p on channel o in cycle t, and settles
// the tail where that can be done now.
func (b *Bank) sendHeader(o Channel, p int32, t int64) {
	out, x := &b.claims[o], b.closed
	w := x.trails[p*x.stride:][:x.stride]
	at := w[trailNext] & x.mask
	w[trailRing+at] = int32(o)
	w[trailNext]++
	if x.times != nil {
		x.times[p*(x.mask+1)+at] = t
	}
	if out.holder >= 0 {
		k := &b.packets[p]
		k.Blocked += t - b.claims[out.holder].ready
		if !out.sink {
			k.Hops++
		}
	}
	if out.sink {
		for last := w[trailNext]; b.settleTail(p, t) < last; {
		}
		return
	}
	if out.state != empty {
		panic("router: a header was sent behind a packet")
	}
	out.packet, out.state = p, routing
	out.ready = max(t+b.timing.Link, out.left+1) + b.timing.Routing
	b.routed(o, out.ready)
	if w[trailNext] > w[trailSteps] {
		b.settleTail(p, t)
	}
}

// settleTail settles when the tail of packet p is sent on the first channel on
// which that is not settled, and what follows: the channel gets free, and the
// FIFO before it has a place for the next header. The last header time is t. It
// returns the number of channels settled.
func (b *Bank) settleTail(p int32, t int64) int32 {
	x, k := b.closed, &b.packets[p]
	w := x.trails[p*x.stride:][:x.stride]
	first := w[trailSettled]
	settled := first + 1
	w[trailSettled] = settled
	ahead := w[trailNext] - settled
	tail := int64(k.Length-1)*b.timing.Flit + t - int64(ahead)*x.less
	if x.times != nil {
		tail = max(tail, x.tail(p, first, ahead)+int64(k.Length-1)*b.timing.Flit)
	}
	o := Channel(w[trailRing+first&x.mask])
	out := &b.claims[o]
	in := out.holder
	out.job = k.Job
	out.holder, out.freeAt = none, tail+b.timing.Flit
	b.use(o, k.Length)
	if out.sink {
		b.wheel.enter(b.now, event{tail + b.timing.Link, p, tailArrives})
	}
	if in < 0 {
		b.injectHeader(o)
		return settled
	}
	b.free(out, o, Channel(in))
	b.vacate(Channel(in), tail)
	return settled
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

// vacate takes the packet at the head out of FIFO c, which its tail leaves in
// cycle left.
func (b *Bank) vacate(c Channel, left int64) {
	k := &b.claims[c]
	k.packet, k.state, k.left = none, empty, left
	switch {
	case k.late:
		k.late = false
		b.sendHeader(c, b.claims[k.holder].packet, max(k.since, b.place(k)))
	case k.injects:
		b.injectHeader(c)
	}
}

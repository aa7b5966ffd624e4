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
//
// Delays D and credits C may differ from link to link as long as all links have one F and
// every link to a router has B·F >= D + C of its own. A path in the recurrence from the
// header on one channel to flit j on channel k is made of steps from flit to flit, of steps
// ahead over a link (D of that link) and of places given back over a link (C of that link,
// B flits on). A path that crosses a link ahead and back crosses some link ahead and back
// with nothing but steps from flit to flit in between, and these are as long on any channel:
// so D + C <= B·F of that link lets B such steps take the place of the two. What is left
// goes back only, and m·C becomes the sum of C over the m links from channel k on, or goes
// ahead only, and is no longer than the header's own way. With more than one F a slow link
// behind a header would set the pace of its packet's flits ahead, and a fast one the next
// packet's: worm.go counts those flit by flit.

// closedEngine implements engine.
type closedEngine struct{ *Routers }

func (e closedEngine) offered(c Channel, node topology.Node, first bool) {
	if first {
		e.injectHeader(c, node)
	}
}

func (e closedEngine) ask(list int32) {
	if e.only.known() {
		e.askOrdered(list)
	} else {
		e.askEach(list)
	}
}

func (e closedEngine) granted(o, _ Channel) { e.fresh = append(e.fresh, o) }

func (e closedEngine) passed(_, _, _ Channel) {}

func (e closedEngine) send() { e.startAll() }

func (e closedEngine) tally(p int32) { e.measured(p, 0) }

// progress is what the closed form remembers of a packet.
type progress struct {
	blocked int64 // as in Packet, which learns of it at the end
	// the channel the tail was settled on last; before that the complement of the injection channel
	last   int32
	next   int32 // channels the header has been sent on
	steps  int32 // channels ahead of the tail's that settle it: floor((L-1)/B)
	length int32 // L
	job    int32 // whose packet it is
	goal   place // where it goes, on a mesh of two dimensions
}

// closed is the state of the closed form.
type closed struct {
	progress []progress // of each packet
	less     int64      // B·F - C
	back     int64      // from when a tail left a FIFO until there is room for a header: C - (B-1)·F
	mask     int32      // length of a ring of times, less one
	// when the header of packet p was sent on the last channels, from p·(mask+1); nil where the last
	// will do
	times     []int64
	ways      []way      // of each packet, where links differ
	recording *recording // nil where nobody is told of flits
}

// way has sums of the credits of the links on a packet's way, from its node on.
type way struct {
	sent    int64 // of the links before that on which the header was sent last
	last    int64 // that link's own
	settled int64 // of the links before that on which the tail is settled
}

// ClosedFormIsExact reports whether the closed form gives the times of packets
// of all the given lengths.
func ClosedFormIsExact(w *Wiring, x Routing, t Timing, lengths ...int32) bool {
	t = t.settled()
	ok := WormsAreExact(w, x, t) && t.oneFlitTime()
	for l := range Link(w.Links()) {
		k := t.on(l)
		ok = ok && (w.kind[l] == Ejection || int64(t.Buffer)*t.Flit >= int64(k.Delay)+int64(k.Credit))
	}
	for _, l := range lengths {
		ok = ok && l%t.Buffer == 0
	}
	return ok
}

// newClosed returns the state of the closed form. Where links differ their credits are added
// one by one, and all times are remembered: so what that takes costs nothing where they do not.
func newClosed(most int32, t Timing) *closed {
	c := &closed{less: int64(t.Buffer)*t.Flit - t.Credit}
	if t.Links != nil {
		c.less, c.ways = int64(t.Buffer)*t.Flit, []way{}
	}
	c.back = t.Flit - c.less
	if t.Links != nil || t.Link+t.Routing < c.less {
		c.remember(most, t.Buffer)
	}
	return c
}

// remember has the times of a packet's last headers kept, as many as settle a tail.
func (c *closed) remember(most, buffer int32) {
	for c.times = []int64{}; c.mask < (most-1)/buffer; {
		c.mask = 2*c.mask + 1
	}
}

// begin makes room for packet p, on its way from an injection channel to a place.
func (c *closed) begin(p int32, k *Packet, buffer int32, from Channel, goal place) {
	for int32(len(c.progress)) <= p {
		c.progress = append(c.progress, progress{})
		if c.times != nil {
			c.times = append(c.times, make([]int64, c.mask+1)...)
		}
	}
	if c.ways != nil {
		for int32(len(c.ways)) <= p {
			c.ways = append(c.ways, way{})
		}
		c.ways[p] = way{}
	}
	c.progress[p] = progress{last: ^int32(from), steps: (k.Length - 1) / buffer, length: k.Length,
		job: k.Job, goal: goal}
}

// remembered notes when the header of packet p is sent on its next channel o, and returns the
// time that a flit takes on it. Where links differ the time has the credits of those before in it.
func (b *Routers) remembered(p int32, w *progress, o Channel, t int64) (delay int64) {
	c := b.closed
	if c.ways != nil {
		k := &c.ways[p]
		k.sent += k.last
		if k.last = 0; !b.vcs[o].sink {
			k.last = int64(b.own[o].Credit)
		}
		t += k.sent
	}
	c.times[p*(c.mask+1)+w.next&c.mask] = t
	return b.delay(o)
}

// measured copies into packet p what its progress knows: 1 for ejected where its header
// has been sent to its node, 0 where not.
func (b *Routers) measured(p, ejected int32) {
	k, w := &b.packets[p], &b.closed.progress[p]
	k.Blocked, k.Hops = w.blocked, w.next-1-ejected
}

// startAll sends the headers of the packets that were granted channels in this
// cycle, as soon as there is a place for them.
func (b *Routers) startAll() {
	vcs, x := b.vcs, b.closed
	for _, o := range b.fresh {
		out := &vcs[o]
		in := &vcs[out.holder]
		p := in.packet
		w := &x.progress[p]
		switch {
		case out.sink:
			w.blocked += b.now - in.ready
			if x.times != nil {
				b.remembered(p, w, o, b.now)
			}
			w.next++
			for ahead := min(w.steps, w.next-1); ahead >= 0; ahead-- {
				b.settle(p, &x.progress[p], ahead, b.now)
			}
		case out.state != idle:
			out.late = true
		default:
			t := max(b.now, b.place(out, o))
			w.blocked += t - in.ready
			b.sendHeader(out, o, p, w, t)
		}
	}
	b.fresh = b.fresh[:0]
}

// place returns the cycle from which an empty FIFO has room for a header, a
// credit after B-1 flits before the last packet's tail left it.
func (b *Routers) place(c *vcState, at Channel) int64 {
	if b.own != nil {
		return c.left + b.closed.back + int64(b.own[at].Credit)
	}
	return c.left + b.closed.back
}

// injectHeader sends the next header of a node's source queue on its injection
// channel, if that is free and has a place.
func (b *Routers) injectHeader(c Channel, node topology.Node) {
	k := &b.vcs[c]
	if k.holder != none || k.state != idle || b.queues[node].count == 0 {
		return
	}
	turn := b.turn(node, k.freeAt)
	t := max(b.now, turn, b.place(k, c))
	p := b.newPacket(node, turn, t)
	goal := place(0)
	if b.mesh2D != nil {
		goal = b.mesh2D[b.packets[p].To].here
	}
	b.closed.begin(p, &b.packets[p], b.timing.Buffer, c, goal)
	k.holder, k.since = source, t
	b.sendHeader(k, c, p, &b.closed.progress[p], t)
}

// sendHeader sends the header of packet p on channel o, which does not lead to a
// node, in cycle t, and settles the tail where that can be done now.
func (b *Routers) sendHeader(out *vcState, o Channel, p int32, w *progress, t int64) {
	if out.state != idle {
		panic("router: a header was sent behind a packet")
	}
	delay := b.timing.Link
	if b.closed.times != nil {
		delay = b.remembered(p, w, o, t)
	}
	w.next++
	out.packet, out.state = p, routing
	if r := uint(out.router); r < uint(len(b.mesh2D)) {
		out.want = int32(b.mesh2D[r].towards(w.goal))
	} else if b.tree != nil {
		out.want = int32(b.tree.towards(r, b.packets[p].From, b.packets[p].To))
	} else if b.only.known() {
		out.want = int32(b.only.channel(topology.Router(out.router), o, &b.packets[p]))
	}
	out.ready = max(t+delay, out.left+1) + b.timing.Routing
	if w := &b.calendar; out.ready-b.now <= w.mask {
		w.header(out, o)
	} else {
		b.routed(out, o)
	}
	if w.next > w.steps {
		b.settle(p, w, w.steps, t)
	}
}

// settle settles when the tail of packet p is sent on its next channel, given when
// the header was sent on the one so many channels ahead, and what follows: the
// channel gets free, and the FIFO before it has a place for the next header. That
// may be sent, and so may others, and a record of progress be made for their packets.
func (b *Routers) settle(p int32, w *progress, ahead int32, t int64) {
	x := b.closed
	tail := t - int64(ahead)*x.less
	if x.times != nil {
		tail = b.recall(p, w, ahead, tail)
	}
	i, vcs := w.last, b.vcs
	if i < 0 {
		w.last = ^i
		b.vacate(&vcs[^i], Channel(^i), w, tail)
		return // the next packet has to wait for this one's tail to leave the FIFO
	}
	in := &vcs[i]
	o := Channel(in.want)
	out := &vcs[o]
	w.last = int32(o)
	b.vacate(out, o, w, tail)
	tail = out.freeAt - b.timing.Flit
	if out.first != none || !b.queued {
		b.free(out, o, Channel(i))
	}
	if out.sink {
		b.measured(p, 1)
		b.calendar.enter(b.now, event{tail + b.delay(o), p, tailArrives})
	}
	in.packet, in.state, in.left = none, idle, tail
	switch {
	case in.late:
		in.late = false
		b.sendLate(in, Channel(i))
	case in.injects:
		b.injectHeader(Channel(i), b.packets[p].From)
	}
}

// recall returns when the tail of packet p is sent on its next channel, given the term for the
// last time of its header, by the times remembered, and tells of its flits.
func (b *Routers) recall(p int32, w *progress, ahead int32, term int64) int64 {
	x := b.closed
	if x.ways != nil {
		k := &x.ways[p]
		if w.last >= 0 {
			k.settled += int64(b.own[w.last].Credit)
		}
		term += k.sent - k.settled // the credits from there to before the last link
	}
	if x.recording != nil {
		x.carried(p, b.settling(w), w.next-1-ahead, ahead)
	}
	return max(term, x.tail(p, w.next-1-ahead, ahead))
}

// settling returns the channel on which the tail of a packet is settled next.
func (b *Routers) settling(w *progress) Channel {
	if w.last < 0 {
		return Channel(^w.last)
	}
	return Channel(b.vcs[w.last].want)
}

// vacate ends the hold of channel o: the term that counts for the tail of its
// packet, whose progress is w, is the one given, but for the flits that follow each other.
func (b *Routers) vacate(out *vcState, o Channel, w *progress, term int64) {
	// With one virtual channel each, channels and links have the same numbers.
	free, u := term+int64(w.length)*b.timing.Flit, &b.loads[o]
	out.holder, out.freeAt, out.job = none, free, w.job
	u.flits += int64(w.length)
	u.held += free - out.since
}

// sendLate sends the header of the packet that holds channel o and has waited for
// its place.
func (b *Routers) sendLate(out *vcState, o Channel) {
	in := &b.vcs[out.holder]
	t, w := max(out.since, b.place(out, o)), &b.closed.progress[in.packet]
	w.blocked += t - in.ready
	b.sendHeader(out, o, in.packet, w, t)
}

// tail returns the maximum of the terms of the closed form, without that of the
// last header time, for the channel that is first of the progress of packet p.
func (x *closed) tail(p, first, ahead int32) int64 {
	times := x.times[p*(x.mask+1):][:x.mask+1]
	tail := -never
	for m := range ahead {
		tail = max(tail, times[(first+m)&x.mask]-int64(m)*x.less)
	}
	if x.ways != nil {
		tail -= x.ways[p].settled
	}
	return tail
}

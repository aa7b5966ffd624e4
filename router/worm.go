package router

import (
	"fmt"

	"contend/router/topology"
)

// The worm engine computes the same flit times as the cycle-driven one without stepping through the
// cycles in which flits move. With one VC and wormhole switching the rules are a max-plus
// recurrence: flit j is sent on channel k at the maximum of one flit time after flit j-1, its own
// arrival from channel k-1, and one credit delay after a place became free. Only VC allocation has
// to be done in the order of time. So the calendar holds heads whose route computation ends,
// channels that are released while a head waits, and tails that arrive. A grant moves at once, with
// their times, all flits whose times follow from it. A FIFO holds the flits whose departure is not
// known yet; a flit that needs a place not yet free waits for that place, not for a cycle.
//
// Flits that follow each other at the pace of their link move as one run into places that became
// free at that pace. So with deep buffers the work is that of heads, whatever the length of
// packets.
//
// All times computed at an event of cycle t are t or later, so they change no earlier decision.

// Minimum and maximum length of a worm engine's calendar, in cycles.
const (
	minHorizon = 255
	maxHorizon = 4095
)

// wormHorizon returns the length of a worm engine's calendar: a tail that is never blocked arrives
// within it, unless the packet is very long.
func (b *Routers) wormHorizon() int64 {
	return max(b.timing.span(1), minHorizon, min(b.timing.span(b.packetFlits), maxHorizon))
}

// channel is the state of a VC in the worm engine. With one VC each, links have the same numbers.
type channel struct {
	holder       int32 // as in vcState, but always source if the channel comes from a node
	outputVC     int32 // channel that the packet at the front of the FIFO holds, or none
	packet       int32 // packet at the front of the FIFO, or none; source in an ejection channel
	lastPacket   int32 // packet that entered last, of those in the FIFO
	flitsLeft    int32 // flits of packet not sent on; negative until its head is
	occupancy    int16 // flits in the FIFO
	buffersFlits bool  // the channel ends at a router
	injects      bool  // the channel comes from a node
	lastSent     int64 // cycle in which the last flit left the FIFO
	flits        runs  // flits in the FIFO, oldest first
	places       runs  // free places of the FIFO, in the order in which they became free
}

// maxBufferFlits is the maximum number of places of a FIFO in the worm engine.
const maxBufferFlits = 1<<15 - 1

// sink reports whether the channel ends at a node, which always accepts.
func (c *channel) sink() bool { return !c.buffersFlits }

// newFIFOs makes the state of the worm engine.
func (b *Routers) newFIFOs() {
	if b.timing.Buffer > maxBufferFlits {
		panic(fmt.Sprintf("router: FIFOs of %d places, at most %d are possible", b.timing.Buffer,
			maxBufferFlits))
	}
	b.channels, b.linkFreeAt = make([]channel, len(b.vcs)), make([]int64, b.w.Links())
	length := min(b.timing.Buffer, 2) // of a ring
	b.trains = trains{list: make([]run, 2*int(length)*len(b.vcs)), mask: int16(length - 1)}
	for i := range b.channels {
		k := channel{holder: none, outputVC: none, packet: none, buffersFlits: true, lastSent: -never,
			flits: runs{ring: 2 * int32(i) * length}, places: runs{ring: (2*int32(i) + 1) * length}}
		b.push(&k.places, run{-never, b.timing.Buffer, int32(b.flitTime(Channel(i)))})
		switch b.w.kind[i] {
		case Injection:
			k.holder, k.injects = source, true
		case Ejection:
			k.packet, k.buffersFlits = source, false
		}
		b.channels[i] = k
	}
}

// wormEngine implements engine.
type wormEngine struct{ *Routers }

// offered injects the message if the source queue was empty.
func (e wormEngine) offered(c Channel, _ topology.Node, first bool) {
	if first {
		e.flow(c)
	}
}

// receive does nothing: flits have their times.
func (e wormEngine) receive() {}

// computeRoutes computes the routes of a list of heads (RC).
func (e wormEngine) computeRoutes(list int32) { e.computeEachRoute(list) }

// granted moves flits over channel o in send.
func (e wormEngine) granted(o, i Channel) {
	e.hold(o, i)
	e.newGrants = append(e.newGrants, o)
}

// hold connects the FIFOs of channels i and o.
func (e wormEngine) hold(o, i Channel) {
	e.channels[i].outputVC, e.channels[o].holder = int32(o), int32(i)
}

// handOver gives channel o to the head of FIFO i.
func (e wormEngine) handOver(o, before, i Channel) {
	e.channels[before].outputVC = none
	e.hold(o, i)
}

// updatePacket does nothing: packets are measured as their flits move.
func (e wormEngine) updatePacket(int32) {}

// send moves the flits that follow from the grants of this cycle.
func (e wormEngine) send() {
	for _, o := range e.newGrants {
		e.flow(o)
	}
	e.newGrants = e.newGrants[:0]
}

// flow moves all flits that can move over channel c, and behind it.
func (b *Routers) flow(c Channel) {
	ch := &b.channels[c]
	if ch.injects {
		b.injectFlits(c)
		return
	}
	for ch.holder >= 0 {
		in := Channel(ch.holder)
		if !b.drain(c) {
			return
		}
		b.flow(in)
	}
}

// drain sends over channel o those flits of the FIFO before it whose places are free or become free
// at known times, and reports whether it has sent any.
func (b *Routers) drain(o Channel) bool {
	out := &b.channels[o]
	i := Channel(out.holder)
	in, line := &b.channels[i], &b.linkFreeAt[o]
	size, pace := b.timing.Buffer, int32(b.flitTime(o))
	if in.occupancy == 0 || int32(out.occupancy) == size {
		return false
	}
	p := in.packet
	for {
		from := b.trains.first(&in.flits)
		t, n := max(from.at, *line), from.count
		if from.pace != pace {
			n = 1
		}
		if !out.sink() {
			place := b.trains.first(&out.places)
			t = max(t, place.at+b.credit(o))
			if n = min(n, place.count); place.pace != pace {
				n = 1
			}
		}
		head := in.flitsLeft < 0
		if head {
			in.flitsLeft = -in.flitsLeft
			t = max(t, b.vcs[o].since)
			k := &b.packets[p]
			k.Blocked += t - b.vcs[i].ready
			if b.waits != nil && t > b.vcs[i].ready {
				b.reportSent(o, i, t)
			}
			if !out.sink() {
				k.Hops++
			}
		}
		n = min(n, in.flitsLeft)
		if b.trace != nil {
			b.traceRun(run{t, n, pace}, o, b.notes[p].number, b.packets[p].Length-in.flitsLeft,
				b.vcs[i].ready)
		}
		*line = t + int64(n)*int64(pace)
		b.trains.take(&in.flits, from, n)
		b.push(&in.places, run{t, n, pace})
		in.lastSent = *line - int64(pace)
		in.occupancy -= int16(n)
		in.flitsLeft -= n
		if !out.sink() {
			b.enqueueFlits(o, p, run{t, n, pace}, head)
		}
		if in.flitsLeft == 0 {
			b.packetLeft(o, i, in, in.lastSent)
			return true
		}
		if in.occupancy == 0 || int32(out.occupancy) == size {
			return true
		}
	}
}

// traceRun reports a run of flits of a packet, from flit from on.
func (b *Routers) traceRun(r run, c Channel, packet int64, from int32, ready int64) {
	for j := range r.count {
		b.trace.Sent(r.at+int64(j)*int64(r.pace), c, packet, from+j, ready)
	}
}

// enqueueFlits puts a run of flits in FIFO o, in its first free places.
func (b *Routers) enqueueFlits(o Channel, p int32, sent run, head bool) {
	ch := &b.channels[o]
	sent.at += b.delay(o)
	b.trains.take(&ch.places, b.trains.first(&ch.places), sent.count)
	b.push(&ch.flits, sent)
	if head {
		if ch.packet != none {
			b.notes[ch.lastPacket].after = p
		}
		ch.lastPacket = p
	}
	ch.occupancy += int16(sent.count)
	if ch.packet == none {
		// The tail before it may leave later than it arrives, but not if the FIFO has one place:
		// then the tail has left the place of the head.
		b.startRoutingIn(o, ch, p, max(sent.at, ch.lastSent+1))
	}
}

// startRoutingIn puts packet p at the front of the FIFO of channel c, where its route computation
// starts in cycle h.
func (b *Routers) startRoutingIn(c Channel, ch *channel, p int32, h int64) {
	ch.packet, ch.flitsLeft, ch.outputVC = p, -b.packets[p].Length, none
	b.startRouting(c, p, h)
}

// packetLeft removes the packet at the front of FIFO i, whose tail was sent on channel o in cycle
// t, and puts the next one there.
func (b *Routers) packetLeft(o, i Channel, in *channel, t int64) {
	b.release(o, i, t)
	b.channels[o].holder = none
	if in.outputVC = none; in.occupancy > 0 {
		b.startRoutingIn(i, in, b.notes[in.packet].after, max(t+1, b.trains.first(&in.flits).at))
		return
	}
	k := &b.vcs[i]
	in.packet, k.packet, k.state = none, none, idle
}

// injectFlits injects flits on the node's injection channel c while it has free places.
func (b *Routers) injectFlits(c Channel) {
	ch, size, pace := &b.channels[c], b.timing.Buffer, int32(b.flitTime(c))
	node := b.node(c)
	cur := &b.injecting[node]
	for int32(ch.occupancy) < size {
		place := b.trains.first(&ch.places)
		t, n := max(cur.free, place.at+b.credit(c)), place.count
		if cur.packet == none {
			if b.queues[node].count == 0 {
				return
			}
			turn := b.turnOf(node, cur.free)
			t = max(t, turn, b.now)
			p := b.newPacket(node, turn, t)
			cur.packet, cur.flitsSent, cur.length = p, 0, b.packets[p].Length
			b.vcs[c].holder, b.vcs[c].since = source, t
		}
		if n = min(n, cur.length-cur.flitsSent); place.pace != pace {
			n = 1
		}
		cur.free = t + int64(n)*int64(pace)
		if b.trace != nil {
			b.traceRun(run{t, n, pace}, c, b.notes[cur.packet].number, cur.flitsSent, t)
		}
		b.enqueueFlits(c, cur.packet, run{t, n, pace}, cur.flitsSent == 0)
		if cur.flitsSent += n; cur.flitsSent == cur.length {
			b.tailInjected(c, cur)
		}
	}
}

// run is a run of flits, or of the places that became free behind one.
type run struct {
	at    int64 // cycle of the first
	count int32
	pace  int32 // cycles between two of them
}

// runs is a queue of runs: a ring in trains.list.
type runs struct {
	ring  int32 // index of its first element in trains.list
	head  int16 // offset of the oldest run
	count int16 // runs in the queue
}

// trains has the rings of all channels, two for each, beside each other. Their length is a power of
// two; all grow when one of them is full.
type trains struct {
	list []run
	mask int16 // length of a ring less one
}

// at returns run i of a queue, from the oldest on.
func (x *trains) at(q *runs, i int16) *run {
	return &x.list[uint32(q.ring+int32((q.head+i)&x.mask))]
}

// first returns the oldest run of a queue that is not empty.
func (x *trains) first(q *runs) *run { return x.at(q, 0) }

// take removes n flits or places from the oldest run r of a queue.
func (x *trains) take(q *runs, r *run, n int32) {
	if r.count -= n; r.count > 0 {
		r.at += int64(n) * int64(r.pace)
		return
	}
	q.head++
	q.count--
}

// push appends a run to a queue, or extends the last run if the new one continues it.
func (b *Routers) push(q *runs, r run) {
	x := &b.trains
	if q.count > 0 {
		k := x.at(q, q.count-1)
		if k.at+int64(k.count)*int64(k.pace) == r.at && k.pace == r.pace {
			k.count += r.count
			return
		}
		if q.count > x.mask {
			b.lengthen()
		}
	}
	*x.at(q, q.count) = r
	q.count++
}

// lengthen doubles all rings. A ring written twice has each run at the index at which its queue
// reads it.
func (b *Routers) lengthen() {
	x, length := &b.trains, int(b.trains.mask)+1
	list := make([]run, 0, 2*len(x.list))
	for at := 0; at < len(x.list); at += length {
		list = append(append(list, x.list[at:][:length]...), x.list[at:][:length]...)
	}
	x.list, x.mask = list, int16(2*length-1)
	for i := range b.channels {
		b.channels[i].flits.ring *= 2
		b.channels[i].places.ring *= 2
	}
}

// each calls f for each flit or place of a queue, with its time.
func (x *trains) each(q *runs, f func(t int64)) {
	for i := range q.count {
		r := x.at(q, i)
		for j := range int64(r.count) {
			f(r.at + j*int64(r.pace))
		}
	}
}

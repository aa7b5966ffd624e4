package router

import "contend/router/topology"

// The closed form of the worm engine needs no body flits. If FIFOs are deep enough for full
// throughput (B·F >= D + C) and every packet's length is a multiple of B, the time at which flit j
// of a packet is sent on its k-th channel follows from the times of its head on that and the next
// channels:
//
//	s(j,k) = max over m = 0 .. floor(j/B) of s(0,k+m) + m·C + (j - m·B)·F
//
// (a longest path in the recurrence: m credits from m channels ahead, the other steps flit after
// flit; a step to a channel ahead and a credit together are never longer than B flits after each
// other). So a head sent on channel k settles when the tail is sent on channel k - floor((L-1)/B),
// and one sent to the node settles it for all remaining channels. The last B flits of a packet
// follow each other at the full rate, so the next packet's first B flits always have credits once
// its head has one; and the times at which they leave a FIFO become known all at once. So one time
// per FIFO is enough, and a head never waits behind another packet's flits whose times are unknown.
// The work is that of heads, whatever the length of packets.
//
// If D + R >= B·F - C, as in the defaults and in single-flit buffers, a head takes longer from
// channel to channel than the terms above lose, so the last term is the maximum and the earlier
// times need not be kept.
//
// Delays D and credits C may differ from link to link as long as all links have one F and every
// link to a router has B·F >= D + C of its own. A path in the recurrence from the head on one
// channel to flit j on channel k is made of steps from flit to flit, of steps ahead over a link (D
// of that link) and of credits over a link (C of that link, B flits on). A path that crosses a link
// ahead and back crosses some link ahead and back with only steps from flit to flit in between, and
// these are as long on any channel: so D + C <= B·F of that link lets B such steps replace the two.
// The remaining path only goes back, and m·C becomes the sum of C over the m links from channel k
// on, or only goes ahead, and is no longer than the head's path. With more than one F a slow link
// behind a head would set the pace of its packet's flits ahead, and a fast one the next packet's:
// worm.go counts those flit by flit.

// closedEngine implements engine.
type closedEngine struct{ *Routers }

// offered injects the head of the message if the source queue was empty.
func (e closedEngine) offered(c Channel, node topology.Node, first bool) {
	if first {
		e.injectHead(c, node)
	}
}

// receive does nothing: the times of flits and credits follow from those of heads.
func (e closedEngine) receive() {}

// computeRoutes computes the routes of a list of heads (RC).
func (e closedEngine) computeRoutes(list int32) {
	if e.outputVC != nil {
		e.requestOutputs(list)
	} else {
		e.computeEachRoute(list)
	}
}

// granted enters output VC o in newGrants: send sends the head that holds it.
func (e closedEngine) granted(o, _ Channel) { e.newGrants = append(e.newGrants, o) }

// handOver does nothing: send reads the holder.
func (e closedEngine) handOver(_, _, _ Channel) {}

// send sends the heads of the packets that were granted VCs in this cycle, as soon as there is a
// place for them.
func (e closedEngine) send() {
	list := e.newGrants
	if e.closed.inlined {
		list = e.sendUnblockedHeads()
	}
	for _, o := range list {
		if o >= 0 {
			e.sendHeadOn(o)
			continue
		}
		out := &e.vcs[^o]
		w := &e.closed.progress[out.packet]
		e.settle(out.packet, w, w.steps, max(e.now, e.spaceAt(out, ^o)))
	}
	e.newGrants = e.newGrants[:0]
}

// updatePacket copies the progress of packet p into it.
func (e closedEngine) updatePacket(p int32) { e.copyProgress(p, 0) }

// progress is the state of a packet in the closed form.
type progress struct {
	blocked int64 // Packet.Blocked so far
	// VC on which the tail was settled last; before the first the complement of the injection VC
	last   int32
	next   int32 // channels on which the head has been sent
	steps  int32 // channels that the head is ahead of the tail that it settles: floor((L-1)/B)
	length int32 // L
	job    int32 // the packet's job
	goal   int32 // its destination: a place on a mesh of two dimensions, otherwise a node
}

// closed is the state of the closed form.
type closed struct {
	progress    []progress // of each packet
	tailAdvance int64      // B·F - C
	// cycles from when a tail left a FIFO until the FIFO has a place for a head: C - (B-1)·F
	spaceDelay int64
	mask       int32 // length of a ring of times less one
	inlined    bool  // see sendUnblockedHeads
	// times at which the head of packet p was sent on the last channels, from p·(mask+1); nil if
	// the last time is enough
	times      []int64
	creditSums []creditSum // of each packet; nil if links are equal
}

// creditSum has sums of the credit delays of the links on a packet's path, from its node on.
type creditSum struct {
	sent    int64 // over the links before the one on which the head was sent last
	last    int64 // of that link
	settled int64 // over the links before the one on which the tail is settled
}

// ClosedFormIsExact reports whether the closed form gives the times of packets
// of all the given lengths.
func ClosedFormIsExact(w *Wiring, x Routing, t Timing, lengths ...int32) bool {
	t = t.normalized()
	ok := WormsAreExact(w, x, t)
	for l := range Link(w.Links()) {
		k := t.on(l)
		ok = ok && int64(k.Flit) == t.Flit && (w.kind[l] == Ejection ||
			int64(t.Buffer)*t.Flit >= int64(k.Delay)+int64(k.Credit))
	}
	for _, l := range lengths {
		ok = ok && l%t.Buffer == 0
	}
	return ok
}

// newClosed returns the state of the closed form for packets of at most packetFlits flits. If links
// differ it keeps all times and adds up credit delays link by link.
func newClosed(packetFlits int32, t Timing) *closed {
	c := &closed{tailAdvance: int64(t.Buffer)*t.Flit - t.Credit}
	if t.Links != nil {
		c.tailAdvance, c.creditSums = int64(t.Buffer)*t.Flit, []creditSum{}
	}
	c.spaceDelay = t.Flit - c.tailAdvance
	if t.Links != nil || t.Link+t.Routing < c.tailAdvance {
		c.remember(packetFlits, t.Buffer)
	}
	return c
}

// remember keeps the times of a packet's last heads, as many as settle a tail.
func (c *closed) remember(packetFlits, buffer int32) {
	c.inlined = false
	for c.times = []int64{}; c.mask < (packetFlits-1)/buffer; {
		c.mask = 2*c.mask + 1
	}
}

// add makes the progress of packet p, on its path from an injection VC to a goal.
func (c *closed) add(p int32, k *Packet, buffer int32, from Channel, goal int32) {
	for int32(len(c.progress)) <= p {
		c.progress = append(c.progress, progress{})
		if c.times != nil {
			c.times = append(c.times, make([]int64, c.mask+1)...)
		}
	}
	if c.creditSums != nil {
		for int32(len(c.creditSums)) <= p {
			c.creditSums = append(c.creditSums, creditSum{})
		}
		c.creditSums[p] = creditSum{}
	}
	c.progress[p] = progress{last: ^int32(from), steps: (k.Length - 1) / buffer, length: k.Length,
		job: k.Job, goal: goal}
}

// recordHead keeps the time at which the head of packet p is sent on its next VC o, and returns
// the delay of the link. If links differ the time includes the credit delays of the links before.
func (b *Routers) recordHead(p int32, w *progress, o Channel, t int64) (delay int64) {
	c := b.closed
	if c.creditSums != nil {
		k := &c.creditSums[p]
		k.sent += k.last
		if k.last = 0; !b.vcs[o].sink() {
			k.last = int64(b.linkTimings[o].Credit)
		}
		t += k.sent
	}
	c.times[p*(c.mask+1)+w.next&c.mask] = t
	return b.delay(o)
}

// copyProgress copies the progress of packet p into it. ejected is 1 if its head has been sent to
// its node, otherwise 0.
func (b *Routers) copyProgress(p, ejected int32) {
	k, w := &b.packets[p], &b.closed.progress[p]
	k.Blocked, k.Hops = w.blocked, w.next-1-ejected
}

// Heads in the closed form.

// sendUnblockedHeads sends the heads granted VCs in this cycle that find a place and whose tail, if
// it is settled, releases a channel for which no head waits. It calls nothing, so that its state
// stays in registers. It returns the VCs of the other heads, and the complements of the VCs of
// heads that it has sent and whose tails are still to be settled.
// BenchmarkUniform/16x16/flits=8/light/worm: 1.3 times as fast as sendHeadOn and settle.
func (b *Routers) sendUnblockedHeads() []Channel {
	vcs, x, list, rest := b.vcs, b.closed, b.newGrants, 0
	for _, o := range list {
		out := &vcs[uint32(o)]
		in := &vcs[uint32(out.holder)]
		p := in.packet
		t := max(b.now, out.tailLeft+x.spaceDelay)
		ready := max(t+b.timing.Link, out.tailLeft+1) + b.timing.Routing
		if out.flags&toNode|out.state != 0 || ready-b.now > b.calendar.mask {
			list[rest] = o
			rest++
			continue
		}
		w := &x.progress[uint32(p)]
		w.blocked += t - in.ready
		w.next++
		out.packet, out.state, out.ready = p, routing, ready
		out.outputVC = int32(b.mesh2D[uint32(out.router)].Output(Place(w.goal)))
		b.calendar.scheduleHead(out, o)
		if w.next <= w.steps {
			continue
		}
		term := t - int64(uint32(w.steps))*x.tailAdvance
		if w.last < 0 {
			w.last = ^w.last
			b.releaseAt(&vcs[uint32(w.last)], Channel(w.last), w, term)
			continue
		}
		in = &vcs[uint32(w.last)]
		behind := &vcs[uint32(in.outputVC)]
		if behind.firstWaiting != none || behind.flags|in.flags != 0 {
			list[rest] = ^o
			rest++
			continue
		}
		w.last = in.outputVC
		b.releaseAt(behind, Channel(in.outputVC), w, term)
		in.packet, in.state, in.tailLeft = none, idle, behind.freeAt-b.timing.Flit
	}
	return list[:rest]
}

// sendHeadOn sends the head of the packet that was granted VC o.
func (b *Routers) sendHeadOn(o Channel) {
	x := b.closed
	out := &b.vcs[o]
	p := b.vcs[out.holder].packet
	w := &x.progress[p]
	switch {
	case out.sink():
		b.addBlocked(o, w, b.now)
		if x.times != nil {
			b.recordHead(p, w, o, b.now)
		}
		w.next++
		for ahead := min(w.steps, w.next-1); ahead >= 0; ahead-- {
			b.settle(p, w, ahead, b.now)
			w = &x.progress[p] // settle may have added packets
		}
	case out.state != idle:
		out.flags |= late
	default:
		t := max(b.now, b.spaceAt(out, o))
		b.addBlocked(o, w, t)
		b.sendHead(out, o, p, w, t)
	}
}

// addBlocked adds the wait of the head that holds VC o and is sent in a cycle.
func (b *Routers) addBlocked(o Channel, w *progress, cycle int64) {
	i := Channel(b.vcs[o].holder)
	w.blocked += cycle - b.vcs[i].ready
	if b.waits != nil && cycle > b.vcs[i].ready {
		b.reportSent(o, i, cycle)
	}
}

// spaceAt returns the cycle from which the empty FIFO of VC c has a place for a head: a credit
// delay after B-1 flits before the last packet's tail left it.
func (b *Routers) spaceAt(v *vcState, c Channel) int64 {
	if b.linkTimings != nil {
		return v.tailLeft + b.closed.spaceDelay + int64(b.linkTimings[c].Credit)
	}
	return v.tailLeft + b.closed.spaceDelay
}

// injectHead sends the next head of a node's source queue on its injection VC, if that is free and
// has a place.
func (b *Routers) injectHead(c Channel, node topology.Node) {
	k := &b.vcs[c]
	if k.holder != none || k.state != idle || b.queues[node].count == 0 {
		return
	}
	turn := b.turnOf(node, k.freeAt)
	t := max(b.now, turn, b.spaceAt(k, c))
	p := b.newPacket(node, turn, t)
	goal := int32(b.packets[p].To)
	if b.mesh2D != nil {
		goal = int32(b.mesh2D[goal].Here)
	}
	b.closed.add(p, &b.packets[p], b.timing.Buffer, c, goal)
	if b.waits != nil {
		b.closed.progress[p].job = b.waits.numbers[p]
	}
	k.holder, k.since = source, t
	b.sendHead(k, c, p, &b.closed.progress[p], t)
}

// sendHead sends the head of packet p on VC o, which does not lead to a node, in cycle t. It
// schedules route computation behind it, and settles the tail if the head is far enough ahead.
func (b *Routers) sendHead(out *vcState, o Channel, p int32, w *progress, t int64) {
	if out.state != idle {
		panic("router: a head was sent behind a packet")
	}
	delay := b.timing.Link
	if b.closed.times != nil {
		delay = b.recordHead(p, w, o, t)
	}
	w.next++
	out.packet, out.state = p, routing
	if b.mesh2D != nil {
		out.outputVC = int32(b.mesh2D[uint32(out.router)].Output(Place(w.goal)))
	} else if b.outputVC != nil {
		b.setOutputVC(out, o, &b.packets[p])
	}
	out.ready = max(t+delay, out.tailLeft+1) + b.timing.Routing
	b.scheduleHead(out, o)
	if w.next > w.steps {
		b.settle(p, w, w.steps, t)
	}
}

// Tails in the closed form.

// settle sets the time at which the tail of packet p is sent on its next channel, given the time t
// at which the head was sent on the channel that lies ahead by the given number. It releases the
// channel and the FIFO before it. Heads may then be sent to them, and the list that holds w may
// grow.
func (b *Routers) settle(p int32, w *progress, ahead int32, t int64) {
	x := b.closed
	tail := t - int64(ahead)*x.tailAdvance
	if x.times != nil {
		tail = b.recall(p, w, ahead, tail)
	}
	i, vcs := w.last, b.vcs
	if i < 0 {
		w.last = ^i
		b.releaseAt(&vcs[^i], Channel(^i), w, tail)
		return // the next packet has to wait for this one's tail to leave the FIFO
	}
	in := &vcs[i]
	o := Channel(in.outputVC)
	out := &vcs[o]
	w.last = int32(o)
	b.releaseAt(out, o, w, tail)
	in.packet, in.state, in.tailLeft = none, idle, out.freeAt-b.timing.Flit
	if out.firstWaiting != none || out.flags|in.flags != 0 {
		b.settled(p, Channel(i), o)
	}
}

// settled follows up on the tail of packet p, whose time on VC o is known and which leaves FIFO i:
// heads that wait for the VC, the arrival at the destination, the next packet of the FIFO.
func (b *Routers) settled(p int32, i, o Channel) {
	in, out := &b.vcs[i], &b.vcs[o]
	if out.firstWaiting != none || !b.queuePerVC {
		b.serveWaiting(out, o, i)
	}
	if out.sink() {
		b.copyProgress(p, 1)
		b.calendar.schedule(b.now, event{in.tailLeft + b.delay(o), p, tailArrives})
	}
	switch {
	case in.flags&late != 0:
		in.flags &^= late
		b.sendLateHead(in, i)
	case in.flags&fromNode != 0:
		b.injectHead(i, b.packets[p].From)
	}
}

// recall returns the time at which the tail of packet p is sent on its next channel from the kept
// times of its head, given the term of the last one.
func (b *Routers) recall(p int32, w *progress, ahead int32, term int64) int64 {
	x := b.closed
	if x.creditSums != nil {
		k := &x.creditSums[p]
		if w.last >= 0 {
			k.settled += int64(b.linkTimings[w.last].Credit)
		}
		term += k.sent - k.settled // the credits from there to before the last link
	}
	return max(term, x.tail(p, w.next-1-ahead, ahead))
}

// releaseAt releases VC o, given the term that decides when its packet's tail is sent, less the
// flits that follow each other.
func (b *Routers) releaseAt(out *vcState, o Channel, w *progress, term int64) {
	// With one virtual channel each, channels and links have the same numbers.
	length := int64(uint32(w.length))
	free, u := term+length*b.timing.Flit, &b.loads[uint32(o)]
	out.holder, out.freeAt, out.job = none, free, w.job
	u.flits += length
	u.held += free - out.since
}

// sendLateHead sends the head of the packet that holds VC o and has waited for a place.
func (b *Routers) sendLateHead(out *vcState, o Channel) {
	in := &b.vcs[out.holder]
	t, w := max(out.since, b.spaceAt(out, o)), &b.closed.progress[in.packet]
	b.addBlocked(o, w, t)
	b.sendHead(out, o, in.packet, w, t)
}

// tail returns the maximum of the terms of the closed form for packet p, except the term of its
// head's last time. The times are those from first on.
func (x *closed) tail(p, first, ahead int32) int64 {
	times := x.times[p*(x.mask+1):][:x.mask+1]
	tail := -never
	for m := range ahead {
		tail = max(tail, times[(first+m)&x.mask]-int64(m)*x.tailAdvance)
	}
	if x.creditSums != nil {
		tail -= x.creditSums[p].settled
	}
	return tail
}

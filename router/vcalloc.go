package router

import (
	"fmt"

	"contend/router/topology"
)

// ask is stage 2: the header at the head of FIFO c is routed and asks. One that
// has no choice and meets nobody has its channel at once.
func (b *Routers) computeRoute(c Channel) {
	ch := &b.vcs[c]
	if b.timing.Switching == StoreAndForward && !b.packetComplete(c) {
		return
	}
	if b.outputVC != nil { // the usual case: see head
		b.requestVC(Channel(ch.outputVC), c)
		return
	}
	if b.vcSets != nil {
		b.setVCSet(ch, c)
		b.enqueue(c)
		return
	}
	to := b.route(c, routerOf(ch), ch.packet)
	if b.queuePerVC {
		b.requestVC(to[0], c)
		return
	}
	ch.outputVC, b.offered[c] = int32(to[0]), int32(len(to))
	b.enqueue(c)
}

// findMask notes the channels of one link that the header at the head of FIFO c may take.
func (b *Routers) setVCSet(v *vcState, c Channel) {
	if b.outputVCs == nil {
		to := b.route(c, routerOf(v), v.packet)
		v.outputVC, b.vcSets[c] = int32(to[0]), b.vcSetOf(to, b.w.link(to[0]))
		return
	}
	o, many := b.outputVCs(routerOf(v), b.packets[v.packet].To)
	v.outputVC, b.vcSets[c] = int32(o), (1<<many-1)<<(o-b.firstVCOfLink(o))
}

// await has the header at the head of FIFO c wait in its queue, which is served now.
func (b *Routers) enqueue(c Channel) {
	id := b.queueOf(c)
	b.insertWaiting(&b.requests[id].first, c)
	b.scheduleVA(id, b.now)
}

// queueOf returns the number of the queue in which the header at the head of FIFO c waits: that of
// its link, or where it may take several that of its router.
func (b *Routers) queueOf(c Channel) int32 {
	if b.vcSets != nil {
		return int32(b.w.link(Channel(b.vcs[c].outputVC)))
	}
	return b.vcs[c].router
}

// mask returns a bit for each of some channels that is of link l.
func (b *Routers) vcSetOf(some []Channel, l Link) (mask uint64) {
	first := b.w.firstVC(l)
	for _, o := range some {
		if b.w.link(o) == l {
			mask |= 1 << (o - first)
		}
	}
	return mask
}

// route asks routing for the channels that packet p may take, whose header is at the
// head of FIFO c at router r.
func (b *Routers) route(c Channel, r topology.Router, p int32) []Channel {
	at, h := 0, &b.routedHead
	if b.offered != nil {
		at = int(c) * b.stride // they are kept
	}
	if b.stateless {
		k := &b.packets[p]
		h.Source, h.Destination, h.Packet = k.From, k.To, k.Identity // the others stay 0
		if b.flows != nil {
			h.Flow = b.flows[p]
		}
	} else {
		h = &b.heads[p]
		b.routedHead = *h
	}
	to := b.routing.Route(b.choices[at:at:at+b.stride], r, c, h, b.view)
	if n := len(to); n == 0 || n > b.stride {
		panic(fmt.Sprintf("router: routing offers %d channels at %s, not 1 to %d", n, b.w.Describe(c),
			b.stride))
	}
	if b.escapes != nil {
		if b.branching {
			b.routedHead = *h
		}
		b.markEscapes(c, to, &b.routedHead)
	}
	return to
}

// routerOf returns the router a channel ends at.
func routerOf(k *vcState) topology.Router { return topology.Router(k.router) }

// head notes that a packet is now the one at the head of the FIFO of channel c,
// where its header is being routed. Routings that offer one channel find it here, with
// the packet at hand.
func (b *Routers) setHead(ch *vcState, c Channel, p int32, k *Packet, ready int64) {
	ch.packet, ch.state, ch.ready = p, routing, ready
	if b.outputVC != nil {
		b.setOutputVC(ch, c, k)
	}
}

// headed makes the header of packet p, which is at the head of FIFO c from cycle h on, be routed.
func (b *Routers) startRouting(c Channel, p int32, h int64) {
	v := &b.vcs[c]
	b.setHead(v, c, p, &b.packets[p], h+b.timing.Routing)
	b.scheduleHead(v, c)
}

// askFor has the header at the head of FIFO c ask for channel o. Who waits for a
// channel that nobody holds any more gets it when it may be granted again: the
// first to wait enters that cycle in the calendar, or the release if it was there
// before.
func (b *Routers) requestVC(o, c Channel) {
	out := &b.vcs[o]
	b.vcs[c].outputVC = int32(o)
	switch {
	case out.holder == none && out.firstWaiting == none:
		if out.freeAt <= b.now {
			b.grantVC(o, c)
			return
		}
		b.calendar.schedule(b.now, event{out.freeAt, int32(o), headsServed})
	case out.holder > int32(c) && out.since == b.now && b.vcs[out.holder].ready == b.now:
		// A header of this very cycle was faster, but comes after this one.
		before := Channel(out.holder)
		b.insertWaiting(&out.firstWaiting, before)
		b.assign(o, c)
		b.engine.handOver(o, before, c)
		return
	}
	b.insertWaiting(&out.firstWaiting, c)
}

// wait puts the header at the head of FIFO c into a list of those that wait.
// Those of one cycle are served in the order of their channels; those of
// earlier ones come before.
func (b *Routers) insertWaiting(at *int32, c Channel) {
	ch := &b.vcs[c]
	ch.state = waitingVC
	for *at != none && (b.vcs[*at].ready < ch.ready || *at < int32(c)) {
		at = &b.vcs[*at].next
	}
	ch.next, *at = *at, int32(c)
}

// serveChannel has the first of those that wait for channel o hold it.
func (b *Routers) serveChannel(o Channel) {
	out := &b.vcs[o]
	i := Channel(out.firstWaiting)
	for j := out.firstWaiting; j != none; j = b.vcs[j].next {
		b.chargeWait(o, Channel(j))
	}
	out.firstWaiting = b.vcs[i].next
	b.grantVC(o, i)
}

// allocate serves the headers that wait in a queue in the order they came: each
// takes a free one of its channels, see pick.
func (b *Routers) allocate(q *requestQueue) {
	switch i := Channel(q.first); {
	case b.matching != nil:
		b.allocateMatched(q)
		return
	case i != none && b.vcs[i].next == none: // it is alone
		if o := b.pickVC(i); o != none {
			q.first = none
			if b.lastPort != nil {
				b.lastPort[o] = int32(b.w.link(i))
			}
			b.grantWaiting(q, Channel(o), i)
		}
		return
	case b.lastPort != nil:
		b.allocateRoundRobin(q)
		return
	}
	for at := &q.first; *at != none; {
		i := *at
		o := b.pickVC(Channel(i))
		if o == none {
			at = &b.vcs[i].next
			continue
		}
		*at = b.vcs[i].next
		b.grantWaiting(q, Channel(o), Channel(i))
	}
}

// firstFree returns the first channel of those offered to header i that is free, or
// none.
// One that is about to be free has the queue looked at again then.
func (b *Routers) firstFree(i Channel, offered []Channel) int32 {
	for _, o := range offered {
		out := &b.vcs[o]
		switch {
		case out.holder != none:
		case out.freeAt > b.now:
			b.scheduleVA(b.queueOf(i), out.freeAt)
		default:
			return int32(o)
		}
	}
	return none
}

// grantWaiting lets the packet at the head of FIFO i, which has waited in a queue, hold channel o.
func (b *Routers) grantWaiting(q *requestQueue, o, i Channel) {
	if b.vcs[i].ready < b.now {
		b.chargeWait(o, i)
	}
	for j := q.first; j != none; j = b.vcs[j].next {
		b.chargeWait(o, Channel(j))
	}
	if b.selector != nil {
		b.advancePointer(o, i)
	}
	b.grantVC(o, i)
}

// grantVC lets the packet at the head of FIFO i hold channel o from now on.
func (b *Routers) grantVC(o, i Channel) {
	b.vcs[o].since = b.now
	b.assign(o, i)
	b.engine.granted(o, i)
}

// assign makes the packet at the head of FIFO i the holder of channel o.
func (b *Routers) assign(o, i Channel) {
	in := &b.vcs[i]
	in.state, in.outputVC = active, int32(o)
	b.vcs[o].holder = int32(i)
}

// release ends the hold of channel o by the packet at the head of FIFO i, whose tail was sent on it
// in cycle t.
func (b *Routers) release(o, i Channel, t int64) {
	v, p := &b.vcs[o], b.vcs[i].packet
	if v.sink() {
		b.calendar.schedule(b.now, event{t + b.delay(o), p, tailArrives})
	}
	k := &b.packets[p]
	v.holder, v.freeAt, v.job = none, t+b.flitTime(o), k.Job
	if b.waits != nil {
		v.job = b.waits.numbers[p]
	}
	b.countUsage(v, o, k.Length)
	if v.firstWaiting != none || !b.queuePerVC {
		b.serveWaiting(v, o, i)
	}
}

// free has those served that wait for channel o, which the packet of FIFO i has
// just released.
func (b *Routers) serveWaiting(out *vcState, o, i Channel) {
	if b.queuePerVC {
		if out.firstWaiting != none {
			b.calendar.schedule(b.now, event{out.freeAt, int32(o), headsServed})
		}
	} else if id := b.queueOf(i); b.requests[id].first != none {
		b.scheduleVA(id, out.freeAt)
	}
}

// use counts what a packet used channel c for, which has just been freed.
func (b *Routers) countUsage(k *vcState, c Channel, length int32) {
	u := &b.loads[b.w.link(c)]
	u.flits += int64(length)
	u.held += k.freeAt - k.since
}

// chargeWait charges the time the header at the head of FIFO i waited for channel o
// while the packet before held it to that packet's job. It is called when the
// channel is granted again, so a header that waits through several packets is
// charged for each, and before the time of that grant is noted.
func (b *Routers) chargeWait(o, i Channel) {
	k, in := &b.vcs[o], &b.vcs[i]
	// A header with a choice waits for all its channels; the first stands
	// for them.
	if in.outputVC != int32(o) {
		return
	}
	tail := k.freeAt - b.flitTime(o)
	cycles := tail - max(k.since, in.ready)
	job := k.job
	if b.waits != nil {
		job = b.reportHeld(o, i, cycles)
	}
	if cycles <= 0 {
		return
	}
	u := &b.waited[b.w.link(o)]
	if p := &b.packets[in.packet]; p.Job == job {
		u[0] += cycles
	} else {
		u[1] += cycles
		p.Foreign += cycles
	}
}

// stored reports whether the tail of the packet at the head of FIFO c is there.
// If not, its header is made to ask when it is.
func (b *Routers) packetComplete(c Channel) bool {
	if f := &b.buffers.fifos[c]; f.occupancy < -f.flitsLeft { // nothing has been sent on
		b.vcs[c].state = arriving
		return false
	}
	return true
}

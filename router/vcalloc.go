package router

// VC allocation (VA): each head gets a free output VC of those that its route offers. The head at
// the front of FIFO c is called head c.

// requestQueue holds the heads with a choice of VCs that wait at one router or for one link.
type requestQueue struct {
	first    int32 // of the list of heads, in the order in which they are served
	servedAt int64 // cycle in which VC allocation serves the queue next, or never
}

// serveEach serves the queues of some VCs or, where heads have a choice, of some links or routers.
func (b *Routers) serveEach(ids []int32) {
	if b.queuePerVC {
		for _, o := range ids {
			b.serveVC(Channel(o))
		}
		return
	}
	for _, id := range ids {
		q := &b.requests[id]
		if q.servedAt != b.now {
			continue // it has been served
		}
		q.servedAt = never
		if b.vcSets != nil && b.knowsHeld && q.first != none && b.vcs[q.first].next == none {
			b.allocateAlone(q, Link(id))
		} else {
			b.allocate(q)
		}
	}
}

// allocateAlone grants a free VC of link l to the only head that waits for the link: then FirstCome
// and RoundRobin do the same.
func (b *Routers) allocateAlone(q *requestQueue, l Link) {
	i, x := q.first, b.buffers
	in, lead := &b.vcs[i], x.slot(l)
	set := b.vcSets[i] &^ (x.held[lead>>6] >> (lead & 63))
	if set == 0 {
		return
	}
	offered := in.outputVC
	if b.selector != nil {
		if set&(set-1) != 0 {
			set = b.preferredVCs(l, set, Channel(offered))
		}
		b.selector.pointers[offered] = uint8(first(set) + 1)
	}
	o := lead + int32(first(set))
	if in.ready < b.now {
		b.chargeWait(Channel(o), Channel(i))
	}
	q.first = none
	if b.lastPort != nil {
		b.lastPort[o] = int32(b.w.link(Channel(i)))
	}
	out := &b.vcs[o]
	out.since, out.holder = b.now, i
	in.state, in.outputVC = active, o
	b.engine.granted(Channel(o), Channel(i))
}

// requestVC requests output VC o, its only one, for head c. A VC that nobody waits for is granted
// at once if it is free. Otherwise head c waits, and if nobody holds the VC the first to wait
// schedules VC allocation for the cycle in which it may be granted again.
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
		// A head of this cycle holds it and comes after this one.
		before := Channel(out.holder)
		b.insertWaiting(&out.firstWaiting, before)
		b.assign(o, c)
		b.engine.handOver(o, before, c)
		return
	}
	b.insertWaiting(&out.firstWaiting, c)
}

// enqueue enters head c in its queue and schedules VC allocation for the queue in this cycle.
func (b *Routers) enqueue(c Channel) {
	id := b.queueOf(c)
	b.insertWaiting(&b.requests[id].first, c)
	b.scheduleVA(id, b.now)
}

// queueOf returns the queue of head c: that of its output link, or of its router if it has several.
func (b *Routers) queueOf(c Channel) int32 {
	if b.vcSets != nil {
		return int32(b.w.link(Channel(b.vcs[c].outputVC)))
	}
	return b.vcs[c].router
}

// insertWaiting inserts head c in a list of waiting heads, which is in the order of the cycles in
// which they were ready, and then of their VCs.
func (b *Routers) insertWaiting(at *int32, c Channel) {
	v := &b.vcs[c]
	v.state = waitingVC
	for *at != none && (b.vcs[*at].ready < v.ready || *at < int32(c)) {
		at = &b.vcs[*at].next
	}
	v.next, *at = *at, int32(c)
}

// serveVC grants VC o to the first head that waits for it.
func (b *Routers) serveVC(o Channel) {
	out := &b.vcs[o]
	i := Channel(out.firstWaiting)
	for j := out.firstWaiting; j != none; j = b.vcs[j].next {
		b.chargeWait(o, Channel(j))
	}
	out.firstWaiting = b.vcs[i].next
	b.grantVC(o, i)
}

// allocate grants free VCs to the heads of a queue, by the arbiter of the timing.
func (b *Routers) allocate(q *requestQueue) {
	switch {
	case b.matching != nil:
		b.allocateMatched(q)
	case b.lastPort != nil:
		b.allocateRoundRobin(q)
	default:
		b.allocateInOrder(q)
	}
}

// allocateInOrder grants free VCs to the heads of a queue in the order in which they came.
func (b *Routers) allocateInOrder(q *requestQueue) {
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

// firstFree returns the first free VC of those offered to head i, or none. It schedules VC
// allocation for the cycles in which others become free that nobody holds.
func (b *Routers) firstFree(i Channel, offered []Channel) int32 {
	for _, o := range offered {
		out := &b.vcs[o]
		switch {
		case out.holder != none || !b.drained(o):
		case out.freeAt > b.now:
			b.scheduleVA(b.queueOf(i), out.freeAt)
		default:
			return int32(o)
		}
	}
	return none
}

// grantWaiting grants VC o to head i, which has just left its queue.
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

// grantVC grants VC o to head i from now on.
func (b *Routers) grantVC(o, i Channel) {
	b.vcs[o].since = b.now
	b.assign(o, i)
	b.engine.granted(o, i)
}

// assign makes the packet of head i the holder of VC o.
func (b *Routers) assign(o, i Channel) {
	in := &b.vcs[i]
	in.state, in.outputVC = active, int32(o)
	b.vcs[o].holder = int32(i)
}

// release releases VC o, on which the packet at the front of FIFO i sent its tail in cycle t.
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
	u := &b.loads[b.w.link(o)]
	u.flits += int64(k.Length)
	u.held += v.freeAt - v.since
	if v.firstWaiting != none || !b.queuePerVC {
		b.serveWaiting(v, o, i)
	}
}

// serveWaiting schedules VC allocation for the heads that wait for VC o, which the packet of FIFO i
// has just released.
func (b *Routers) serveWaiting(out *vcState, o, i Channel) {
	if b.queuePerVC {
		if out.firstWaiting != none {
			b.calendar.schedule(b.now, event{out.freeAt, int32(o), headsServed})
		}
	} else if id := b.queueOf(i); b.requests[id].first != none {
		b.scheduleVA(id, out.freeAt)
	}
}

// chargeWait charges the wait of head i for VC o while the packet before held it to that packet's
// job. It is called at each grant of the VC, before the cycle of that grant is noted, so a head
// that waits through several packets is charged for each.
func (b *Routers) chargeWait(o, i Channel) {
	k, in := &b.vcs[o], &b.vcs[i]
	// A head with a choice waits for all its VCs; the first stands for them.
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

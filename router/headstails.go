package router

// What the cycle-driven engine does once a packet and router: for headers and for tails.

// sentEnds notes which of the flits that have been sent now are headers and tails.
func (e *cycleEngine) finishHeadsAndTails() {
	x := e.x
	for _, from := range x.headsAndTails {
		f, v := &x.fifos[from], &e.vcs[from]
		o, p, bit := f.outputVC, v.packet, uint64(1)<<(from&63)
		if f.flitsLeft < 0 { // a header
			f.flitsLeft = -f.flitsLeft - 2 // one less than it was before move took one from its negative
			x.in[from>>6].headAtFront &^= bit
			k := &e.packets[p]
			k.Blocked += e.now - v.ready - e.timing.Allocation
			if e.waits != nil && e.now > v.ready {
				e.reportSent(Channel(o), Channel(from), e.now)
			}
			if x.fifos[o].buffersFlits != 0 {
				k.Hops++
				e.headSent(o, p, e.now+e.delay(Channel(o)))
			}
		}
		if f.flitsLeft != 0 {
			continue
		}
		x.in[from>>6].hasCredit &^= bit
		x.fifos[o].upstream = x.unusedSlot
		x.out[o>>6].allocated &^= 1 << (o & 63)
		e.release(Channel(o), Channel(from), e.now)
		if f.lastPacket == p {
			f.lastPacket = none
			v.packet, v.state = none, idle
		} else {
			p = e.notes[p].after
			e.startRouting(from, p, max(e.now+1, e.notes[p].comes))
		}
	}
}

// entered notes that the header of packet p has been sent to FIFO c, and when it comes there. Its
// packet is next behind the one that came last, of which there is one at most: a tail is in one
// FIFO at a time.
func (e *cycleEngine) headSent(c, p int32, comes int64) {
	f := &e.x.fifos[c]
	if f.lastPacket == none {
		e.startRouting(c, p, comes)
	} else {
		e.notes[f.lastPacket].after, e.notes[p].comes = p, comes
	}
	f.lastPacket = p
}

// follow has the header of packet p at the head of FIFO c from cycle h on.
func (e *cycleEngine) startRouting(c, p int32, h int64) {
	k, v := &e.packets[p], &e.vcs[c]
	e.x.fifos[c].flitsLeft = -k.Length
	e.x.in[c>>6].headAtFront |= 1 << (c & 63)
	v.packet, v.state, v.ready = p, routing, h+e.timing.Routing
	if e.outputVC != nil {
		e.setOutputVC(v, Channel(c), k)
	}
	e.calendar.scheduleHead(v, Channel(c)) // it is as long as that: see Timing.span
}

// ask is stage 2.
func (e *cycleEngine) computeRoutes(list int32) {
	switch {
	case e.x.storeAndForward:
		e.computeEachRoute(list)
	case e.outputVC != nil:
		e.requestOutputs(list)
		for _, o := range e.newGrants {
			e.granted(o, Channel(e.vcs[o].holder))
		}
		e.newGrants = e.newGrants[:0]
	case e.vcSets != nil:
		e.requestVCSets(list)
	default:
		e.computeEachRoute(list)
	}
}

// askRuns is stage 2 for headers that may take some virtual channels of one link each.
func (e *cycleEngine) requestVCSets(c int32) {
	vcs, s := e.vcs, e.calendar.slotOf(e.now)
	for c != none {
		v := &vcs[c]
		next := v.next
		e.setVCSet(v, Channel(c))
		id := int32(e.w.link(Channel(v.outputVC)))
		q := &e.requests[id]
		e.insertWaiting(&q.first, Channel(c))
		if q.servedAt > e.now {
			q.servedAt = e.now
			s.vaQueues = append(s.vaQueues, id)
		}
		c = next
	}
}

// serve is stage 3. A header that is alone in the queue of its link needs no allocation.
func (e *cycleEngine) serve(ids []int32) {
	if e.vcSets == nil || e.x.linkFreeAt != nil || e.matching != nil {
		e.Routers.serve(ids)
		return
	}
	for _, id := range ids {
		q := &e.requests[id]
		if q.servedAt != e.now {
			continue // it has been served
		}
		q.servedAt = never
		if i := q.first; i != none && e.vcs[i].next == none {
			e.serveSingle(q, Channel(i), Link(id))
		} else if i != none {
			e.allocate(q)
		}
	}
}

// serveLone has the one header that waits for link l hold a channel of it if one is free.
func (e *cycleEngine) serveSingle(q *requestQueue, i Channel, l Link) {
	v, lead := &e.vcs[i], e.w.firstVC(l)
	set := e.vcSets[i] &^ (e.x.out[lead>>6].allocated >> (lead & 63))
	if set == 0 {
		return
	}
	if s := e.selector; s != nil {
		if set&(set-1) != 0 {
			set = e.preferredVCs(l, set, Channel(v.outputVC))
		}
		s.pointers[v.outputVC] = uint8(first(set) + 1) // see selected
	}
	o := lead + Channel(first(set))
	q.first = none
	if e.lastPort != nil {
		e.lastPort[o] = int32(e.w.link(i))
	}
	if v.ready < e.now {
		e.chargeWait(o, i)
	}
	out := &e.vcs[o]
	v.state, v.outputVC = active, int32(o)
	out.holder, out.since = int32(i), e.now
	e.granted(o, i)
}

package router

// What the cycle-driven engine does once a packet and router: for headers and for tails.

// sentEnds notes which of the flits that have been sent now are headers and tails.
func (e *cycleEngine) sentEnds() {
	x := e.x
	for _, from := range x.ends {
		f, v := &x.fifos[from], &e.vcs[from]
		o, p, bit := f.wants, v.packet, uint64(1)<<(from&63)
		if f.left < 0 { // a header
			f.left = -f.left - 2 // one less than it was before move took one from its negative
			x.in[from>>6].heads &^= bit
			k := &e.packets[p]
			k.Blocked += e.now - v.ready - e.timing.Allocation
			if e.waits != nil && e.now > v.ready {
				e.tellSent(Channel(o), Channel(from), e.now)
			}
			if x.fifos[o].keeps != 0 {
				k.Hops++
				e.entered(o, p, e.now+e.delay(Channel(o)))
			}
		}
		if f.left != 0 {
			continue
		}
		x.in[from>>6].room &^= bit
		x.fifos[o].behind = x.spare
		x.out[o>>6].held &^= 1 << (o & 63)
		e.release(Channel(o), Channel(from), e.now)
		if f.last == p {
			f.last = none
			v.packet, v.state = none, idle
		} else {
			p = e.notes[p].after
			e.follow(from, p, max(e.now+1, e.notes[p].comes))
		}
	}
}

// entered notes that the header of packet p has been sent to FIFO c, and when it comes there. Its
// packet is next behind the one that came last, of which there is one at most: a tail is in one
// FIFO at a time.
func (e *cycleEngine) entered(c, p int32, comes int64) {
	f := &e.x.fifos[c]
	if f.last == none {
		e.follow(c, p, comes)
	} else {
		e.notes[f.last].after, e.notes[p].comes = p, comes
	}
	f.last = p
}

// follow has the header of packet p at the head of FIFO c from cycle h on.
func (e *cycleEngine) follow(c, p int32, h int64) {
	k, v := &e.packets[p], &e.vcs[c]
	e.x.fifos[c].left = -k.Length
	e.x.in[c>>6].heads |= 1 << (c & 63)
	v.packet, v.state, v.ready = p, routing, h+e.timing.Routing
	if e.only != nil {
		e.findWay(v, Channel(c), k)
	}
	e.calendar.header(v, Channel(c)) // it is as long as that: see Timing.span
}

// ask is stage 2.
func (e *cycleEngine) ask(list int32) {
	switch {
	case e.x.whole:
		e.askEach(list)
	case e.only != nil:
		e.askOrdered(list)
		for _, o := range e.fresh {
			e.granted(o, Channel(e.vcs[o].holder))
		}
		e.fresh = e.fresh[:0]
	case e.masks != nil:
		e.askRuns(list)
	default:
		e.askEach(list)
	}
}

// askRuns is stage 2 for headers that may take some virtual channels of one link each.
func (e *cycleEngine) askRuns(c int32) {
	vcs, s := e.vcs, e.calendar.at(e.now)
	for c != none {
		v := &vcs[c]
		next := v.next
		e.findMask(v, Channel(c))
		id := int32(e.w.link(Channel(v.want)))
		q := &e.requests[id]
		e.wait(&q.first, Channel(c))
		if q.grant > e.now {
			q.grant = e.now
			s.grants = append(s.grants, id)
		}
		c = next
	}
}

// serve is stage 3. A header that is alone in the queue of its link needs no allocation.
func (e *cycleEngine) serve(ids []int32) {
	if e.masks == nil || e.x.carries != nil || e.matching != nil {
		e.Routers.serve(ids)
		return
	}
	for _, id := range ids {
		q := &e.requests[id]
		if q.grant != e.now {
			continue // it has been served
		}
		q.grant = never
		if i := q.first; i != none && e.vcs[i].next == none {
			e.serveLone(q, Channel(i), Link(id))
		} else if i != none {
			e.allocate(q)
		}
	}
}

// serveLone has the one header that waits for link l hold a channel of it if one is free.
func (e *cycleEngine) serveLone(q *requestQueue, i Channel, l Link) {
	v, lead := &e.vcs[i], e.w.lead(l)
	set := e.masks[i] &^ (e.x.out[lead>>6].held >> (lead & 63))
	if set == 0 {
		return
	}
	if s := e.selector; s != nil {
		if set&(set-1) != 0 {
			set = e.selected(l, set, Channel(v.want))
		}
		s.pointers[v.want] = uint8(first(set) + 1) // see selected
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
	v.state, v.want = active, int32(o)
	out.holder, out.since = int32(i), e.now
	e.granted(o, i)
}

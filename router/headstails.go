package router

// The work of the cycle-driven engine for each head and each tail.

// finishHeadsAndTails updates packets and VCs for the heads and tails sent in this cycle: a head
// continues at the next router, a tail releases its output VC and gives the front of its FIFO to
// the next packet.
func (e *cycleEngine) finishHeadsAndTails() {
	x := e.x
	if e.marker != nil {
		e.markHeads()
	}
	for _, from := range x.headsAndTails {
		f, v := &x.fifos[from], &e.vcs[from]
		o, p, bit := f.outputVC, v.packet, uint64(1)<<(from&63)
		if w := &x.in[from>>6]; w.headAtFront&bit != 0 { // it has been sent
			w.headAtFront &^= bit
			k := &e.packets[p]
			k.Blocked += e.now - v.ready - e.timing.Allocation
			if e.waits != nil && e.now > v.ready {
				e.reportSent(Channel(o), Channel(from), e.now)
			}
			if !e.vcs[o].sink() {
				k.Hops++
				e.headSent(o, p, e.now+e.delay(Channel(o)))
			}
		}
		if f.flitsLeft != 0 {
			continue
		}
		x.in[from>>6].hasCredit &^= bit
		x.fifos[o].upstream = x.unusedSlot
		x.held[o>>6] &^= 1 << (o & 63)
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

// headSent enters packet p, whose head arrives in cycle comes, in FIFO c behind the last packet. A
// packet has one successor at most, since its tail is in one FIFO at a time.
func (e *cycleEngine) headSent(c, p int32, comes int64) {
	if e.divided != nil && e.postHead(sentHead{c, p, comes}) {
		return
	}
	f := &e.x.fifos[c]
	if f.lastPacket == none {
		e.startRouting(c, p, comes)
	} else {
		e.notes[f.lastPacket].after, e.notes[p].comes = p, comes
	}
	f.lastPacket = p
}

// startRouting puts packet p at the front of FIFO c and schedules its route computation, which
// starts in cycle h.
func (e *cycleEngine) startRouting(c, p int32, h int64) {
	k, v := &e.packets[p], &e.vcs[c]
	e.x.fifos[c].flitsLeft = -k.Length
	e.x.in[c>>6].headAtFront |= 1 << (c & 63)
	v.packet, v.state, v.ready = p, routing, h+e.timing.Routing
	if e.outputVC != nil {
		e.setOutputVC(v, Channel(c), k)
	}
	e.calendar.scheduleHead(v, Channel(c)) // within the wheel: see Timing.span
}

// computeRoutes computes the routes of a list of heads (RC).
func (e *cycleEngine) computeRoutes(list int32) {
	if e.outputVC == nil || e.x.storeAndForward {
		e.computeEachRoute(list)
		return
	}
	e.requestOutputs(list)
	for _, o := range e.newGrants {
		e.granted(o, Channel(e.vcs[o].holder))
	}
	e.newGrants = e.newGrants[:0]
}

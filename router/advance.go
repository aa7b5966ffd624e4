package router

// Advance advances to the next cycle in which tails arrive at their nodes, or to limit if that
// comes first, and returns the packets whose tails arrived, which are valid until the next call. It
// completes all cycles before that one, and of that one only the arrivals: what the caller offers
// now takes part in it.
//
// A cycle has these stages: tails arrive at nodes; flits and credits arrive at routers; routed
// heads request VCs (RC); VCs are allocated (VA); flits are sent (SA, ST, LT), or in the other
// engines all flits whose times follow from the grants. Each decision rests on the state at the end
// of the cycle before, since whatever it changes takes effect at least a cycle later. So no order
// of evaluation within a stage shows in a result.
//
// With ReportEntries it also returns, without packets, in the cycles of entries.
//
// Cycles without events are skipped. If no flit can ever move again while packets are on their way,
// the error is a *StuckError.
func (b *Routers) Advance(limit int64) ([]Arrival, error) {
	b.delivered = b.delivered[:0]
	for until := b.until(limit); b.now < until; until = b.until(limit) {
		t, ok := b.calendar.next(b.now)
		if !ok {
			if b.inFlight > 0 {
				return nil, b.stuck()
			}
			b.now = until
			break
		}
		b.now = min(t, until)
		if len(b.calendar.later) > 0 {
			b.moveLaterEvents()
		}
		if t > until {
			break
		}
		s := &b.calendar.slots[t&b.calendar.mask]
		if s.tails != none {
			b.arrivals(s)
			break
		}
		if t == until {
			break
		}
		b.cycle(s)
		b.calendar.clear(t)
	}
	return b.delivered, nil
}

// arrivals delivers the packets whose tails arrive at their nodes in this cycle.
func (b *Routers) arrivals(s *slot) {
	b.arrivedPackets = b.arrivedPackets[:0]
	for p := s.tails; p != none; p = b.calendar.nextTail[p] {
		b.arrivedPackets = append(b.arrivedPackets, p)
	}
	s.tails = none
	b.sortByNumber(b.arrivedPackets)
	for _, p := range b.arrivedPackets {
		b.delivered = append(b.delivered, Arrival{Delivered: b.now})
		a := &b.delivered[len(b.delivered)-1]
		a.Packet, a.Turn, a.User = b.packets[p], b.notes[p].turn, b.notes[p].user
		a.Number = b.notes[p].number
		if b.flows != nil {
			a.Flow = b.flows[p]
		}
	}
	b.freePacket = append(b.freePacket, b.arrivedPackets...)
	if b.waits != nil {
		b.waits.leave(b.arrivedPackets, b.now)
	}
	b.inFlight -= len(b.arrivedPackets)
}

// sortByNumber sorts the few packets that arrive in one cycle by their numbers.
func (b *Routers) sortByNumber(list []int32) {
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && b.notes[list[j]].number < b.notes[list[j-1]].number; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// cycle does the stages of the current cycle from the arrival of flits on.
func (b *Routers) cycle(s *slot) {
	b.engine.receive()
	heads := s.heads
	s.heads = none
	b.engine.computeRoutes(heads)
	b.serveEach(s.vaQueues)
	s.vaQueues = s.vaQueues[:0]
	b.engine.send()
	b.check()
}

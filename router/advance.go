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
// the error is a *StuckError. An error of the function given to Poll ends Advance between two
// cycles.
func (b *Routers) Advance(limit int64) ([]Arrival, error) {
	b.delivered = b.delivered[:0]
	for until := b.until(limit); b.now < until; until = b.until(limit) {
		if b.effort >= pollEffort {
			if err := b.callPoll(); err != nil {
				return nil, err
			}
		}
		t, ok := b.nextEvent()
		if !ok {
			if b.packetsInFlight() > 0 {
				return nil, b.stuck()
			}
			t = until
		}
		for _, p := range b.partsOf() {
			p.now = min(t, until)
			b.effort += 1 + p.inFlight
			if len(p.calendar.later) > 0 {
				p.moveLaterEvents()
			}
		}
		if t > until || !ok || b.arrivals() || t == until {
			break
		}
		b.step()
	}
	return b.delivered, nil
}

// pollEffort is the effort between two calls of the function given to Poll, a fraction of a
// millisecond: one for each cycle with events, and one for each packet in flight in it. Cycles
// alone would not do: one of a machine of a million nodes takes longer than a thousand of a small
// one.
const pollEffort = 1 << 10

// Poll has Advance call f before the first cycle and then from time to time. Once f returns an
// error, Advance returns it.
func (b *Routers) Poll(f func() error) { b.poll, b.effort = f, pollEffort }

// callPoll calls the function given to Poll, if there is one.
func (b *Routers) callPoll() error {
	b.effort = 0
	if b.poll == nil {
		return nil
	}
	return b.poll()
}

// nextEvent returns the first cycle from now on that has events.
func (b *Routers) nextEvent() (cycle int64, ok bool) {
	cycle = never
	for _, p := range b.partsOf() {
		if t, some := p.calendar.next(p.now); some {
			cycle, ok = min(cycle, t), true
		}
	}
	return cycle, ok
}

// packetsInFlight returns the number of packets that have left their source queues.
func (b *Routers) packetsInFlight() (n int) {
	for _, p := range b.partsOf() {
		n += p.inFlight
	}
	return n
}

// arrivals delivers the packets whose tails arrive at their nodes in this cycle, and reports
// whether there are any.
func (b *Routers) arrivals() bool {
	b.arrivedPackets = b.arrivedPackets[:0]
	for _, part := range b.partsOf() {
		w := &part.calendar
		s := &w.slots[w.index(b.now)]
		for p := s.tails; p != none; p = w.nextTail[p] {
			b.arrivedPackets = append(b.arrivedPackets, p)
		}
		s.tails = none
	}
	if len(b.arrivedPackets) == 0 {
		return false
	}
	b.sortByNumber(b.arrivedPackets)
	for _, p := range b.arrivedPackets {
		b.delivered = append(b.delivered, Arrival{Delivered: b.now})
		a := &b.delivered[len(b.delivered)-1]
		a.Packet, a.Turn, a.User = b.packets[p], b.notes[p].turn, b.notes[p].user
		a.Number = b.notes[p].number
		if b.flows != nil {
			a.Flow = b.flows[p]
		}
		if b.failing != nil {
			a.Lost = b.failing.lost[p]
		}
		if b.marker != nil {
			a.Marked = b.marker.marked[p]
		}
		part := b.partOfNode(a.From)
		part.freePacket = append(part.freePacket, p)
		part.inFlight--
	}
	if b.waits != nil {
		b.waits.leave(b.arrivedPackets, b.now)
	}
	return true
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
func (b *Routers) cycle() {
	s := &b.calendar.slots[b.calendar.index(b.now)]
	b.engine.receive()
	heads := s.heads
	s.heads = none
	b.engine.computeRoutes(heads)
	b.serveEach(s.vaQueues)
	s.vaQueues = s.vaQueues[:0]
	b.engine.send()
	b.calendar.clear(b.now)
}

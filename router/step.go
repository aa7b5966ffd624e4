package router

// Advance moves time on to the next cycle in which tails arrive at their nodes,
// or to until if that comes first, and returns the packets whose tails arrived,
// which are valid until the next call. All that happens before that cycle has
// happened then, and nothing of the cycle itself but the arrivals: what the
// caller offers now takes part in it.
//
// A cycle has four stages. (1) Tails arrive at nodes. (2) Headers that are
// routed join those that wait. (3) Channels are allocated to headers. (4)
// Flits are sent, or in the worm engine all whose times follow from the grants.
// What a stage decides rests on the state at the end of the
// cycle before, since whatever it changes takes effect at least a cycle later,
// so that no order of evaluation within a stage can be seen.
//
// Cycles in which nothing can happen are jumped over. If no flit can ever move
// again while packets are on their way, the error is a *StuckError.
func (b *Bank) Advance(until int64) ([]Arrival, error) {
	b.delivered = b.delivered[:0]
	for b.now < until {
		t, ok := b.wheel.next(b.now)
		if !ok {
			if b.inFlight > 0 {
				return nil, b.stuck()
			}
			b.now = until
			break
		}
		b.now = min(t, until)
		if len(b.wheel.later) > 0 {
			b.foresee()
		}
		if t > until {
			break
		}
		s := &b.wheel.slots[t&b.wheel.mask]
		if s.tails != none {
			b.arrivals(s)
			break
		}
		if t == until {
			break
		}
		b.cycle(s)
		b.wheel.done(t)
	}
	return b.delivered, nil
}

// arrivals is stage 1: the tails that arrive at their nodes now.
func (b *Bank) arrivals(s *slot) {
	b.arrived = b.arrived[:0]
	for p := s.tails; p != none; p = b.wheel.behind[p] {
		b.arrived = append(b.arrived, p)
	}
	s.tails = none
	b.sortByNumber(b.arrived)
	for _, p := range b.arrived {
		b.delivered = append(b.delivered, Arrival{b.packets[p], b.now, b.notes[p].turn, b.notes[p].user})
	}
	b.freePacket = append(b.freePacket, b.arrived...)
	b.inFlight -= len(b.arrived)
}

// sortByNumber sorts packets by their numbers: few arrive in one cycle.
func (b *Bank) sortByNumber(list []int32) {
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && b.packets[list[j]].Number < b.packets[list[j-1]].Number; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// cycle does stages 2 to 4 of the current cycle.
func (b *Bank) cycle(s *slot) {
	b.askAll(s)
	for _, id := range s.grants {
		b.serve(id)
	}
	s.grants = s.grants[:0]
	switch {
	case b.closed != nil:
		b.startAll()
		b.check()
		return
	case b.worms:
		for _, o := range b.fresh {
			b.flow(o)
		}
		b.fresh = b.fresh[:0]
		b.check()
		return
	}
	tries := &b.wheel.tries[b.now&b.wheel.mask]
	switch {
	case b.plain:
		b.sendPlain(*tries)
	case b.crossbar != nil:
		b.sendSwitched(*tries)
	default:
		b.sendAll(*tries)
	}
	*tries = (*tries)[:0]
	b.check()
}

// sendAll is stage 4 for those of a list of physical channels that are to be looked
// at now.
func (b *Bank) sendAll(list []Channel) {
	for _, c := range list {
		k := &b.channels[c]
		if k.next != b.now {
			continue // it has been looked at, or will be later
		}
		k.next = never
		switch {
		case k.injects:
			b.inject(c)
		case k.many == 1:
			b.send(c)
		default:
			b.sendOne(c)
		}
	}
}

// askAll is stage 2 for the headers whose routing ends in this cycle.
func (b *Bank) askAll(s *slot) {
	c := s.headers
	s.headers = none
	if b.closed != nil && b.order != nil {
		b.askOrdered(c)
		return
	}
	for c != none {
		next := b.claims[c].next
		b.ask(Channel(c))
		c = next
	}
}

// send is stage 4 for a physical channel of one virtual channel, o.
func (b *Bank) send(o Channel) {
	out := &b.channels[o]
	if out.holder == none {
		return
	}
	if t := b.earliest(o, b.now); t <= b.now {
		b.move(o)
		if out.holder != none {
			b.wake(o, out.free)
		}
	} else if t < never {
		b.try(o, t)
	}
}

// sendOne is stage 4 for a physical channel of several virtual channels, led by
// first: of those that could send, the next in turn does.
func (b *Bank) sendOne(first Channel) {
	lead := &b.channels[first]
	n := Channel(lead.many)
	if lead.free <= b.now {
		for k := range n {
			v := (Channel(lead.turn) + 1 + k) % n
			if b.channels[first+v].holder != none && b.earliest(first+v, b.now) <= b.now {
				lead.turn = uint8(v)
				b.move(first + v)
				break
			}
		}
	}
	again := never
	for v := range n {
		if b.channels[first+v].holder != none {
			again = min(again, b.earliest(first+v, max(lead.free, b.now)))
		}
	}
	if again < never {
		b.try(first, again)
	}
}

// earliest returns the first cycle, from on, in which the next flit of the
// packet that holds channel o may be sent as far as is known, and never if that
// depends on a flit not sent yet: then that flit's going has the channel looked
// at again.
func (b *Bank) earliest(o Channel, from int64) int64 {
	out := &b.channels[o]
	in := &b.channels[out.holder]
	if in.count == 0 {
		return never
	}
	size := b.timing.Buffer
	t := max(from, b.channels[out.lead].free, b.times[out.holder*size+in.head])
	switch {
	case out.sink():
		return t
	case in.gone == 0 && b.timing.Switching == VirtualCutThrough:
		return b.room(o, in.length, t)
	case out.count == size:
		return never
	}
	i := out.head + out.count
	if i >= size {
		i -= size
	}
	return max(t, b.times[int32(o)*size+i]+b.timing.Credit)
}

// room returns the first cycle, from t on, in which there is room for need more
// flits in the FIFO of channel o as far as the sender knows, or never.
func (b *Bank) room(o Channel, need int32, t int64) int64 {
	out, size := &b.channels[o], b.timing.Buffer
	if out.count+need > size {
		return never
	}
	i := out.head + out.count + need - 1
	if i >= size {
		i -= size
	}
	return max(t, b.times[int32(o)*size+i]+b.timing.Credit)
}

// move sends the next flit of the packet that holds channel o, now.
func (b *Bank) move(o Channel) {
	out := &b.channels[o]
	i, size := Channel(out.holder), b.timing.Buffer
	in := &b.channels[i]
	p, index := in.packet, in.gone
	b.channels[out.lead].free = b.now + b.timing.Flit
	if index == 0 {
		k := &b.packets[p]
		k.Blocked += b.now - b.claims[i].ready
		if !out.sink() {
			k.Hops++
		}
	}
	if b.trace != nil {
		b.trace.Sent(b.now, o, b.packets[p].Number, index, b.claims[i].ready)
	}
	// The flit leaves its place, for which the sender may have waited.
	b.times[int32(i)*size+in.head] = b.now
	full := in.count == size
	in.count--
	if in.head++; in.head == size {
		in.head = 0
	}
	in.gone++
	if full || b.timing.Switching == VirtualCutThrough {
		b.wakeSender(in, i)
	}
	if in.count == 0 && b.escapes != nil {
		b.emptied(i)
	}
	last := in.gone == in.length
	if out.sink() {
		if last {
			b.wheel.enter(b.now, event{b.now + b.timing.Link, p, tailArrives})
		}
	} else {
		b.arrive(o, p, index)
	}
	if last {
		b.release(o, i, in.length, b.packets[p].Job, b.now)
		b.behead(i, b.now)
	}
}

// wakeSender has the sender of channel c looked at when it knows of the place a
// flit has left now.
func (b *Bank) wakeSender(ch *channel, c Channel) {
	if ch.holder >= 0 {
		b.wake(c, b.now+b.timing.Credit)
	} else if ch.injects {
		b.try(Channel(ch.lead), max(b.now+b.timing.Credit, ch.free))
	}
}

// wake has the physical channel of a held channel looked at, from a cycle on, if
// there is a flit to send and a place to send it to. If there is not, the flit
// that comes, or the one that makes room, will do so.
func (b *Bank) wake(o Channel, from int64) {
	out := &b.channels[o]
	if b.channels[out.holder].count == 0 || out.count == b.timing.Buffer {
		return
	}
	b.try(Channel(out.lead), max(from, b.channels[out.lead].free))
}

// arrive puts a flit sent now into FIFO o.
func (b *Bank) arrive(o Channel, p, index int32) {
	ch, size := &b.channels[o], b.timing.Buffer
	i := ch.head + ch.count
	if i >= size {
		i -= size
	}
	t := b.now + b.timing.Link
	b.times[int32(o)*size+i], b.owners[int32(o)*size+i] = t, p
	ch.count++
	switch {
	case ch.out != none:
		if ch.count == 1 {
			b.wake(Channel(ch.out), t)
		}
	case ch.packet == none:
		b.front(o, t)
	case b.timing.Switching == StoreAndForward && index == ch.length-1 && p == ch.packet:
		if k := &b.claims[o]; k.state == arriving {
			k.ready, k.state = t, routing
			b.routed(k, o)
		}
	}
}

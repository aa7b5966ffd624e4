package router

import "contend/netsim/topology"

// The cycle-driven engine moves flits one by one, in the cycle in which they are
// sent. It is exact for every network.

// cycleEngine implements engine.
type cycleEngine struct {
	*Routers
	sendList func(list []Channel) // stage 4 for the physical channels to be looked at now
}

// newCycleEngine returns the engine with the way of sending that the network needs.
func newCycleEngine(b *Routers) engine {
	switch {
	case plain(b.w, b.timing) && b.escapes == nil:
		return &plainEngine{cycleEngine{b, b.sendPlain}}
	case b.narrow():
		b.crossbar, b.switches = nil, newNarrowSwitch(b.w, b.timing, b.channels)
		return &narrowEngine{cycleEngine{b, b.sendNarrow}}
	case b.crossbar != nil:
		return &cycleEngine{b, b.sendSwitched}
	}
	return &cycleEngine{b, b.sendAll}
}

func (e *cycleEngine) offered(c Channel, _ topology.Node, first bool) {
	if first || e.w.InjectionPorts > 1 {
		e.try(c, e.now)
	}
}

func (e *cycleEngine) ask(list int32) { e.askEach(list) }

func (e *cycleEngine) granted(o, i Channel) {
	e.link(o, i)
	if e.crossbar != nil && e.channels[o].count < e.timing.Buffer {
		e.able(o)
	}
	e.try(Channel(e.channels[o].lead), e.now)
}

func (e *cycleEngine) passed(o, before, i Channel) {
	e.channels[before].out = none
	e.link(o, i)
}

func (e *cycleEngine) send() {
	tries := &e.calendar.tries[e.now&e.calendar.mask]
	e.sendList(*tries)
	*tries = (*tries)[:0]
}

func (e *cycleEngine) tally(int32) {}

// link notes in the FIFOs that the header at the head of i holds channel o.
func (b *Routers) link(o, i Channel) {
	b.channels[i].out, b.channels[o].holder = int32(o), int32(i)
}

// sendAll is stage 4 for those of a list of physical channels that are to be looked
// at now.
func (b *Routers) sendAll(list []Channel) {
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

// send is stage 4 for a physical channel of one virtual channel, o.
func (b *Routers) send(o Channel) {
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
func (b *Routers) sendOne(first Channel) {
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

// able notes that channel o is held, with a flit to send and a place for it.
func (b *Routers) able(o Channel) {
	if x := b.crossbar; x != nil {
		lead := b.channels[o].lead
		x.able[lead] |= 1 << (int32(o) - lead)
	}
}

// unable notes that channel o is not held, or has no flit to send, or no place for it.
func (b *Routers) unable(o Channel) {
	if x := b.crossbar; x != nil {
		lead := b.channels[o].lead
		x.able[lead] &^= 1 << (int32(o) - lead)
	}
}

// earliest returns the first cycle, from on, in which the next flit of the
// packet that holds channel o may be sent as far as is known, and never if that
// depends on a flit not sent yet: then that flit's going has the channel looked
// at again.
func (b *Routers) earliest(o Channel, from int64) int64 {
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
	return max(t, b.times[int32(o)*size+i]+b.credit(o))
}

// room returns the first cycle, from t on, in which there is room for need more
// flits in the FIFO of channel o as far as the sender knows, or never.
func (b *Routers) room(o Channel, need int32, t int64) int64 {
	out, size := &b.channels[o], b.timing.Buffer
	if out.count+need > size {
		return never
	}
	i := out.head + out.count + need - 1
	if i >= size {
		i -= size
	}
	return max(t, b.times[int32(o)*size+i]+b.credit(o))
}

// move sends the next flit of the packet that holds channel o, now.
func (b *Routers) move(o Channel) {
	out := &b.channels[o]
	i, size := Channel(out.holder), b.timing.Buffer
	in := &b.channels[i]
	p, index := in.packet, in.gone
	b.channels[out.lead].free = b.now + b.flitTime(o)
	if index == 0 {
		k := &b.packets[p]
		k.Blocked += b.now - b.vcs[i].ready
		if !out.sink() {
			k.Hops++
		}
	}
	if b.trace != nil {
		b.trace.Sent(b.now, o, b.packets[p].Number, index, b.vcs[i].ready)
	}
	// The flit leaves its place, for which the sender may have waited.
	b.times[int32(i)*size+in.head] = b.now
	full := in.count == size
	in.count--
	if in.head++; in.head == size {
		in.head = 0
	}
	in.gone++
	if in.count == 0 {
		b.unable(o)
	}
	if full || b.timing.Switching == VirtualCutThrough {
		b.wakeSender(in, i)
	}
	if in.count == 0 && b.escapes != nil {
		b.emptied(i)
	}
	last := in.gone == in.length
	if out.sink() {
		if last {
			b.calendar.enter(b.now, event{b.now + b.delay(o), p, tailArrives})
		}
	} else {
		b.arrive(o, p, index)
	}
	if last {
		b.unable(o)
		b.release(o, i, in.length, b.packets[p].Job, b.now)
		b.nextPacket(i, b.now)
	}
}

// wakeSender has the sender of channel c looked at when it knows of the place a
// flit has left now.
func (b *Routers) wakeSender(ch *channel, c Channel) {
	if ch.holder >= 0 {
		b.wake(c, b.now+b.credit(c))
	} else if ch.injects {
		b.try(Channel(ch.lead), max(b.now+b.credit(c), ch.free))
	}
}

// wake has the physical channel of a held channel looked at, from a cycle on, if
// there is a flit to send and a place to send it to. If there is not, the flit
// that comes, or the one that makes room, will do so.
func (b *Routers) wake(o Channel, from int64) {
	out := &b.channels[o]
	if b.switches != nil {
		b.ready(Channel(out.holder))
		return
	}
	if b.channels[out.holder].count == 0 || out.count == b.timing.Buffer {
		return
	}
	b.able(o)
	b.try(Channel(out.lead), max(from, b.channels[out.lead].free))
}

// arrive puts a flit sent now into FIFO o.
func (b *Routers) arrive(o Channel, p, index int32) {
	ch, size := &b.channels[o], b.timing.Buffer
	i := ch.head + ch.count
	if i >= size {
		i -= size
	}
	t := b.now + b.delay(o)
	b.times[int32(o)*size+i], b.owners[int32(o)*size+i] = t, p
	if ch.count++; ch.count == size {
		b.unable(o)
	}
	switch {
	case ch.out != none:
		if ch.count == 1 {
			b.wake(Channel(ch.out), t)
		}
	case ch.packet == none:
		b.front(o, t)
	case b.timing.Switching == StoreAndForward && index == ch.length-1 && p == ch.packet:
		if k := &b.vcs[o]; k.state == arriving {
			k.ready, k.state = t, routing
			b.routed(k, o)
		}
	}
}

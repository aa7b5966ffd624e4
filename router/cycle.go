package router

import "contend/netsim/topology"

// The cycle-driven engine moves flits one by one, in the cycle in which they are
// sent. It is exact for every network.

// cycleEngine implements engine.
type cycleEngine struct {
	*Routers
	// stage 4 for the nodes and the physical channels to be looked at now
	sendList func(nodes []topology.Node, list []Channel)
}

// newCycleEngine returns the engine with the way of sending that the network needs.
func newCycleEngine(b *Routers) engine {
	switch {
	case plain(b.w, b.timing) && b.escapes == nil && b.timing.prompt():
		return &promptEngine{cycleEngine{b, b.sendPrompt}}
	case b.narrow():
		b.crossbar, b.switches = nil, newNarrowSwitch(b.w, b.timing, b.channels)
		if !b.switches.prompt {
			b.newTimes()
		}
		return &narrowEngine{cycleEngine{b, b.sendNarrow}}
	}
	b.newTimes()
	switch {
	case plain(b.w, b.timing) && b.escapes == nil:
		return &plainEngine{cycleEngine{b, b.sendPlain}}
	case b.crossbar != nil:
		return &cycleEngine{b, b.sendSwitched}
	}
	return &cycleEngine{b, b.sendAll}
}

func (e *cycleEngine) offered(_ Channel, node topology.Node, first bool) {
	if first || e.w.InjectionPorts > 1 {
		e.tryNode(node, e.now)
	}
}

func (e *cycleEngine) ask(list int32) {
	if e.timing.Switching == StoreAndForward || e.only == nil {
		e.askEach(list)
		return
	}
	e.askOrdered(list)
	for _, o := range e.fresh {
		e.engine.granted(o, Channel(e.vcs[o].holder))
	}
	e.fresh = e.fresh[:0]
}

func (e *cycleEngine) granted(o, i Channel) {
	e.link(o, i)
	if e.crossbar != nil && int32(e.channels[o].count) < e.timing.Buffer {
		e.able(o)
	}
	e.try(e.lead(o), e.now)
}

func (b *Routers) passed(o, before, i Channel) {
	b.channels[before].out = none
	b.link(o, i)
}

func (e *cycleEngine) send() {
	w := &e.calendar
	at := w.now(e.now)
	e.sendList(w.nodes[at], w.tries[at])
	w.nodes[at], w.tries[at] = w.nodes[at][:0], w.tries[at][:0]
}

func (b *Routers) tally(int32) {}

// lead returns the first virtual channel of the link of channel c.
func (b *Routers) lead(c Channel) Channel { return b.w.first[b.w.link[c]] }

// link notes in the FIFOs that the header at the head of i holds channel o.
func (b *Routers) link(o, i Channel) {
	b.channels[i].out, b.channels[o].holder = int32(o), int32(i)
}

// sendAll is stage 4 for those of a list of physical channels that are to be looked
// at now.
func (b *Routers) sendAll(nodes []topology.Node, list []Channel) {
	b.injectEach(nodes)
	for _, c := range list {
		switch {
		case !b.due(c): // it has been looked at, or will be later
		case b.channels[c].many == 1:
			b.send(c)
		default:
			b.sendOne(c)
		}
	}
}

// due reports whether the physical channel led by c is to be looked at now, which is then done.
func (b *Routers) due(c Channel) bool {
	k := &b.lines[b.w.link[c]]
	if k.next != b.now {
		return false
	}
	k.next = never
	return true
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
			b.wake(o, b.now)
		}
	} else if t < never {
		b.try(o, t)
	}
}

// sendOne is stage 4 for a physical channel of several virtual channels, led by
// first: of those that could send, the next in turn does.
func (b *Routers) sendOne(first Channel) {
	lead, line := &b.channels[first], &b.lines[b.w.link[first]]
	n := Channel(lead.many)
	if line.free <= b.now {
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
			again = min(again, b.earliest(first+v, max(line.free, b.now)))
		}
	}
	if again < never {
		b.try(first, again)
	}
}

// able notes that channel o is held, with a flit to send and a place for it.
func (b *Routers) able(o Channel) {
	if x := b.crossbar; x != nil {
		lead := b.lead(o)
		x.able[lead] |= 1 << (o - lead)
	}
}

// unable notes that channel o is not held, or has no flit to send, or no place for it.
func (b *Routers) unable(o Channel) {
	if x := b.crossbar; x != nil {
		lead := b.lead(o)
		x.able[lead] &^= 1 << (o - lead)
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
	t := max(from, b.lines[b.w.link[o]].free, b.times[out.holder*size+int32(in.head)])
	switch {
	case out.sink():
		return t
	case in.left < 0 && b.timing.Switching == VirtualCutThrough:
		return b.room(o, -in.left, t)
	case int32(out.count) == size:
		return never
	}
	i := wrapped(int32(out.head)+int32(out.count), size)
	return max(t, b.times[int32(o)*size+i]+b.credit(o))
}

// room returns the first cycle, from t on, in which there is room for need more
// flits in the FIFO of channel o as far as the sender knows, or never.
func (b *Routers) room(o Channel, need int32, t int64) int64 {
	out, size := &b.channels[o], b.timing.Buffer
	if int32(out.count)+need > size {
		return never
	}
	if b.times == nil {
		return t
	}
	i := wrapped(int32(out.head)+int32(out.count)+need-1, size)
	return max(t, b.times[int32(o)*size+i]+b.credit(o))
}

// move sends the next flit of the packet that holds channel o, now.
func (b *Routers) move(o Channel) {
	out := &b.channels[o]
	i, size := Channel(out.holder), b.timing.Buffer
	in := &b.channels[i]
	p, header, k := in.packet, in.left < 0, &b.packets[in.packet]
	b.lines[b.w.link[o]].free = b.now + b.flitTime(o)
	if header {
		in.left = -in.left
		k.Blocked += b.now - b.vcs[i].ready
		if !out.sink() {
			k.Hops++
		}
	}
	if b.trace != nil {
		b.trace.Sent(b.now, o, k.Number, k.Length-in.left, b.vcs[i].ready)
	}
	// The flit leaves its place, for which the sender may have waited.
	b.times[int32(i)*size+int32(in.head)] = b.now
	full := int32(in.count) == size
	in.count--
	in.head = int16(wrapped(int32(in.head)+1, size))
	in.left--
	if in.count == 0 {
		b.unable(o)
	}
	if full || b.timing.Switching == VirtualCutThrough {
		b.wakeSender(in, i)
	}
	if in.count == 0 && b.escapes != nil {
		b.emptied(i)
	}
	if !out.sink() {
		b.arrive(o, p, k.Length-1-in.left)
	}
	if in.left == 0 {
		b.unable(o)
		b.ended(o, out, i, in, b.now)
	}
}

// wakeSender has the sender of channel c looked at when it knows of the place a
// flit has left now.
func (b *Routers) wakeSender(ch *channel, c Channel) {
	if ch.holder >= 0 {
		b.wake(c, b.now+b.credit(c))
	} else if ch.injects {
		b.tryNode(b.node(c), b.now+b.credit(c))
	}
}

// wake has the physical channel of a held channel looked at, from a cycle on, if
// there is a flit to send and a place to send it to. If there is not, the flit
// that comes, or the one that makes room, will do so.
func (b *Routers) wake(o Channel, from int64) {
	out := &b.channels[o]
	if b.switches != nil {
		b.ready(Channel(out.holder), out.behind)
		return
	}
	if b.channels[out.holder].count == 0 || int32(out.count) == b.timing.Buffer {
		return
	}
	if b.lines == nil { // see prompt
		b.calendar.try(o, from)
		return
	}
	b.able(o)
	l := b.w.link[o]
	b.try(b.w.first[l], max(from, b.lines[l].free))
}

// arrive puts a flit sent now into FIFO o.
func (b *Routers) arrive(o Channel, p, index int32) {
	ch, size := &b.channels[o], b.timing.Buffer
	t := b.now + b.delay(o)
	if b.times != nil {
		b.times[int32(o)*size+wrapped(int32(ch.head)+int32(ch.count), size)] = t
	}
	if index == 0 {
		b.entered(ch, p)
	}
	if ch.count++; int32(ch.count) == size {
		b.unable(o)
	}
	switch {
	case ch.out != none:
		if ch.count == 1 {
			b.wake(Channel(ch.out), t)
		}
	case ch.packet == none:
		b.headed(o, ch, p, t)
	case b.timing.Switching == StoreAndForward && index == b.packets[p].Length-1 && p == ch.packet:
		if k := &b.vcs[o]; k.state == arriving {
			k.ready, k.state = t, routing
			b.routed(k, o)
		}
	}
}

// entered notes that the header of packet p enters the FIFO of a channel, behind the tail of the
// packet that came last if there is one in it. A tail is in one FIFO at a time, so a packet has one
// that is next behind it at most.
func (b *Routers) entered(ch *channel, p int32) {
	if ch.packet != none {
		b.notes[ch.last].after = p
	}
	ch.last = p
}

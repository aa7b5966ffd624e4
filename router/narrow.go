package router

import "math/bits"

// The usual case of the crossbar: an input port sends one flit a cycle, a flit takes a
// cycle, switching is wormhole, and headers do not yield. Then an input port has one
// nominee at most, which is known as soon as all outputs have been looked at, and
// belongs to one output. The rules are those of sendSwitched, in fewer instructions:
// nearly all flits of networks with several virtual channels are moved here.

// narrow reports whether sendNarrow does for the network.
func (b *Routers) narrow() bool {
	x := b.crossbar
	return x != nil && x.speedup == 1 && !x.yield && x.sent == nil &&
		b.timing.Switching == Wormhole && b.escapes == nil
}

// sendNarrow is stage 4 for a list of physical channels: each takes a flit of the first
// virtual channel after the one that sent last whose input is its port's nominee. That
// ends the cycle for the ports whose nominees want it, taken or refused.
func (b *Routers) sendNarrow(list []Channel) {
	b.nominateEach(list)
	x, channels, ports, link, soon := b.crossbar, b.channels, b.crossbar.ports, b.w.link, b.now+1
	for _, a := range x.asks {
		lead, found := &channels[a.first], -1
		turn := int(lead.turn) + 1
		for set := bits.RotateLeft64(a.asking, -turn); set != 0; set &= set - 1 {
			v := (bits.TrailingZeros64(set) + turn) & 63
			i := channels[a.first+Channel(v)].holder
			p := &ports[link[i]]
			if p.at != i {
				continue
			}
			p.at = none
			if found < 0 { // else it is refused, and its port's pointer stays
				found = v
				p.turnPast(i)
			}
		}
		if found >= 0 {
			lead.turn = uint8(found)
			b.forward(a.first+Channel(found), lead, 1<<(found&63))
		}
		if lead.able != 0 && soon < lead.next {
			lead.next = soon
			b.calendar.try(a.first, soon)
		}
	}
	x.asks = x.asks[:0]
}

// turnPast moves the pointer of an input port past channel i.
func (p *inputPort) turnPast(i int32) {
	if p.turn = uint8(i-int32(p.first)) + 1; p.turn == p.many {
		p.turn = 0
	}
}

// nominateEach has input ports nominate, for the physical channels of a list, the first
// at or after their pointers of the virtual channels that could send now. Nodes come
// last: a flit that enters a router now, and lets a channel send later, is not counted.
func (b *Routers) nominateEach(list []Channel) {
	x, channels, ports, link, now := b.crossbar, b.channels, b.crossbar.ports, b.w.link, b.now
	prompt := b.own == nil && b.timing.Link == 1 && b.timing.Credit == 1
	for _, first := range list {
		lead := &channels[first]
		if lead.next != now {
			continue // it has been looked at, or will be later
		}
		lead.next = never
		if lead.injects {
			x.nodes = append(x.nodes, first)
			continue
		}
		asking := lead.able
		if !prompt {
			asking = b.due(first, asking)
		}
		if asking == 0 {
			continue
		}
		for set := asking; set != 0; set &= set - 1 {
			i := channels[first+Channel(bits.TrailingZeros64(set))].holder
			if p := &ports[link[i]]; p.at == none || p.before(i, p.at) {
				p.at = i
			}
		}
		x.asks = append(x.asks, ask{first, asking})
	}
	for _, c := range x.nodes {
		b.inject(c)
	}
	x.nodes = x.nodes[:0]
}

// due returns those of the virtual channels able to send, of the physical channel led by
// first, whose flit is there and whose place is known to be left. Where flits and credits
// take a cycle that is all of them: what enabled them happened in an earlier cycle.
// If it is none, the channel is looked at again when it may be one.
func (b *Routers) due(first Channel, able uint64) uint64 {
	again, asking := never, uint64(0)
	for set := able; set != 0; set &= set - 1 {
		if t := b.earliest(first+Channel(bits.TrailingZeros64(set)), b.now); t > b.now {
			again = min(again, t)
		} else {
			asking |= set & -set
		}
	}
	if asking == 0 && again < never {
		b.try(first, again)
	}
	return asking
}

// before reports whether channel c of the port is in turn before channel d.
func (p *inputPort) before(c, d int32) bool {
	turn, many := int32(p.first)+int32(p.turn), int32(p.many)
	c, d = c-turn, d-turn
	return c+many&(c>>31) < d+many&(d>>31)
}

// forward sends the next flit of the packet that holds channel o, now. A bit stands for o
// in lead, its physical channel.
func (b *Routers) forward(o Channel, lead *channel, bit uint64) {
	channels, times, size, now := b.channels, b.times, b.timing.Buffer, b.now
	out := &channels[o]
	i := out.holder
	in := &channels[i]
	here, there := in.places+in.head, out.places+wrapped(out.head+out.count, size)
	if in.gone == 0 || b.trace != nil {
		b.noteSent(o, out, Channel(i), in, there)
	}
	lead.free = now + 1
	times[here] = now // the place the sender may have waited for
	full := in.count == size
	in.head = wrapped(in.head+1, size)
	in.count--
	in.gone++
	if full {
		if in.holder < 0 {
			b.wakeSender(in, Channel(i))
		} else if channels[in.holder].count > 0 {
			b.enable(i, in, now+b.credit(Channel(i)))
		}
	}
	if in.count == 0 || in.gone == in.length {
		lead.able &^= bit
	}
	if !out.sink() {
		b.store(o, out, times, there)
		if out.count == size {
			lead.able &^= bit
		}
	}
	if in.gone == in.length {
		b.ended(o, out, Channel(i), in)
	}
}

// store puts a flit sent now into a place of FIFO o.
func (b *Routers) store(o Channel, out *channel, times []int64, there int32) {
	t := b.now + b.delay(o)
	times[there] = t
	out.count++
	if out.out < 0 {
		if out.packet == none {
			b.front(o, t)
		}
	} else if next := &b.channels[out.out]; out.count == 1 && next.count < b.timing.Buffer {
		b.enable(out.out, next, t)
	}
}

// enable notes that channel o, held, has a flit to send and a place for it from a cycle
// on, and has its physical channel looked at then.
func (b *Routers) enable(o int32, out *channel, cycle int64) {
	lead := &b.channels[out.lead]
	lead.able |= 1 << ((o - out.lead) & 63)
	if cycle < lead.next {
		lead.next = cycle
		b.calendar.try(Channel(out.lead), cycle)
	}
}

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
	return x != nil && x.speedup == 1 && !x.yield && b.timing.Flit == 1 &&
		b.timing.Switching == Wormhole && b.escapes == nil
}

// sendNarrow is stage 4 for a list of physical channels.
func (b *Routers) sendNarrow(list []Channel) {
	x := b.crossbar
	b.nominateEach(list)
	for _, a := range x.asks {
		lead := &b.channels[a.first]
		if v := b.taken(a, int(lead.turn)+1); v >= 0 {
			lead.turn = uint8(v)
			b.forward(a.first, lead, uint64(1)<<v)
		}
		if lead.able != 0 {
			b.try(a.first, b.now+1)
		}
	}
	x.asks = x.asks[:0]
}

// nominateEach has input ports nominate, for the physical channels of a list, the first
// at or after their pointers of the virtual channels that could send now. Nodes come
// last: a flit that enters a router now, and lets a channel send later, is not counted.
func (b *Routers) nominateEach(list []Channel) {
	x, channels, ports, link, now := b.crossbar, b.channels, b.crossbar.ports, b.w.link, b.now
	prompt := b.timing.Link == 1 && b.timing.Credit == 1
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

// taken returns which of the virtual channels that ask for a flit gets one: the first
// at or after the one in turn whose input is its port's nominee; -1: none. That ends the
// cycle for the ports whose nominees are among them.
func (b *Routers) taken(a ask, turn int) int {
	found := -1
	for set := bits.RotateLeft64(a.asking, -turn); set != 0; set &= set - 1 {
		v := (bits.TrailingZeros64(set) + turn) & 63
		i := b.channels[a.first+Channel(v)].holder
		p := &b.crossbar.ports[b.w.link[i]]
		if p.at != i {
			continue
		}
		p.at = none
		if found >= 0 {
			continue // refused: the pointer stays
		}
		found = v
		if p.turn = uint8(i-int32(p.first)) + 1; p.turn == p.many {
			p.turn = 0
		}
	}
	return found
}

// forward sends the next flit of the packet that holds the virtual channel of a bit, of
// the physical channel led by first, now.
func (b *Routers) forward(first Channel, lead *channel, bit uint64) {
	channels, times, size, now := b.channels, b.times, b.timing.Buffer, b.now
	o := first + Channel(bits.TrailingZeros64(bit))
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
		b.wakeSender(in, Channel(i))
	}
	if in.count == 0 {
		lead.able &^= bit
	}
	if !out.sink() {
		times[there] = now + b.timing.Link
		if out.count++; out.count == size {
			lead.able &^= bit
		}
		switch {
		case out.out < 0:
			if out.packet == none {
				b.front(o, now+b.timing.Link)
			}
		case out.count == 1:
			b.wake(Channel(out.out), now+b.timing.Link)
		}
	}
	if in.gone == in.length {
		lead.able &^= bit
		b.ended(o, out, Channel(i), in)
	}
}

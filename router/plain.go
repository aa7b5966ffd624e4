package router

// The usual case of the cycle-driven engine, one virtual channel, links that are all
// alike and wormhole switching, in few instructions and with few jumps that could be mispredicted:
// nearly all flits are moved here. The rules are those of send, move and arrive.

// plain reports whether sendPlain does for all channels that come from routers.
func plain(w *Wiring, t Timing) bool {
	return w.VirtualChannels == 1 && t.Switching == Wormhole && t.Links == nil
}

// plainEngine implements engine: a channel is its physical channel, and nothing is kept
// of which virtual channels could send.
type plainEngine struct{ cycleEngine }

func (e *plainEngine) granted(o, i Channel) {
	out := &e.channels[o]
	e.channels[i].out, out.holder = int32(o), int32(i)
	if now := e.now; now < out.next {
		out.next = now
		e.calendar.try(o, now)
	}
}

// sendPlain is stage 4 for a list of channels: each that is to be looked at now
// sends the next flit of the packet that holds it, now or as soon as is known. If
// that depends on a flit not sent yet, that flit's going has it looked at again.
//
// A node has no FIFO: keeps of an ejection channel is 0, so nothing is ever in it, and
// its one place was left long ago.
func (b *Routers) sendPlain(list []Channel) {
	channels, times, size, now := b.channels, b.times, b.timing.Buffer, b.now
	arrivals := [2]int64{-never, now + b.timing.Link}
	for _, o := range list {
		out := &channels[o]
		if out.next != now {
			continue // it has been looked at, or will be later
		}
		out.next = never
		i := out.holder
		if i < 0 {
			if out.injects {
				b.inject(o)
			}
			continue
		}
		in := &channels[i]
		if in.count == 0 || out.count == size {
			continue
		}
		here, there := i*size+in.head, int32(o)*size+wrapped(out.head+out.count, size)
		arrival, place := times[here], times[there]+b.timing.Credit
		if out.free > now || arrival > now || place > now {
			out.next = max(out.free, arrival, place)
			b.calendar.try(o, out.next)
			continue
		}
		if in.gone == 0 || b.trace != nil {
			b.noteSent(o, out, Channel(i), in, there)
		}
		out.free = now + b.timing.Flit
		times[here] = now // the place the sender may have waited for
		if in.count == size && in.holder != none {
			b.try(Channel(in.lead), max(now+b.timing.Credit, in.free))
		}
		in.head = wrapped(in.head+1, size)
		in.count--
		in.gone++
		times[there] = arrivals[out.keeps&1]
		out.count += int32(out.keeps)
		switch {
		case out.out < 0:
			if out.packet == none {
				b.headed(o, out, in.packet, now+b.timing.Link)
			}
		case out.count == 1:
			next := &channels[out.out]
			if next.count < size {
				b.try(Channel(out.out), max(now+b.timing.Link, next.free))
			}
		}
		switch {
		case in.gone == in.length:
			b.ended(o, out, Channel(i), in, now)
		case in.count > 0 && out.count < size:
			out.next = out.free
			b.calendar.try(o, out.free)
		}
	}
}

// wrapped returns i, below twice the size of a ring, as an index of the ring.
func wrapped(i, size int32) int32 {
	i -= size
	return i + size&(i>>31)
}

// noteSent notes that the next flit of FIFO i, a header unless all are traced, is
// sent on channel o now, to a place of its FIFO.
func (b *Routers) noteSent(o Channel, out *channel, i Channel, in *channel, there int32) {
	k := &b.packets[in.packet]
	if in.gone == 0 {
		k.Blocked += b.now - b.vcs[i].ready
		k.Hops += int32(out.keeps)
		b.owners[there] = in.packet
	}
	if b.trace != nil {
		b.trace.Sent(b.now, o, k.Number, in.gone, b.vcs[i].ready)
	}
}

package router

// The usual case of the cycle-driven engine, one virtual channel and wormhole
// switching, in as few instructions as can be: it moves nearly all flits.

// plain reports whether sendPlain may stand for send.
func plain(w *Wiring, t Timing) bool { return w.VirtualChannels == 1 && t.Switching == Wormhole }

// sendPlain is stage 4 for channel o, which comes from a router: the next flit of
// the packet that holds it is sent, now or as soon as is known. If that depends on
// a flit not sent yet, that flit's going has the channel looked at again.
func (b *Bank) sendPlain(o Channel) {
	channels, times, size, now := b.channels, b.times, b.timing.Buffer, b.now
	out := &channels[o]
	i := out.holder
	if i < 0 {
		return
	}
	in := &channels[i]
	if in.count == 0 {
		return
	}
	here := &times[in.places+in.head]
	t, at := max(out.free, *here), int32(0)
	if !out.sink {
		if out.count == size {
			return
		}
		if at = out.head + out.count; at >= size {
			at -= size
		}
		at += out.places
		t = max(t, times[at]+b.timing.Credit)
	}
	if t > now {
		b.try(o, t)
		return
	}
	if in.gone == 0 || b.trace != nil {
		b.noteSent(o, out, Channel(i), in)
	}
	out.free = now + b.timing.Flit
	*here = now // the place the sender may have waited for
	if in.count == size {
		b.vacant(in, Channel(i))
	}
	in.count--
	if in.head++; in.head == size {
		in.head = 0
	}
	in.gone++
	if !out.sink {
		times[at], b.owners[at] = now+b.timing.Link, in.packet
		out.count++
		if out.out < 0 {
			if out.packet == none {
				b.front(o, now+b.timing.Link)
			}
		} else if out.count == 1 {
			if next := &channels[out.out]; next.count < size {
				b.try(Channel(out.out), max(now+b.timing.Link, next.free))
			}
		}
	}
	switch {
	case in.gone == in.length:
		b.ended(o, out, Channel(i), in)
	case in.count > 0 && out.count < size:
		b.try(o, out.free)
	}
}

// noteSent notes that the next flit of FIFO i is sent on channel o now.
func (b *Bank) noteSent(o Channel, out *channel, i Channel, in *channel) {
	k := &b.packets[in.packet]
	if in.gone == 0 {
		k.Blocked += b.now - b.claims[i].ready
		if !out.sink {
			k.Hops++
		}
	}
	if b.trace != nil {
		b.trace.Sent(b.now, o, k.Number, in.gone, b.claims[i].ready)
	}
}

// vacant has the sender of channel c, whose FIFO was full, looked at when it
// knows of the place a flit leaves now.
func (b *Bank) vacant(k *channel, c Channel) {
	t := max(b.now+b.timing.Credit, k.free)
	switch {
	case k.holder >= 0:
		if b.channels[k.holder].count > 0 {
			b.try(c, t)
		}
	case k.injects:
		b.try(Channel(k.lead), t)
	}
}

// ended ends the stay of a packet, whose tail was sent on channel o now, in FIFO i.
func (b *Bank) ended(o Channel, out *channel, i Channel, in *channel) {
	p := in.packet
	if out.sink {
		b.wheel.enter(b.now, event{b.now + b.timing.Link, p, tailArrives})
	}
	b.release(o, i, in.length, b.packets[p].Job, b.now)
	b.behead(i, b.now)
}

package router

import "contend/netsim/topology"

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
	e.link(o, i)
	e.tryPlain(o, e.now)
}

// tryPlain is try where channels and links have the same numbers.
func (b *Routers) tryPlain(o Channel, cycle int64) {
	if k := &b.lines[o]; cycle < k.next {
		k.next = cycle
		b.calendar.try(o, cycle)
	}
}

// sendPlain is stage 4 for a list of channels: each that is to be looked at now
// sends the next flit of the packet that holds it, now or as soon as is known. If
// that depends on a flit not sent yet, that flit's going has it looked at again.
//
// A node has no FIFO: keeps of an ejection channel is 0, so nothing is ever in it, and
// its one place was left long ago.
func (b *Routers) sendPlain(nodes []topology.Node, list []Channel) {
	b.injectEach(nodes)
	channels, lines, times := b.channels, b.lines, b.times
	size, now := b.timing.Buffer, b.now
	arrivals := [2]int64{-never, now + b.timing.Link}
	for _, o := range list {
		out, line := &channels[o], &lines[o]
		if line.next != now {
			continue // it has been looked at, or will be later
		}
		line.next = never
		i := out.holder
		if i < 0 {
			continue
		}
		in := &channels[i]
		if in.count == 0 || int32(out.count) == size {
			continue
		}
		here := i*size + int32(in.head)
		there := int32(o)*size + wrapped(int32(out.head)+int32(out.count), size)
		arrival, place := times[here], times[there]+b.timing.Credit
		if line.free > now || arrival > now || place > now {
			line.next = max(line.free, arrival, place)
			b.calendar.try(o, line.next)
			continue
		}
		if in.left < 0 || b.trace != nil {
			b.noteSent(o, out, Channel(i), in)
		}
		line.free = now + b.timing.Flit
		times[here] = now // the place the sender may have waited for
		if int32(in.count) == size {
			b.madeRoom(Channel(i), in)
		}
		in.head = int16(wrapped(int32(in.head)+1, size))
		in.count--
		in.left--
		times[there] = arrivals[out.keeps&1]
		out.count += int16(out.keeps)
		switch {
		case out.out < 0:
			if out.packet == none {
				b.headed(o, out, in.packet, now+b.timing.Link)
			}
		case out.count == 1:
			if int32(channels[out.out].count) < size {
				b.tryPlain(Channel(out.out), max(now+b.timing.Link, lines[out.out].free))
			}
		}
		switch {
		case in.left == 0:
			b.ended(o, out, Channel(i), in, now)
		case in.count > 0 && int32(out.count) < size:
			line.next = line.free
			b.calendar.try(o, line.free)
		}
	}
}

// madeRoom has the sender of FIFO i, which was full until a flit left it now, looked at when it
// knows.
func (b *Routers) madeRoom(i Channel, in *channel) {
	if in.holder >= 0 {
		b.tryPlain(i, max(b.now+b.timing.Credit, b.lines[i].free))
	} else if in.injects {
		b.tryNode(b.node(i), b.now+b.timing.Credit)
	}
}

// wrapped returns i, below twice the size of a ring, as an index of the ring.
func wrapped(i, size int32) int32 {
	i -= size
	return i + size&(i>>31)
}

// noteSent notes that the next flit of FIFO i, a header unless all are traced, is
// sent on channel o now.
func (b *Routers) noteSent(o Channel, out *channel, i Channel, in *channel) {
	k := &b.packets[in.packet]
	if in.left < 0 {
		in.left = -in.left
		k.Blocked += b.now - b.vcs[i].ready
		if !out.sink() {
			k.Hops++
			b.entered(out, in.packet)
		}
	}
	if b.trace != nil {
		b.trace.Sent(b.now, o, k.Number, k.Length-in.left, b.vcs[i].ready)
	}
}

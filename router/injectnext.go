package router

// injectNext is inject for the usual node: one injection channel of one virtual channel. While it
// sends a packet it only finds out whether there is a place for the next flit.
func (b *Routers) injectNext(c Channel, cur *injecting) {
	ch := &b.channels[c]
	if t := b.injectableNext(c, ch, cur); t > b.now {
		if t < never {
			b.tryLater(c, t)
		}
		return
	}
	if cur.packet == none || b.trace != nil {
		b.injectFlit(c, cur)
	} else {
		ch.free = b.now + b.flitTime(c)
		b.arrive(c, cur.packet, cur.gone)
		if cur.gone++; cur.gone == cur.length {
			b.injected(c, ch.free, cur)
		}
	}
	if again := b.injectableNext(c, ch, cur); again < never {
		b.tryLater(c, max(again, b.now+1))
	}
}

// injectableNext is injectable for the usual node.
func (b *Routers) injectableNext(c Channel, ch *channel, cur *injecting) int64 {
	if cur.packet == none {
		return b.injectable(c, cur)
	}
	size := b.timing.Buffer
	if ch.count == size {
		return never
	}
	left := b.times[int32(c)*size+wrapped(ch.head+ch.count, size)]
	return max(b.now, ch.free, left+b.credit(c))
}

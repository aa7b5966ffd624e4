package router

import "contend/netsim/topology"

// injectNext is inject for the usual node: one injection channel of one virtual channel. While it
// sends a packet it only finds out whether there is a place for the next flit.
func (b *Routers) injectNext(node topology.Node, c Channel, cur *injecting) {
	ch := &b.channels[c]
	if t := b.injectableNext(node, c, ch, cur); t > b.now {
		if t < never {
			b.tryNode(node, t)
		}
		return
	}
	if cur.packet == none || b.trace != nil {
		b.injectFlit(node, c, cur)
	} else {
		cur.free = b.now + b.flitTime(c)
		b.arrive(c, cur.packet, cur.gone)
		if cur.gone++; cur.gone == cur.length {
			b.injected(c, cur)
		}
	}
	if again := b.injectableNext(node, c, ch, cur); again < never {
		b.tryNode(node, max(again, b.now+1))
	}
}

// injectableNext is injectable for the usual node.
func (b *Routers) injectableNext(node topology.Node, c Channel, ch *channel, cur *injecting) int64 {
	if cur.packet == none {
		return b.injectable(node, c, cur)
	}
	size, count := b.timing.Buffer, int32(ch.count)
	if count == size {
		return never
	}
	t := max(b.now, cur.free)
	if b.times == nil {
		return t
	}
	return max(t, b.times[int32(c)*size+wrapped(int32(ch.head)+count, size)]+b.credit(c))
}

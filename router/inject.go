package router

import "contend/netsim/topology"

// inject is stage 4 for a node, given by the first of its injection channels:
// each idle port takes the next packet of the source queue as soon as there is
// room for its header, each busy one goes on with its packet.
func (b *Bank) inject(c Channel) {
	node := b.w.source[b.w.link[c]].Node
	ports := b.injecting[int(node)*b.w.InjectionPorts:][:b.w.InjectionPorts]
	for i := range ports {
		if b.injectable(c+Channel(i), &ports[i]) <= b.now {
			b.injectFlit(c+Channel(i), &ports[i])
		}
	}
	// Only now is it known which packet is next: a port may have taken the
	// one another had no room for, but that is seen a cycle later.
	again := never
	for i := range ports {
		again = min(again, b.injectable(c+Channel(i), &ports[i]))
	}
	if again < never {
		b.tryLater(c, max(again, b.now+1))
	}
}

// PaceUnit divides Timing.Pace: a node's rate need not be a whole number of
// cycles a flit.
const PaceUnit = 1 << 16

// rest keeps a node that is slower than its link from beginning its next packet
// as long as the one of so many flits, begun in cycle t, takes at the node's
// own rate. Flits of a packet follow each other at the link's rate: a worm
// that held its channels at the node's would keep others from what it leaves
// unused.
func (b *Bank) rest(node topology.Node, flits int32, t int64) {
	if b.restsUntil != nil {
		b.restsUntil[node] = t + (int64(flits)*b.timing.Pace+PaceUnit-1)/PaceUnit
	}
}

// afterRest returns the first cycle, from t on, in which a node may begin a packet.
func (b *Bank) afterRest(node topology.Node, t int64) int64 {
	if b.restsUntil != nil {
		return max(t, b.restsUntil[node])
	}
	return t
}

// tryLater is try for a cycle that may lie beyond the calendar, as that does
// until which a node rests.
func (b *Bank) tryLater(c Channel, cycle int64) {
	if cycle-b.now <= b.wheel.mask {
		b.try(c, cycle)
	} else if k := &b.channels[c]; cycle < k.next {
		k.next = cycle
		b.wheel.push(event{cycle, int32(c), nodeRested})
	}
}

// injectable returns the first cycle in which the next flit may be sent on
// injection channel c as far as is known, or never.
func (b *Bank) injectable(c Channel, cur *injecting) int64 {
	need, t := int32(1), max(b.now, b.channels[c].free)
	if cur.packet == none {
		node := b.w.source[b.w.link[c]].Node
		if b.queueHead[node] == none {
			return never
		}
		if b.timing.Switching == VirtualCutThrough {
			need = b.upcoming(node)
		}
		t = b.afterRest(node, t)
	}
	return b.room(c, need, t)
}

// injectFlit sends the next flit on injection channel c, now.
func (b *Bank) injectFlit(c Channel, cur *injecting) {
	ch := &b.channels[c]
	if cur.packet == none {
		p := b.newPacket(b.w.source[b.w.link[c]].Node, b.now)
		*cur = injecting{packet: p, length: b.packets[p].Length}
		ch.holder, b.claims[c].since = source, b.now
	}
	ch.free = b.now + b.timing.Flit
	if b.trace != nil {
		b.trace.Sent(b.now, c, b.packets[cur.packet].Number, cur.gone, b.now)
	}
	b.arrive(c, cur.packet, cur.gone)
	if cur.gone++; cur.gone == cur.length {
		ch.holder = none
		b.use(c, cur.length, ch.free)
		cur.packet = none
	}
}

package router

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
		b.try(c, max(again, b.now+1))
	}
}

// injectable returns the first cycle in which the next flit may be sent on
// injection channel c as far as is known, or never.
func (b *Bank) injectable(c Channel, cur *injecting) int64 {
	need := int32(1)
	if cur.packet == none {
		node := b.w.source[b.w.link[c]].Node
		if b.queueHead[node] == none {
			return never
		}
		if b.timing.Switching == VirtualCutThrough {
			need = b.upcoming(node)
		}
	}
	return b.room(c, need, max(b.now, b.channels[c].free))
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

package router

// inject is stage 4 for a node, given by the first of its injection links:
// each idle port takes the next packet of the source queue as soon as there is
// room for its header, each busy one goes on with its packet.
func (b *Bank) inject(l Link) {
	node := b.w.source[l].Node
	ports := b.injecting[int(node)*b.w.InjectionPorts:][:b.w.InjectionPorts]
	for i := range ports {
		if b.injectable(l+Link(i), &ports[i]) <= b.now {
			b.injectFlit(l+Link(i), &ports[i])
		}
	}
	// Only now is it known which packet is next: a port may have taken the
	// one another had no room for, but that is seen a cycle later.
	again := never
	for i := range ports {
		again = min(again, b.injectable(l+Link(i), &ports[i]))
	}
	if again < never {
		b.try(l, max(again, b.now+1))
	}
}

// injectable returns the first cycle in which the next flit may be sent on
// injection link l as far as is known, or never.
func (b *Bank) injectable(l Link, cur *injecting) int64 {
	need := int32(1)
	if cur.packet == none {
		node := b.w.source[l].Node
		if b.queueHead[node] == none {
			return never
		}
		if b.timing.Switching == VirtualCutThrough {
			need = b.upcoming(node)
		}
	}
	return b.room(b.w.first[l], need, max(b.now, b.links[l].free))
}

// injectFlit sends the next flit on injection link l, now.
func (b *Bank) injectFlit(l Link, cur *injecting) {
	c := b.w.first[l]
	ch := &b.channels[c]
	if cur.packet == none {
		p := b.newPacket(b.w.source[l].Node)
		*cur = injecting{packet: p, length: b.packets[p].Length}
		ch.holder, b.claims[c].since = source, b.now
	}
	b.links[l].free = b.now + b.timing.Flit
	if b.trace != nil {
		b.trace.Sent(b.now, c, b.packets[cur.packet].Number, cur.gone, b.now)
	}
	b.arrive(c, cur.packet, cur.gone)
	if cur.gone++; cur.gone == cur.length {
		ch.holder = none
		u := &b.usage[l]
		u.Flits += int64(cur.length)
		u.Held += b.links[l].free - b.claims[c].since
		cur.packet = none
	}
}

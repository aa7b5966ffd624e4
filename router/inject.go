package router

import "contend/netsim/topology"

// Offer puts a message at the end of its node's source queue, now. Its packets
// are numbered from number on.
func (b *Bank) Offer(message int32, number int64, from, to topology.Node, flits, job int32) {
	e := b.freeEntry
	if e == none {
		e = int32(len(b.entries))
		b.entries = append(b.entries, entry{})
	} else {
		b.freeEntry = b.entries[e].next
	}
	b.entries[e] = entry{message: message, number: number, flits: flits, to: to, job: job, next: none}
	first := b.queueHead[from] == none
	if first {
		b.queueHead[from] = e
	} else {
		b.entries[b.queueTail[from]].next = e
	}
	b.queueTail[from] = e
	switch c := b.w.Injection(from); {
	case b.closed != nil:
		b.injectHeader(c)
	case b.worms:
		if first {
			b.flow(c)
		}
	case first || b.w.InjectionPorts > 1:
		b.try(c, b.now)
	}
}

// newPacket cuts the next packet from the source queue of a node, whose header
// is sent in a cycle.
func (b *Bank) newPacket(node topology.Node, cycle int64) int32 {
	e := &b.entries[b.queueHead[node]]
	length := min(e.flits, b.most)
	var p int32
	if n := len(b.freePacket); n > 0 {
		p = b.freePacket[n-1]
		b.freePacket = b.freePacket[:n-1]
	} else {
		p = int32(len(b.packets))
		b.packets = append(b.packets, Packet{})
	}
	b.packets[p] = Packet{Message: e.message, Length: length, From: node, To: e.to, Job: e.job, Injected: cycle, Number: e.number}
	e.number++
	b.inFlight++
	if e.flits -= length; e.flits == 0 {
		i := b.queueHead[node]
		b.queueHead[node] = e.next
		e.next, b.freeEntry = b.freeEntry, i
	}
	return p
}

// node returns the node that injects on channel c.
func (b *Bank) node(c Channel) topology.Node { return b.w.source[b.w.link[c]].Node }

// upcoming returns the length of the next packet of a node's source queue.
func (b *Bank) upcoming(node topology.Node) int32 {
	return min(b.entries[b.queueHead[node]].flits, b.most)
}

// inject is stage 4 for a node, given by the first of its injection channels:
// each idle port takes the next packet of the source queue as soon as there is
// room for its header, each busy one goes on with its packet.
func (b *Bank) inject(c Channel) {
	node := b.node(c)
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
		node := b.node(c)
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
		p := b.newPacket(b.node(c), b.now)
		*cur = injecting{packet: p, length: b.packets[p].Length}
		b.claims[c].holder, b.claims[c].since = source, b.now
	}
	ch.free = b.now + b.timing.Flit
	if b.trace != nil {
		b.trace.Sent(b.now, c, b.packets[cur.packet].Number, cur.gone, b.now)
	}
	b.arrive(c, cur.packet, cur.gone)
	if cur.gone++; cur.gone == cur.length {
		b.injected(c, cur)
	}
}

// injected ends the hold of injection channel c, whose packet's tail was sent.
func (b *Bank) injected(c Channel, cur *injecting) {
	k := &b.claims[c]
	k.holder, k.freeAt = none, b.channels[c].free
	b.use(c, cur.length)
	cur.packet = none
}

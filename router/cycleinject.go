package router

import "contend/netsim/topology"

// injectBodies sends the next flit of each packet that a node has begun, where there is room.
func (e *cycleEngine) injectBodies() {
	x := e.x
	for k, words := range x.injects {
		for ; words != 0; words &= words - 1 {
			at := k<<6 + first(words)
			w := &x.out[at]
			set := w.busy & w.room
			if set == 0 {
				x.injects[k] &^= words & -words
				continue
			}
			e.calendar.at(e.now + 1)
			if e.trace != nil {
				e.traceInjected(at, set)
			}
			e.carry(at, set)
			tails := x.toInject.sub(at, set)
			if x.carries != nil {
				for ; set != 0; set &= set - 1 {
					e.pause(int32(at<<6 + first(set)))
				}
			}
			w.busy &^= tails
			x.tails.unfold(at, tails)
		}
	}
	for _, s := range x.tails.take() {
		e.injectedTail(s)
	}
}

// traceInjected tells of the flits that nodes send now on channels of a word.
func (e *cycleEngine) traceInjected(at int, set uint64) {
	for ; set != 0; set &= set - 1 {
		s := int32(at<<6 + first(set))
		k := &e.packets[e.injecting[e.x.fifos[s].behind].packet]
		e.trace.Sent(e.now, e.x.channel[s], k.Number, k.Length-e.x.toInject.get(s), e.now)
	}
}

// pause has a node send nothing on a channel until its link has carried the flit that it sends now,
// for longer than a cycle.
func (e *cycleEngine) pause(s int32) {
	x := e.x
	x.out[s>>6].busy &^= 1 << (s & 63)
	x.reopenAt(&e.calendar, e.now+e.flitTime(x.channel[s]), x.link(s), 1)
}

// injectedTail notes that a node has sent a tail on a channel.
func (e *cycleEngine) injectedTail(s int32) {
	port, c := e.x.fifos[s].behind, e.x.channel[s]
	cur := &e.injecting[port]
	cur.free = e.now + e.flitTime(c)
	e.injected(c, cur)
	if node := topology.Node(int(port) / e.w.InjectionPorts); e.queues[node].count > 0 {
		e.tryNode(node, cur.free)
	}
}

// reopenNode has a node send the next flit of the packet that is under way on a channel, if there
// is one.
func (e *cycleEngine) reopenNode(s int32) {
	x := e.x
	if !is(x.out[s>>6].nodes, s) {
		return
	}
	cur := &e.injecting[x.fifos[s].behind]
	if cur.packet != none && s == x.slot(x.link(s))+cur.virtual {
		x.out[s>>6].busy |= 1 << (s & 63)
		x.injects[s>>12] |= 1 << (s >> 6 & 63)
	}
}

// roomAtNode notes that a node knows of room on an injection channel that had none, or not enough.
func (e *cycleEngine) roomAtNode(s int) {
	port := int(e.x.fifos[s].behind)
	if e.injecting[port].packet != none {
		e.x.injects[s>>12] |= 1 << (s >> 6 & 63)
	} else if node := topology.Node(port / e.w.InjectionPorts); e.queues[node].count > 0 {
		e.tryNode(node, e.now)
	}
}

// injectEach has those of a list of nodes begin packets that are to be looked at now.
func (e *cycleEngine) injectEach(nodes []topology.Node) {
	for _, node := range nodes {
		if first := &e.ports(node)[0]; first.next == e.now { // else it was looked at, or will be
			first.next = never
			e.inject(node)
		}
	}
}

// inject has each idle injection port of a node take the next packet of the source queue as soon
// as there is room for its header.
func (e *cycleEngine) inject(node topology.Node) {
	c, ports, many := e.w.injection[node], e.ports(node), Channel(e.w.NodeVirtualChannels)
	for i := range ports {
		if first := c + Channel(i)*many; e.injectable(node, first, &ports[i]) <= e.now {
			e.injectHeader(node, first, &ports[i])
		}
	}
	// Only now is it known which packet is next: a port may have taken the
	// one another had no room for, but that is seen a cycle later.
	again := never
	for i := range ports {
		again = min(again, e.injectable(node, c+Channel(i)*many, &ports[i]))
	}
	if again < never {
		e.tryNode(node, max(again, e.now+1))
	}
}

// injectable returns the first cycle in which a node may begin a packet on its injection port led by
// first as far as is known, or never if the port has one or there is no room for one.
func (e *cycleEngine) injectable(node topology.Node, first Channel, cur *injecting) int64 {
	if cur.packet == none && e.queues[node].count > 0 && e.entrance(node, first, cur.virtual) >= 0 {
		return e.afterRest(node, max(e.now, cur.free))
	}
	return never
}

// entrance returns the virtual channel of the injection port led by first that a node's
// next packet takes: the first with room after the one last taken, or none.
func (e *cycleEngine) entrance(node topology.Node, first Channel, last int32) int32 {
	many, need := int32(e.w.NodeVirtualChannels), int32(1)
	if e.x.cut {
		need = e.upcoming(node)
	}
	s := e.x.slots[first]
	for k := last + 1; k <= last+many; k++ {
		if v := wrapped(k, many); e.x.roomFor(s+v, need) {
			return v
		}
	}
	return none
}

// injectHeader sends the header of a node's next packet on its injection port led by first, now.
func (e *cycleEngine) injectHeader(node topology.Node, first Channel, cur *injecting) {
	x, v := e.x, e.entrance(node, first, cur.virtual)
	p := e.newPacket(node, min(e.now, e.turn(node, e.idleFrom(node))), e.now)
	c := first + Channel(v)
	cur.packet, cur.length, cur.virtual = p, e.packets[p].Length, v
	cur.free = e.now + e.flitTime(c)
	k, s := &e.vcs[c], x.slots[c]
	k.holder, k.since = source, e.now
	if e.trace != nil {
		e.trace.Sent(e.now, c, e.packets[p].Number, 0, e.now)
	}
	e.entered(c, s, p, e.now+e.delay(c))
	e.carry(int(s>>6), 1<<(s&63))
	e.calendar.at(e.now + 1)
	if cur.length == 1 {
		e.injected(c, cur)
		return
	}
	x.toInject.begin(s, cur.length-1)
	x.out[s>>6].busy |= 1 << (s & 63)
	x.injects[s>>12] |= 1 << (s >> 6 & 63)
	if x.carries != nil {
		e.pause(s)
	}
}

// idleFrom returns the cycle from which one of the idle injection ports of a node is free.
func (e *cycleEngine) idleFrom(node topology.Node) int64 {
	free := never
	for _, p := range e.ports(node) {
		if p.packet == none {
			free = min(free, p.free)
		}
	}
	return free
}

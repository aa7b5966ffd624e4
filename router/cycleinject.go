package router

import "contend/router/topology"

// injectBodies sends the next flit of each packet that a node has begun, where there is room.
func (e *cycleEngine) injectBodies() {
	x, n := e.x, 0
	for _, port := range x.sendingPorts {
		cur := &e.injecting[port]
		s := cur.slot
		f := &x.fifos[s]
		if cur.sending = f.credits > 0; !cur.sending {
			continue // a credit has it sent on
		}
		e.injectFlit(s, f, cur)
		switch {
		case cur.flitsSent == cur.length:
			cur.sending = false
			e.tailInjectedOn(port, Channel(s), cur)
		case x.linkFreeAt != nil:
			cur.sending = false
		default:
			x.sendingPorts[n] = port
			n++
		}
	}
	x.sendingPorts = x.sendingPorts[:n]
	if n > 0 {
		e.calendar.slotOf(e.now + 1)
	}
}

// injectFlit sends the next flit of a node's packet on a channel, now.
func (e *cycleEngine) injectFlit(s int32, f *fifo, cur *injecting) {
	x := e.x
	c := Channel(s)
	if e.trace != nil {
		e.trace.Sent(e.now, c, e.notes[cur.packet].number, cur.flitsSent, e.now)
	}
	f.credits--
	f.queuedFlits++ // only read where it is kept
	e.linkTraversal(s)
	cur.flitsSent++
	cur.free = e.now + e.flitTime(c)
	if x.linkFreeAt != nil && cur.flitsSent < cur.length {
		e.releaseLinkAt(cur.free, int32(x.link(s)))
	}
}

// injectedTail notes that a node has sent a tail on channel c.
func (e *cycleEngine) tailInjectedOn(port int32, c Channel, cur *injecting) {
	e.tailInjected(c, cur)
	if node := topology.Node(int(port) / e.w.InjectionPorts); e.queues[node].count > 0 {
		e.scheduleNode(node, cur.free)
	}
}

// port returns the injection port of a link.
func (e *cycleEngine) injectionPortOf(l Link) int32 {
	node := e.w.other[l]
	return node*int32(e.w.InjectionPorts) + int32(l-e.w.link(e.w.injection[node]))
}

// sendOn has an injection port send the next flit of its packet, if there is one, in a cycle.
func (e *cycleEngine) sendNextFlit(port int32, cycle int64) {
	if cur := &e.injecting[port]; cur.packet != none && !cur.sending && cur.free <= cycle {
		cur.sending = true
		e.x.sendingPorts = append(e.x.sendingPorts, port)
		e.calendar.slotOf(cycle)
	}
}

// roomAtNode notes that a node knows of one more place on an injection channel from a cycle on.
func (e *cycleEngine) resumeInjection(l Link, cycle int64) {
	port := e.injectionPortOf(l)
	if e.injecting[port].packet != none {
		e.sendNextFlit(port, cycle)
	} else if node := topology.Node(e.w.other[l]); e.queues[node].count > 0 {
		e.scheduleNode(node, cycle)
	}
}

// inject is stage 4 for nodes: those that have begun packets go on, and others begin them.
func (e *cycleEngine) inject() {
	e.injectBodies()
	at := e.calendar.index(e.now)
	nodes := e.calendar.nodes[at]
	e.calendar.nodes[at] = nodes[:0]
	for _, node := range nodes {
		if first := &e.ports(node)[0]; first.next == e.now { // else it was looked at, or will be
			first.next = never
			e.injectNext(node)
		}
	}
}

// injectNext has each idle injection port of a node take the next packet of the source queue as
// soon as there is room for its header.
func (e *cycleEngine) injectNext(node topology.Node) {
	c, ports := e.w.injection[node], e.ports(node)
	for i := range ports {
		if first := c + Channel(i)<<e.w.shift; e.injectable(node, first, &ports[i]) <= e.now {
			e.injectHead(node, int32(int(node)*e.w.InjectionPorts+i), first)
		}
	}
	// Only now is it known which packet is next: a port may have taken the
	// one another had no room for, but that is seen a cycle later.
	again := never
	for i := range ports {
		again = min(again, e.injectable(node, c+Channel(i)<<e.w.shift, &ports[i]))
	}
	if again < never {
		e.scheduleNode(node, max(again, e.now+1))
	}
}

// injectable returns the first cycle in which a node may begin a packet on its injection port led
// by first as far as is known, or never if the port has one or there is no room for one.
func (e *cycleEngine) injectable(node topology.Node, first Channel, cur *injecting) int64 {
	if cur.packet == none && e.queues[node].count > 0 && e.injectionVC(node, first, cur.vc) >= 0 {
		return e.afterRest(node, max(e.now, cur.free))
	}
	return never
}

// entrance returns the virtual channel of the injection port led by first that a node's
// next packet takes: the first with room after the one last taken, or none.
func (e *cycleEngine) injectionVC(node topology.Node, first Channel, last int32) int32 {
	many, need := int32(e.w.NodeVirtualChannels), int32(1)
	if e.x.cutThrough {
		need = e.nextPacketFlits(node)
	}
	s := int32(first)
	for k := last + 1; k <= last+many; k++ {
		if v := wrapped(k, many); e.x.hasCreditsFor(s+v, need) {
			return v
		}
	}
	return none
}

// injectHeader sends the header of a node's next packet on its injection port led by first, now.
func (e *cycleEngine) injectHead(node topology.Node, port int32, first Channel) {
	x, cur := e.x, &e.injecting[port]
	v := e.injectionVC(node, first, cur.vc)
	p := e.newPacket(node, min(e.now, e.turnOf(node, e.idleFrom(node))), e.now)
	c := first + Channel(v)
	cur.packet, cur.flitsSent, cur.length, cur.vc = p, 0, e.packets[p].Length, v
	k, s := &e.vcs[c], int32(c)
	cur.slot = s
	k.holder, k.since = source, e.now
	e.headSent(s, p, e.now+e.delay(c))
	e.injectFlit(s, &x.fifos[s], cur)
	switch {
	case cur.length == 1:
		e.tailInjected(c, cur)
	case x.linkFreeAt == nil:
		cur.sending = true
		x.sendingPorts = append(x.sendingPorts, port)
		e.calendar.slotOf(e.now + 1)
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

// wrapped returns i, below twice the size of a ring, as an index of the ring.
func wrapped(i, size int32) int32 {
	i -= size
	return i + size&(i>>31)
}

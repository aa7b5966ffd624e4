package router

import "contend/router/topology"

// injectBodies sends the next flit of each packet that a node has begun, if it has a credit.
func (e *cycleEngine) injectBodies() {
	x, n := e.x, 0
	for _, port := range x.sendingPorts {
		cur := &e.injecting[port]
		s := cur.slot
		f := &x.fifos[s]
		if cur.sending = f.credits > 0; !cur.sending {
			continue // resumeInjection continues it
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

// injectFlit sends the next flit of a node's packet on VC s.
func (e *cycleEngine) injectFlit(s int32, f *fifo, cur *injecting) {
	x := e.x
	c := Channel(s)
	if e.trace != nil {
		e.trace.Sent(e.now, c, e.notes[cur.packet].number, cur.flitsSent, e.now)
	}
	f.credits--
	f.queuedFlits++ // not read unless countsQueued
	e.linkTraversal(s)
	cur.flitsSent++
	cur.free = e.now + e.flitTime(c)
	if x.linkFreeAt != nil && cur.flitsSent < cur.length {
		e.releaseLinkAt(cur.free, int32(x.link(s)))
	}
}

// tailInjectedOn releases injection VC c, on which a node has sent a tail, and schedules the next
// packet.
func (e *cycleEngine) tailInjectedOn(port int32, c Channel, cur *injecting) {
	e.tailInjected(c, cur)
	if node := topology.Node(int(port) / e.w.InjectionPorts); e.queues[node].count > 0 {
		e.scheduleNode(node, cur.free)
	}
}

// injectionPortOf returns the injection port of a link.
func (e *cycleEngine) injectionPortOf(l Link) int32 {
	node := e.w.other[l]
	return node*int32(e.w.InjectionPorts) + int32(l-e.w.link(e.w.injection[node]))
}

// sendNextFlit schedules the next flit of the packet of an injection port, if it has one, for a
// cycle.
func (e *cycleEngine) sendNextFlit(port int32, cycle int64) {
	if cur := &e.injecting[port]; cur.packet != none && !cur.sending && cur.free <= cycle {
		cur.sending = true
		e.x.sendingPorts = append(e.x.sendingPorts, port)
		e.calendar.slotOf(cycle)
	}
}

// resumeInjection schedules injection on a link, on which the node has one more credit from a cycle
// on.
func (e *cycleEngine) resumeInjection(l Link, cycle int64) {
	port := e.injectionPortOf(l)
	if e.injecting[port].packet != none {
		e.sendNextFlit(port, cycle)
	} else if node := topology.Node(e.w.other[l]); e.queues[node].count > 0 {
		e.scheduleNode(node, cycle)
	}
}

// inject sends flits of nodes: the next flits of packets under way, then heads.
func (e *cycleEngine) inject() {
	e.injectBodies()
	at := e.calendar.index(e.now)
	nodes := e.calendar.nodes[at]
	e.calendar.nodes[at] = nodes[:0]
	for _, node := range nodes {
		if first := &e.ports(node)[0]; first.next == e.now { // otherwise it has been or will be scheduled
			first.next = never
			e.injectNext(node)
		}
	}
}

// injectNext gives each idle injection port of a node the next packet of the source queue if there
// are credits for its head, and schedules the rest.
func (e *cycleEngine) injectNext(node topology.Node) {
	c, ports := e.w.injection[node], e.ports(node)
	for i := range ports {
		if first := c + Channel(i)<<e.w.shift; e.injectable(node, first, &ports[i]) <= e.now {
			e.injectHead(node, int32(int(node)*e.w.InjectionPorts+i), first)
		}
	}
	// A port may have taken the packet for which another had no credits, so the packet that is next
	// now may fit; it is sent a cycle later.
	again := never
	for i := range ports {
		again = min(again, e.injectable(node, c+Channel(i)<<e.w.shift, &ports[i]))
	}
	if again < never {
		e.scheduleNode(node, max(again, e.now+1))
	}
}

// injectable returns the first cycle in which a node may begin a packet on the injection port whose
// first VC is first, or never if the port is busy or has no credits.
func (e *cycleEngine) injectable(node topology.Node, first Channel, cur *injecting) int64 {
	if cur.packet == none && e.queues[node].count > 0 && e.injectionVC(node, first, cur.vc) >= 0 {
		return e.afterRest(node, max(e.now, cur.free))
	}
	return never
}

// injectionVC returns the VC, counted from first, that a node's next packet takes on an injection
// port: the first with credits after the one last taken, or none.
func (e *cycleEngine) injectionVC(node topology.Node, first Channel, last int32) int32 {
	vcs, need := int32(e.w.NodeVirtualChannels), int32(1)
	if e.x.cutThrough {
		need = e.nextPacketFlits(node)
	}
	s := int32(first)
	for k := last + 1; k <= last+vcs; k++ {
		if v := wrapped(k, vcs); e.x.hasCreditsFor(s+v, need) {
			return v
		}
	}
	return none
}

// injectHead sends the head of a node's next packet on the injection port whose first VC is first.
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

// idleFrom returns the first cycle from which an idle injection port of a node is free.
func (e *cycleEngine) idleFrom(node topology.Node) int64 {
	free := never
	for _, p := range e.ports(node) {
		if p.packet == none {
			free = min(free, p.free)
		}
	}
	return free
}

// wrapped returns i, less than twice size, modulo size, without a branch.
func wrapped(i, size int32) int32 {
	i -= size
	return i + size&(i>>31)
}

package router

import "contend/router/topology"

// injectBodies sends the next flit of each packet that a node has begun, if it has a credit and the
// link is free.
func (e *cycleEngine) injectBodies() {
	x, n := e.x, 0
	for _, port := range x.sendingPorts {
		cur := &e.injecting[port]
		if x.fifos[cur.slot].credits > 0 && cur.free <= e.now {
			if e.injectFlit(cur); cur.packet == none {
				if node := topology.Node(int(port) / e.w.InjectionPorts); e.queues[node].count > 0 {
					e.scheduleNode(node, cur.free)
				}
				continue
			}
		}
		x.sendingPorts[n] = port
		n++
	}
	x.sendingPorts = x.sendingPorts[:n]
}

// injectFlit sends the next flit of a node's packet, and releases the VC behind a tail.
func (e *cycleEngine) injectFlit(cur *injecting) {
	s := cur.slot
	f, c := &e.x.fifos[s], Channel(s)
	if e.trace != nil {
		e.trace.Sent(e.now, c, e.notes[cur.packet].number, cur.flitsSent, e.now)
	}
	f.credits--
	f.queuedFlits++ // not read unless countsQueued
	e.x.coming.add(s)
	cur.flitsSent++
	cur.free = e.now + e.flitTime(c)
	e.calendar.slotOf(cur.free)
	if cur.flitsSent == cur.length {
		e.tailInjected(c, cur)
	}
}

// resumeInjection schedules injection at the node that waits for a credit of VC s, which it has
// from a cycle on.
func (e *cycleEngine) resumeInjection(s int32, cycle int64) {
	e.awaitCredits(Channel(s), e.x.unusedSlot)
	e.scheduleNode(e.node(Channel(s)), cycle)
}

// awaitCredits sets the upstream of the VCs of a node's injection link: see buffers.nodeSlot.
func (e *cycleEngine) awaitCredits(c Channel, upstream int32) {
	first := int32(e.firstVCOfLink(c))
	for s := first; s < first+int32(e.w.NodeVirtualChannels); s++ {
		e.x.fifos[s].upstream = upstream
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
	e.linkTraversal(e.x.coming.take())
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
	if cur.packet != none || e.queues[node].count == 0 {
		return never
	}
	if e.injectionVC(node, first, cur.vc) == none {
		e.awaitCredits(first, e.x.nodeSlot)
		return never
	}
	return e.afterRest(node, max(e.now, cur.free))
}

// injectionVC returns the VC, counted from first, that a node's next packet takes on an injection
// port: the first with credits after the one last taken, or none.
func (e *cycleEngine) injectionVC(node topology.Node, first Channel, last int32) int32 {
	vcs, need := int32(e.w.NodeVirtualChannels), int32(1)
	switch {
	case e.timing.AtomicVCs:
		need = e.timing.Buffer
	case e.x.cutThrough:
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
	if e.injectFlit(cur); cur.packet != none {
		x.sendingPorts = append(x.sendingPorts, port)
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

package router

import (
	"slices"

	"contend/router/topology"
)

// Switch and link traversal (ST, LT) of the cycle-driven engine.

// switchTraversal sends one flit from each FIFO in list.
func (e *cycleEngine) switchTraversal(list []int32) {
	x := e.x
	x.headsAndTails = slices.Grow(x.headsAndTails[:0], len(list))[:len(list)]
	e.traceSent(list)
	if x.unitDelay {
		e.traverseUnitDelay(list)
	} else {
		e.traverse(list)
	}
	if x.sent != nil {
		x.passLast()
	}
	if x.linkFreeAt != nil {
		e.busyLinks(list)
	}
	e.finishHeadsAndTails()
}

// traverse sends one flit from each FIFO in list: the flit arrives the link delay ahead, its credit
// upstream the credit delay ahead.
func (e *cycleEngine) traverse(list []int32) {
	x := e.x
	x.coming.reserve(len(list))
	coming, c := x.coming.list, 0
	fifos, in, ends, n := x.fifos, x.in, x.headsAndTails, 0
	for _, i := range list {
		from := &fifos[i]
		o := from.outputVC
		to, w := &fifos[o], &in[i>>6]
		occupancy, credits := from.occupancy-1, to.credits-to.buffersFlits
		from.occupancy, to.credits = occupancy, credits
		w.occupied &^= below(occupancy, 1) << (i & 63)
		w.hasCredit &^= below(credits, 1) << (i & 63)
		port := x.portVCs[i&63]
		w.atOrAfterPointer = w.atOrAfterPointer&^port | port&(^uint64(1)<<(i&63))
		// flitsLeft is negative before a head is sent, and 1 before a tail is.
		ends[n] = i
		n += int(below(from.flitsLeft, 2))
		from.flitsLeft = max(from.flitsLeft, -from.flitsLeft) - 1
		coming[c] = o // a flit to a node is overwritten
		c += int(to.buffersFlits)
	}
	e.linkTraversal(coming[:c])
	e.returnCredits(list)
	x.headsAndTails = ends[:n]
	e.countQueued(list)
}

// deliverToNodes removes the VCs from list that end at nodes, and schedules the credits of the
// flits sent on them, whose places are free again as they arrive.
func (e *cycleEngine) deliverToNodes(list []int32) []int32 {
	rest := list[:0]
	for _, o := range list {
		if c := Channel(o); e.vcs[o].sink() {
			e.creditAt(e.now+e.delay(c)+e.credit(c), o)
		} else {
			rest = append(rest, o)
		}
	}
	return rest
}

// linkTraversal sends flits on the VCs in list, which buffer flits.
func (e *cycleEngine) linkTraversal(list []int32) {
	x, t := e.x, e.now+e.timing.Link
	if e.timing.NodesReturnCredits {
		list = e.deliverToNodes(list)
	}
	if e.divided != nil && len(list) > 0 {
		list = e.post(mailedFlits, e.divided.enters, list, list)
	}
	switch {
	case len(list) == 0:
	case e.linkTimings != nil:
		for _, o := range list {
			e.arriveAt(e.now+int64(e.linkTimings[o].Delay), o)
		}
	case x.unitDelay:
		for _, o := range list {
			if x.fifos[o].occupancy++; x.singleVC {
				x.sendIfReady(&x.fifos[o])
			} else {
				x.in[o>>6].occupied |= 1 << (o & 63)
				x.activate(o)
			}
		}
		e.calendar.slotOf(t)
	default:
		x.arrivals.at(t).append(list)
		e.calendar.slotOf(t)
	}
}

// arriveAt schedules the arrival of a flit on VC o.
func (e *cycleEngine) arriveAt(cycle int64, o int32) {
	e.calendar.slotOf(cycle)
	e.x.arrivals.add(cycle, o)
}

// returnCredits sends the credits for the places that flits have left in the FIFOs in list.
func (e *cycleEngine) returnCredits(list []int32) {
	x, t := e.x, e.now+e.timing.Credit
	if e.divided != nil && len(list) > 0 {
		x.left.reserve(len(list))
		list = e.post(mailedCredits, e.divided.leaves, list, x.left.list)
	}
	if e.linkTimings == nil && len(list) > 0 {
		x.credits.at(t).append(list)
		e.calendar.slotOf(t)
		return
	}
	for _, i := range list {
		e.creditAt(e.now+int64(e.linkTimings[i].Credit), i)
	}
}

// creditAt schedules the return of a credit for a place in FIFO i.
func (e *cycleEngine) creditAt(cycle int64, i int32) {
	e.calendar.slotOf(cycle)
	e.x.credits.add(cycle, i)
}

// countQueued updates queuedFlits for one flit sent from each FIFO in list, if it is kept.
func (e *cycleEngine) countQueued(list []int32) {
	x := e.x
	if !x.countsQueued {
		return
	}
	for _, i := range list {
		from := &x.fifos[i]
		from.queuedFlits--
		if o := from.outputVC; e.divided == nil || e.divided.enters[x.link(o)] == e.part {
			to := &x.fifos[o] // receiveMail counts the others
			to.queuedFlits += to.buffersFlits
		}
	}
}

// traverseUnitDelay is traverse where flits and credits take one cycle, as by default. Input
// arbitration of this cycle is over, so they may arrive at once. BenchmarkVirtualChannels: 1.3
// times as fast as traverse.
func (e *cycleEngine) traverseUnitDelay(list []int32) {
	x := e.x
	fifos, in, ends, n := x.fifos, x.in, x.headsAndTails, 0
	for _, i := range list {
		from := &fifos[i]
		o := from.outputVC
		to, w := &fifos[o], &in[i>>6]
		before, buffersFlits := from.upstream, to.buffersFlits
		occupancy, credits := from.occupancy-1, to.credits-buffersFlits
		from.occupancy, to.credits = occupancy, credits
		to.occupancy += buffersFlits
		from.credits++
		w.occupied &^= below(occupancy, 1) << (i & 63)
		w.hasCredit &^= below(credits, 1) << (i & 63)
		port := x.portVCs[i&63]
		w.atOrAfterPointer = w.atOrAfterPointer&^port | port&(^uint64(1)<<(i&63))
		in[o>>6].occupied |= uint64(buffersFlits) << (o & 63)
		in[before>>6].hasCredit |= 1 << (before & 63)
		ends[n] = i
		n += int(below(from.flitsLeft, 2))
		from.flitsLeft = max(from.flitsLeft, -from.flitsLeft) - 1
		x.activate(o)
		x.activate(before)
		if before == x.nodeSlot {
			e.resumeInjection(i, e.now+1)
		}
	}
	x.headsAndTails = ends[:n]
}

// below returns 1 if a is less than b and 0 otherwise, without a branch. Both are small.
func below(a, b int32) uint64 { return uint64(uint32(a-b) >> 31) }

// busyLinks marks the links and input ports that send from the FIFOs in list as busy for a flit
// time.
func (e *cycleEngine) busyLinks(list []int32) {
	x := e.x
	for _, slot := range list {
		f := &x.fifos[slot]
		o, flits := Channel(f.outputVC), int64(1)
		l, i := e.w.link(o), x.link(slot)
		limited := x.portBudget != nil && e.w.Width(i) > 1 // ports of one VC are not limited
		if x.whole {
			if !x.isHead(slot) {
				e.sendBodies(slot, f, l, limited)
				continue
			}
			flits = int64(f.flitsLeft) + 1
		}
		x.linkFreeAt[l] = e.now + flits*e.flitTime(o)
		for s := x.slot(l); s < x.slot(l+1); s++ {
			from := x.fifos[s].upstream
			x.linkFree[from>>6] &^= 1 << (from & 63)
		}
		if limited {
			x.portBudget[x.port(slot)]--
		}
		if x.whole {
			e.sendBodies(slot, f, l, limited)
			continue
		}
		e.releaseLinkAt(x.linkFreeAt[l], int32(l))
		if limited {
			e.releaseLinkAt(e.now+e.flitTime(e.w.firstVC(i)), ^x.port(slot))
		}
	}
}

// sendBodies schedules the next flit of a packet that holds link l, which sends a flit of FIFO slot
// now: body flits take no part in switch allocation. Behind a tail it schedules the release of the
// link and, if it is limited, of the input port.
func (e *cycleEngine) sendBodies(slot int32, f *fifo, l Link, limited bool) {
	x := e.x
	if left := int64(f.flitsLeft); left > 0 {
		next := e.now + (x.linkFreeAt[l]-e.now)/(left+1)
		e.calendar.slotOf(next)
		x.bodies.add(next, slot)
		return
	}
	e.releaseLinkAt(x.linkFreeAt[l], int32(l))
	if limited {
		e.releaseLinkAt(x.linkFreeAt[l], ^x.port(slot))
	}
}

// setLaterFlitTime sets the flit time that link l gets behind a packet, whose tail has been sent.
func (e *cycleEngine) setLaterFlitTime(l Link) {
	if cycles := e.x.laterFlit[l]; cycles > 0 {
		e.x.laterFlit[l] = 0
		e.setFlitTime(l, cycles)
	}
}

// releaseLinkAt schedules the release of a link, or of an input port given as its complement.
func (e *cycleEngine) releaseLinkAt(cycle int64, l int32) {
	e.calendar.slotOf(cycle)
	e.x.linkReleases.add(cycle, l)
}

// traceSent reports the flits that are sent now from the FIFOs in list.
func (e *cycleEngine) traceSent(list []int32) {
	if e.trace == nil {
		return
	}
	for _, i := range list {
		f, p := &e.x.fifos[i], e.vcs[i].packet
		e.trace.Sent(e.now, Channel(f.outputVC), e.notes[p].number,
			e.packets[p].Length-max(f.flitsLeft, -f.flitsLeft), e.vcs[i].ready+e.timing.Allocation)
	}
}

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
		if e.x.whole {
			e.setLaterFlitTime(e.w.link(c))
		}
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
	e.notes[p].tailComes = e.now + e.delay(c) + int64(cur.length-1)*e.flitTime(c)
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

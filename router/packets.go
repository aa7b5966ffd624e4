package router

import (
	"math/bits"
	"slices"

	"contend/router/topology"
)

// The packet engine computes when heads are sent, and moves no body flits. It is exact under
// virtual cut-through if a link that has begun a packet sends its flits without a gap: flit j of
// a packet whose head is sent on a link in cycle s is sent in s + jF. That holds if
//
//   - all links take the same flit time F, so the flits arrive at that pace too, or
//     PacketsHoldLinks, with which a head waits until the tail will not come late;
//   - the head has been sent with credits for the whole packet;
//   - the link is not shared until the tail is sent: links have one VC, packets have one flit, or
//     PacketsHoldLinks;
//   - input ports are not limited, or limit packets and not flits: PacketsHoldLinks again.
//
// So one event a packet and router is enough. BenchmarkWholePackets: 5 to 8 times as fast as the
// cycle-driven engine. Occupancies, credits and queues in any cycle follow from the times at which
// heads arrive and leave (hop). A head may be sent once it holds a VC whose FIFO has room for the
// packet (roomAt), and its link is free. The next of these VCs, round-robin, is sent (serve), of
// those that their input ports nominate if these are limited (packetPorts).
//
// A link is looked at when a head gets one of its VCs, and when a packet that waits for room, or
// for the link, may go. Nothing is scheduled for the release of a link that nobody waits for. As a
// packet's tail is known when its head is sent, its output VC is released ahead of time, with the
// cycle from which it is free.

// PacketsAreExact reports whether the packet engine computes the same times as the cycle-driven
// one, for packets of at most packetFlits flits.
func PacketsAreExact(w *Wiring, x Routing, t Timing, packetFlits int32) bool {
	alike := true
	for _, k := range t.Links {
		alike = alike && k.Flit == t.Links[0].Flit
	}
	oneVC, most := w.VirtualChannels == 1, max(w.VirtualChannels, w.NodeVirtualChannels)
	if w.EscapePaths {
		most = max(most, w.VirtualChannels+1)
	}
	whole := packetFlits == 1 || most == 1 || t.PacketsHoldLinks
	cutThrough := t.Switching == VirtualCutThrough || packetFlits == 1 && t.Switching == Wormhole
	limited := t.InputSpeedup > 0 && !oneVC
	return whole && cutThrough && (t.PacketsHoldLinks || alike && !limited) &&
		most <= maxPacketVCs && t.SlowestFlit == 0 && t.Buffer >= packetFlits && !t.AtomicVCs && !t.NodesReturnCredits
}

// packetEngine implements engine.
type packetEngine struct {
	*Routers
	x *packetState
}

// newPacketEngine returns the engine.
func newPacketEngine(b *Routers) engine {
	x := &packetState{vcs: make([]packetVC, len(b.vcs)), links: make([]packetLink, b.w.Links()),
		buffer: b.timing.Buffer}
	for c := range x.vcs {
		x.vcs[c] = packetVC{tailAt: -1, front: none, oldest: none, place: none}
	}
	for l := range x.links {
		t := b.timing.on(Link(l))
		x.links[l] = packetLink{wakesAt: never, soonest: never, emptiesAt: never, delay: t.Delay,
			credit: t.Credit, flit: t.Flit}
		x.dries = x.dries || t.Flit != x.links[0].flit
	}
	x.ports = newPacketPorts(b.w, &b.timing, x.links)
	b.byPacket = x
	if b.escaping != nil && b.matching == nil {
		b.openLinks = newOpenLinks(b.w)
	}
	if b.view != nil {
		b.view = packetView{view{b}}
	}
	return packetEngine{b, x}
}

// offered schedules the node, which may be able to inject the message.
func (e packetEngine) offered(_ Channel, node topology.Node, first bool) {
	if first || e.w.InjectionPorts > 1 {
		e.scheduleNode(node, e.now)
	}
}

// receive collects the links that are to be looked at in this cycle, and serves the heads that wait
// for a FIFO to become empty.
func (e packetEngine) receive() {
	s := &e.calendar.slots[e.calendar.index(e.now)]
	for _, l := range s.links {
		if l < 0 { // the complement of a VC
			if c := Channel(^l); e.isEmpty(c) {
				if e.openLinks != nil {
					e.openLinks.empties(e.w.link(c), e.now)
				}
				e.serveEmptied(c)
			}
		} else if k := &e.x.links[l]; k.wakesAt == e.now {
			k.wakesAt = never
			e.touch(Link(l), k)
		}
	}
	s.links = s.links[:0]
	for list := range slices.Chunk(e.x.touched, batch) {
		e.readSenders(list)
	}
}

// computeRoutes computes the routes of the heads that are ready (RC).
func (e packetEngine) computeRoutes(int32) {
	s := &e.calendar.slots[e.calendar.index(e.now)]
	for list := s.ready; len(list) > 0; {
		n, first := min(len(list), batch), int32(none)
		e.readHeads(list[:n])
		for _, c := range list[:n] {
			e.vcs[c].next, first = first, c
		}
		e.routeHeads(first)
		list = list[n:]
	}
	s.ready = s.ready[:0]
}

// startRouting puts packet p at the front of FIFO c and schedules its route computation, which
// starts in cycle h.
func (e packetEngine) startRouting(c Channel, p int32, h int64) {
	v := &e.vcs[c]
	v.packet, v.state, v.ready = p, routing, h+e.timing.Routing
	if e.outputVC != nil {
		e.setOutputVC(v, c, &e.packets[p])
	}
	e.calendar.schedule(e.now, event{v.ready, int32(c), headReady})
}

// touch enters a link in the list of those to serve in this cycle.
func (e packetEngine) touch(l Link, k *packetLink) {
	if !k.touched {
		k.touched = true
		e.x.touched = append(e.x.touched, int32(l))
	}
}

// wake schedules a look at a link, unless it is scheduled earlier.
func (e packetEngine) wake(l Link, k *packetLink, cycle int64) {
	if cycle < k.wakesAt {
		k.wakesAt = cycle
		e.calendar.schedule(e.now, event{cycle, int32(l), linkServed})
	}
}

// granted lets the head at the front of FIFO i wait for room on VC o, which it holds.
func (e packetEngine) granted(o, i Channel) {
	l := e.w.link(o)
	k, bit := &e.x.links[l], uint32(1)<<(o-e.w.firstVC(l))
	k.pending |= bit
	e.awaitRoom(o, i, k, bit)
	if k.freeAt <= e.now {
		e.touch(l, k)
	} else {
		e.wakeToSend(l, k)
	}
}

// wakeToSend schedules a look at a link for the cycle in which it may send the next head, if that
// is known.
func (e packetEngine) wakeToSend(l Link, k *packetLink) {
	next := k.soonest
	if k.sendable != 0 {
		next = e.now
	}
	if next < never {
		e.wake(l, k, max(next, k.freeAt))
	}
}

// awaitRoom computes when the head at the front of FIFO i may be sent on VC o, as far as is known.
func (e packetEngine) awaitRoom(o, i Channel, k *packetLink, bit uint32) {
	v := &e.x.vcs[o]
	v.sendableAt = max(e.roomAt(o, e.packets[e.vcs[i].packet].Length),
		e.vcs[o].since+e.timing.Allocation)
	if e.x.dries {
		v.sendableAt = max(v.sendableAt, e.tailInTime(i, k))
	}
	if v.sendableAt <= e.now {
		k.sendable |= bit
	} else {
		k.soonest = min(k.soonest, v.sendableAt)
	}
}

// tailInTime returns the cycle before which the head at the front of FIFO i would be sent so soon
// on link k that its tail comes late.
func (e packetEngine) tailInTime(i Channel, k *packetLink) int64 {
	h := &e.x.hops[e.x.vcs[i].front]
	return h.arrives + int64(h.length-1)*int64(e.x.links[e.w.link(i)].flit-k.flit)
}

// handOver gives VC o, granted to FIFO before in this cycle, to the head at the front of FIFO i.
func (e packetEngine) handOver(o, before, i Channel) {
	l := e.w.link(o)
	if k, bit := &e.x.links[l], uint32(1)<<(o-e.w.firstVC(l)); k.pending&bit != 0 {
		k.sendable &^= bit
		e.awaitRoom(o, i, k, bit)
		e.touch(l, k)
	} // else routeHeads grants it
}

// send sends heads (SA, ST, LT), of nodes and of routers.
func (e packetEngine) send() {
	e.injectNodes()
	x := e.x
	for _, l := range x.touched {
		k := &x.links[l]
		if e.findSendable(Link(l), k); x.ports != nil && k.sendable != 0 && k.freeAt <= e.now {
			e.offerHeads(Link(l), k)
		}
	}
	for _, l := range x.touched {
		e.serve(Link(l), &x.links[l])
	}
	if p := x.ports; p != nil && len(p.links) > 0 {
		e.serveNominees()
	}
	x.touched = x.touched[:0]
	if e.marker != nil {
		e.markHeads()
	}
}

// serve sends the head whose turn it is on a link, if the link is free, and says when to look at
// the link again.
func (e packetEngine) serve(l Link, k *packetLink) {
	k.touched = false
	if k.sendable != 0 && k.freeAt <= e.now {
		if p := e.x.ports; p != nil && !e.havePlaces(l, k) {
			p.links = append(p.links, int32(l))
			return
		}
		e.sendNext(l, k, k.sendable)
	}
	e.wakeToSend(l, k)
}

// findSendable adds to the heads that may be sent on a link those whose time has come.
func (e packetEngine) findSendable(l Link, k *packetLink) {
	if k.soonest > e.now {
		return
	}
	k.soonest = never
	lead := e.w.firstVC(l)
	for set := k.pending &^ k.sendable; set != 0; set &= set - 1 {
		if t := e.x.vcs[lead+Channel(bits.TrailingZeros32(set))].sendableAt; t <= e.now {
			k.sendable |= set & -set
		} else {
			k.soonest = min(k.soonest, t)
		}
	}
}

// sendNext sends, of the heads that hold a set of VCs of a link, the next one, round-robin.
func (e packetEngine) sendNext(l Link, k *packetLink, set uint32) {
	if turn := set &^ (uint32(2)<<k.lastVC - 1); turn != 0 { // those after the last one
		set = turn
	}
	at := bits.TrailingZeros32(set)
	k.pending &^= 1 << at
	k.sendable &^= 1 << at
	k.lastVC = int8(at)
	e.sendHead(l, k, e.w.firstVC(l)+Channel(at))
}

// sendHead sends the head of the packet that holds VC o of link l.
func (e packetEngine) sendHead(l Link, k *packetLink, o Channel) {
	x, now := e.x, e.now
	out := &e.vcs[o]
	i := Channel(out.holder)
	in, from, to := &e.vcs[i], &x.vcs[i], &x.vcs[o]
	p, at := in.packet, from.front
	packet, h := &e.packets[p], &x.hops[at]
	packet.Blocked += now - in.ready - e.timing.Allocation - e.dryCycles(o, i, k)
	if e.waits != nil {
		e.reportPacketSent(o, i)
	}
	if e.trace != nil {
		e.tracePacket(o, p, now, in.ready+e.timing.Allocation, false)
	}
	if e.marker != nil {
		x.sent = append(x.sent, sentPacket{int32(i), int32(o), p, e.packetCredits(o)})
	}
	length := packet.Length
	tail := now + int64(length-1)*int64(k.flit)
	h.leaves, h.pace = now, k.flit
	k.from, k.hop = int32(i), at
	e.occupy(k, out, length, tail)
	if x.ports != nil {
		port, vc := e.portVC(i)
		x.ports.sends(port, vc, now, k.freeAt)
	}
	e.releaseAhead(out, o, i, p)
	if from.gone > from.goneLength {
		x.forgetOldest(from, &x.links[e.w.link(i)], now)
	}
	from.tailAt, from.lastGone, from.goneTo = tail, at, int32(o)
	from.goneLength, from.gonePace = length, k.flit
	from.gone += length
	if from.front = none; from.last != at {
		from.front = h.next
		next := &x.hops[from.front]
		e.startRouting(i, next.packet, max(tail+1, next.arrives))
	} else {
		in.packet, in.state = none, idle
		li := &x.links[e.w.link(i)]
		li.empties(i-e.w.firstVC(e.w.link(i)), tail+int64(li.credit), now)
		if e.escaping != nil && in.flags&fromNode == 0 {
			e.calendar.schedule(now, event{tail + e.credit(i), ^int32(i), linkServed})
		}
	}
	e.roomComes(i, in, from)
	if out.sink() {
		e.calendar.schedule(now, event{tail + int64(k.delay), p, tailArrives})
		return
	}
	packet.Hops++
	e.enterFIFO(o, to, p, length)
}

// dryCycles returns the cycles for which the head at the front of FIFO i, which has held VC o of
// link k, has waited for its tail alone.
func (e packetEngine) dryCycles(o, i Channel, k *packetLink) int64 {
	if !e.x.dries {
		return 0
	}
	return max(0, e.tailInTime(i, k)-e.vcs[o].since-e.timing.Allocation)
}

// occupy makes a link, and the VC on which a packet is sent now, busy until after the tail.
func (e packetEngine) occupy(k *packetLink, out *vcState, length int32, tail int64) {
	k.freeAt = tail + int64(k.flit)
	out.holder, out.freeAt = none, k.freeAt
	k.load.flits += int64(length)
	k.held += k.freeAt - out.since
}

// releaseAhead releases VC o, from the cycle on in which the VC is free, for the heads that wait.
func (e packetEngine) releaseAhead(out *vcState, o, i Channel, p int32) {
	if out.job = e.packets[p].Job; e.waits != nil {
		out.job = e.waits.numbers[p]
	}
	if e.openLinks != nil && !e.releases(o, out.freeAt) {
		return
	}
	if out.firstWaiting != none || !e.queuePerVC {
		e.serveWaiting(out, o, i)
	}
}

// roomComes is called when a head leaves FIFO i: it may now be known when a packet that waits for
// room in the FIFO can be sent.
func (e packetEngine) roomComes(i Channel, in *vcState, from *packetVC) {
	switch {
	case in.flags&fromNode != 0:
		if node := e.node(i); e.x.links[e.w.link(i)].awaited && e.queues[node].count > 0 {
			if t := e.roomAt(i, e.nextPacketFlits(node)); t < never {
				e.scheduleNode(node, max(t, e.now+1))
			}
		}
	case in.holder >= 0 && from.sendableAt == never:
		l := e.w.link(i)
		k := &e.x.links[l]
		e.awaitRoom(i, Channel(in.holder), k, 1<<(i-e.w.firstVC(l)))
		if from.sendableAt < never {
			e.wake(l, k, max(from.sendableAt, k.freeAt))
		}
	}
}

// enterFIFO enters packet p, whose head is sent now, in FIFO c.
func (e packetEngine) enterFIFO(c Channel, v *packetVC, p, length int32) {
	x := e.x
	k, vc := e.vcOf(c)
	if k.settle(e.now); k.filled>>(vc&31)&1 == 0 {
		x.forget(v, k, vc, e.now)
	}
	k.fills(vc)
	at, arrives := x.newHop(), e.now+int64(k.delay)
	x.hops[at] = hop{arrives: arrives, leaves: never, packet: p, length: length, next: none}
	v.taken += length
	if v.oldest < 0 {
		v.oldest = at
	} else {
		x.hops[v.last].next = at
	}
	v.last = at
	if v.front < 0 {
		v.front = at
		e.startRouting(c, p, max(arrives, v.tailAt+1))
	}
}

// injectNodes sends heads of nodes.
func (e packetEngine) injectNodes() {
	at := e.calendar.index(e.now)
	nodes := e.calendar.nodes[at]
	e.calendar.nodes[at] = nodes[:0]
	for list := range slices.Chunk(nodes, batch) {
		e.readNodes(list)
		for _, node := range list {
			if first := &e.ports(node)[0]; first.next == e.now {
				first.next = never
				e.injectNext(node)
			}
		}
	}
}

// injectNext gives each idle injection port of a node the next packet of the source queue if its
// channel has room, and schedules the rest.
func (e packetEngine) injectNext(node topology.Node) {
	c, ports := e.w.injection[node], e.ports(node)
	for i := range ports {
		if at := c + Channel(i)<<e.w.shift; e.injectable(node, at, &ports[i]) <= e.now {
			e.injectHead(node, at, &ports[i])
		}
	}
	again := never
	for i := range ports {
		again = min(again, e.injectable(node, c+Channel(i)<<e.w.shift, &ports[i]))
	}
	if again < never {
		e.scheduleNode(node, max(again, e.now+1))
	}
}

// injectable returns the first cycle in which a node may begin a packet on the injection port whose
// first VC is first, as far as is known, or never.
func (e packetEngine) injectable(node topology.Node, first Channel, port *injecting) int64 {
	if e.queues[node].count == 0 {
		return never
	}
	t, soonest := e.afterRest(node, max(e.now, port.free)), never
	if t > e.now {
		return t
	}
	length := e.nextPacketFlits(node)
	for c := first; c < first+Channel(e.w.NodeVirtualChannels) && soonest > e.now; c++ {
		soonest = min(soonest, e.roomAt(c, length))
	}
	e.x.links[e.w.link(first)].awaited = soonest > e.now
	return soonest
}

// injectHead sends the head of a node's next packet on an injection port.
func (e packetEngine) injectHead(node topology.Node, first Channel, port *injecting) {
	vcs, length := int32(e.w.NodeVirtualChannels), e.nextPacketFlits(node)
	v := wrapped(port.vc+1, vcs)
	for e.roomAt(first+Channel(v), length) > e.now {
		v = wrapped(v+1, vcs)
	}
	free := never
	for _, k := range e.ports(node) {
		free = min(free, k.free)
	}
	p := e.newPacket(node, min(e.now, e.turnOf(node, free)), e.now)
	c := first + Channel(v)
	if e.trace != nil {
		e.tracePacket(c, p, e.now, e.now, true)
	}
	l := e.w.link(c)
	k, out := &e.x.links[l], &e.vcs[c]
	k.lastVC, out.since = int8(v), e.now
	e.occupy(k, out, length, e.now+int64(length-1)*int64(k.flit))
	port.vc, port.free = v, k.freeAt
	e.enterFIFO(c, &e.x.vcs[c], p, length)
	k.hop = e.x.vcs[c].last
}

// tracePacket reports the flits of packet p, whose head is sent on VC c now.
func (e packetEngine) tracePacket(c Channel, p int32, t, ready int64, injected bool) {
	for j := range e.packets[p].Length {
		if injected {
			ready = t
		}
		e.trace.Sent(t, c, e.notes[p].number, j, ready)
		t += e.flitTime(c)
	}
}

// reportPacketSent logs the rest of the wait of head i, sent on VC o now.
func (e packetEngine) reportPacketSent(o, i Channel) {
	dry := e.dryCycles(o, i, &e.x.links[e.w.link(o)])
	ready, granted := e.vcs[i].ready, e.vcs[o].since+e.timing.Allocation
	if own := e.timing.Allocation + dry; own > 0 {
		e.waits.exclude(i, ready, own)
	}
	if e.now > ready {
		e.waits.noCredit[o] = e.x.vcs[o].sendableAt > granted+dry
		e.reportSent(o, i, e.now)
	}
}

// updatePacket does nothing: packets are measured as their heads are sent.
func (e packetEngine) updatePacket(int32) {}

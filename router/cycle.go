package router

import (
	"slices"

	"contend/router/topology"
)

// The cycle-driven engine moves each flit in the cycle in which it is sent. It is exact for every
// network. The state that decides which VCs may send is bits in words of 64: see buffers. Wheels
// hold the flits and credits on the links; when they arrive, bits are set and counts rise.
//
// In each cycle (receive) flits and credits arrive, (RC) heads compute their routes, (VA) output
// VCs are allocated, (SA) input ports nominate VCs and output links choose among the nominees, and
// (ST, LT) the winners each send a flit. The cost of a flit does not depend on how full FIFOs are.

// cycleEngine implements engine.
type cycleEngine struct {
	*Routers
	x          *buffers
	allocating []allocation // grants whose allocation time is not over; empty if it is 0
}

// allocation is a grant of an output VC to the head in an input VC, which may be sent from a cycle
// on.
type allocation struct {
	cycle   int64
	out, in Channel
}

// newCycleEngine returns the engine and chooses its modes.
func newCycleEngine(b *Routers) engine {
	b.buffers = newBuffers(b.w, &b.timing)
	if b.vcSets == nil {
		b.buffers.speculator = nil // a head has a choice of links
	}
	t := &b.timing
	b.buffers.countsQueued = !TraitsOf(b.w, b.routing).Oblivious
	// A VC released in one cycle may be granted in the next.
	b.knowsHeld = b.buffers.linkFreeAt == nil && b.matching == nil && !t.AtomicVCs
	plain := t.Links == nil && t.Flit == 1 && t.Switching != StoreAndForward && b.escaping == nil &&
		!t.AtomicVCs
	// With unitDelay flits on links count as occupancy.
	b.buffers.unitDelay = plain && b.failing == nil && b.marker == nil && !t.NodesReturnCredits &&
		!t.CountsQueues && t.Link == 1 && t.Credit == 1 &&
		(t.Switching == Wormhole || b.buffers.shift == 0)
	b.buffers.singleVC = plain && b.buffers.shift == 0
	return &cycleEngine{Routers: b, x: b.buffers}
}

// offered schedules the node, which may be able to inject the message.
func (e *cycleEngine) offered(_ Channel, node topology.Node, first bool) {
	if first || e.w.InjectionPorts > 1 {
		e.scheduleNode(node, e.now)
	}
}

// granted connects VC i to output VC o, after the allocation time.
func (e *cycleEngine) granted(o, i Channel) {
	if a := e.timing.Allocation; a > 0 {
		e.x.held[o>>6] |= 1 << (o & 63)
		e.allocating = append(e.allocating, allocation{e.now + a, o, i})
		e.calendar.slotOf(e.now + a)
		return
	}
	e.connect(o, i)
}

// finishAllocations connects the pairs of VCs in allocating whose allocation time is over. Credits
// of this cycle have been received.
func (e *cycleEngine) finishAllocations() {
	if len(e.allocating) == 0 {
		return
	}
	n := 0
	for ; n < len(e.allocating) && e.allocating[n].cycle <= e.now; n++ {
		k := e.allocating[n]
		if e.connect(k.out, k.in); e.waits != nil {
			e.waits.exclude(k.in, e.vcs[k.in].ready, e.timing.Allocation)
		}
	}
	e.allocating = append(e.allocating[:0], e.allocating[n:]...)
}

// connect lets the head at the front of VC i take part in switch allocation for output VC o, which
// it holds, as soon as its tail will not come late.
func (e *cycleEngine) connect(o, i Channel) {
	x := e.x
	if x.whole && e.linkTimings != nil {
		if t := e.dryUntil(o, i); t > e.now {
			x.held[o>>6] |= 1 << (o & 63)
			e.calendar.schedule(e.now, event{t, int32(i), linkServed})
			return
		}
	}
	to, from := int32(o), int32(i)
	f, w, bit := &x.fifos[from], &x.in[from>>6], uint64(1)<<(from&63)
	f.outputVC, x.fifos[to].upstream = to, from
	x.held[to>>6] |= 1 << (to & 63)
	hasCredit := x.hasCreditsFor(to, x.creditsNeeded(f))
	if e.waits != nil {
		e.waits.noCredit[o] = !hasCredit
	}
	if x.singleVC {
		if hasCredit {
			x.sendable = append(x.sendable, to)
		}
		return
	}
	if x.linkFree != nil {
		x.linkFree[from>>6] |= bit
		if x.linkFreeAt[x.link(to)] > e.now {
			x.linkFree[from>>6] &^= bit
		}
	}
	if hasCredit {
		w.hasCredit |= bit
		x.activate(from)
	}
}

// dryUntil returns the cycle before which the head at the front of FIFO i would be sent so soon on
// VC o that its tail comes late.
func (b *Routers) dryUntil(o, i Channel) int64 {
	p := b.vcs[i].packet
	return b.notes[p].tailComes - int64(b.packets[p].Length-1)*b.flitTime(o)
}

// connectWaiting connects the heads whose tails will no longer come late, if they still hold their
// VCs.
func (e *cycleEngine) connectWaiting() {
	s := &e.calendar.slots[e.calendar.index(e.now)]
	for _, i := range s.links {
		v := &e.vcs[i]
		if v.state == active && e.x.fifos[v.outputVC].upstream != i && !e.isAllocating(Channel(i)) {
			e.connect(Channel(v.outputVC), Channel(i))
		}
	}
	s.links = s.links[:0]
}

// reconnect connects again the heads that hold VCs of link l and have not been sent, as its flit
// time has changed: their tails may come late now, or late no more.
func (e *cycleEngine) reconnect(l Link) {
	x := e.x
	for o := e.w.firstVC(l); o < e.w.firstVC(l)+e.w.VCs(l); o++ {
		i := e.vcs[o].holder
		if i < 0 || !x.isHead(i) || e.isAllocating(Channel(i)) {
			continue
		}
		x.fifos[o].upstream = x.unusedSlot
		x.in[i>>6].hasCredit &^= bit(i)
		e.connect(o, Channel(i))
	}
}

// isAllocating reports whether the allocation time of the head at the front of FIFO i is not over.
func (e *cycleEngine) isAllocating(i Channel) bool {
	return slices.ContainsFunc(e.allocating, func(k allocation) bool { return k.in == i })
}

// handOver gives output VC o, granted to VC before in this cycle, to VC i.
func (e *cycleEngine) handOver(o, before, i Channel) {
	x := e.x
	if e.timing.Allocation > 0 {
		for k := range e.allocating { // it is one of this cycle
			if g := &e.allocating[k]; g.out == o {
				g.in = i
			}
		}
		return
	}
	if slices.Contains(e.newGrants, o) {
		return // computeRoutes connects it
	}
	if x.singleVC {
		x.sendable = slices.DeleteFunc(x.sendable, func(s int32) bool { return s == int32(o) })
	}
	x.in[before>>6].hasCredit &^= 1 << (before & 63)
	e.granted(o, i)
}

// updatePacket does nothing: packets are measured as their flits move.
func (e *cycleEngine) updatePacket(int32) {}

// receive takes in the flits and credits that arrive, and frees links and input ports.
func (e *cycleEngine) receive() {
	x := e.x
	if e.divided != nil {
		e.receiveMail()
	}
	if x.singleVC {
		e.receiveSingleVC()
		e.finishAllocations()
		return
	}
	fifos, in, active := x.fifos, x.in, x.active
	arrivals := x.arrivals.at(e.now).take()
	for _, s := range arrivals {
		fifos[s].occupancy++
		in[s>>6].occupied |= 1 << (s & 63)
		active[s>>6] = 1
	}
	if x.storeAndForward {
		e.packetComplete(arrivals)
	}
	credits := x.credits.at(e.now).take()
	for _, s := range credits {
		f := &fifos[s]
		f.credits++
		i := f.upstream
		if x.cutThrough && f.credits < x.creditsNeeded(&fifos[i]) {
			continue
		}
		in[i>>6].hasCredit |= 1 << (i & 63) // a node has no bit, and unusedSlot takes it
		active[i>>6] = 1
		if i == x.nodeSlot {
			e.resumeInjection(s, e.now)
		}
	}
	e.finishAllocations()
	if x.whole && e.linkTimings != nil {
		e.connectWaiting()
	}
	if e.escaping != nil || e.timing.AtomicVCs {
		for _, s := range credits {
			if e.isEmpty(Channel(s)) {
				e.serveEmptied(Channel(s))
			}
		}
	}
	if x.linkFreeAt != nil {
		e.releaseLinks()
	}
}

// serveEmptied schedules VC allocation at the router that sends on a VC whose FIFO is known to be
// empty: see usable and drained.
func (b *Routers) serveEmptied(c Channel) {
	l := b.w.link(c)
	if b.w.kind[l] == Injection {
		return
	}
	id := int32(l)
	if b.vcSets == nil {
		id = int32(b.w.Leaves(l))
	}
	if b.requests[id].first != none {
		b.scheduleVA(id, b.now)
	}
}

// packetComplete starts route computation, under store and forward, for the heads of those VCs in
// list whose packets have arrived completely.
func (e *cycleEngine) packetComplete(list []int32) {
	for _, s := range list {
		f := &e.x.fifos[s]
		if k := &e.vcs[s]; k.state == arriving && f.occupancy == -f.flitsLeft {
			k.ready, k.state = e.now, routing
			e.scheduleHead(k, Channel(s))
		}
	}
}

// releaseLinks frees the links whose flit time is over, and gives input ports back the flits of
// their budget.
func (e *cycleEngine) releaseLinks() {
	x := e.x
	for _, l := range x.linkReleases.at(e.now).take() {
		switch {
		case l < 0: // the complement of an input port
			x.portBudget[^l]++
			x.active[^l/x.wordPorts] = 1
		default:
			if x.whole {
				e.setLaterFlitTime(Link(l))
			}
			for s := x.slot(Link(l)); s < x.slot(Link(l+1)); s++ {
				from := x.fifos[s].upstream
				x.linkFree[from>>6] |= 1 << (from & 63)
				x.activate(from)
			}
		}
	}
}

// send allocates the switch (SA) and sends the flits (ST, LT), of routers and of nodes.
func (e *cycleEngine) send() {
	if e.x.singleVC {
		e.sendSingleVC()
		return
	}
	if e.x.speculator != nil {
		e.requestInVain()
	}
	e.inputArbitration()
	e.inject()
	list := e.outputArbitration()
	if e.x.whole {
		list = append(list, e.x.bodies.at(e.now).take()...)
	}
	if len(list) > 0 {
		e.switchTraversal(list)
		e.calendar.slotOf(e.now + 1)
	}
}

// The work of the cycle-driven engine for each head and each tail.

// finishHeadsAndTails updates packets and VCs for the heads and tails sent in this cycle: a head
// continues at the next router, a tail releases its output VC and gives the front of its FIFO to
// the next packet.
func (e *cycleEngine) finishHeadsAndTails() {
	x := e.x
	if e.marker != nil {
		e.markHeads()
	}
	for _, from := range x.headsAndTails {
		f, v := &x.fifos[from], &e.vcs[from]
		o, p, bit := f.outputVC, v.packet, uint64(1)<<(from&63)
		if w := &x.in[from>>6]; w.headAtFront&bit != 0 { // it has been sent
			w.headAtFront &^= bit
			k := &e.packets[p]
			k.Blocked += e.now - v.ready - e.timing.Allocation
			if x.whole && e.linkTimings != nil {
				granted := e.vcs[o].since + e.timing.Allocation
				dry := max(0, e.dryUntil(Channel(o), Channel(from))-granted)
				if k.Blocked -= dry; e.waits != nil {
					e.waits.exclude(Channel(from), v.ready, dry)
				}
			}
			if e.waits != nil && e.now > v.ready {
				e.reportSent(Channel(o), Channel(from), e.now)
			}
			if !e.vcs[o].sink() {
				k.Hops++
				e.notes[p].tailComes = e.now + e.delay(Channel(o)) +
					int64(k.Length-1)*e.flitTime(Channel(o)) // of dryUntil
				e.headSent(o, p, e.now+e.delay(Channel(o)))
			}
		}
		if f.flitsLeft != 0 {
			continue
		}
		x.in[from>>6].hasCredit &^= bit
		x.fifos[o].upstream = x.unusedSlot
		x.held[o>>6] &^= 1 << (o & 63)
		e.release(Channel(o), Channel(from), e.now)
		if f.lastPacket == p {
			f.lastPacket = none
			v.packet, v.state = none, idle
		} else {
			p = e.notes[p].after
			e.startRouting(from, p, max(e.now+1, e.notes[p].comes))
		}
	}
}

// headSent enters packet p, whose head arrives in cycle comes, in FIFO c behind the last packet. A
// packet has one successor at most, since its tail is in one FIFO at a time.
func (e *cycleEngine) headSent(c, p int32, comes int64) {
	if e.divided != nil && e.postHead(sentHead{c, p, comes}) {
		return
	}
	f := &e.x.fifos[c]
	if f.lastPacket == none {
		e.startRouting(c, p, comes)
	} else {
		e.notes[f.lastPacket].after, e.notes[p].comes = p, comes
	}
	f.lastPacket = p
}

// startRouting puts packet p at the front of FIFO c and schedules its route computation, which
// starts in cycle h.
func (e *cycleEngine) startRouting(c, p int32, h int64) {
	k, v := &e.packets[p], &e.vcs[c]
	e.x.fifos[c].flitsLeft = -k.Length
	e.x.in[c>>6].headAtFront |= 1 << (c & 63)
	v.packet, v.state, v.ready = p, routing, h+e.timing.Routing
	if e.outputVC != nil {
		e.setOutputVC(v, Channel(c), k)
	}
	e.calendar.scheduleHead(v, Channel(c)) // within the wheel: see Timing.span
}

// computeRoutes computes the routes of a list of heads (RC).
func (e *cycleEngine) computeRoutes(list int32) { e.routeHeads(list) }

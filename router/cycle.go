package router

import "contend/router/topology"

// The cycle-driven engine moves flits in the cycle in which they are sent. It is exact for every
// network. What it asks of all virtual channels in each cycle are bits in words: see buffers.
// Wheels have the flits and credits that are under way; when they come, bits are set and counts go
// up. In a cycle every input port nominates, and then each link sends a flit of one of the
// nominees. So one flit costs two steps: from a FIFO to the channel it is nominated for, and from a
// channel that sends to the FIFO it sends from. Neither depends on how full FIFOs are by a jump
// that could not be predicted.

// cycleEngine implements engine.
type cycleEngine struct {
	*Routers
	x          *buffers
	allocating []allocation // of headers that may not be sent yet, where Timing.Allocation is above 0
}

// grant is a channel that the header at the head of a FIFO holds, and may be sent on from a cycle.
type allocation struct {
	cycle   int64
	out, in Channel
}

func newCycleEngine(b *Routers) engine {
	b.buffers = newBuffers(b.w, &b.timing)
	t := &b.timing
	b.buffers.countsQueued = b.view != nil
	plain := t.Links == nil && t.Flit == 1 && t.Switching == Wormhole && b.escapes == nil
	b.buffers.unitDelay = plain && t.Link == 1 && t.Credit == 1
	b.buffers.singleVC = plain && b.buffers.shift == 0
	return &cycleEngine{Routers: b, x: b.buffers}
}

func (e *cycleEngine) offered(_ Channel, node topology.Node, first bool) {
	if first || e.w.InjectionPorts > 1 {
		e.scheduleNode(node, e.now)
	}
}

func (e *cycleEngine) granted(o, i Channel) {
	if a := e.timing.Allocation; a > 0 {
		e.x.out[o>>6].allocated |= 1 << (o & 63)
		e.allocating = append(e.allocating, allocation{e.now + a, o, i})
		e.calendar.slotOf(e.now + a)
		return
	}
	e.connect(o, i)
}

// allocated has the headers be sent whose allocation is over.
func (e *cycleEngine) finishAllocations() {
	n := 0
	for ; n < len(e.allocating) && e.allocating[n].cycle <= e.now; n++ {
		k := e.allocating[n]
		if e.connect(k.out, k.in); e.waits != nil {
			e.waits.excludeAllocation(k.in, e.vcs[k.in].ready, e.timing.Allocation)
		}
	}
	e.allocating = append(e.allocating[:0], e.allocating[n:]...)
}

// ready has the header at the head of FIFO i, which holds channel o, be sent when it can.
func (e *cycleEngine) connect(o, i Channel) {
	x := e.x
	to, from := int32(o), int32(i)
	f, w, bit := &x.fifos[from], &x.in[from>>6], uint64(1)<<(from&63)
	f.outputVC, x.fifos[to].upstream = to, from
	x.out[to>>6].allocated |= 1 << (to & 63)
	if e.waits != nil {
		e.waits.noCredit[o] = !x.hasCreditsFor(to, x.creditsNeeded(f))
	}
	if x.singleVC {
		if x.fifos[to].credits > 0 {
			x.sendable = append(x.sendable, to)
		}
		return
	}
	w.linkFree |= bit
	if x.linkFreeAt != nil && x.linkFreeAt[x.link(to)] > e.now {
		w.linkFree &^= bit
	}
	if x.hasCreditsFor(to, x.creditsNeeded(f)) {
		w.hasCredit |= bit
		x.activate(from)
	}
}

// need returns the room that the packet at the head of a FIFO needs to go on.
func (x *buffers) creditsNeeded(f *fifo) int32 {
	if x.cutThrough && f.flitsLeft < 0 {
		return -f.flitsLeft
	}
	return 1
}

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
	if x.singleVC { // the channel will send or not, whoever holds it
		from, to := int32(i), int32(o)
		x.fifos[from].outputVC, x.fifos[to].upstream = to, from
		return
	}
	x.in[before>>6].hasCredit &^= 1 << (before & 63)
	e.granted(o, i)
}

func (e *cycleEngine) updatePacket(int32) {}

// begin is what happens before stage 2: flits and credits arrive, and links are free again.
func (e *cycleEngine) receive() {
	x := e.x
	if len(e.allocating) > 0 {
		e.finishAllocations()
	}
	if x.singleVC {
		e.receiveSingleVC()
		return
	}
	fifos, in, few := x.fifos, x.in, x.scanAllWords
	arrivals := x.arrivals.at(e.now).take()
	for _, s := range arrivals {
		fifos[s].occupancy++
		in[s>>6].occupied |= 1 << (s & 63)
		if !few {
			x.activate(s)
		}
	}
	if x.storeAndForward {
		e.packetsComplete(arrivals)
	}
	returns := x.credits.at(e.now).take()
	if x.cutThrough {
		e.receiveCreditsCutThrough(returns)
	} else {
		for _, s := range returns {
			f := &fifos[s]
			f.credits++
			i := f.upstream
			in[i>>6].hasCredit |= 1 << (i & 63)
			if !few {
				x.activate(i)
			}
			if f.credits == 1 && i == x.unusedSlot {
				e.creditInjection(s, e.now)
			}
		}
	}
	if e.escapes != nil {
		e.serveEmptied(returns)
	}
	if x.linkFreeAt != nil {
		e.releaseLinks()
	}
}

// credited has a node look at a channel, whose slot is given, on which it knows of a place from a
// cycle on.
func (e *cycleEngine) creditInjection(s int32, cycle int64) {
	if l := e.x.link(s); e.w.kind[l] == Injection {
		e.resumeInjection(l, cycle)
	}
}

// creditedSlowly has credits come back where headers need room for their packets.
func (e *cycleEngine) receiveCreditsCutThrough(list []int32) {
	x := e.x
	for _, s := range list {
		f := &x.fifos[s]
		f.credits++
		e.creditInjection(s, e.now)
		if i := f.upstream; i != x.unusedSlot && f.credits >= x.creditsNeeded(&x.fifos[i]) {
			x.in[i>>6].hasCredit |= 1 << (i & 63)
			x.activate(i)
		}
	}
}

// emptied has routers look at their waiting headers that know now that a FIFO is empty, of those to
// which credits have come back.
func (e *cycleEngine) serveEmptied(list []int32) {
	for _, s := range list {
		if e.x.fifos[s].credits < e.timing.Buffer || e.w.kind[e.x.link(s)] != Network {
			continue
		}
		if r := int32(e.w.Leaves(e.x.link(s))); e.requests[r].first != none {
			e.scheduleVA(r, e.now)
		}
	}
}

// cameWhole has headers ask whose packets, stored and forwarded, are there as a whole now.
func (e *cycleEngine) packetsComplete(list []int32) {
	for _, s := range list {
		f := &e.x.fifos[s]
		if k := &e.vcs[s]; k.state == arriving && f.occupancy == -f.flitsLeft {
			k.ready, k.state = e.now, routing
			e.scheduleHead(k, Channel(s))
		}
	}
}

// reopen has links carry flits again that were busy with the ones before, and has input ports
// send again that had sent as many as they may.
func (e *cycleEngine) releaseLinks() {
	x := e.x
	for _, l := range x.linkReleases.at(e.now).take() {
		switch {
		case l < 0: // it is the port at the end of a link
			x.portBudget[^l]++
			x.activate(x.slot(Link(^l / x.ports)))
		case e.w.kind[l] == Injection:
			e.sendNextFlit(e.injectionPortOf(Link(l)), e.now)
		default:
			for s := x.slot(Link(l)); s < x.slot(Link(l+1)); s++ {
				from := x.fifos[s].upstream
				x.in[from>>6].linkFree |= 1 << (from & 63)
				x.activate(from)
			}
		}
	}
}

func (e *cycleEngine) send() {
	if e.x.singleVC {
		e.sendSingleVC()
		return
	}
	e.inputArbitration()
	e.inject()
	if len(e.x.nominatingWords) > 0 {
		e.switchTraversal(e.outputArbitration())
		e.calendar.slotOf(e.now + 1)
	}
}

// nominate has every input port nominate those of its virtual channels that may send now: the
// first at or after its pointer, as many as it may send flits. Where outputs come first, all.
func (e *cycleEngine) inputArbitration() {
	x := e.x
	x.nominatingWords = x.nominatingWords[:0]
	if x.scanAllWords {
		for at := range x.in {
			x.nominate(at, &x.in[at])
		}
		return
	}
	for k, words := range x.activeInputs {
		for ; words != 0; words &= words - 1 {
			if at := k<<6 + first(words); !x.nominate(at, &x.in[at]) {
				x.activeInputs[k] &^= words & -words
			}
		}
	}
}

// nominateIn is nominate for the ports of a word. It reports whether there are nominees.
func (x *buffers) nominate(at int, w *inputWord) bool {
	able := w.occupied & w.hasCredit & w.linkFree
	if able == 0 {
		return false
	}
	if x.headsYield {
		if heads := able & w.headAtFront & x.fieldsOf(able&^w.headAtFront); heads != 0 {
			able = x.withoutYieldingHeads(at, able, heads)
		}
	}
	switch {
	case x.speedup == 0:
	case x.islip != nil:
		able = x.withinBudget(at, able, 0)
	case x.speedup == 1 && x.portBudget == nil:
		able = x.firstAtOrAfter(able, w.atOrAfterPointer)
	default:
		able = x.uptoSpeedup(at, able)
	}
	x.nominatingWords = append(x.nominatingWords, int32(at))
	x.nominees.appendBits(at, able)
	return true
}

// yielding returns the FIFOs of a set without those of some headers that have to wait: another FIFO
// of the same port has a flit for the same output that is no header.
func (x *buffers) withoutYieldingHeads(at int, able, heads uint64) uint64 {
	bodies, fifos := able&^x.in[at].headAtFront, x.fifos[at<<6:][:64]
	for ; heads != 0; heads &= heads - 1 {
		head := heads & -heads
		l := x.link(fifos[first(heads)].outputVC)
		for same := bodies & x.fieldsOf(head); same != 0; same &= same - 1 {
			body := first(same)
			if x.link(fifos[body].outputVC) == l && x.port(int32(body)) == x.port(int32(first(head))) {
				able &^= head
			}
		}
	}
	return able
}

// chosen returns those of a set that their ports nominate, where ports may send several flits or
// not in each cycle.
func (x *buffers) uptoSpeedup(at int, able uint64) (all uint64) {
	for n := range x.speedup {
		some := x.firstAtOrAfter(able, x.in[at].atOrAfterPointer)
		able &^= some
		all |= x.withinBudget(at, some, n)
	}
	return all
}

// within returns those of a set whose ports may still send more than n flits.
func (x *buffers) withinBudget(at int, some uint64, n int32) uint64 {
	for set := some; set != 0 && x.portBudget != nil; set &= set - 1 {
		if int32(x.portBudget[x.port(int32(at<<6+first(set)))]) <= n {
			some &^= set & -set
		}
	}
	return some
}

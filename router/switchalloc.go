package router

import "encoding/binary"

// Switch allocation (SA) of the cycle-driven engine, input first: input arbitration nominates VCs
// at each input port, output arbitration chooses one nominee for each output link. Where ports and
// outputs match each other, matchPorts takes the place of output arbitration.

// inputArbitration nominates, at each input port, the first VCs at or after its pointer that can
// send: as many as the port may send flits. If ports and outputs match each other it nominates all
// of them.
func (e *cycleEngine) inputArbitration() {
	x := e.x
	x.nominatingWords = x.nominatingWords[:0]
	for k := 0; k < len(x.active); k += 8 {
		for words := binary.LittleEndian.Uint64(x.active[k:]); words != 0; words &= words - 1 {
			at := k + first(words)>>3
			w := &x.in[at]
			able := w.occupied & w.hasCredit
			if x.linkFree != nil {
				able &= x.linkFree[at]
			}
			if x.speculator != nil {
				able |= x.speculator.vainly[at] & w.occupied
			}
			if able != 0 {
				x.nominate(at, able)
			} else {
				x.active[at] = 0
			}
		}
	}
}

// nominate does input arbitration for the ports of a word, given the VCs that can send.
func (x *buffers) nominate(at int, able uint64) {
	switch {
	case x.matchesPorts:
		w, yields := &x.in[at], uint64(0)
		if x.rules.HeadersYield {
			yields = w.headAtFront
			if x.speculator != nil {
				yields &= x.speculator.asks[at]
			}
		}
		x.nominees.appendRanked(at, x.withinBudget(at, able, 0), yields, ^w.atOrAfterPointer)
		return
	case x.rules.HeadersYield:
		able = x.withoutYieldingHeads(at, able)
		fallthrough
	default:
		able = x.upToSpeedup(at, able)
	}
	x.nominees.appendBits(at, able)
}

// withoutYieldingHeads removes from a set of VCs the heads for whose output another VC of the same
// port has a body or tail flit.
func (x *buffers) withoutYieldingHeads(at int, able uint64) uint64 {
	bodies, fifos := able&^x.in[at].headAtFront, x.fifos[at<<6:][:64]
	for heads := able &^ bodies & x.fieldsOf(bodies); heads != 0; heads &= heads - 1 {
		head := heads & -heads
		l := x.link(fifos[first(heads)].outputVC)
		for same := bodies & x.fieldsOf(head); same != 0; same &= same - 1 {
			if x.link(fifos[first(same)].outputVC) == l {
				able &^= head
			}
		}
	}
	return able
}

// upToSpeedup returns the VCs of a set that their ports nominate.
func (x *buffers) upToSpeedup(at int, able uint64) (all uint64) {
	ahead := x.in[at].atOrAfterPointer
	switch {
	case x.speedup == 0:
		return able
	case x.speedup == 1 && x.portBudget == nil:
		return x.firstAtOrAfter(able, ahead)
	}
	x.nominatingWords = append(x.nominatingWords, int32(at))
	for n := range x.speedup {
		next := x.firstAtOrAfter(able, ahead)
		able &^= next
		all |= x.withinBudget(at, next, n)
	}
	return all
}

// withinBudget returns the VCs of a set whose ports may still send more than n flits.
func (x *buffers) withinBudget(at int, vcs uint64, n int32) uint64 {
	for set := vcs; set != 0 && x.portBudget != nil; set &= set - 1 {
		if int32(x.portBudget[x.port(int32(at<<6+first(set)))]) <= n {
			vcs &^= set & -set
		}
	}
	return vcs
}

// outputArbitration returns the nominees that send, one for each link: the first in round-robin
// order after the VC that sent last on the link. A link of one VC has at most one nominee.
func (e *cycleEngine) outputArbitration() []int32 {
	x := e.x
	list, m := x.nominees.take(), x.switches
	switch {
	case x.shift == 0:
		return list
	case x.speculator != nil:
		return x.withoutVain(x.matchPorts(list))
	case x.matchesPorts:
		return x.matchPorts(list)
	}
	for _, i := range list {
		s := x.fifos[i].outputVC
		m.offer(int32(x.link(s)), s, uint64(i))
	}
	senders := list[:0]
	for _, l := range m.offering[:m.offers] {
		o := &m.sellers[l]
		i := int32(o.best & (1<<numberBits - 1))
		o.best, o.next = noKey, x.fifos[i].outputVC+1
		senders = append(senders, i)
		if x.sent != nil {
			x.sent[i>>6] |= bit(i)
		}
	}
	m.offers = 0
	return senders
}

// passLast moves the pointers of input ports that may send several flits past the last of their VCs
// that sent.
func (x *buffers) passLast() {
	for _, at := range x.nominatingWords {
		w := &x.in[at]
		last := x.lastAtOrAfter(x.sent[at], w.atOrAfterPointer)
		w.atOrAfterPointer, x.sent[at] = x.pointersPast(w.atOrAfterPointer, last), 0
	}
}

// Speculative switch allocation with a VC allocator of its own (Peh and Dally, "A delay model and
// speculative architecture for pipelined routers", HPCA 2001): a head requests the switch in the
// cycle in which it requests a VC, whether it gets one or not. If it wins the switch without a VC
// that has credits, the input port and the output send nothing in that cycle. A head that has had
// its VC for longer is speculative no more: it does not yield to the flits of other packets.

// speculator holds the heads of a cycle that may request the switch without getting a VC.
type speculator struct {
	heads  []int32  // heads for which a VC with credits was free before this cycle's grants
	asks   []uint64 // a bit for each VC: its head is one of heads
	vainly []uint64 // a bit for each VC: its head requests the switch in vain in this cycle
}

// newSpeculator returns the state of speculation, nil without it. A head can be refused a free VC
// only if VCs match heads and ports match outputs.
func newSpeculator(t *Timing, x *buffers) *speculator {
	if !t.HeadersSpeculate || !x.matchesPorts || t.Arbiter != Matching || t.Allocation > 0 {
		return nil
	}
	return &speculator{asks: make([]uint64, len(x.in)), vainly: make([]uint64, len(x.in))}
}

// withOwnLists returns a speculator with state of its own.
func (s *speculator) withOwnLists() *speculator {
	if s == nil {
		return nil
	}
	return &speculator{asks: make([]uint64, len(s.asks)), vainly: make([]uint64, len(s.vainly))}
}

// speculate notes head i, which waits for one of a set of VCs of the link whose first VC is lead,
// if one of them has credits and is free. VCs of a link are granted after all of its heads are
// noted.
func (b *Routers) speculate(i, lead Channel, set uint64) {
	x := b.buffers
	f := &x.fifos[i]
	for ; set != 0; set &= set - 1 {
		o := lead + Channel(first(set))
		if b.isFree(o) && x.hasCreditsFor(int32(o), x.creditsNeeded(f)) {
			f.outputVC = int32(o) // until the head is granted one
			x.speculator.heads = append(x.speculator.heads, int32(i))
			return
		}
	}
}

// requestInVain lets the noted heads take part in switch allocation, except those that now hold a
// VC with credits.
func (e *cycleEngine) requestInVain() {
	x := e.x
	s := x.speculator
	for _, i := range s.heads {
		s.asks[i>>6] |= bit(i)
		l := x.link(x.fifos[i].outputVC)
		if x.in[i>>6].hasCredit>>(i&63)&1 == 0 && (x.linkFreeAt == nil || x.linkFreeAt[l] <= e.now) {
			s.vainly[i>>6] |= bit(i)
			x.activate(i)
		}
	}
}

// withoutVain returns the senders of a list without the heads that have won the switch but no VC,
// and ends the requests of the cycle. The pointer of a port moves past such a head too.
func (x *buffers) withoutVain(list []int32) []int32 {
	s, senders := x.speculator, list[:0]
	for _, i := range list {
		if s.vainly[i>>6]&bit(i) == 0 {
			senders = append(senders, i)
			continue
		}
		w, port := &x.in[i>>6], x.portVCs[i&63]
		w.atOrAfterPointer = w.atOrAfterPointer&^port | port&(^uint64(1)<<(i&63))
	}
	for _, i := range s.heads {
		s.asks[i>>6], s.vainly[i>>6] = 0, 0
	}
	s.heads = s.heads[:0]
	return senders
}

// If links have one VC each, take the same times and carry a flit a cycle, the cycle-driven engine
// needs no bits and no switch allocation. sendable lists the VCs that can send a flit in a cycle,
// each once:
//
//   - A VC that can send and does not can send in the next cycle, because no other VC takes its
//     flit or its credit.
//   - A VC enters the list when it has sent a flit and can send another; when it is granted to a
//     head, or a flit arrives at an empty FIFO, and it has credits; and when the last credit that
//     it needs returns to a sender that has a flit. These exclude each other in a cycle.
//
// BenchmarkUniform with engine cycle: 1.3 times as fast as with bits. With unitDelay, packets of 64
// flits: another 1.5 times.

// sendSingleVC sends the flits of a cycle (ST, LT).
func (e *cycleEngine) sendSingleVC() {
	x := e.x
	list := x.sendable
	x.sendable, x.scratch = x.scratch[:0], list
	e.inject()
	if x.countsQueued || e.trace != nil {
		for _, o := range list {
			x.nominees.add(x.fifos[o].upstream)
		}
		senders := x.nominees.take()
		e.countQueued(senders)
		e.traceSent(senders)
	}
	fifos, sendable, ends := x.fifos, x.sendable, x.headsAndTails[:0]
	x.coming.reserve(len(list))
	x.left.reserve(len(list))
	coming, left := &x.coming, &x.left
	for _, o := range list {
		to := &fifos[o]
		i := to.upstream
		from := &fifos[i]
		from.occupancy--
		to.credits -= to.buffersFlits
		if x.unitDelay {
			if from.credits++; from.credits == 1 || x.cutThrough {
				if h := from.upstream; h == x.nodeSlot {
					e.resumeInjection(i, e.now+1)
				} else if x.waitsForCredits(from.credits, &fifos[h]) {
					sendable = append(sendable, i)
				}
			}
			to.occupancy += to.buffersFlits
			if to.occupancy == 1 && to.flitsLeft > 0 && fifos[to.outputVC].credits > 0 {
				sendable = append(sendable, to.outputVC)
			}
		} else {
			coming.list[coming.n], left.list[left.n] = o, i
			coming.n, left.n = coming.n+int(to.buffersFlits), left.n+1
		}
		flits := from.flitsLeft
		from.flitsLeft = max(flits, -flits) - 1
		if flits < 2 { // a head, whose packet has a negative number of flits left, or a tail
			ends = append(ends, i)
			if flits*flits == 1 {
				to.upstream = x.unusedSlot // the tail releases the VC
				continue
			}
		}
		if from.occupancy > 0 && to.credits > 0 {
			sendable = append(sendable, o)
		}
	}
	x.sendable, x.headsAndTails = sendable, ends
	if !x.unitDelay {
		e.linkTraversal(coming.take())
		e.returnCredits(left.take())
	}
	e.finishHeadsAndTails()
	if len(list) > 0 {
		e.calendar.slotOf(e.now + 1)
	}
}

// receiveSingleVC takes in the flits and credits that arrive, if they take more than a cycle.
func (e *cycleEngine) receiveSingleVC() {
	x, fifos := e.x, e.x.fifos
	for _, s := range x.arrivals.at(e.now).take() {
		fifos[s].occupancy++
		x.sendIfReady(&fifos[s])
	}
	for _, s := range x.credits.at(e.now).take() {
		f := &fifos[s]
		if f.credits++; f.credits == 1 || x.cutThrough {
			if h := f.upstream; h == x.nodeSlot {
				e.resumeInjection(s, e.now)
			} else if x.waitsForCredits(f.credits, &fifos[h]) {
				x.sendable = append(x.sendable, s)
			}
		}
	}
}

// waitsForCredits reports whether a FIFO has a flit, and has waited for exactly that number of
// credits.
func (x *buffers) waitsForCredits(credits int32, f *fifo) bool {
	return f.occupancy > 0 && credits == x.creditsNeeded(f)
}

// sendIfReady enters the output VC of a FIFO, at which a flit has arrived, in sendable if the FIFO
// was empty, its head has gone ahead and the output VC has credits.
func (x *buffers) sendIfReady(f *fifo) {
	if f.occupancy == 1 && f.flitsLeft > 0 && x.fifos[f.outputVC].credits > 0 {
		x.sendable = append(x.sendable, f.outputVC)
	}
}

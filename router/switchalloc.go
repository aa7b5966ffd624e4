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
		if x.headsYield {
			yields = w.headAtFront
			if x.speculator != nil {
				yields &= x.speculator.asks[at]
			}
		}
		x.nominees.appendRanked(at, x.withinBudget(at, able, 0), yields, ^w.atOrAfterPointer)
		return
	case x.headsYield:
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

// outputArbitration returns the FIFOs that send, of the nominees: on each link the one that sends
// on the first VC after the last that sent there, or at it if packets hold links and its packet has
// more flits. A link of one VC has one nominee at most.
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
		f := &x.fifos[i]
		o.best, o.next = noKey, f.outputVC+1
		if x.packetsHold && max(f.flitsLeft, -f.flitsLeft) > 1 {
			o.next = f.outputVC
		}
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

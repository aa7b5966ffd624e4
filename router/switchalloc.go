package router

// Switch allocation (SA) of the cycle-driven engine, input first: input arbitration nominates VCs
// at each input port, output arbitration chooses one nominee for each output link. Where it begins
// at the outputs, islip takes the place of output arbitration.

// inputArbitration nominates, at each input port, the first VCs at or after its pointer that can
// send: as many as the port may send flits. If switch allocation begins at the outputs it nominates
// all of them.
func (e *cycleEngine) inputArbitration() {
	x := e.x
	x.nominatingWords = x.nominatingWords[:0]
	for k, words := range x.activeInputs {
		for ; words != 0; words &= words - 1 {
			if at := k<<6 + first(words); !x.nominate(at, &x.in[at]) {
				x.activeInputs[k] &^= words & -words
			}
		}
	}
}

// nominate does input arbitration for the ports of a word, and reports whether some VC can send.
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
		able = x.upToSpeedup(at, able)
	}
	x.nominatingWords = append(x.nominatingWords, int32(at))
	x.nominees.appendBits(at, able)
	return true
}

// withoutYieldingHeads removes from a set of VCs the heads for whose output another VC of the same
// port has a body or tail flit.
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

// upToSpeedup returns the VCs of a set that their ports nominate, where ports may send several
// flits in a flit time, or not in each cycle.
func (x *buffers) upToSpeedup(at int, able uint64) (all uint64) {
	for n := range x.speedup {
		next := x.firstAtOrAfter(able, x.in[at].atOrAfterPointer)
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

// outputArbitration returns the VCs that send: on each link with nominees, the first requested one
// at or after its pointer. A link of one VC has one nominee at most, which holds the VC.
func (e *cycleEngine) outputArbitration() []int32 {
	x := e.x
	list := x.nominees.take()
	if x.shift == 0 {
		for k, from := range list {
			list[k] = x.fifos[from].outputVC
		}
		return list
	}
	if x.islip != nil {
		return x.islip.send(x, list)
	}
	for _, from := range list {
		s := x.fifos[from].outputVC
		x.out[s>>6].requested |= 1 << (s & 63)
		x.activeOutputs[s>>12] |= 1 << (s >> 6 & 63)
	}
	for k, words := range x.activeOutputs {
		for x.activeOutputs[k] = 0; words != 0; words &= words - 1 {
			at := k<<6 + first(words)
			w := &x.out[at]
			set := x.firstAtOrAfter(w.requested, w.atOrAfterPointer)
			w.requested, w.atOrAfterPointer = 0, x.pointersPast(w.atOrAfterPointer, set)
			x.senders.appendBits(at, set)
		}
	}
	return x.senders.take()
}

// advancePointers moves the pointers of input ports past the last of their VCs that sent.
func (x *buffers) advancePointers() {
	for _, at := range x.nominatingWords {
		w := &x.in[at]
		if x.ports > 1 {
			for _, vcs := range x.portVCs {
				sent := w.sent & vcs
				vcs &= x.fieldsOf(sent)
				w.atOrAfterPointer = w.atOrAfterPointer&^vcs | x.pointersPast(w.atOrAfterPointer, sent)&vcs
			}
			w.sent = 0
			continue
		}
		last := w.sent
		if x.speedup > 1 {
			last = x.lastAtOrAfter(last, w.atOrAfterPointer)
		}
		w.atOrAfterPointer, w.sent = x.pointersPast(w.atOrAfterPointer, last), 0
	}
}

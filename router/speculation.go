package router

// Speculative switch allocation with a VC allocator of its own (Peh and Dally, "A delay model and
// speculative architecture for pipelined routers", HPCA 2001): a head requests the switch in the
// cycle in which it requests a VC, whether it gets one or not. If it wins the switch without a VC
// that has credits, the input port and the output send nothing in that cycle. A head that has had
// its VC for longer is speculative no more: it does not yield to the flits of other packets.

// speculator has the heads of a cycle that may request the switch in vain.
type speculator struct {
	heads  []int32  // heads for which a VC with credits was free before this cycle's grants
	asks   []uint64 // a bit for each VC: its head is one of heads
	vainly []uint64 // a bit for each VC: its head requests the switch in vain in this cycle
}

// newSpeculator returns the state of speculation, nil without it. Only where VCs and heads, and
// ports and outputs match each other can a head be refused a free VC.
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

// requestInVain lets the heads that were noted take part in switch allocation, but for those that
// now hold a VC with credits.
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

// withoutVain returns the senders of a list but for heads that have won the switch in vain, and
// ends the requests of the cycle. The pointer of a port moves past such a head too.
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

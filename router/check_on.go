//go:build invariants

package router

import "fmt"

// choosesThreads says that routers step in one thread where that is as fast. Tests step in several.
const choosesThreads = false

// check panics if the state of the routers breaks an invariant. It checks the whole state, so it is
// compiled in only with the tag invariants.
func (b *Routers) check() {
	if b.divided != nil {
		return // flits between parts are in no wheel
	}
	inNetwork := map[int32]int32{} // flits in FIFOs, by packet
	for c := range b.vcs {
		if b.frozen != nil && b.frozen[b.w.link(Channel(c))] != nil {
			continue
		}
		b.checkHold(Channel(c))
		switch {
		case b.buffers != nil:
			b.checkBits(Channel(c), inNetwork)
		case b.channels != nil:
			b.checkWorms(Channel(c), inNetwork)
		case b.byPacket != nil:
			b.checkHops(Channel(c))
		}
	}
	if b.closed == nil && b.byPacket == nil { // which knows of no flits
		b.checkConservation(inNetwork)
	}
}

// checkBits: flits and credits add up to the places of a FIFO, and bits agree with the counts and
// the states of VCs.
func (b *Routers) checkBits(c Channel, inNetwork map[int32]int32) {
	x, k := b.buffers, &b.vcs[c]
	s := int32(c)
	w, f := &x.in[s>>6], &x.fifos[s]
	coming, back := x.arrivals.count(s), x.credits.count(s)
	b.require(f.buffersFlits == 0 && f.occupancy+coming+back == 0 && f.credits == b.timing.Buffer ||
		f.occupancy+coming+back+f.credits == b.timing.Buffer, int(c),
		"%d flits, %d on the link, %d credits, %d returning", f.occupancy, coming, f.credits, back)
	b.require(x.singleVC || is(w.occupied, s) == (f.occupancy > 0), int(c),
		"%d flits, and the bit occupied is wrong", f.occupancy)
	b.require(x.switches.offers == 0 && (x.sent == nil || !is(x.sent[s>>6], s)), int(c),
		"bits of a cycle that is over")
	b.require(!x.countsQueued || x.unitDelay || k.sink() ||
		f.queuedFlits == f.occupancy+coming, int(c),
		"%d flits are counted", f.queuedFlits)
	if k.state == active && !b.isUnconnected(c) {
		b.checkSwitchRequest(k, s)
	} else {
		b.require(!is(w.hasCredit, s), int(c), "it holds no VC that could have credits")
	}
	packet, left := k.packet, max(f.flitsLeft, -f.flitsLeft)
	for range f.occupancy + coming {
		if left == 0 {
			packet = b.notes[packet].after
			left = b.packets[packet].Length
		}
		inNetwork[packet]++
		left--
	}
	b.require(packet == f.lastPacket || left == 0, int(c),
		"the last flit in the FIFO is of packet %d, not %d", packet, f.lastPacket)
}

// checkSwitchRequest: the bits of a VC that holds an output VC agree with the state of that one.
func (b *Routers) checkSwitchRequest(k *vcState, s int32) {
	x, c := b.buffers, int(s)
	w, f := &x.in[s>>6], &x.fifos[s]
	b.require(f.outputVC == k.outputVC && x.fifos[f.outputVC].upstream == s, c,
		"its output VC in VC and switch allocation differs")
	if x.singleVC {
		return
	}
	b.require(is(w.hasCredit, s) == x.hasCreditsFor(f.outputVC, x.creditsNeeded(f)), c,
		"the bit hasCredit is wrong")
	able := w.occupied & w.hasCredit
	if x.linkFree != nil {
		busy := x.linkFreeAt[x.link(f.outputVC)] > b.now
		b.require(is(x.linkFree[s>>6], s) != busy, c, "the bit linkFree is wrong")
		able &= x.linkFree[s>>6]
	}
	b.require(x.active[s>>6] == 1 || able == 0, c,
		"it can send, and its word is not active")
}

// isUnconnected reports whether the allocation time of the head at the front of FIFO i is not over,
// or its tail would come late.
func (b *Routers) isUnconnected(i Channel) bool {
	x := b.buffers
	return b.engine.(*cycleEngine).isAllocating(i) || x.whole && b.linkTimings != nil &&
		x.isHead(int32(i)) && b.dryUntil(Channel(b.vcs[i].outputVC), i) > b.now
}

// is reports whether a slot is in a set of its word.
func is(set uint64, slot int32) bool { return set>>(slot&63)&1 != 0 }

// count returns the entries of a slot in the wheel.
func (w *wheel) count(slot int32) int32 {
	n := int32(0)
	for _, list := range w.slots {
		for _, s := range list.peek() {
			if s == slot {
				n++
			}
		}
	}
	return n
}

// checkWorms: vcState and channel of a VC agree.
func (b *Routers) checkWorms(c Channel, inNetwork map[int32]int32) {
	ch, k := &b.channels[c], &b.vcs[c]
	if k.flags&fromNode == 0 {
		b.require(k.holder == ch.holder, int(c), "its two halves are held by %d and %d", k.holder,
			ch.holder)
	}
	if ch.sink() {
		b.require(ch.occupancy == 0 && ch.packet == source && ch.outputVC == none, int(c),
			"an ejection channel stores flits")
		return
	}
	b.require(ch.packet == k.packet && (k.state == active) == (ch.outputVC != none), int(c),
		"its two halves differ: packet %d and %d", ch.packet, k.packet)
	b.require(ch.occupancy >= 0 && int32(ch.occupancy) <= b.timing.Buffer, int(c),
		"%d flits in a FIFO of %d",
		ch.occupancy, b.timing.Buffer)
	b.require((ch.occupancy == 0) == (k.state == idle) || k.state == active, int(c),
		"state %d with %d flits", k.state, ch.occupancy)
	b.checkFIFO(c, inNetwork)
}

// checkHops: the hops of a FIFO are those of its packets, in order and within its places.
func (b *Routers) checkHops(c Channel) {
	x, k := b.byPacket, &b.vcs[c]
	v := &x.vcs[c]
	flits, gone, before := int32(0), int32(0), -never
	left := v.oldest != v.front
	for i := v.oldest; i != none; i = x.hops[i].next {
		h := &x.hops[i]
		if i == v.front {
			left = false
			b.require(k.packet == h.packet, int(c), "packet %d is at the front, not %d", k.packet, h.packet)
		}
		if left {
			gone += h.length
			b.require(h.leaves >= h.arrives && h.leaves > before, int(c), "a head leaves at %d", h.leaves)
			before = h.leaves + int64(h.length-1)*int64(h.pace)
		}
		flits += h.length
	}
	b.require((!left || v.front == none) && flits == v.taken && gone == v.gone, int(c),
		"%d flits, %d of them gone, not %d and %d", flits, gone, v.taken, v.gone)
	b.require(gone == 0 || before == v.tailAt, int(c), "the last tail leaves at %d, not %d", before,
		v.tailAt)
	link, vc := b.vcOf(c)
	all := v.front == none && (v.gone == 0 || v.tailAt+int64(link.credit) <= b.now)
	filled, unsure := link.filled>>vc&1 != 0, link.unsure>>vc&1 != 0
	known := link.emptiesAt <= b.now && Channel(link.emptiesVC) == vc
	b.require(all || filled, int(c), "it lacks credits, and its bit filled is wrong")
	b.require(!all || !filled || unsure || known, int(c), "it has all credits, which is not known")
	credits := b.credits(c)
	b.require(credits >= 0 && credits <= b.timing.Buffer, int(c),
		"%d credits with %d flits", credits, v.taken)
	b.require((v.front == none) == (k.state == idle), int(c), "state %d", k.state)
}

// checkFIFO: flits arrive in order, at least a flit time apart, packet by packet.
func (b *Routers) checkFIFO(c Channel, inNetwork map[int32]int32) {
	ch, flits, places := &b.channels[c], int16(0), int32(0)
	packet, left, before := ch.packet, max(ch.flitsLeft, -ch.flitsLeft), -never
	b.require(ch.occupancy == 0 || left > 0, int(c), "more flits than packet %d has", packet)
	b.trains.each(&ch.flits, func(t int64) {
		if left == 0 {
			packet = b.notes[packet].after
			left = b.packets[packet].Length
		}
		inNetwork[packet]++
		left--
		b.require(t >= before+b.flitTime(c), int(c), "flits arrive at %d and %d", before, t)
		before, flits = t, flits+1
	})
	for i := range ch.places.count {
		r := b.trains.at(&ch.places, i)
		last := r.at + int64(r.count-1)*int64(r.pace)
		b.require(last <= max(0, ch.lastSent), int(c), "a place was left at %d, the last at %d", last,
			ch.lastSent)
		places += r.count
	}
	b.require(flits == ch.occupancy && places == b.timing.Buffer-int32(flits), int(c),
		"%d flits and %d places, not %d in all", flits, places, b.timing.Buffer)
	b.require(packet == none || packet == ch.lastPacket || left == 0 && ch.occupancy == 0, int(c),
		"the last flit in the FIFO is of packet %d, not %d", packet, ch.lastPacket)
}

// checkHold: holder and outputVC point to each other.
func (b *Routers) checkHold(c Channel) {
	k := &b.vcs[c]
	if k.holder >= 0 {
		in := &b.vcs[k.holder]
		b.require(in.outputVC == int32(c) && in.state == active, int(c),
			"held by %d, which does not know", k.holder)
		b.require(b.failing == nil || !b.failing.failed[b.w.link(c)] || b.failing.lost[in.packet], int(c),
			"it has failed, and packet %d, which is not lost, holds it", in.packet)
	}
	if k.state == active {
		b.require(b.vcs[k.outputVC].holder == int32(c), int(c), "holds %d, which does not know",
			k.outputVC)
	}
}

// checkConservation: every flit injected is in a FIFO or was ejected.
func (b *Routers) checkConservation(inNetwork map[int32]int32) {
	injected := map[int32]int32{}
	for i := range b.injecting {
		if cur := &b.injecting[i]; cur.packet != none {
			injected[cur.packet] = cur.flitsSent
		}
	}
	ejected := map[int32]int32{}
	for c := range b.vcs {
		if k := &b.vcs[c]; k.state == active && b.vcs[k.outputVC].sink() {
			left := int32(0)
			if b.buffers != nil {
				left = b.buffers.fifos[c].flitsLeft
			} else {
				left = b.channels[c].flitsLeft
			}
			ejected[k.packet] = b.packets[k.packet].Length - max(left, -left)
		}
	}
	for p, n := range inNetwork {
		want := b.packets[p].Length
		if k, busy := injected[p]; busy {
			want = k
		}
		if want != n+ejected[p] {
			panic(fmt.Sprintf("router: cycle %d: packet %d: %d flits injected, %d in FIFOs, %d ejected",
				b.now, p, want, n, ejected[p]))
		}
	}
}

// require panics with the cycle and channel c unless ok.
func (b *Routers) require(ok bool, c int, format string, args ...any) {
	if !ok {
		panic(fmt.Sprintf("router: cycle %d: channel %s: ", b.now,
			b.w.Describe(Channel(c))) + fmt.Sprintf(format, args...))
	}
}

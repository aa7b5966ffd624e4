package router

import "slices"

// The stage of sending of the cycle-driven engine, once ports have nominated.

// choose returns the channels that send: of those of a link that nominees want, the next in turn.
// Where links have one virtual channel each, nobody else wants the channel that a nominee holds.
func (e *cycleEngine) outputArbitration() []int32 {
	x := e.x
	list, fifos := x.nominees.take(), x.fifos
	if x.shift == 0 {
		for k, from := range list {
			list[k] = fifos[from].outputVC
		}
		return list
	}
	if x.islip != nil {
		return x.islip.match(x, list)
	}
	out, asked, few := x.out, x.activeOutputs, x.scanAllWords
	for _, from := range list {
		s := fifos[from].outputVC
		out[s>>6].requested |= 1 << (s & 63)
		if !few {
			asked[s>>12] |= 1 << (s >> 6 & 63)
		}
	}
	for at := 0; few && at < len(out); at++ {
		if w := &out[at]; w.requested != 0 {
			x.grantOutputs(at, w)
		}
	}
	for k, words := range asked {
		for asked[k] = 0; words != 0; words &= words - 1 {
			at := k<<6 + first(words)
			x.grantOutputs(at, &out[at])
		}
	}
	return x.senders.take()
}

// chooseIn is choose for the links of a word.
func (x *buffers) grantOutputs(at int, w *outputWord) {
	set := x.firstAtOrAfter(w.requested, w.atOrAfterPointer)
	w.requested, w.atOrAfterPointer = 0, x.pointersPast(w.atOrAfterPointer, set)
	x.senders.appendBits(at, set)
}

// sendEach sends a flit on each of a list of channels.
func (e *cycleEngine) switchTraversal(list []int32) {
	x := e.x
	x.headsAndTails = slices.Grow(x.headsAndTails[:0], len(list))[:len(list)]
	if e.trace != nil {
		e.traceSent(list)
	}
	if x.unitDelay {
		e.traverseUnitDelay(list)
	} else {
		e.traverse(list)
	}
	if x.speedup > 0 {
		x.advancePointers()
	}
	if x.linkFreeAt != nil {
		e.busyLinks(list)
	}
	e.finishHeadsAndTails()
}

// move sends a flit on each of a list of channels, and puts it on its way, and a credit on its way
// back.
func (e *cycleEngine) traverse(list []int32) {
	x := e.x
	fifos, in, ends, n := x.fifos, x.in, x.headsAndTails, 0
	coming, back := e.schedules(len(list))
	flits, c := coming.list[coming.n:][:len(list)], 0
	credits := back.list[back.n:][:len(list)]
	for k, o := range list {
		to := &fifos[o]
		i := to.upstream
		from, w := &fifos[i], &in[i>>6]
		here, room := from.occupancy-1, to.credits-to.buffersFlits
		from.occupancy, to.credits = here, room
		w.sent |= 1 << (i & 63)
		// The last flit of the FIFO has left, or the last place of the next one been taken.
		w.occupied &^= below(here, 1) << (i & 63)
		w.hasCredit &^= below(room, 1) << (i & 63)
		// It was a header, whose packet has a negative number of flits left, or the tail.
		ends[n] = i
		n += int(below(from.flitsLeft, 2))
		from.flitsLeft--
		flits[c], credits[k] = o, i
		c += int(to.buffersFlits)
	}
	x.headsAndTails = ends[:n]
	x.countQueued(list)
	if x.equalDelays {
		coming.n, back.n = coming.n+c, back.n+len(list)
	} else {
		e.scheduleEach(list)
	}
}

// underWay returns the lists, with room for so many more, of FIFOs to which flits come that are
// sent now, and of those from which credits come back, where all links are alike.
func (e *cycleEngine) schedules(many int) (coming, back *slotList) {
	x, t := e.x, &e.timing
	if many > 0 && x.equalDelays {
		e.calendar.slotOf(e.now + t.Link)
		e.calendar.slotOf(e.now + t.Credit)
	}
	return x.arrivals.reserve(e.now+t.Link, many), x.credits.reserve(e.now+t.Credit, many)
}

// countEach counts flits that are sent now on channels of a list, where they are counted.
func (x *buffers) countQueued(list []int32) {
	if !x.countsQueued {
		return
	}
	for _, o := range list {
		to := &x.fifos[o]
		to.queuedFlits += to.buffersFlits
		x.fifos[to.upstream].queuedFlits--
	}
}

// onTheirWay puts flits on their way on the channels of a list, and credits on their way back,
// where links differ.
func (e *cycleEngine) scheduleEach(list []int32) {
	x, own := e.x, e.linkTimings
	for _, o := range list {
		to := &x.fifos[o]
		if to.buffersFlits != 0 {
			t := e.now + int64(own[o].Delay)
			x.arrivals.add(t, o)
			e.calendar.slotOf(t)
		}
		t := e.now + int64(own[to.upstream].Credit)
		x.credits.add(t, to.upstream)
		e.calendar.slotOf(t)
	}
}

// movePrompt is move where flits and credits take a cycle, as by default. What ports nominate in
// this cycle is known already, so they may arrive at once.
func (e *cycleEngine) traverseUnitDelay(list []int32) {
	x := e.x
	fifos, in, few := x.fifos, x.in, x.scanAllWords
	ends, n := x.headsAndTails, 0
	for _, o := range list {
		to := &fifos[o]
		i := to.upstream
		from, w := &fifos[i], &in[i>>6]
		before, keeps := from.upstream, to.buffersFlits
		here, room := from.occupancy-1, to.credits-keeps
		from.occupancy, to.credits = here, room
		to.occupancy += keeps
		from.credits++
		w.sent |= 1 << (i & 63)
		w.occupied &^= below(here, 1) << (i & 63)
		w.hasCredit &^= below(room, 1) << (i & 63)
		in[o>>6].occupied |= uint64(keeps) << (o & 63)
		in[before>>6].hasCredit |= 1 << (before & 63)
		ends[n] = i
		n += int(below(from.flitsLeft, 2))
		from.flitsLeft--
		if !few {
			x.activate(o)
			x.activate(before)
		}
		if before == x.unusedSlot && from.credits == 1 {
			e.creditInjection(i, e.now+1)
		}
	}
	x.headsAndTails = ends[:n]
}

// below is 1 if a is less than b, which both are small, and else 0.
func below(a, b int32) uint64 { return uint64(uint32(a-b) >> 31) }

// carry puts a flit on its way on a channel.
func (e *cycleEngine) linkTraversal(o int32) {
	if x := e.x; x.unitDelay {
		x.fifos[o].occupancy++
		if x.singleVC {
			x.sendIfReady(&x.fifos[o])
		} else {
			x.in[o>>6].occupied |= 1 << (o & 63)
			x.activate(o)
		}
		e.calendar.slotOf(e.now + 1)
		return
	}
	t := e.now + e.delay(Channel(o))
	e.x.arrivals.add(t, o)
	e.calendar.slotOf(t)
}

// occupy notes that the links of some channels carry flits from now on, for longer than a cycle.
func (e *cycleEngine) busyLinks(list []int32) {
	x := e.x
	for _, o := range list {
		l := x.link(o)
		x.linkFreeAt[l] = e.now + e.flitTime(Channel(o))
		e.releaseLinkAt(x.linkFreeAt[l], int32(l))
		i := x.link(x.fifos[o].upstream)
		port := x.port(x.fifos[o].upstream)
		for s := x.slot(l); s < x.slot(l+1); s++ {
			from := x.fifos[s].upstream
			x.in[from>>6].linkFree &^= 1 << (from & 63)
		}
		if x.portBudget != nil && e.w.Width(i) > 1 { // others are not limited
			x.portBudget[port]--
			e.releaseLinkAt(e.now+e.flitTime(e.w.firstVC(i)), ^port)
		}
	}
}

// reopenAt enters a link that is busy until a cycle, or a port.
func (e *cycleEngine) releaseLinkAt(cycle int64, l int32) {
	e.x.linkReleases.add(cycle, l)
	e.calendar.slotOf(cycle)
}

// turnPointers moves the pointers of input ports past the last of their virtual channels that sent.
func (x *buffers) advancePointers() {
	for _, at := range x.nominatingWords {
		w := &x.in[at]
		if x.ports > 1 {
			for _, some := range x.portVCs {
				sent := w.sent & some
				some &= x.fieldsOf(sent)
				w.atOrAfterPointer = w.atOrAfterPointer&^some | x.pointersPast(w.atOrAfterPointer, sent)&some
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

// traceSent tells of the flits that are sent now on channels of a list.
func (e *cycleEngine) traceSent(list []int32) {
	x := e.x
	for _, o := range list {
		i := x.fifos[o].upstream
		f := &x.fifos[i]
		p := e.vcs[i].packet
		e.trace.Sent(e.now, Channel(o), e.notes[p].number, e.packets[p].Length-max(f.flitsLeft, -f.flitsLeft),
			e.vcs[i].ready+e.timing.Allocation)
	}
}

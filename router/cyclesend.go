package router

import "slices"

// The stage of sending of the cycle-driven engine, once ports have nominated.

// choose returns the channels that send: of those of a link that nominees want, the next in turn.
// Where links have one virtual channel each, nobody else wants the channel that a nominee holds.
func (e *cycleEngine) choose() []int32 {
	x := e.x
	list, fifos := x.nominees.take(), x.fifos
	if x.shift == 0 {
		for k, from := range list {
			list[k] = fifos[from].wants
		}
		return list
	}
	if x.islip != nil {
		return x.islip.match(x, list)
	}
	out, asked, few := x.out, x.asked, x.few
	for _, from := range list {
		s := fifos[from].wants
		out[s>>6].asked |= 1 << (s & 63)
		if !few {
			asked[s>>12] |= 1 << (s >> 6 & 63)
		}
	}
	for at := 0; few && at < len(out); at++ {
		if w := &out[at]; w.asked != 0 {
			x.chooseIn(at, w)
		}
	}
	for k, words := range asked {
		for asked[k] = 0; words != 0; words &= words - 1 {
			at := k<<6 + first(words)
			x.chooseIn(at, &out[at])
		}
	}
	return x.senders.take()
}

// chooseIn is choose for the links of a word.
func (x *buffers) chooseIn(at int, w *outputWord) {
	set := x.firsts(w.asked, w.ahead)
	w.asked, w.ahead = 0, x.past(w.ahead, set)
	x.senders.unfold(at, set)
}

// sendEach sends a flit on each of a list of channels.
func (e *cycleEngine) sendEach(list []int32) {
	x := e.x
	x.ends = slices.Grow(x.ends[:0], len(list))[:len(list)]
	if e.trace != nil {
		e.traceSent(list)
	}
	if x.prompt {
		e.movePrompt(list)
	} else {
		e.move(list)
	}
	if x.speedup > 0 {
		x.turnPointers()
	}
	if x.carries != nil {
		e.occupy(list)
	}
	e.sentEnds()
}

// move sends a flit on each of a list of channels, and puts it on its way, and a credit on its way
// back.
func (e *cycleEngine) move(list []int32) {
	x := e.x
	fifos, in, ends, n := x.fifos, x.in, x.ends, 0
	coming, back := e.underWay(len(list))
	flits, c := coming.list[coming.n:][:len(list)], 0
	credits := back.list[back.n:][:len(list)]
	for k, o := range list {
		to := &fifos[o]
		i := to.behind
		from, w := &fifos[i], &in[i>>6]
		here, room := from.here-1, to.credits-to.keeps
		from.here, to.credits = here, room
		w.sent |= 1 << (i & 63)
		// The last flit of the FIFO has left, or the last place of the next one been taken.
		w.some &^= below(here, 1) << (i & 63)
		w.room &^= below(room, 1) << (i & 63)
		// It was a header, whose packet has a negative number of flits left, or the tail.
		ends[n] = i
		n += int(below(from.left, 2))
		from.left--
		flits[c], credits[k] = o, i
		c += int(to.keeps)
	}
	x.ends = ends[:n]
	x.countEach(list)
	if x.alike {
		coming.n, back.n = coming.n+c, back.n+len(list)
	} else {
		e.onTheirWay(list)
	}
}

// underWay returns the lists, with room for so many more, of FIFOs to which flits come that are
// sent now, and of those from which credits come back, where all links are alike.
func (e *cycleEngine) underWay(many int) (coming, back *slotList) {
	x, t := e.x, &e.timing
	if many > 0 && x.alike {
		e.calendar.at(e.now + t.Link)
		e.calendar.at(e.now + t.Credit)
	}
	return x.arrivals.grown(e.now+t.Link, many), x.returns.grown(e.now+t.Credit, many)
}

// countEach counts flits that are sent now on channels of a list, where they are counted.
func (x *buffers) countEach(list []int32) {
	if !x.counted {
		return
	}
	for _, o := range list {
		to := &x.fifos[o]
		to.count += to.keeps
		x.fifos[to.behind].count--
	}
}

// onTheirWay puts flits on their way on the channels of a list, and credits on their way back,
// where links differ.
func (e *cycleEngine) onTheirWay(list []int32) {
	x, own := e.x, e.own
	for _, o := range list {
		to := &x.fifos[o]
		if to.keeps != 0 {
			t := e.now + int64(own[o].Delay)
			x.arrivals.add(t, o)
			e.calendar.at(t)
		}
		t := e.now + int64(own[to.behind].Credit)
		x.returns.add(t, to.behind)
		e.calendar.at(t)
	}
}

// movePrompt is move where flits and credits take a cycle, as by default. What ports nominate in
// this cycle is known already, so they may arrive at once.
func (e *cycleEngine) movePrompt(list []int32) {
	x := e.x
	fifos, in, few := x.fifos, x.in, x.few
	ends, n := x.ends, 0
	for _, o := range list {
		to := &fifos[o]
		i := to.behind
		from, w := &fifos[i], &in[i>>6]
		before, keeps := from.behind, to.keeps
		here, room := from.here-1, to.credits-keeps
		from.here, to.credits = here, room
		to.here += keeps
		from.credits++
		w.sent |= 1 << (i & 63)
		w.some &^= below(here, 1) << (i & 63)
		w.room &^= below(room, 1) << (i & 63)
		in[o>>6].some |= uint64(keeps) << (o & 63)
		in[before>>6].room |= 1 << (before & 63)
		ends[n] = i
		n += int(below(from.left, 2))
		from.left--
		if !few {
			x.mark(o)
			x.mark(before)
		}
		if before == x.spare && from.credits == 1 {
			e.credited(i, e.now+1)
		}
	}
	x.ends = ends[:n]
}

// below is 1 if a is less than b, which both are small, and else 0.
func below(a, b int32) uint64 { return uint64(uint32(a-b) >> 31) }

// carry puts a flit on its way on a channel.
func (e *cycleEngine) carry(o int32) {
	if x := e.x; x.prompt {
		x.fifos[o].here++
		if x.lone {
			x.tryLone(&x.fifos[o])
		} else {
			x.in[o>>6].some |= 1 << (o & 63)
			x.mark(o)
		}
		e.calendar.at(e.now + 1)
		return
	}
	t := e.now + e.delay(Channel(o))
	e.x.arrivals.add(t, o)
	e.calendar.at(t)
}

// occupy notes that the links of some channels carry flits from now on, for longer than a cycle.
func (e *cycleEngine) occupy(list []int32) {
	x := e.x
	for _, o := range list {
		l := x.link(o)
		x.carries[l] = e.now + e.flitTime(Channel(o))
		e.reopenAt(x.carries[l], int32(l))
		i := x.link(x.fifos[o].behind)
		port := x.port(x.fifos[o].behind)
		for s := x.slot(l); s < x.slot(l+1); s++ {
			from := x.fifos[s].behind
			x.in[from>>6].open &^= 1 << (from & 63)
		}
		if x.budget != nil && e.w.Width(i) > 1 { // others are not limited
			x.budget[port]--
			e.reopenAt(e.now+e.flitTime(e.w.lead(i)), ^port)
		}
	}
}

// reopenAt enters a link that is busy until a cycle, or a port.
func (e *cycleEngine) reopenAt(cycle int64, l int32) {
	e.x.reopened.add(cycle, l)
	e.calendar.at(cycle)
}

// turnPointers moves the pointers of input ports past the last of their virtual channels that sent.
func (x *buffers) turnPointers() {
	for _, at := range x.nominated {
		w := &x.in[at]
		if x.ports > 1 {
			for _, some := range x.sharing {
				sent := w.sent & some
				some &= x.of(sent)
				w.ahead = w.ahead&^some | x.past(w.ahead, sent)&some
			}
			w.sent = 0
			continue
		}
		last := w.sent
		if x.speedup > 1 {
			last = x.lasts(last, w.ahead)
		}
		w.ahead, w.sent = x.past(w.ahead, last), 0
	}
}

// traceSent tells of the flits that are sent now on channels of a list.
func (e *cycleEngine) traceSent(list []int32) {
	x := e.x
	for _, o := range list {
		i := x.fifos[o].behind
		f := &x.fifos[i]
		p := e.vcs[i].packet
		e.trace.Sent(e.now, Channel(o), e.notes[p].number, e.packets[p].Length-max(f.left, -f.left),
			e.vcs[i].ready+e.timing.Allocation)
	}
}

package router

// How the closed form settles tails.

// settle settles when the tail of packet p is sent on its next channel, given when
// the header was sent on the one so many channels ahead, and what follows: the
// channel gets free, and the FIFO before it has a place for the next header. That
// may be sent, and so may others, and a record of progress be made for their packets.
func (b *Routers) settle(p int32, w *progress, ahead int32, t int64) {
	x := b.closed
	tail := t - int64(ahead)*x.tailAdvance
	if x.times != nil {
		tail = b.recall(p, w, ahead, tail)
	}
	i, vcs := w.last, b.vcs
	if i < 0 {
		w.last = ^i
		b.releaseAt(&vcs[^i], Channel(^i), w, tail)
		return // the next packet has to wait for this one's tail to leave the FIFO
	}
	in := &vcs[i]
	o := Channel(in.outputVC)
	out := &vcs[o]
	w.last = int32(o)
	b.releaseAt(out, o, w, tail)
	in.packet, in.state, in.tailLeft = none, idle, out.freeAt-b.timing.Flit
	if out.firstWaiting != none || out.flags|in.flags != 0 {
		b.settled(p, Channel(i), o)
	}
}

// settleMost is settle for as many channels as there is nothing that follows for, down to, but not
// for, that by which the packet arrives, whose header is sent in this cycle. It returns how many
// channels that is ahead of the first that is left. It calls nothing: see startMost.
func (b *Routers) settleQuietly(w *progress, ahead int32) int32 {
	vcs, less, term := b.vcs, b.closed.tailAdvance, b.now-int64(ahead)*b.closed.tailAdvance
	for ; ahead > 0; ahead-- {
		if w.last < 0 {
			w.last = ^w.last
			b.releaseAt(&vcs[uint32(w.last)], Channel(w.last), w, term)
		} else {
			in := &vcs[uint32(w.last)]
			behind := &vcs[uint32(in.outputVC)]
			if behind.firstWaiting != none || behind.flags|in.flags != 0 {
				break
			}
			w.last = in.outputVC
			b.releaseAt(behind, Channel(in.outputVC), w, term)
			in.packet, in.state, in.tailLeft = none, idle, behind.freeAt-b.timing.Flit
		}
		term += less
	}
	return ahead
}

// settled does what follows where the tail of packet p has been settled on channel o, by which it
// leaves FIFO i: others wait for it, the packet arrives, or the next one takes its place.
func (b *Routers) settled(p int32, i, o Channel) {
	in, out := &b.vcs[i], &b.vcs[o]
	if out.firstWaiting != none || !b.queuePerVC {
		b.serveWaiting(out, o, i)
	}
	if out.sink() {
		b.copyProgress(p, 1)
		b.calendar.schedule(b.now, event{in.tailLeft + b.delay(o), p, tailArrives})
	}
	switch {
	case in.flags&late != 0:
		in.flags &^= late
		b.sendLateHead(in, i)
	case in.flags&fromNode != 0:
		b.injectHead(i, b.packets[p].From)
	}
}

// recall returns when the tail of packet p is sent on its next channel, given the term for the
// last time of its header, by the times remembered, and tells of its flits.
func (b *Routers) recall(p int32, w *progress, ahead int32, term int64) int64 {
	x := b.closed
	if x.creditSums != nil {
		k := &x.creditSums[p]
		if w.last >= 0 {
			k.settled += int64(b.linkTimings[w.last].Credit)
		}
		term += k.sent - k.settled // the credits from there to before the last link
	}
	if x.recording != nil {
		x.carried(p, b.settling(w), w.next-1-ahead, ahead)
	}
	return max(term, x.tail(p, w.next-1-ahead, ahead))
}

// settling returns the channel on which the tail of a packet is settled next.
func (b *Routers) settling(w *progress) Channel {
	if w.last < 0 {
		return Channel(^w.last)
	}
	return Channel(b.vcs[w.last].outputVC)
}

// vacate ends the hold of channel o: the term that counts for the tail of its
// packet, whose progress is w, is the one given, but for the flits that follow each other.
func (b *Routers) releaseAt(out *vcState, o Channel, w *progress, term int64) {
	// With one virtual channel each, channels and links have the same numbers.
	length := int64(uint32(w.length))
	free, u := term+length*b.timing.Flit, &b.loads[uint32(o)]
	out.holder, out.freeAt, out.job = none, free, w.job
	u.flits += length
	u.held += free - out.since
}

// sendLate sends the header of the packet that holds channel o and has waited for
// its place.
func (b *Routers) sendLateHead(out *vcState, o Channel) {
	in := &b.vcs[out.holder]
	t, w := max(out.since, b.spaceAt(out, o)), &b.closed.progress[in.packet]
	b.addBlocked(o, w, t)
	b.sendHead(out, o, in.packet, w, t)
}

// tail returns the maximum of the terms of the closed form, without that of the
// last header time, for the channel that is first of the progress of packet p.
func (x *closed) tail(p, first, ahead int32) int64 {
	times := x.times[p*(x.mask+1):][:x.mask+1]
	tail := -never
	for m := range ahead {
		tail = max(tail, times[(first+m)&x.mask]-int64(m)*x.tailAdvance)
	}
	if x.creditSums != nil {
		tail -= x.creditSums[p].settled
	}
	return tail
}

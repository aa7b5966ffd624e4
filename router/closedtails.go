package router

// Tails in the closed form.

// settle sets the time at which the tail of packet p is sent on its next channel, given the time t
// of the head on the channel ahead of that by some channels. It releases the channel and the FIFO
// before it, to which heads may be sent then: so progress may grow.
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

// settled serves those who wait for VC o, on which the tail of packet p has been settled, and for
// FIFO i, which it leaves: waiting heads, the destination, the next packet.
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

// recall returns the time at which the tail of packet p is sent on its next channel from the kept
// times of its head, given the term of the last one.
func (b *Routers) recall(p int32, w *progress, ahead int32, term int64) int64 {
	x := b.closed
	if x.creditSums != nil {
		k := &x.creditSums[p]
		if w.last >= 0 {
			k.settled += int64(b.linkTimings[w.last].Credit)
		}
		term += k.sent - k.settled // the credits from there to before the last link
	}
	return max(term, x.tail(p, w.next-1-ahead, ahead))
}

// releaseAt releases VC o, given the term that decides when its packet's tail is sent, less the
// flits that follow each other.
func (b *Routers) releaseAt(out *vcState, o Channel, w *progress, term int64) {
	// With one virtual channel each, channels and links have the same numbers.
	length := int64(uint32(w.length))
	free, u := term+length*b.timing.Flit, &b.loads[uint32(o)]
	out.holder, out.freeAt, out.job = none, free, w.job
	u.flits += length
	u.held += free - out.since
}

// sendLateHead sends the head of the packet that holds VC o and has waited for a place.
func (b *Routers) sendLateHead(out *vcState, o Channel) {
	in := &b.vcs[out.holder]
	t, w := max(out.since, b.spaceAt(out, o)), &b.closed.progress[in.packet]
	b.addBlocked(o, w, t)
	b.sendHead(out, o, in.packet, w, t)
}

// tail returns the maximum of the terms of the closed form for packet p without that of the last
// time of its head. The times are those from first on.
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

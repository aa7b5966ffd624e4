package router

// What the cycle-driven engine does once a packet and router: for headers and for tails.

// sentEnds notes which of the flits that have been sent now are headers and tails.
func (e *cycleEngine) sentEnds() {
	x := e.x
	for _, from := range x.ends {
		f, i := &x.fifos[from], x.channel[from]
		v := &e.vcs[i]
		if f.left < 0 {
			f.left = -f.left - 2 // one less than it was before move took one from its negative
			e.sentHead(f, v, from)
		}
		if f.left == 0 {
			e.sentTail(f, v, i, from)
		}
	}
}

// sentHead notes that the header at the head of a FIFO has been sent on now.
func (e *cycleEngine) sentHead(f *fifo, v *vcState, from int32) {
	x := e.x
	o, k := f.wants, &e.packets[v.packet]
	x.in[from>>6].heads &^= 1 << (from & 63)
	k.Blocked += e.now - v.ready
	if x.fifos[o].keeps != 0 {
		k.Hops++
		c := x.channel[o]
		e.entered(c, o, v.packet, e.now+e.delay(c))
	}
}

// sentTail notes that the tail at the head of FIFO i, whose slot is given, has been sent on now.
func (e *cycleEngine) sentTail(f *fifo, v *vcState, i Channel, from int32) {
	x, o, p := e.x, f.wants, v.packet
	x.in[from>>6].room &^= 1 << (from & 63)
	x.fifos[o].behind = x.spare
	x.out[o>>6].held &^= 1 << (o & 63)
	e.release(x.channel[o], i, e.now)
	if f.last == p {
		f.last = none
		v.packet, v.state = none, idle
		return
	}
	p = e.notes[p].after
	e.follow(i, from, p, max(e.now+1, e.notes[p].comes))
}

// entered notes that the header of packet p has been sent to FIFO c, whose slot is given, and when
// it comes there. Its packet is next behind the one that came last, of which there is one at most:
// a tail is in one FIFO at a time.
func (e *cycleEngine) entered(c Channel, slot, p int32, comes int64) {
	f := &e.x.fifos[slot]
	if f.last == none {
		e.follow(c, slot, p, comes)
	} else {
		e.notes[f.last].after, e.notes[p].comes = p, comes
	}
	f.last = p
}

// follow has the header of packet p at the head of FIFO c, whose slot is given, from cycle h on.
func (e *cycleEngine) follow(c Channel, slot, p int32, h int64) {
	e.x.fifos[slot].left = -e.packets[p].Length
	e.x.in[slot>>6].heads |= 1 << (slot & 63)
	e.headed(c, p, h)
}

package router

// What the cycle-driven engine does once a packet and router: for headers and for tails.

// sentEnds notes which of the flits that have been sent now are headers and tails.
func (e *cycleEngine) sentEnds() {
	x := e.x
	for _, from := range x.ends {
		f, v := &x.fifos[from], &e.vcs[from]
		if f.left < 0 {
			f.left = -f.left - 2 // one less than it was before move took one from its negative
			e.sentHead(f, v, from)
		}
		if f.left == 0 {
			e.sentTail(f, v, from)
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
		e.entered(o, v.packet, e.now+e.delay(Channel(o)))
	}
}

// sentTail notes that the tail at the head of FIFO has been sent on now.
func (e *cycleEngine) sentTail(f *fifo, v *vcState, from int32) {
	x, o, p := e.x, f.wants, v.packet
	x.in[from>>6].room &^= 1 << (from & 63)
	x.fifos[o].behind = x.spare
	x.out[o>>6].held &^= 1 << (o & 63)
	e.release(Channel(o), Channel(from), e.now)
	if f.last == p {
		f.last = none
		v.packet, v.state = none, idle
		return
	}
	p = e.notes[p].after
	e.follow(from, p, max(e.now+1, e.notes[p].comes))
}

// entered notes that the header of packet p has been sent to FIFO c, and when it comes there. Its packet is next behind the one that came last, of which there is one at most:
// a tail is in one FIFO at a time.
func (e *cycleEngine) entered(c, p int32, comes int64) {
	f := &e.x.fifos[c]
	if f.last == none {
		e.follow(c, p, comes)
	} else {
		e.notes[f.last].after, e.notes[p].comes = p, comes
	}
	f.last = p
}

// follow has the header of packet p at the head of FIFO c from cycle h on.
func (e *cycleEngine) follow(c, p int32, h int64) {
	e.x.fifos[c].left = -e.packets[p].Length
	e.x.in[c>>6].heads |= 1 << (c & 63)
	e.headed(Channel(c), p, h)
}

package router

// What the cycle-driven engine does once a packet and router: for headers and for tails.

// sentEnd notes that the header or the tail at the head of a FIFO, whose slot is from, has been
// sent now on the channel of slot o.
func (e *cycleEngine) sentEnd(o, from int32) {
	x := e.x
	f, c, i := &x.fifos[from], x.channel[o], x.channel[from]
	if f.left < 0 {
		f.left = -f.left
		x.in[from>>6].heads &^= 1 << (from & 63)
		v := &e.vcs[i]
		k := &e.packets[v.packet]
		k.Blocked += e.now - v.ready
		if is(x.out[o>>6].keeps, o) {
			k.Hops++
			e.entered(c, o, v.packet, e.now+e.delay(c))
		}
	}
	if f.left--; f.left > 0 {
		return
	}
	x.in[from>>6].room &^= 1 << (from & 63)
	x.fifos[o].behind = x.spare
	p := e.vcs[i].packet
	e.release(c, i, e.now)
	if f.last == p {
		f.last = none
		e.vcs[i].packet, e.vcs[i].state = none, idle
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
	e.notes[p].comes = comes
	if f.last == none {
		e.follow(c, slot, p, comes)
	} else {
		e.notes[f.last].after = p
	}
	f.last = p
}

// follow has the header of packet p at the head of FIFO c, whose slot is given, from cycle h on.
func (e *cycleEngine) follow(c Channel, slot, p int32, h int64) {
	e.x.fifos[slot].left = -e.packets[p].Length
	e.headed(c, p, h)
}

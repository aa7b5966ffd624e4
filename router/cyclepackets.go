package router

// What the cycle-driven engine does once a packet and router: for headers and for tails.

// sentHeads notes that the headers at the heads of FIFOs, whose slots are given, have been sent on
// now.
func (e *cycleEngine) sentHeads(list []int32) {
	x := e.x
	for _, from := range list {
		o := x.fifos[from].wants
		v := &e.vcs[x.channel[from]]
		p := v.packet
		k := &e.packets[p]
		k.Blocked += e.now - v.ready
		if is(x.out[o>>6].keeps, o) {
			k.Hops++
			c := x.channel[o]
			e.entered(c, o, p, e.now+e.delay(c))
		}
	}
}

// sentTails notes that the tails at the heads of FIFOs, whose slots are given, have been sent on
// now.
func (e *cycleEngine) sentTails(list []int32) {
	x := e.x
	for _, from := range list {
		f, i := &x.fifos[from], x.channel[from]
		o := f.wants
		x.in[from>>6].room &^= 1 << (from & 63)
		x.fifos[o].behind = x.spare
		x.out[o>>6].held &^= 1 << (o & 63)
		p := e.vcs[i].packet
		e.release(x.channel[o], i, e.now)
		if f.last == p {
			f.last = none
			e.vcs[i].packet, e.vcs[i].state = none, idle
			continue
		}
		p = e.notes[p].after
		e.follow(i, from, p, max(e.now+1, e.notes[p].comes))
	}
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
	e.x.left.begin(slot, e.packets[p].Length)
	e.x.in[slot>>6].heads |= 1 << (slot & 63)
	e.headed(c, p, h)
}

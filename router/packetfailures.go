package router

// Failing links in the packet engine, which knows of flits only when the heads of their packets
// arrive and leave.

// holdsPackets reports whether packets hold VC c of link l, or are in its FIFO or on the way to it.
func (b *Routers) holdsPackets(l Link, c Channel) bool {
	k, v := &b.byPacket.links[l], &b.byPacket.vcs[c]
	return b.vcs[c].holder >= 0 || k.sending(b.now) && b.w.firstVC(l)+Channel(k.lastVC) == c ||
		v.front != none || v.gone > 0 && v.tailAt >= b.now
}

// loseSent loses the packet whose head has been sent on a link from a router, and whose tail has
// not.
func (b *Routers) loseSent(l Link) {
	if k := &b.byPacket.links[l]; k.sending(b.now) {
		b.lose(b.byPacket.hops[k.hop].packet)
	}
}

// loseHops loses the packets of FIFO c, all or those of which not all flits have arrived.
func (b *Routers) loseHops(c Channel, all bool) {
	x := b.byPacket
	flit := x.links[b.w.link(c)].flit
	for i := x.vcs[c].oldest; i != none; i = x.hops[i].next {
		h := &x.hops[i]
		if h.leaves < never && h.leaves+int64(h.length-1)*int64(h.pace) < b.now {
			continue // its tail has left
		}
		if all || h.arrives+int64(h.length-1)*int64(flit) >= b.now {
			b.lose(h.packet)
		}
	}
}

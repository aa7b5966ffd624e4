package router

import "math/bits"

// openLinks lets the packet engine pass over waiting heads that can get no VC, under routings with
// escape channels. There a head may have a hundred VCs to choose from, and each FIFO that becomes
// empty lets VC allocation look at all heads that wait at its router. In a jam a hundred heads wait
// there, and most can go nowhere. A link is open if one of its VCs could be granted. Only heads
// that want an open link are looked at.
type openLinks struct {
	links   []openLink
	routers []openRouter
	wants   []wantedLinks // by place of the head: see Routers.takePlace
	ports   int           // of a router
	arrived []int32       // by router and port: see waitingFlits

	// Of one pass over the heads at a router: the ports that have been looked at, those of open links,
	// and those of links of which an escape channel could be granted.
	known, open, openToEscape uint64
	reopens                   int64 // first cycle in which a closed link may be open, or never
}

// openLink is the state of a link that leaves a router.
type openLink struct {
	// closed is a cycle before which the link is not open. It is never if the link opens only when a
	// FIFO becomes empty or a packet is sent.
	closed int64
	// VCs that have been offered to a head as escape channels, and otherwise.
	escapes, others uint32
	router          int32
	port            uint8
}

// openRouter is the state of the heads that wait at a router.
type openRouter struct {
	others, escapes uint64 // ports that one of them, and maybe no other, wants
	// arriving is the first of those packets, by FIFO, that had not arrived completely when
	// waitingFlits was called last, or none.
	arriving int32
}

// wantedLinks are the links that a head may take, by port.
type wantedLinks struct {
	others, escapes uint64
	next            int32 // after it among the arriving
	arrived         int32 // flits of its packet if it is not among these
	port            uint8 // of its first VC
	listed          bool  // others, escapes and inRuns are valid
	// inRuns says that the VCs that are not escape channels are listed link by link, ascending.
	inRuns  bool
	entered bool // it counts in waitingFlits
}

// newOpenLinks returns the state, nil if a router has more ports than a set.
func newOpenLinks(w *Wiring) *openLinks {
	if w.ports > 64 {
		return nil
	}
	x := &openLinks{links: make([]openLink, w.Links()), ports: w.ports,
		routers: make([]openRouter, w.Topology.Routers()), arrived: make([]int32, len(w.out))}
	for at, c := range w.out {
		if c >= 0 {
			x.links[w.link(c)] = openLink{router: int32(at / w.ports), port: uint8(at % w.ports)}
		}
	}
	for r := range x.routers {
		x.routers[r].arriving = none
	}
	return x
}

// wanted returns the state of the links that head c may take.
func (b *Routers) wanted(c Channel) *wantedLinks {
	return &b.openLinks.wants[b.byPacket.vcs[c].place]
}

// listWaiting notes head c, which has been inserted in the queue of router r. A head alone is
// entered after VC allocation, if it waits on: most heads get a VC at once.
func (b *Routers) listWaiting(c Channel, r int32) {
	w := b.wanted(c)
	w.listed, w.entered = false, false
	first := b.requests[r].first
	second := b.vcs[first].next
	if second == none {
		return
	}
	if b.vcs[second].next == none {
		b.enterWaiting(Channel(first))
		b.enterWaiting(Channel(second))
		return
	}
	b.enterWaiting(c)
}

// enterWaiting lists the links that head c, which waits, may take, and has its flits count in
// waitingFlits.
func (b *Routers) enterWaiting(c Channel) {
	x := b.openLinks
	if w := b.wantsOf(c); !w.entered && !b.w.IsEscapePath(Channel(b.vcs[c].outputVC)) {
		at := &x.routers[b.vcs[c].router]
		w.entered, w.arrived = true, 0
		w.port = x.links[b.w.link(Channel(b.vcs[c].outputVC))].port
		w.next, at.arriving = at.arriving, int32(c)
	}
}

// wantsOf returns the links that head c may take.
func (b *Routers) wantsOf(c Channel) *wantedLinks {
	x := b.openLinks
	w := b.wanted(c)
	if w.listed {
		return w
	}
	w.others, w.escapes, w.listed, w.inRuns = 0, 0, true, true
	last := Channel(none)
	for k, o := range b.offers(c) {
		l := b.w.link(o)
		at, vc := &x.links[l], uint32(1)<<(o-b.w.firstVC(l))
		port := uint64(1) << at.port
		if b.isEscape(c, k, o) {
			w.escapes |= port
			if at.escapes&vc == 0 {
				at.escapes, at.closed = at.escapes|vc, 0
			}
			continue
		}
		if last < 0 || b.w.link(last) != l {
			w.inRuns = w.inRuns && w.others&port == 0
			w.others |= port
		} else {
			w.inRuns = w.inRuns && last < o
		}
		if at.others&vc == 0 {
			at.others, at.closed = at.others|vc, 0
		}
		last = o
	}
	r := &x.routers[b.vcs[c].router]
	r.others |= w.others
	r.escapes |= w.escapes
	return w
}

// beginPass begins to pass over the heads of a queue. It reports false if that does not pay.
func (b *Routers) beginPass(q *requestQueue) bool {
	x := b.openLinks
	if x == nil || q.first == none || b.vcs[q.first].next == none {
		return false
	}
	r := b.vcs[q.first].router
	x.known, x.open, x.openToEscape, x.reopens = 0, 0, 0, never
	b.findOpen(r, x.routers[r].others|x.routers[r].escapes)
	return true
}

// anyOpen reports whether a link is open that a head of the queue may want.
func (b *Routers) anyOpen(q *requestQueue) bool {
	x := b.openLinks
	r := b.vcs[q.first].router
	at := &x.routers[r]
	if look := (at.others | at.escapes) &^ x.known; look != 0 {
		b.findOpen(r, look)
	}
	return at.others&x.open|at.escapes&x.openToEscape != 0
}

// mayTake reports whether a link that head i may take is open. After a grant, anyOpen is called
// first.
func (b *Routers) mayTake(i Channel) bool {
	x, w := b.openLinks, b.wanted(i)
	return w.others&x.open|w.escapes&x.openToEscape != 0
}

// endPass schedules VC allocation for the cycle in which a link that is closed may be open.
func (b *Routers) endPass(q *requestQueue) {
	if x := b.openLinks; x.reopens < never && q.first != none {
		b.scheduleVA(b.vcs[q.first].router, x.reopens)
	}
}

// findOpen finds out which links of router r are open, of those at a set of ports.
func (b *Routers) findOpen(r int32, ports uint64) {
	x := b.openLinks
	x.known |= ports
	x.open &^= ports
	x.openToEscape &^= ports
	for ; ports != 0; ports &= ports - 1 {
		port := ports & -ports
		l := b.w.link(b.w.out[int(r)*x.ports+bits.TrailingZeros64(ports)])
		at := &x.links[l]
		if at.closed > b.now {
			x.reopens = min(x.reopens, at.closed)
			continue
		}
		k := &b.byPacket.links[l]
		free := ^uint32(k.heldAt(b.now))
		open, openToEscape := b.emptyVCs(l, free&at.others) != 0, free&at.escapes != 0
		next := never
		if sent := uint32(1) << (k.lastVC & 31); k.freeAt > b.now &&
			(sent&at.escapes != 0 || b.emptyVCs(l, sent&at.others) != 0) {
			next = k.freeAt
		}
		x.reopens = min(x.reopens, next)
		if open {
			x.open |= port
		}
		if openToEscape {
			x.openToEscape |= port
		}
		if !open && !openToEscape {
			at.closed = next
		}
	}
}

// emptyVCs returns those VCs of a set, of link l, whose FIFOs are known to be empty.
func (b *Routers) emptyVCs(l Link, set uint32) uint32 {
	x, lead := b.byPacket, b.w.firstVC(l)
	for filled := x.links[l].filled & set; filled != 0; filled &= filled - 1 {
		if b.packetCredits(lead+Channel(bits.TrailingZeros32(filled))) != x.buffer {
			set &^= filled & -filled
		}
	}
	return set
}

// empties notes that a FIFO at the end of link l becomes empty in a cycle.
func (x *openLinks) empties(l Link, cycle int64) {
	at := &x.links[l]
	at.closed = min(at.closed, cycle)
}

// releases notes that VC o is free from a cycle on, and reports whether a head may get it then: if
// it is an escape channel. A head gets another VC only when the FIFO is empty again.
func (b *Routers) releases(o Channel, cycle int64) bool {
	l := b.w.link(o)
	at := &b.openLinks.links[l]
	if at.escapes>>((o-b.w.firstVC(l))&31)&1 == 0 {
		first := b.requests[at.router].first
		return first != none && !b.wanted(Channel(first)).listed
	}
	at.closed = min(at.closed, cycle)
	return true
}

// leaveQueue notes that head i, which has left its queue, gets VC o.
func (b *Routers) leaveQueue(o, i Channel) {
	x := b.openLinks
	x.known &^= 1 << x.links[b.w.link(o)].port
	r := b.vcs[i].router
	b.leaveWaiting(i)
	if b.requests[r].first == none {
		x.routers[r].others, x.routers[r].escapes = 0, 0
	}
}

// leaveWaiting has the flits of head i count no longer in waitingFlits.
func (b *Routers) leaveWaiting(i Channel) {
	x, w := b.openLinks, b.wanted(i)
	switch {
	case !w.entered:
	case w.arrived > 0:
		x.arrived[int(b.vcs[i].router)*x.ports+int(w.port)] -= w.arrived
	default:
		b.removeArriving(int32(i))
	}
	w.entered = false
}

// waitingFlits returns the flits, at the router of link l or on the links to it, of waiting packets
// whose first offer is a VC of link l. Those of packets that have arrived completely are summed by
// port.
func (b *Routers) waitingFlits(l Link) (flits int32) {
	x := b.openLinks
	k := &x.links[l]
	if b.requests[k.router].first == none {
		return 0
	}
	for at := &x.routers[k.router].arriving; *at != none; {
		w := b.wanted(Channel(*at))
		n := b.queuedAt(*at)
		if n == b.packets[b.vcs[*at].packet].Length {
			w.arrived, *at = n, w.next
			x.arrived[int(k.router)*x.ports+int(w.port)] += n
			continue
		}
		if w.port == k.port {
			flits += n
		}
		at = &w.next
	}
	return flits + x.arrived[int(k.router)*x.ports+int(k.port)]
}

// pickInRuns is pickVC for a head with escape channels that are granted last, whose other VCs are
// listed link by link: it takes the first link of which an empty VC is free. It reports false if no
// VC but an escape channel can be granted, and schedules VA for when another may be.
func (b *Routers) pickInRuns(i Channel) (o int32, found bool) {
	offered := b.offers(i)
	for k := 0; k < len(offered); {
		l, set := b.w.link(offered[k]), uint32(0)
		lead := b.w.firstVC(l)
		for ; k < len(offered) && b.w.link(offered[k]) == l; k++ {
			if !b.isEscape(i, k, offered[k]) {
				set |= 1 << (offered[k] - lead)
			}
		}
		x := &b.byPacket.links[l]
		if x.freeAt > b.now && b.emptyVCs(l, set&(1<<(x.lastVC&31))) != 0 {
			b.scheduleVA(b.vcs[i].router, x.freeAt)
		}
		if set&^uint32(x.heldAt(b.now)) == 0 {
			continue
		}
		set = b.emptyVCs(l, set)
		if set&^uint32(x.heldAt(b.now)) == 0 {
			continue
		}
		by := lead + Channel(bits.TrailingZeros32(set))
		b.scratch, b.usableTo = append(b.scratch[:0], by), int32(i) // for advancePointer
		return b.pickOnLink(l, uint64(set), by), true
	}
	return none, false
}

// usableToEscape is usable, of the links with an escape channel alone, for a head that can be
// granted no other VC than an escape channel.
func (b *Routers) usableToEscape(i Channel) []Channel {
	x, list := b.openLinks, b.scratch[:0]
	links := b.wantsOf(i).escapes
	for k, o := range b.offers(i) {
		if links>>x.links[b.w.link(o)].port&1 != 0 && (b.isEscape(i, k, o) || b.isEmpty(o)) {
			list = append(list, o)
		}
	}
	b.scratch, b.usableTo = list, int32(i)
	return list
}

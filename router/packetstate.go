package router

import "math/bits"

// The state of the packet engine. Occupancies, credits and queues in any cycle follow from when
// heads arrive and leave.

// hop is a packet in a FIFO, or on the link to it.
type hop struct {
	arrives int64 // cycle in which its head is in the FIFO
	leaves  int64 // cycle in which its head leaves; valid once it is known
	packet  int32
	length  int32 // in flits
	next    int32 // the packet behind it, or none
	pace    int32 // flit time with which it leaves, once that is known
}

// packetVC is the state of a VC in the packet engine, beside that in vcState. One cache line.
type packetVC struct {
	// As a FIFO. The hops from oldest to lastGone have left, those from front on have not.
	tailAt     int64  // cycle in which the last tail that leaves, or has left, leaves
	front      int32  // hop of the packet at the front, or none
	oldest     int32  // first hop for which the sender has not all credits, or none
	last       int32  // hop that entered last, if oldest is one
	lastGone   int32  // hop whose head has left last, if gone is positive
	taken      int32  // flits of the hops from oldest on
	gone       int32  // flits of those whose heads have left
	goneLength int32  // length of lastGone
	gonePace   int32  // flit time with which it leaves
	goneTo     int32  // VC on which the packet of lastGone is sent
	place      int32  // of the head at the front in choices, or none: see Routers.takePlace
	set        uint32 // VCs that the head at the front may take, of its only output link
	_          [4]byte
	// As an output VC.
	sendableAt int64 // first cycle in which the head of the holder may be sent if the link is free
}

// packetLink is the state of a link in the packet engine. Two cache lines.
type packetLink struct {
	freeAt    int64  // cycle from which the link is free
	emptiesAt int64  // cycle from which VC emptiesVC has all credits, or never
	soonest   int64  // first cycle in which another VC of pending becomes sendable, or never
	pending   uint32 // VCs granted to heads that have not been sent
	sendable  uint32 // VCs of pending that may be sent
	filled    uint32 // VCs that may lack credits
	unsure    uint32 // VCs of filled that may have all credits
	delay     int32
	credit    int32
	flit      int32 // flit time
	from      int32 // FIFO from which the packet comes that is sent last; not for links from nodes
	hop       int32 // its hop in that FIFO, or in the FIFO behind a link from a node
	lastVC    int8  // VC on which it is sent
	touched   bool  // in the list of links to serve in this cycle
	awaited   bool  // a node waits for room
	emptiesVC int8  // a VC of filled
	wakesAt   int64 // cycle in which the link is looked at, or never
	load
	port packetPort // at which the link ends
}

// maxPacketVCs is the maximum number of VCs of a link in the packet engine.
const maxPacketVCs = 32

// heldAt returns the VCs that cannot be granted in a cycle: those of heads that have not been sent,
// and the one on which a packet is being sent.
func (k *packetLink) heldAt(cycle int64) uint64 {
	held := uint64(k.pending)
	if k.freeAt > cycle {
		held |= 1 << (k.lastVC & 31)
	}
	return held
}

// settle takes VC emptiesVC out of filled once it has all credits.
func (k *packetLink) settle(now int64) {
	if k.emptiesAt <= now {
		k.filled &^= 1 << (k.emptiesVC & 31)
		k.emptiesAt = never
	}
}

// empties notes that a VC, of which nothing is left to send, has all credits from a cycle on.
func (k *packetLink) empties(vc Channel, cycle, now int64) {
	if k.settle(now); k.emptiesAt < never {
		k.unsure |= 1 << (vc & 31)
		return
	}
	k.emptiesVC, k.emptiesAt = int8(vc), cycle
}

// fills notes that a packet is sent on a VC.
func (k *packetLink) fills(vc Channel) {
	if k.filled |= 1 << (vc & 31); Channel(k.emptiesVC) == vc {
		k.emptiesAt = never
	}
	k.unsure &^= 1 << (vc & 31)
}

// packetState is the state of all VCs and links in the packet engine.
type packetState struct {
	vcs     []packetVC
	links   []packetLink
	hops    []hop
	unused  []int32 // unused hops
	touched []int32 // links to serve in this cycle
	sent    []sentPacket
	sum     int // keeps reads ahead from being left out: see batch
	buffer  int32
	dries   bool         // heads from slow links wait for their tails: see dryUntil
	ports   *packetPorts // nil if no input port is limited
}

// sentPacket is a packet whose head has been sent in this cycle, for marker.
type sentPacket struct {
	from, to int32 // FIFO, output VC
	packet   int32
	credits  int32 // of the output VC, before
}

// newHop returns an unused hop.
func (x *packetState) newHop() int32 {
	if last := len(x.unused) - 1; last >= 0 {
		i := x.unused[last]
		x.unused = x.unused[:last]
		return i
	}
	x.hops = append(x.hops, hop{})
	return int32(len(x.hops) - 1)
}

// flitsBefore returns how many of n flits, sent one every flit time from a cycle on, are sent
// before cycle t.
func flitsBefore(from, t int64, n, flit int32) int32 {
	k := t - from
	if k <= 0 {
		return 0
	}
	return int32(min(roundUp(k, flit), int64(n)))
}

// roundUp returns the number of flit times in some cycles, rounded up.
func roundUp(cycles int64, flit int32) int64 {
	if flit == 1 {
		return cycles
	}
	return (cycles + int64(flit) - 1) / int64(flit)
}

// roundDown returns the whole flit times in some cycles.
func roundDown(cycles int64, flit int32) int64 {
	if flit == 1 {
		return cycles
	}
	return cycles / int64(flit)
}

// forget drops the hops of VC v of link k that have left if the sender has all their credits.
func (x *packetState) forget(v *packetVC, k *packetLink, vc Channel, now int64) {
	if v.gone > 0 && v.tailAt+int64(k.credit) <= now {
		for ; v.oldest != v.lastGone; v.oldest = x.hops[v.oldest].next {
			x.unused = append(x.unused, v.oldest)
		}
		x.unused, v.oldest = append(x.unused, v.lastGone), v.front
		v.taken -= v.gone
		if v.gone = 0; v.oldest < 0 {
			k.filled &^= 1 << (vc & 31)
			k.unsure &^= 1 << (vc & 31)
		}
	}
}

// forgetOldest drops the first hops of a FIFO for which the sender has all credits.
func (x *packetState) forgetOldest(v *packetVC, k *packetLink, now int64) {
	for v.oldest != v.front {
		h := &x.hops[v.oldest]
		if h.leaves+int64(h.length-1)*int64(h.pace)+int64(k.credit) > now {
			return
		}
		v.taken -= h.length
		v.gone -= h.length
		x.unused, v.oldest = append(x.unused, v.oldest), h.next
	}
}

// vcOf returns the link of VC c, and the number of the VC on it.
func (b *Routers) vcOf(c Channel) (*packetLink, Channel) {
	l := b.w.link(c)
	return &b.byPacket.links[l], c - b.w.firstVC(l)
}

// packetCredits returns the credits of VC o.
func (b *Routers) packetCredits(o Channel) int32 {
	k, vc := b.vcOf(o)
	if k.settle(b.now); k.filled>>(vc&31)&1 == 0 {
		return b.byPacket.buffer
	}
	n := b.byPacket.buffer - b.lacking(o, k, vc)
	if Channel(k.lastVC) == vc {
		n += k.unsent(b.now)
	}
	return n
}

// unsent returns the flits of a packet that a link has still to send, from a cycle on.
func (k *packetLink) unsent(cycle int64) int32 {
	return int32(roundDown(max(0, k.freeAt-cycle), k.flit))
}

// lacking returns the credits that the sender of VC o of link k lacks, and those that it will lack
// when a packet that it sends now has been sent.
func (b *Routers) lacking(o Channel, k *packetLink, vc Channel) int32 {
	x := b.byPacket
	v := &x.vcs[o]
	if v.gone == 0 {
		return v.taken
	}
	if v.tailAt+int64(k.credit) <= b.now {
		x.forget(v, k, vc, b.now)
		return v.taken
	}
	// Flits of the last packet that the sender still lacks. If it has some of them, it has all of the
	// packets before.
	rest := roundUp(v.tailAt-b.now+int64(k.credit), v.gonePace)
	if rest < int64(v.goneLength) || v.gone == v.goneLength {
		return v.taken - v.gone + int32(min(rest, int64(v.goneLength)))
	}
	n := v.taken
	for i := v.oldest; i != v.front; i = x.hops[i].next {
		h := &x.hops[i]
		n -= flitsBefore(h.leaves, b.now-int64(k.credit)+1, h.length, h.pace)
	}
	return n
}

// roomAt returns the first cycle, from now on, in which VC o, on which nothing is being sent, has
// credits for n flits; never if it depends on packets whose heads have not left.
func (b *Routers) roomAt(o Channel, n int32) int64 {
	x := b.byPacket
	k, vc := b.vcOf(o)
	if k.settle(b.now); k.filled>>(vc&31)&1 == 0 {
		return b.now
	}
	v := &x.vcs[o]
	if v.taken+n <= x.buffer {
		return b.now
	}
	x.forget(v, k, vc, b.now)
	lacking, back := v.taken+n-x.buffer, int64(k.credit) // flits that have to leave
	switch {
	case lacking <= 0:
		return b.now
	case lacking > v.gone:
		return never
	case v.gone-lacking < v.goneLength:
		return max(b.now, v.tailAt-int64(v.gone-lacking)*int64(v.gonePace)+back)
	}
	for i := v.oldest; ; i = x.hops[i].next {
		h := &x.hops[i]
		if lacking <= h.length {
			return max(b.now, h.leaves+int64(lacking-1)*int64(h.pace)+back)
		}
		lacking -= h.length
	}
}

// packetsQueued returns the flits at this router of a packet that is being sent on VC c.
func (b *Routers) packetsQueued(c Channel) (flits int32) {
	x := b.byPacket
	if k, vc := b.vcOf(c); k.sending(b.now) && Channel(k.lastVC) == vc {
		h, in := &x.hops[k.hop], &x.links[b.w.link(Channel(k.from))]
		flits = flitsBefore(h.arrives-int64(in.delay), b.now, h.length, in.flit) -
			flitsBefore(h.leaves, b.now, h.length, h.pace)
	}
	return flits
}

// sending reports whether a link has a packet whose tail it has not sent before a cycle.
func (k *packetLink) sending(cycle int64) bool { return k.freeAt-int64(k.flit) >= cycle }

// stored returns the flits of a packet in FIFO c before the flits of cycle t arrive.
func (b *Routers) stored(c Channel, h *hop, t int64) int32 {
	in := b.byPacket.links[b.w.link(c)].flit
	return flitsBefore(h.arrives, t, h.length, in) - flitsBefore(h.leaves, t, h.length, h.pace)
}

// sentTo returns the flits of the packet at the front of FIFO i in the FIFO or on the link to it.
func (b *Routers) sentTo(i Channel) int32 {
	x := b.byPacket
	h, in := &x.hops[x.vcs[i].front], &x.links[b.w.link(i)]
	return flitsBefore(h.arrives-int64(in.delay), b.now, h.length, in.flit)
}

// underWay returns the flits and the hold of a packet that link l carries if it has not sent the
// tail before this cycle, which loads have ahead of time.
func (b *Routers) underWay(l Link) load {
	if k := &b.byPacket.links[l]; k.sending(b.now) {
		since := b.vcs[b.w.firstVC(l)+Channel(k.lastVC)].since
		return load{int64(b.byPacket.hops[k.hop].length), k.freeAt - since}
	}
	return load{}
}

// packetView is the View of the packet engine.
type packetView struct{ view }

// QueueOf implements LinkView.
func (v packetView) QueueOf(c, n Channel) (flits int32) {
	b := v.b
	k, vc := b.vcOf(c)
	lead, set := c-vc, uint32(1<<n-1)<<vc
	if k.sending(b.now) && set>>(k.lastVC&31)&1 != 0 {
		flits = b.packetsQueued(lead + Channel(k.lastVC))
	}
	for held := k.pending & set; held != 0; held &= held - 1 {
		flits += b.queuedAt(b.vcs[lead+Channel(bits.TrailingZeros32(held))].holder)
	}
	if b.openLinks != nil && n == b.w.Width(b.w.link(c)) {
		flits += b.waitingFlits(b.w.link(c))
	} else {
		for i := *b.waitingFor(c); i != none; i = b.vcs[i].next {
			if uint32(b.vcs[i].outputVC-int32(c)) < uint32(n) {
				flits += b.queuedAt(i)
			}
		}
	}
	k.settle(b.now)
	filled := k.filled & set
	if filled>>(k.lastVC&31)&1 != 0 {
		flits -= k.unsent(b.now)
	}
	for ; filled != 0; filled &= filled - 1 {
		at := Channel(bits.TrailingZeros32(filled))
		flits += b.lacking(lead+at, k, at)
	}
	return flits
}

package router

import "slices"

// matcher matches sellers, which offer themselves, with takers: one iteration of iSLIP (McKeown,
// "The iSLIP scheduling algorithm for input-queued switches", IEEE/ACM ToN 7(2), 1999). A seller
// offers itself to one taker: the first that may take it, in ring order from the taker after its
// last match. Each taker accepts one of its offers: from the first seller in ring order, again from
// the one after its last match. Both pointers move only if an offer is accepted. Sellers do not
// coordinate: if two offer themselves to one taker, another taker gets no offer.
//
// A choice is the minimum of keys, computed without branches, which the processor could not
// predict.
type matcher struct {
	sellers, takers []side
	offering        []int32 // scratch: the sellers that offer themselves
	offers          int     // their number
	accepting       []int32 // scratch: the takers that have an offer
}

// side is a seller or a taker.
type side struct {
	best   uint64 // the lowest key of this cycle: see ringKey; noKey between cycles
	next   int32  // first in ring order on the other side: the one after its last match
	choice int32  // of a seller: the number in its lowest key
}

// noKey is greater than every key. Keys do not use its highest bit.
const noKey = 1<<64 - 1

// The lowest bits of a key are a number. The bits above them rank the numbers of one taker, and the
// place on the ring is above the rank.
const (
	numberBits = 29
	rankBits   = 2
	ringMask   = 1<<31 - 1
)

// goesLast is a bit of a key above the place on the ring: keys with it go last.
const goesLast = 1 << 62

// ringKey returns the key of taker or seller i: its distance from next on the ring, then the lowest
// bits.
func ringKey(i, next int32, low uint64) uint64 {
	return uint64(uint32(i-next)&ringMask)<<(numberBits+rankBits) | low
}

// newMatcher returns a matcher of numbered sellers and takers.
func newMatcher(sellers, takers int) *matcher {
	free := side{best: noKey}
	return &matcher{sellers: slices.Repeat([]side{free}, sellers),
		takers:   slices.Repeat([]side{free}, takers),
		offering: make([]int32, sellers+1), accepting: make([]int32, takers+1)}
}

// consider makes i the best of this cycle if it comes first in the order of ringKey. It returns 1
// if i is the first number considered in this cycle, otherwise 0.
func (s *side) consider(i int32, low uint64) int {
	only := int(s.best >> 63)
	s.best = min(s.best, ringKey(i, s.next, low))
	return only
}

// offer lets seller o offer itself to a taker. Of several takers it keeps the first in ring order,
// and of several offers to that taker the one with the lowest low, which is a rank and a number. A
// taker whose low includes goesLast comes after all others.
func (m *matcher) offer(o, taker int32, low uint64) {
	m.offering[m.offers] = o
	m.offers += m.sellers[o].consider(taker, low)
}

// acceptOffers sets best to the seller that each taker accepts, and returns the takers that have an
// offer.
func (m *matcher) acceptOffers() []int32 {
	sellers, takers, accepting, n := m.sellers, m.takers, m.accepting, 0
	for _, o := range m.offering[:m.offers] {
		s := &sellers[o]
		i := (int32(s.best>>(numberBits+rankBits)) + s.next) & ringMask
		low := s.best&goesLast | uint64(o)
		s.best, s.choice = noKey, int32(s.best&(1<<numberBits-1))
		accepting[n] = i
		n += takers[i].consider(o, low)
	}
	m.offers = 0
	return accepting[:n]
}

// match matches taker i with the seller that it accepts, and returns the seller, or none.
func (m *matcher) match(i int32) int32 {
	t := &m.takers[i]
	if t.best == noKey {
		return none
	}
	o := int32(t.best & (1<<numberBits - 1))
	t.best, t.next, m.sellers[o].next = noKey, o+1, i+1
	return o
}

// allocateMatched grants free VCs to the heads of a queue under the arbiter Matching: free VCs are
// the sellers of the matcher, heads the takers. Heads that get no VC request again in the next
// cycle if some VC has offered itself.
func (b *Routers) allocateMatched(q *requestQueue) {
	m := b.matching
	for i := q.first; i != none; i = b.vcs[i].next {
		b.offerFreeVCs(Channel(i))
	}
	again := m.offers > 0
	m.acceptOffers()
	for at := &q.first; *at != none; {
		i := *at
		o := m.match(i)
		if o == none {
			at = &b.vcs[i].next
			continue
		}
		*at = b.vcs[i].next
		b.grantWaiting(q, Channel(o), Channel(i))
	}
	if again && q.first != none {
		b.scheduleVA(b.queueOf(Channel(q.first)), b.now+1)
	}
}

// offerFreeVCs makes all free VCs that head i may take offer themselves to it. It also schedules VC
// allocation for the cycles from which VCs that no packet holds may be granted again.
func (b *Routers) offerFreeVCs(i Channel) {
	offer := func(o Channel) {
		switch out := &b.vcs[o]; {
		case out.holder != none || !b.drained(o):
		case out.freeAt > b.now:
			b.scheduleVA(b.queueOf(i), out.freeAt)
		default:
			b.matching.offer(int32(o), int32(i), 0)
		}
	}
	switch {
	case b.linkGroups != nil:
		for _, lead := range b.linkGroups.links[b.queueOf(i)] {
			for o := lead; o < lead+b.w.Width(b.w.link(lead)); o++ {
				offer(o)
			}
		}
		return
	case b.vcSets != nil:
		lead := b.firstVCOfLink(Channel(b.vcs[i].outputVC))
		if b.buffers != nil && b.buffers.speculator != nil {
			b.speculate(i, lead, b.vcSet(Channel(i)))
		}
		for set := b.vcSet(Channel(i)); set != 0; set &= set - 1 {
			offer(lead + Channel(first(set)))
		}
		return
	}
	offered := b.offers(i)
	if b.escaping != nil {
		offered = b.usable(i)
	}
	for _, o := range offered {
		offer(o)
	}
}

// Switch allocation in which input ports and outputs match each other, in one round of offers (see
// matcher; Becker and Dally, "Allocator implementations for network-on-chip routers", SC 2009).
// With iSLIP and SeparableOutputFirst the outputs offer themselves to input ports that have flits
// for them. Outputs come to point to different ports, and under load nearly all of them send. With
// SeparableInputFirst the ports offer themselves to outputs, without regard to each other: if two
// take one output, another output for which they have flits on other VCs stays idle. With
// InputFirst ports nominate VCs in turn, not outputs.

// matchPorts returns the FIFOs that send, with their ranks; list has the FIFOs that can send. Among
// the FIFOs of one port with flits for one output, heads that yield go last; among equals the first
// at or after the port's pointer goes first.
func (x *buffers) matchPorts(list []int32) []int32 {
	m := x.switches
	if x.portsOffer {
		x.offerPorts(list)
	} else {
		x.offerLinks(list)
	}
	senders := list[:0]
	for _, taker := range m.acceptOffers() {
		senders = append(senders, m.sellers[m.match(taker)].choice)
	}
	return senders
}

// offerLinks makes each link for which a FIFO has flits offer itself to input ports.
func (x *buffers) offerLinks(list []int32) {
	fifos, sellers, offering, n := x.fifos, x.switches.sellers, x.switches.offering, 0
	for _, ranked := range list {
		i := ranked & (1<<numberBits - 1)
		l := x.link(fifos[i].outputVC)
		offering[n] = int32(l)
		n += sellers[l].consider(x.port(i), x.lowOf(ranked))
	}
	x.switches.offers = n
}

// offerPorts makes each input port whose FIFOs have flits offer itself to links.
func (x *buffers) offerPorts(list []int32) {
	m := x.switches
	for _, ranked := range list {
		i := ranked & (1<<numberBits - 1)
		m.offer(x.port(i), int32(x.link(x.fifos[i].outputVC)), x.lowOf(ranked))
	}
}

// lowOf returns the lowest bits of the key of a ranked FIFO, and goesLast for a head that yields to
// the flits of all ports.
func (x *buffers) lowOf(ranked int32) uint64 {
	return uint64(ranked) | uint64(ranked)<<(62-numberBits-1)&x.headsLast
}

// allocateRoundRobin grants free VCs to the heads of a queue under the round-robin arbiter. If
// several heads would take the same VC, it goes to the first input port after the port that got the
// VC last, and of several heads of that port to the one that came first. Priority rotates over
// input ports, not input VCs, so a port with several VCs has no larger share. Heads that lose may
// have another choice, so allocation repeats until a round grants no VC.
func (b *Routers) allocateRoundRobin(q *requestQueue) {
	passing := b.beginPass(q)
	for q.first != none && (!passing || b.anyOpen(q)) {
		best, winner, rank := int32(none), int32(none), int32(0)
		for i := q.first; i != none; i = b.vcs[i].next {
			if passing && !b.mayTake(Channel(i)) {
				continue
			}
			o := b.pickVC(Channel(i))
			if o == none || best != none && o > best {
				continue
			}
			distance := int32(b.w.link(Channel(i))) - b.lastPort[o]
			if distance <= 0 {
				distance += int32(b.w.Links()) + 1
			}
			if best == none || o < best || distance < rank {
				best, winner, rank = o, i, distance
			}
		}
		if best == none {
			break
		}
		at := &q.first
		for *at != winner {
			at = &b.vcs[*at].next
		}
		*at = b.vcs[winner].next
		b.lastPort[best] = int32(b.w.link(Channel(winner)))
		b.grantWaiting(q, Channel(best), Channel(winner))
	}
	if passing {
		b.endPass(q)
	}
}

package router

// matcher matches sellers, which offer themselves, with takers: one iteration of iSLIP (McKeown,
// "The iSLIP scheduling algorithm for input-queued switches", IEEE/ACM ToN 7(2), 1999). A seller
// offers itself to the first taker, after the one that accepted it last, that may take it. Each
// taker accepts the first seller, after the one that it accepted last, of those that offer
// themselves. Both pointers move only if an offer is accepted. Sellers offer without regard to each
// other: if two offer themselves to one taker, another taker goes without.
type matcher struct {
	acceptedBy []int32 // by seller: the taker that accepted it last
	accepted   []int32 // by taker: the seller that it accepted last
	// Scratch of a cycle.
	offers   []int32 // by seller: the taker to which it offers itself, none between cycles
	best     []int32 // by taker: the seller that it would accept, none between cycles
	offering []int32 // sellers that offer themselves
	takers   []int32 // takers that have an offer
}

// newMatcher returns a matcher of numbered sellers and takers.
func newMatcher(sellers, takers int) *matcher {
	return &matcher{acceptedBy: filled(sellers), accepted: filled(takers), offers: filled(sellers),
		best: filled(takers)}
}

// ringDistance returns the distance from last to i on a ring of n places, at least 1.
func ringDistance(i, last, n int32) int32 {
	if i <= last {
		return i - last + n
	}
	return i - last
}

// offer makes seller o offer itself to taker i if that comes before the taker of the current offer,
// and reports whether it does.
func (m *matcher) offer(o, i int32) bool {
	n, j, last := int32(len(m.best)), m.offers[o], m.acceptedBy[o]
	if j == none {
		m.offering = append(m.offering, o)
	} else if ringDistance(i, last, n) >= ringDistance(j, last, n) {
		return false
	}
	m.offers[o] = i
	return true
}

// acceptOffers sets best to the seller that each taker accepts, and returns the takers that have an
// offer.
func (m *matcher) acceptOffers() []int32 {
	n := int32(len(m.offers))
	m.takers = m.takers[:0]
	for _, o := range m.offering {
		i := m.offers[o]
		k, last := m.best[i], m.accepted[i]
		if k == none {
			m.takers = append(m.takers, i)
		}
		if k == none || ringDistance(o, last, n) < ringDistance(k, last, n) {
			m.best[i] = o
		}
		m.offers[o] = none
	}
	m.offering = m.offering[:0]
	return m.takers
}

// match matches seller o with taker i, which accepts it.
func (m *matcher) match(o, i int32) { m.acceptedBy[o], m.accepted[i], m.best[i] = i, o, none }

// allocateMatched grants free VCs to the heads of a queue under the arbiter Matching: free VCs are
// the sellers of the matcher, heads the takers. Heads that get none request again in the next cycle
// if some VC has offered itself.
func (b *Routers) allocateMatched(q *requestQueue) {
	m := b.matching
	for i := q.first; i != none; i = b.vcs[i].next {
		b.offerFreeVCs(Channel(i))
	}
	again := len(m.offering) > 0
	m.acceptOffers()
	for at := &q.first; *at != none; {
		i := *at
		o := m.best[i]
		if o == none {
			at = &b.vcs[i].next
			continue
		}
		*at = b.vcs[i].next
		m.match(o, i)
		b.grantWaiting(q, Channel(o), Channel(i))
	}
	if again && q.first != none {
		b.scheduleVA(b.queueOf(Channel(q.first)), b.now+1)
	}
}

// offerFreeVCs makes all free VCs that head i may take offer themselves to it. It schedules VC
// allocation for the cycles in which others become free that nobody holds.
func (b *Routers) offerFreeVCs(i Channel) {
	offer := func(o Channel) {
		switch out := &b.vcs[o]; {
		case out.holder != none:
		case out.freeAt > b.now:
			b.scheduleVA(b.queueOf(i), out.freeAt)
		default:
			b.matching.offer(int32(o), int32(i))
		}
	}
	if b.vcSets != nil {
		lead := b.firstVCOfLink(Channel(b.vcs[i].outputVC))
		for set := b.vcSets[i]; set != 0; set &= set - 1 {
			offer(lead + Channel(first(set)))
		}
		return
	}
	offered := b.offers(i)
	if b.escapes != nil {
		offered = b.usable(i)
	}
	for _, o := range offered {
		offer(o)
	}
}

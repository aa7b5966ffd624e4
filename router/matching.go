package router

// matching is VC allocation by the arbiter Matching: one iteration of iSLIP (see islip) between
// free VCs and the heads that request them. A free VC offers itself to the first head, after the
// one that accepted it last, that may take it, and each head accepts the first VC, after the one
// that it accepted last, of those that offer themselves. VCs offer without regard to each other: if
// two offer themselves to one head, another head goes without.
type matching struct {
	accepted []int32 // by VC: the FIFO whose head accepted it last
	accepts  []int32 // by FIFO: the VC that its head accepted last

	// Scratch of a cycle.
	offers   []int32 // by VC: the FIFO to whose head it offers itself, none between cycles
	best     []int32 // by FIFO: the VC that its head would accept, none between cycles
	offering []int32 // VCs that offer themselves
}

func newMatching(n int) *matching {
	return &matching{accepted: filled(n), accepts: filled(n), offers: filled(n), best: filled(n)}
}

// offer makes VC o offer itself to head i if that comes before the head of the current offer.
func (m *matching) offer(o, i int32) {
	n, j := int32(len(m.offers)), m.offers[o]
	if j == none {
		m.offering = append(m.offering, o)
	}
	if j == none || after(i, m.accepted[o], n) < after(j, m.accepted[o], n) {
		m.offers[o] = i
	}
}

// accept sets best to the VC that each head accepts.
func (m *matching) accept() {
	n := int32(len(m.offers))
	for _, o := range m.offering {
		i := m.offers[o]
		k := m.best[i]
		if k == none || after(o, m.accepts[i], n) < after(k, m.accepts[i], n) {
			m.best[i] = o
		}
		m.offers[o] = none
	}
	m.offering = m.offering[:0]
}

// allocateMatched grants free VCs to the heads of a queue under the arbiter Matching. Heads that
// get none request again in the next cycle if some VC has offered itself.
func (b *Routers) allocateMatched(q *requestQueue) {
	m := b.matching
	for i := q.first; i != none; i = b.vcs[i].next {
		b.offerFreeVCs(Channel(i))
	}
	again := len(m.offering) > 0
	m.accept()
	for at := &q.first; *at != none; {
		i := *at
		o := m.best[i]
		if o == none {
			at = &b.vcs[i].next
			continue
		}
		*at, m.best[i] = b.vcs[i].next, none
		m.accepted[o], m.accepts[i] = i, o
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

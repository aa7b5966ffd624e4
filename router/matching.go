package router

// matching is what the arbiter Matching keeps: one iteration of iSLIP (see islip) between the
// virtual channels that are free and the headers that ask for them. A free channel offers itself to
// the first header, after the one that accepted it last, of those that may take it, and each header
// accepts the first channel, after the one that it accepted last, of those that offer themselves.
// Channels do not know of each other: two that offer themselves to one header leave another one
// without.
type matching struct {
	accepted []int32 // of each channel: the FIFO whose header accepted it last
	accepts  []int32 // of each FIFO: the channel that its header accepted last

	// In one cycle, none in between: the FIFO to which a channel offers itself, the channel that
	// the header of a FIFO would accept, and the channels that offer themselves.
	offers, best []int32
	offering     []int32
}

func newMatching(n int) *matching {
	return &matching{accepted: filled(n), accepts: filled(n), offers: filled(n), best: filled(n)}
}

// ask has channel o offer itself to the header at the head of FIFO i if it is that one's turn.
func (m *matching) offer(o, i int32) {
	n, j := int32(len(m.offers)), m.offers[o]
	if j == none {
		m.offering = append(m.offering, o)
	}
	if j == none || after(i, m.accepted[o], n) < after(j, m.accepted[o], n) {
		m.offers[o] = i
	}
}

// accept finds the channel that each header accepts.
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

// allocateMatched is stage 3 for a queue under the arbiter Matching. A header that is refused asks
// again in the next cycle if a channel has offered itself to another one.
func (b *Routers) allocateMatched(q *requestQueue) {
	m := b.matching
	for i := q.first; i != none; i = b.vcs[i].next {
		b.offerFreeVCs(Channel(i))
	}
	some := len(m.offering) > 0
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
	if some && q.first != none {
		b.scheduleVA(b.queueOf(Channel(q.first)), b.now+1)
	}
}

// askFree has the header at the head of FIFO i ask for all free channels that it may take, or again
// when one is free that nobody holds any more.
func (b *Routers) offerFreeVCs(i Channel) {
	ask := func(o Channel) {
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
			ask(lead + Channel(first(set)))
		}
		return
	}
	offered := b.offers(i)
	if b.escapes != nil {
		offered = b.usable(i)
	}
	for _, o := range offered {
		ask(o)
	}
}

package router

// allocateInTurn is stage 3 for a queue under the round-robin arbiter: of the
// headers that would take the same free channel, that of the first input port
// after the one that got it last has it, and of several of a port the one that
// came first. Were turns of input channels, a port would get as many as it has
// virtual channels with headers. Those that lose may have another choice, so
// it goes on until nobody gets anything.
func (b *Routers) allocateRoundRobin(q *requestQueue) {
	for q.first != none {
		best, winner, rank := int32(none), int32(none), int32(0)
		for i := q.first; i != none; i = b.vcs[i].next {
			o := b.pickVC(Channel(i))
			if o == none || best != none && o > best {
				continue
			}
			turn := int32(b.w.link(Channel(i))) - b.lastPort[o]
			if turn <= 0 {
				turn += int32(b.w.Links()) + 1
			}
			if best == none || o < best || turn < rank {
				best, winner, rank = o, i, turn
			}
		}
		if best == none {
			return
		}
		at := &q.first
		for *at != winner {
			at = &b.vcs[*at].next
		}
		*at = b.vcs[winner].next
		b.lastPort[best] = int32(b.w.link(Channel(winner)))
		b.grantWaiting(q, Channel(best), Channel(winner))
	}
}

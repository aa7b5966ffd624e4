package router

// allocateInTurn is stage 3 for a queue under the round-robin arbiter: of the
// headers that would take the same free channel, the first after the input
// channel that got it last has it. Those that lose may have another choice, so
// it goes on until nobody gets anything.
func (b *Routers) allocateInTurn(q *requestQueue) {
	for q.first != none {
		best, winner, rank := int32(none), int32(none), int64(0)
		for i := q.first; i != none; i = b.vcs[i].next {
			o := b.pick(Channel(i))
			if o == none || best != none && o > best {
				continue
			}
			turn := int64(i) - int64(b.lastInput[o])
			if turn <= 0 {
				turn += int64(len(b.vcs)) + 1
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
		b.lastInput[best] = winner
		b.grantWaiting(q, Channel(best), Channel(winner))
	}
}

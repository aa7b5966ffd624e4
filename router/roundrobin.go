package router

// allocateRoundRobin grants free VCs to the heads of a queue under the round-robin arbiter. Of the
// heads that would take the same VC the one of the first input port after the port that got the VC
// last has it, and of several heads of that port the one that came first. Priority rotates over
// input ports, not input VCs, so a port gets no more for having several VCs. Losers may have
// another choice, so allocation repeats until nobody gets a VC.
func (b *Routers) allocateRoundRobin(q *requestQueue) {
	for q.first != none {
		best, winner, rank := int32(none), int32(none), int32(0)
		for i := q.first; i != none; i = b.vcs[i].next {
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

package reference

import "contend/router"

// Rule 6 of the reference model: source queues and injection channels.

// noteTurns sets the turn of packets that are the first of their source queues, with an injection
// channel free.
func (r *Model) noteTurns() {
	for l := range router.Link(r.w.Links()) {
		if r.w.Kind(l) != router.Injection || r.ports[l] != nil || r.links[l].nextSend > r.now {
			continue
		}
		from := r.source(l)
		if q := r.queue[from]; len(q) > 0 && q[0].turn < 0 && r.now >= r.restsUntil[from] {
			q[0].turn = r.now
		}
	}
}

// injectionVC returns the virtual channel of injection link l on which the next flit of packet p
// may be sent, if it may. A head takes the first with credits after that of the packet before.
func (r *Model) injectionVC(l router.Link, p *refPacket) (int, bool) {
	if p == nil {
		return 0, false
	}
	n, last := r.vcsOf(l), r.lastVC[l]
	if p.flitsSent > 0 {
		return last, r.hasCredits(r.w.First(l)+router.Channel(last), 1)
	}
	need := r.creditsNeeded(p, 0)
	if r.c.AtomicVCs {
		need = r.c.BufferFlits
	}
	for k := range n {
		if v := (last + 1 + k) % n; r.hasCredits(r.w.First(l)+router.Channel(v), need) {
			return v, true
		}
	}
	return 0, false
}

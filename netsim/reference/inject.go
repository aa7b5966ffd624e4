package reference

import "contend/router"

// Rule 6 of the reference model: source queues and injection channels.

// turns notices the packets whose turn it is: the first of their source queues,
// with an injection channel free.
func (r *Model) turns() {
	for l := range router.Link(r.w.Links()) {
		if r.w.Kind(l) != router.Injection || r.ports[l] != nil || r.links[l].nextSend > r.now {
			continue
		}
		from := r.source(l)
		if q := r.queue[from]; len(q) > 0 && q[0].turn < 0 && r.now >= r.rests[from] {
			q[0].turn = r.now
		}
	}
}

// entrance returns the virtual channel of injection link l on which the next flit of
// packet p may be sent, if it may: of a header the first with room after that of the
// packet before.
func (r *Model) entrance(l router.Link, p *refPacket) (int, bool) {
	if p == nil {
		return 0, false
	}
	n, last := r.virtual(l), r.entered[l]
	if p.gone > 0 {
		return last, r.room(r.w.First(l)+router.Channel(last), 1)
	}
	for k := range n {
		if v := (last + 1 + k) % n; r.room(r.w.First(l)+router.Channel(v), r.need(p, 0)) {
			return v, true
		}
	}
	return 0, false
}

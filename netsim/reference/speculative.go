package reference

import (
	"contend/netsim/topology"
	"contend/router"
)

// Rule 1c of the reference model.

// inVain returns the input FIFOs whose headers request the switch though they cannot be sent,
// could being those from which a flit could go.
func (r *Model) inVain(could map[router.Channel]bool) map[router.Channel]bool {
	vain := map[router.Channel]bool{}
	if !r.c.SpeculativeRequests {
		return vain
	}
	live := map[topology.Router]bool{}
	for i := range could {
		if l := r.w.LinkOf(i); !r.limited(i) || r.allowed(l) > 0 {
			live[r.router(i)] = true
		}
	}
	for i := range router.Channel(len(r.vcs)) {
		if r.w.Kind(r.w.LinkOf(i)) == router.Ejection || !live[r.router(i)] || could[i] {
			continue
		}
		if r.requests(i) && r.links[r.target(i)].nextSend <= r.now {
			vain[i] = true
		}
	}
	return vain
}

// requests reports whether the header at the head of FIFO i has asked for a channel and has not
// been sent.
func (r *Model) requests(i router.Channel) bool {
	v := &r.vcs[i]
	if v.granted >= 0 {
		return len(v.fifo) > 0 && v.fifo[0].p == v.known && v.fifo[0].index == 0
	}
	_, asks := r.asks(i)
	return asks
}

// target returns the link for which the header at the head of FIFO i requests the switch: that of
// the channel it holds, else of the first that routing listed.
func (r *Model) target(i router.Channel) router.Link {
	v := &r.vcs[i]
	if v.granted >= 0 {
		return r.w.LinkOf(v.granted)
	}
	return r.w.LinkOf(v.offered[0])
}

// taking returns what link l does with the nominee it takes, if there is one.
func (r *Model) taking(l router.Link, chosen, used map[router.Channel]bool) func() {
	i, ok := r.winner(l, chosen)
	if ok {
		used[i], r.links[l].took = true, i
	}
	if !ok || r.vain[i] {
		return func() {}
	}
	return func() { r.forward(i, r.vcs[i].granted) }
}

// winner returns the nominee that link l takes: the first after the FIFO it took last.
func (r *Model) winner(l router.Link, chosen map[router.Channel]bool) (router.Channel, bool) {
	n := router.Channel(len(r.vcs))
	for k := range n {
		if i := (r.links[l].took + 1 + k) % n; chosen[i] && r.target(i) == l {
			return i, true
		}
	}
	return 0, false
}

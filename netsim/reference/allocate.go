package reference

import (
	"cmp"
	"slices"

	"contend/router"
	"contend/router/topology"
)

// Rules 4 and 5 of the reference model: route computation and VC allocation.

// requesting reports whether the head at the front of FIFO i requests a channel in this cycle, and
// since when.
func (r *Model) requesting(i router.Channel) (q Cycle, ok bool) {
	v := &r.vcs[i]
	if v.packet == nil || v.outputVC >= 0 {
		return 0, false
	}
	q, ok = r.requestsFrom(i)
	return q, ok && q <= r.now
}

// requestsFrom returns the cycle from which the head at the front of FIFO i requests a channel, if
// that is known.
func (r *Model) requestsFrom(i router.Channel) (q Cycle, ok bool) {
	v := &r.vcs[i]
	q = v.headAt + Cycle(r.c.RoutingCycles-r.c.VCAllocCycles)
	if r.c.Switching != router.StoreAndForward {
		return q, true
	}
	for _, f := range v.fifo {
		if f.p == v.packet && f.index == f.p.length-1 {
			return max(q, f.at), true
		}
	}
	return 0, false
}

// router returns the router at which channel c ends.
func (r *Model) router(c router.Channel) topology.Router {
	_, to := r.w.Ends(r.w.LinkOf(c))
	return to.Router
}

// request is the request of the head in an input FIFO.
type request struct {
	since Cycle
	input router.Channel
}

// allocate grants free channels to the heads that request them. All routes are computed first,
// because a routing with the trait SeesAll may use the state of any router.
func (r *Model) allocate() {
	all := make([][]request, r.c.Topology.Routers())
	r.speculating = nil
	for n := range all {
		all[n] = r.requests(topology.Router(n))
		for _, a := range all[n] {
			r.route(topology.Router(n), a.input)
		}
	}
	for _, list := range all {
		slices.SortFunc(list, func(a, b request) int {
			return cmp.Or(cmp.Compare(a.since, b.since),
				cmp.Compare(a.input, b.input))
		})
		switch r.c.Arbiter {
		case router.RoundRobin:
			r.allocateRoundRobin(list)
			continue
		case router.Matching:
			r.allocateMatched(list)
			continue
		}
		for _, a := range list {
			if o, ok := r.pickVC(a.input); ok {
				r.grant(a.input, o)
			}
		}
	}
}

// requests returns the requests of the heads in inputs of router n in this cycle.
func (r *Model) requests(n topology.Router) (list []request) {
	for i := range router.Channel(len(r.vcs)) {
		if r.w.Kind(r.w.LinkOf(i)) != router.Ejection && r.router(i) == n {
			if q, ok := r.requesting(i); ok {
				list = append(list, request{q, i})
			}
		}
	}
	return list
}

// allocateRoundRobin grants each free channel, the lowest first, to an input that requests it: to
// one of the first port after the port that had it last, and of that port to the first of the list.
func (r *Model) allocateRoundRobin(list []request) {
	for {
		wants := map[router.Channel][]request{}
		lowest := router.Channel(-1)
		for _, a := range list {
			if o, ok := r.pickVC(a.input); ok && r.vcs[a.input].outputVC < 0 {
				wants[o] = append(wants[o], a)
				if lowest < 0 || o < lowest {
					lowest = o
				}
			}
		}
		if lowest < 0 {
			return
		}
		last := r.vcs[lowest].lastIn
		served := func(a request) int { // 1: the turn of its port comes after the end of a round
			if last >= 0 && r.w.LinkOf(a.input) <= r.w.LinkOf(last) {
				return 1
			}
			return 0
		}
		winner := slices.MinFunc(wants[lowest], func(a, b request) int {
			return cmp.Or(cmp.Compare(served(a), served(b)),
				cmp.Compare(r.w.LinkOf(a.input), r.w.LinkOf(b.input)))
		})
		r.grant(winner.input, lowest)
	}
}

// speculative reports whether heads request the switch even without a channel.
func (r *Model) speculative() bool {
	d, ok := r.x.(router.Described)
	return r.c.HeadersSpeculate && r.c.Arbiter == router.Matching && r.c.VCAllocCycles == 0 &&
		r.c.SwitchAllocator != router.InputFirst && r.c.VirtualChannels > 1 && ok &&
		d.Traits().OneLink
}

// speculates reports whether the head of a request may request the switch even without a channel:
// if it is offered channels of one link, one of which is free and has credits.
func (r *Model) speculates(a request) bool {
	if !r.speculative() {
		return false
	}
	for _, o := range r.offered(a.input) {
		accepts := r.w.Kind(r.w.LinkOf(o)) == router.Ejection && r.c.EjectionCreditCycles == 0
		need := r.creditsNeeded(r.vcs[a.input].packet, 0)
		if r.free(o) && (accepts || r.hasCredits(o, need)) {
			return true
		}
	}
	return false
}

// allocateMatched lets free channels offer themselves to inputs round-robin, and inputs accept one
// of the offers round-robin.
func (r *Model) allocateMatched(list []request) {
	n := len(r.vcs)
	turns := func(of, last router.Channel) int { return (int(of-last) - 1 + n) % n }
	offers := map[router.Channel]router.Channel{}
	for _, a := range list {
		if r.speculates(a) {
			r.speculating = append(r.speculating, a.input)
		}
		for _, o := range r.offered(a.input) {
			last := r.vcs[o].lastIn
			if i, has := offers[o]; r.free(o) && (!has || turns(a.input, last) < turns(i, last)) {
				offers[o] = a.input
			}
		}
	}
	best := map[router.Channel]router.Channel{}
	for o, i := range offers {
		last := r.vcs[i].lastOut
		if k, has := best[i]; !has || turns(o, last) < turns(k, last) {
			best[i] = o
		}
	}
	for i, o := range best {
		r.grant(i, o)
	}
}

// pickVC returns the channel that the head at the front of FIFO i would get now.
func (r *Model) pickVC(i router.Channel) (router.Channel, bool) {
	return r.choose(r.vcs[i].packet, r.offered(i))
}

// grant grants channel o to the head at the front of FIFO i.
func (r *Model) grant(i, o router.Channel) {
	if r.c.Arbiter != router.Matching {
		r.advanceVCPointer(r.offered(i), o)
	}
	r.vcs[i].lastOut = o
	r.vcs[o].holder, r.vcs[i].outputVC, r.vcs[o].lastIn = r.vcs[i].packet, o, i
	r.vcs[i].mayBeSent = r.now + Cycle(r.c.VCAllocCycles)
}

// Rule 5 of the reference model where there is a choice of virtual channels.

// offered returns the channels that the head at the front of FIFO i may take now: escape channels,
// and others whose FIFO is known to be empty. With Traits.EscapesLast it omits the escape channels
// while one of the others is free.
func (r *Model) offered(i router.Channel) (out []router.Channel) {
	v := &r.vcs[i]
	for _, o := range v.offered {
		sink := r.w.Kind(r.w.LinkOf(o)) == router.Ejection
		if sink || slices.Contains(v.escapes, o) || r.credits(o) == r.c.BufferFlits {
			out = append(out, o)
		}
	}
	d, ok := r.x.(router.Described)
	other := func(o router.Channel) bool { return !slices.Contains(v.escapes, o) }
	if ok && d.Traits().EscapesLast && slices.ContainsFunc(out, func(o router.Channel) bool {
		return other(o) && r.free(o)
	}) {
		out = slices.DeleteFunc(out, func(o router.Channel) bool { return !other(o) })
	}
	return out
}

// free reports whether channel o can be granted now.
func (r *Model) free(o router.Channel) bool {
	return r.vcs[o].holder == nil && r.vcs[o].freeAt <= r.now &&
		(!r.c.AtomicVCs || r.credits(o) == r.c.BufferFlits)
}

// ofLink returns the channels of a list that are virtual channels of l.
func (r *Model) ofLink(list []router.Channel, l router.Link) (out []router.Channel) {
	for _, o := range list {
		if r.w.LinkOf(o) == l {
			out = append(out, o)
		}
	}
	return out
}

// choose returns the channel that a packet takes of those offered, if one is free.
func (r *Model) choose(p *refPacket, offered []router.Channel) (router.Channel, bool) {
	if i := slices.IndexFunc(offered, r.free); i < 0 {
		return 0, false
	} else if r.c.VCSelect == router.SelectFirst {
		return offered[i], true
	}
	group := r.ofLink(offered, r.pickLink(offered))
	var free []router.Channel
	for _, o := range group {
		if r.free(o) {
			free = append(free, o)
		}
	}
	l := r.w.LinkOf(group[0])
	if r.c.VCSelect == router.SelectMostCredits {
		most := 0
		for _, o := range free {
			most = max(most, r.credits(o))
		}
		free = slices.DeleteFunc(free, func(o router.Channel) bool { return r.credits(o) < most })
	}
	for v := r.pointer[group[0]]; ; v = (v + 1) % r.vcsOf(l) {
		if o := r.w.First(l) + router.Channel(v); slices.Contains(free, o) {
			return o, true
		}
	}
}

// pickLink returns the link taken: the one whose (n+1)-th channel comes first in the list, n being
// the number of its channels there that are not free.
func (r *Model) pickLink(offered []router.Channel) router.Link {
	best, at := router.Link(-1), len(offered)
	for _, o := range offered {
		l := r.w.LinkOf(o)
		group := r.ofLink(offered, l)
		busy := 0
		for _, k := range group {
			if !r.free(k) {
				busy++
			}
		}
		if busy == len(group) {
			continue
		}
		if k := slices.Index(offered, group[busy]); k < at {
			best, at = l, k
		}
	}
	return best
}

// credits returns the number of flits that rule 3 would let be sent on channel o now.
func (r *Model) credits(o router.Channel) int {
	n := 0
	for n < r.c.BufferFlits && r.hasCredits(o, n+1) {
		n++
	}
	return n
}

// advanceVCPointer moves the pointer of the class of o to the virtual channel after it.
func (r *Model) advanceVCPointer(offered []router.Channel, o router.Channel) {
	l := r.w.LinkOf(o)
	class := r.ofLink(offered, l)[0]
	r.pointer[class] = (int(o-r.w.First(l)) + 1) % r.vcsOf(l)
}

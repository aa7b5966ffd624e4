package reference

import (
	"cmp"
	"slices"

	"contend/router"
	"contend/router/topology"
)

// Rules 4 and 5 of the reference model: which headers ask, and which get a channel.

// asks reports whether the header at the head of FIFO i asks for a channel in
// this cycle, and since when.
func (r *Model) asks(i router.Channel) (q Cycle, ok bool) {
	v := &r.vcs[i]
	if v.known == nil || v.granted >= 0 {
		return 0, false
	}
	q, ok = r.asksFrom(i)
	return q, ok && q <= r.now
}

// asksFrom returns when the header at the head of FIFO i asks, if that is known.
func (r *Model) asksFrom(i router.Channel) (q Cycle, ok bool) {
	v := &r.vcs[i]
	q = v.headAt + Cycle(r.c.RoutingCycles-r.c.VCAllocCycles)
	if r.c.Switching != router.StoreAndForward {
		return q, true
	}
	for _, f := range v.fifo {
		if f.p == v.known && f.index == f.p.length-1 {
			return max(q, f.at), true
		}
	}
	return 0, false
}

func (r *Model) router(c router.Channel) topology.Router {
	_, to := r.w.Ends(r.w.LinkOf(c))
	return to.Router
}

// asker is an input FIFO whose header asks for a channel, since cycle q.
type asker struct {
	q Cycle
	i router.Channel
}

// allocate gives free channels to the headers that ask. All are routed before, since a routing
// with the trait SeesAll may look at any router.
func (r *Model) allocate() {
	askers := make([][]asker, r.c.Topology.Routers())
	for n := range askers {
		askers[n] = r.askers(topology.Router(n))
		for _, a := range askers[n] {
			r.route(topology.Router(n), a.i)
		}
	}
	for _, list := range askers {
		slices.SortFunc(list, func(a, b asker) int {
			return cmp.Or(cmp.Compare(a.q, b.q),
				cmp.Compare(a.i, b.i))
		})
		switch r.c.Arbiter {
		case router.RoundRobin:
			r.takeTurns(list)
			continue
		case router.Matching:
			r.match(list)
			continue
		}
		for _, a := range list {
			if o, ok := r.chosen(a.i); ok {
				r.give(a.i, o)
			}
		}
	}
}

// askers returns the inputs of router n whose headers ask in this cycle.
func (r *Model) askers(n topology.Router) (list []asker) {
	for i := range router.Channel(len(r.vcs)) {
		if r.w.Kind(r.w.LinkOf(i)) != router.Ejection && r.router(i) == n {
			if q, ok := r.asks(i); ok {
				list = append(list, asker{q, i})
			}
		}
	}
	return list
}

// takeTurns gives each free channel, the lowest first, to an input that wants it: to one of
// the first port after the port that had it last, and there to the first of the list.
func (r *Model) takeTurns(list []asker) {
	for {
		wants := map[router.Channel][]asker{}
		lowest := router.Channel(-1)
		for _, a := range list {
			if o, ok := r.chosen(a.i); ok && r.vcs[a.i].granted < 0 {
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
		served := func(a asker) int { // 1: the turn of its port comes after the end of a round
			if last >= 0 && r.w.LinkOf(a.i) <= r.w.LinkOf(last) {
				return 1
			}
			return 0
		}
		winner := slices.MinFunc(wants[lowest], func(a, b asker) int {
			return cmp.Or(cmp.Compare(served(a), served(b)),
				cmp.Compare(r.w.LinkOf(a.i), r.w.LinkOf(b.i)))
		})
		r.give(winner.i, lowest)
	}
}

// match has free channels offer themselves to inputs in turn, and inputs accept one of the offers
// in turn.
func (r *Model) match(list []asker) {
	n := len(r.vcs)
	turns := func(of, last router.Channel) int { return (int(of-last) - 1 + n) % n }
	offers := map[router.Channel]router.Channel{}
	for _, a := range list {
		for _, o := range r.offered(a.i) {
			last := r.vcs[o].lastIn
			if i, has := offers[o]; r.free(o) && (!has || turns(a.i, last) < turns(i, last)) {
				offers[o] = a.i
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
		r.give(i, o)
	}
}

// chosen returns the channel that the header at the head of FIFO i would get now.
func (r *Model) chosen(i router.Channel) (router.Channel, bool) {
	return r.choose(r.vcs[i].known, r.offered(i))
}

// give gives channel o to the header at the head of FIFO i.
func (r *Model) give(i, o router.Channel) {
	if r.c.Arbiter != router.Matching {
		r.granted(r.offered(i), o)
	}
	r.vcs[i].lastOut = o
	r.vcs[o].holder, r.vcs[i].granted, r.vcs[o].lastIn = r.vcs[i].known, o, i
	r.vcs[i].sends = r.now + Cycle(r.c.VCAllocCycles)
}

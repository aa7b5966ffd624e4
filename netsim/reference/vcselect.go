package reference

import (
	"slices"

	"contend/router"
)

// Rule 5 of the reference model where there is a choice of virtual channels.

// offered returns the channels that the head at the front of FIFO i may take now: escape channels,
// and others whose FIFO is known to be empty. If escape channels come last and one of the others is
// free it returns only those.
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

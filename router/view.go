package router

// view implements View for the routers. Heads compute routes in an order that may not show in a
// result, so grants and requests of this cycle do not count.
type view struct{ b *Routers }

// Free implements View.
func (v view) Free(c Channel) bool {
	k := &v.b.vcs[c]
	return k.freeAt <= v.b.now && (k.holder == none || k.since == v.b.now) && v.b.drained(c)
}

// Credits implements View.
func (v view) Credits(c Channel) int32 {
	return v.b.credits(c)
}

// Queued implements View.
func (v view) Queued(c Channel) int32 {
	b, n := v.b, int32(0)
	if i := b.vcs[c].holder; i >= 0 {
		n = b.queuedAt(i)
	}
	for i := *b.waitingFor(c); i != none; i = b.vcs[i].next {
		if b.vcs[i].outputVC == int32(c) {
			n += b.queuedAt(i)
		}
	}
	return n
}

// waitingFor returns the first of the list that has all heads that wait for VC c.
func (b *Routers) waitingFor(c Channel) *int32 {
	switch l := b.w.link(c); {
	case b.queuePerVC:
		return &b.vcs[c].firstWaiting
	case b.vcSets != nil:
		return &b.requests[l].first
	default:
		return &b.requests[b.w.Leaves(l)].first
	}
}

// queuedAt returns the flits of the packet at the front of FIFO i in the FIFO or on the link to it,
// 0 if its head computes its route in this cycle.
func (b *Routers) queuedAt(i int32) int32 {
	if b.vcs[i].ready >= b.now {
		return 0
	}
	f := &b.buffers.fifos[i]
	count := f.queuedFlits
	if b.buffers.unitDelay {
		count = f.occupancy // no flit is on a link between cycles
	}
	return min(count, max(f.flitsLeft, -f.flitsLeft))
}

// markEscapes marks the escape channels among the VCs offered to the head at the front of FIFO c. h
// is the head before its route was computed.
func (b *Routers) markEscapes(c Channel, offered []Channel, h *Header) {
	at, found := int(c)*b.stride, false
	b.usableTo = none
	b.scratch = b.escaping.Escape(b.scratch[:0], routerOf(&b.vcs[c]), c, h)
	for k, o := range offered {
		b.escapes[at+k] = false
		for _, e := range b.scratch {
			if e == o {
				b.escapes[at+k], found = true, true
			}
		}
	}
	if !found {
		panic("router: routing offers no escape channel at " + b.w.Describe(c))
	}
}

// usable returns the VCs offered to head i that it may take now: escape channels, and others whose
// FIFO is known to be empty. When another becomes empty cycleEngine.serveEmptied schedules VC
// allocation. If escape channels come last they are left out while another VC is free.
func (b *Routers) usable(i Channel) []Channel {
	offered, list, others := b.offers(i), b.scratch[:0], false
	escapes := b.escapes[int(i)*b.stride:][:len(offered)]
	for k, o := range offered {
		others = others || !escapes[k] && b.isEmpty(o) && b.isFree(o)
	}
	for k, o := range offered {
		if !escapes[k] && b.isEmpty(o) || escapes[k] && !(others && b.escapesLast) {
			list = append(list, o)
		}
	}
	b.scratch, b.usableTo = list, int32(i)
	return list
}

// drained reports whether VC o may be granted as far as its FIFO is concerned.
func (b *Routers) drained(o Channel) bool { return !b.timing.AtomicVCs || b.isEmpty(o) }

// isEmpty reports whether the sender of VC o knows its FIFO to be empty.
func (b *Routers) isEmpty(o Channel) bool { return b.credits(o) == b.timing.Buffer }

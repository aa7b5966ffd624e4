package router

// view is what a header sees of its router: it implements View. Headers ask in
// stage 2 of a cycle, in no order that may be seen in a result. So what headers of
// the same cycle have been granted meanwhile, or wait for, does not count.
type view struct{ b *Routers }

// Free implements View.
func (v view) Free(c Channel) bool {
	k := &v.b.vcs[c]
	return k.freeAt <= v.b.now && (k.holder == none || k.since == v.b.now)
}

// Credits implements View.
func (v view) Credits(c Channel) int32 {
	return v.b.credits(c) // those of a channel to a node are never taken
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

// waitingFor returns the first of the list in which all headers are that wait for channel c.
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

// queuedAt returns how many flits of the packet at the head of FIFO i have been sent to it and have
// not left it, and 0 if its header asks in this cycle.
func (b *Routers) queuedAt(i int32) int32 {
	if b.vcs[i].ready >= b.now {
		return 0
	}
	f := &b.buffers.fifos[i]
	count := f.queuedFlits
	if b.buffers.unitDelay {
		count = f.occupancy // no flit is on a link between two cycles
	}
	return min(count, max(f.flitsLeft, -f.flitsLeft))
}

// mark notes which of the channels offered to the header at the head of FIFO c are
// escape channels, asked being its header when it was routed.
func (b *Routers) markEscapes(c Channel, offered []Channel, asked *Header) {
	at, some := int(c)*b.stride, false
	b.usableTo = none
	b.scratch = b.escaping.Escape(b.scratch[:0], routerOf(&b.vcs[c]), c, asked)
	for k, o := range offered {
		b.escapes[at+k] = false
		for _, e := range b.scratch {
			if e == o {
				b.escapes[at+k], some = true, true
			}
		}
	}
	if !some {
		panic("router: routing offers no escape channel at " + b.w.Describe(c))
	}
}

// usable returns those of the channels offered to the header at the head of FIFO i
// that it may take as they are: escape channels, and others whose FIFO is known to
// be empty. When another one is, the router is looked at again: see cycleEngine.emptied. If escape
// channels come last they are left out while another channel can be granted.
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

// isEmpty reports whether the sender of channel o knows its FIFO to be empty.
func (b *Routers) isEmpty(o Channel) bool { return b.credits(o) == b.timing.Buffer }

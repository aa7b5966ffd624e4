package router

import "slices"

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
	r := b.w.Leaves(b.w.link(c))
	for i := b.w.in[r]; i < b.w.in[r+1]; i++ {
		k := &b.vcs[i]
		if (k.state == waitingVC || k.state == active) && k.want == int32(c) && k.ready < b.now {
			f := &b.buffers.fifos[i]
			count := f.count
			if b.buffers.prompt {
				count = f.here // no flit is on a link between two cycles
			}
			n += min(count, max(f.left, -f.left))
		}
	}
	return n
}

// mark notes which of the channels offered to the header at the head of FIFO c are
// escape channels, asked being its header when it was routed.
func (b *Routers) mark(c Channel, offered []Channel, asked *Header) {
	at, some := int(c)*b.stride, false
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
	at := int(i) * b.stride
	list, others := b.scratch[:0], false
	for k, o := range b.offers(i) {
		if !b.escapes[at+k] && b.credits(o) == b.timing.Buffer {
			others = others || b.isFree(o)
			list = append(list, o)
		} else if b.escapes[at+k] {
			list = append(list, o)
		}
	}
	if b.escapesLast && others {
		list = slices.DeleteFunc(list, func(o Channel) bool {
			return b.escapes[at+slices.Index(b.offers(i), o)]
		})
	}
	b.scratch = list
	return list
}

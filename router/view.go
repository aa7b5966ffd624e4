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
	if v.b.channels[c].sink() {
		return v.b.timing.Buffer
	}
	return v.b.credits(c)
}

// Queued implements View.
func (v view) Queued(c Channel) int32 {
	b, n := v.b, int32(0)
	r := b.w.Leaves(b.w.link[c])
	for i := b.w.in[r]; i < b.w.in[r+1]; i++ {
		k := &b.vcs[i]
		if (k.state == waitingVC || k.state == active) && k.want == int32(c) && k.ready < b.now {
			ch := &b.channels[i]
			n += min(int32(ch.count), max(ch.left, -ch.left))
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
// be empty. Where that will be known soon, the router is looked at again then. If escape
// channels come last they are left out while another channel can be granted.
func (b *Routers) usable(i Channel) []Channel {
	at := int(i) * b.stride
	list, others := b.scratch[:0], false
	for k, o := range b.offers(i) {
		if !b.escapes[at+k] && b.knownEmpty(i, o) {
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

// knownEmpty reports whether the router at which header i asks knows that the FIFO
// of channel o is empty.
func (b *Routers) knownEmpty(i, o Channel) bool {
	ch := &b.channels[o]
	if ch.sink() {
		return true
	}
	if ch.count > 0 {
		return false
	}
	if b.times == nil {
		return true
	}
	size := b.timing.Buffer
	last := wrapped(int32(ch.head)+size-1, size)
	known := b.times[int32(o)*size+last] + b.credit(o)
	if known > b.now {
		b.grant(routerOf(&b.vcs[i]), known)
		return false
	}
	return true
}

// emptied has the router that sends on channel c look at its waiting headers when
// it knows that the FIFO of c is empty, as it is from now on.
func (b *Routers) emptied(c Channel) {
	if l := b.w.link[c]; b.w.kind[l] == Network {
		b.grant(b.w.Leaves(l), b.now+b.credit(c))
	}
}

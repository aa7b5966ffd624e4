package router

import "contend/netsim/topology"

// ask is stage 2: the header at the head of FIFO c is routed and asks. One that
// has no choice and meets nobody has its channel at once.
func (b *Bank) ask(c Channel) {
	ch := &b.channels[c]
	if b.timing.Switching == StoreAndForward && !b.stored(c) {
		return
	}
	p := &b.packets[ch.packet]
	r := topology.Router(b.w.ends[c])
	var o Channel
	if b.order != nil { // the usual case, without the detour
		o, _, _ = b.order.next(r, p.To)
		b.choices[c] = o
	} else {
		at := int(c) * b.stride
		to := b.routing.Route(b.choices[at:at], r, c, Header{Source: p.From, Destination: p.To, Packet: p.Number})
		b.offered[c] = int32(len(to))
		o = to[0]
	}
	if b.stride > 1 || b.granted != nil {
		b.wait(c, r)
		b.grant(r, b.now)
		return
	}
	switch out := &b.channels[o]; {
	case out.holder == none && out.freeAt > b.now:
		b.wait(c, r)
		b.grant(r, out.freeAt)
	case out.holder == none && b.waitHead[r] == none:
		b.hold(o, c)
	case out.holder == none:
		b.wait(c, r)
		b.grant(r, b.now)
	case out.holder > int32(c) && b.claims[o].since == b.now && b.channels[out.holder].ready == b.now:
		// A header of this very cycle was faster, but comes after this one.
		b.wait(Channel(out.holder), r)
		ch.state, ch.out, out.holder = granted, int32(o), int32(c)
	default:
		b.wait(c, r) // for the release of the channel
	}
}

// wait puts the header at the head of FIFO c among those that wait at router r.
// Those of one cycle are served in the order of their channels; those of
// earlier ones come before.
func (b *Bank) wait(c Channel, r topology.Router) {
	ch := &b.channels[c]
	ch.state = waiting
	at := &b.waitHead[r]
	for *at != none && (b.channels[*at].ready < ch.ready || *at < int32(c)) {
		at = &b.claims[*at].next
	}
	b.claims[c].next, *at = *at, int32(c)
}

// allocate is stage 3 at router r: the headers that wait are taken in the
// arbiter's order, and each gets the first free one of its channels.
func (b *Bank) allocate(r topology.Router) {
	if b.timing.Arbiter == RoundRobin {
		b.allocateInTurn(r)
		return
	}
	for at := &b.waitHead[r]; *at != none; {
		i := *at
		o := b.firstFree(Channel(i))
		if o == none {
			at = &b.claims[i].next
			continue
		}
		*at = b.claims[i].next
		b.give(Channel(o), Channel(i))
	}
}

// firstFree returns the first channel header i may take that is free, or none.
// One that is about to be free has the router looked at again then.
func (b *Bank) firstFree(i Channel) int32 {
	at := int(i) * b.stride
	for _, o := range b.choices[at : at+int(b.offered[i])] {
		if b.channels[o].holder != none {
			continue
		}
		t := b.channels[o].freeAt
		if t <= b.now {
			return int32(o)
		}
		b.grant(topology.Router(b.w.ends[i]), t)
	}
	return none
}

// give lets the packet at the head of FIFO i, which has waited, hold channel o.
func (b *Bank) give(o, i Channel) {
	b.blame(o, i)
	for j := b.waitHead[b.w.ends[i]]; j != none; j = b.claims[j].next {
		b.blame(o, Channel(j))
	}
	b.hold(o, i)
}

// hold lets the packet at the head of FIFO i hold channel o from now on.
func (b *Bank) hold(o, i Channel) {
	in, out := &b.channels[i], &b.channels[o]
	in.state, in.out = granted, int32(o)
	out.holder, b.claims[o].since = int32(i), b.now
	if b.worms {
		b.fresh = append(b.fresh, o)
	} else {
		b.try(Channel(out.lead), b.now)
	}
}

// front makes the header at the head of FIFO c, there from cycle h, be routed.
func (b *Bank) front(c Channel, h int64) {
	ch := &b.channels[c]
	ch.packet = b.fifos[int32(c)*b.timing.Buffer+int32(ch.head)].packet
	ch.length = b.packets[ch.packet].Length
	ch.gone, ch.out, ch.state = 0, none, routing
	q := h + b.timing.Routing
	ch.ready = q
	b.routed(c, q)
}

// behead makes the next packet of FIFO c, whose first one's tail was sent in
// cycle t, the one at its head.
func (b *Bank) behead(c Channel, t int64) {
	ch := &b.channels[c]
	ch.out = none
	if ch.count == 0 {
		ch.state, ch.packet = empty, none
		return
	}
	b.front(c, max(b.fifos[int32(c)*b.timing.Buffer+int32(ch.head)].time, t+1))
}

// release ends the hold of channel o, whose packet of the given length came by
// FIFO i; its tail was sent in cycle t.
func (b *Bank) release(o, i Channel, length int32, t int64) {
	out, k := &b.channels[o], &b.claims[o]
	out.holder, out.freeAt = none, t+b.timing.Flit
	k.tail, k.job = t, b.packets[b.channels[i].packet].Job
	b.use(o, length, out.freeAt)
	if r := b.w.ends[i]; b.waitHead[r] != none {
		b.grant(topology.Router(r), out.freeAt)
	}
}

// use counts what a packet used channel c for, which it held until a cycle.
func (b *Bank) use(c Channel, length int32, until int64) {
	k := &b.claims[c]
	k.flits += int64(length)
	k.held += until - k.since
}

// blame charges the time the header at the head of FIFO i waited for channel o
// while the packet before held it to that packet's job. It is called when the
// channel is granted again, so a header that waits through several packets is
// charged for each, and before the time of that grant is noted.
func (b *Bank) blame(o, i Channel) {
	k := &b.claims[o]
	cycles := k.tail - max(k.since, b.channels[i].ready)
	// A header with a choice waits for all its channels; the first stands
	// for them.
	if cycles <= 0 || b.choices[int(i)*b.stride] != o {
		return
	}
	u := &b.waited[b.w.link[o]]
	if p := &b.packets[b.channels[i].packet]; p.Job == k.job {
		u[0] += cycles
	} else {
		u[1] += cycles
		p.Foreign += cycles
	}
}

// stored reports whether the tail of the packet at the head of FIFO c is there.
// If not, its header is made to ask when it is.
func (b *Bank) stored(c Channel) bool {
	ch, size := &b.channels[c], b.timing.Buffer
	if int32(ch.count) < ch.length {
		ch.state = arriving
		return false
	}
	i := int32(ch.head) + ch.length - 1
	if i >= size {
		i -= size
	}
	if t := b.fifos[int32(c)*size+i].time; t > b.now {
		ch.ready = t
		b.routed(c, t)
		return false
	}
	return true
}

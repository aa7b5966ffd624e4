package router

import "contend/router/topology"

// How the closed form sends headers.

// startAll sends the headers of the packets that were granted channels in this
// cycle, as soon as there is a place for them.
func (b *Routers) startAll() {
	list := b.fresh
	if b.closed.usual {
		list = b.startMost()
	}
	for _, o := range list {
		if o >= 0 {
			b.startOne(o)
			continue
		}
		out := &b.vcs[^o]
		w := &b.closed.progress[out.packet]
		b.settle(out.packet, w, w.steps, max(b.now, b.place(out, ^o)))
	}
	b.fresh = b.fresh[:0]
}

// startMost is startAll as most headers have it: they find a place, and when the tail of their
// packet is settled nothing follows. It returns the channels of the others, and the complements
// of those whose headers it has sent and whose tails are still to be settled. It calls nothing,
// so that little has to be kept in memory.
func (b *Routers) startMost() []Channel {
	vcs, x, fresh, rest := b.vcs, b.closed, b.fresh, 0
	if b.waits != nil {
		b.waits.reserve(len(fresh))
	}
	for _, o := range fresh {
		out := &vcs[uint32(o)]
		in := &vcs[uint32(out.holder)]
		p := in.packet
		t := max(b.now, out.left+x.back)
		ready := max(t+b.timing.Link, out.left+1) + b.timing.Routing
		if out.marks&toNode|out.state != 0 || ready-b.now > b.calendar.mask {
			fresh[rest] = o
			rest++
			continue
		}
		w := &x.progress[uint32(p)]
		w.blocked += t - in.ready
		w.next++
		if k := b.waits; k != nil && t > in.ready {
			from, tail, n := max(k.told[uint32(out.holder)], in.ready), out.freeAt-b.timing.Flit, k.next()
			n.From, n.Until, n.Tail, n.Resume, n.Held = from, t, tail, b.now, max(0, tail-from)
			n.Packet, n.For, n.Job, n.ForJob = w.job, out.job, k.jobs[w.job], k.jobs[out.job]
			n.Link = Link(o) // as tellSent
		}
		out.packet, out.state, out.ready = p, routing, ready
		if b.mesh2D != nil {
			out.want = int32(b.mesh2D[uint32(out.router)].Towards(Place(w.goal)))
		} else {
			out.want = int32(b.tree.Towards(uint(uint32(out.router)), 0, topology.Node(w.goal)))
		}
		b.calendar.header(out, o)
		if w.next <= w.steps {
			continue
		}
		term := t - int64(uint32(w.steps))*x.less
		if w.last < 0 {
			w.last = ^w.last
			b.vacate(&vcs[uint32(w.last)], Channel(w.last), w, term)
			continue
		}
		in = &vcs[uint32(w.last)]
		behind := &vcs[uint32(in.want)]
		if behind.first != none || behind.marks|in.marks != 0 {
			fresh[rest] = ^o
			rest++
			continue
		}
		w.last = in.want
		b.vacate(behind, Channel(in.want), w, term)
		in.packet, in.state, in.left = none, idle, behind.freeAt-b.timing.Flit
	}
	return fresh[:rest]
}

// startOne sends the header of the packet that was granted channel o.
func (b *Routers) startOne(o Channel) {
	x := b.closed
	out := &b.vcs[o]
	in := &b.vcs[out.holder]
	p := in.packet
	w := &x.progress[p]
	switch {
	case out.sink():
		b.waitedUntil(o, w, b.now)
		if x.times != nil {
			b.remembered(p, w, o, b.now)
		}
		w.next++
		for ahead := min(w.steps, w.next-1); ahead >= 0; ahead-- {
			if x.usual {
				ahead = b.settleMost(w, ahead)
			}
			b.settle(p, w, ahead, b.now)
			w = &x.progress[p]
		}
	case out.state != idle:
		out.marks |= late
	default:
		t := max(b.now, b.place(out, o))
		b.waitedUntil(o, w, t)
		b.sendHeader(out, o, p, w, t)
	}
}

// waitedUntil adds what the header of a packet has waited that is sent on channel o in a cycle.
func (b *Routers) waitedUntil(o Channel, w *progress, cycle int64) {
	i := Channel(b.vcs[o].holder)
	w.blocked += cycle - b.vcs[i].ready
	if b.waits != nil && cycle > b.vcs[i].ready {
		b.tellSent(o, i, cycle)
	}
}

// onward returns the channel that the header of packet p takes, which came by channel o, or none
// where that is found later.
func (b *Routers) onward(out *vcState, o Channel, p int32) int32 {
	k := &b.packets[p]
	switch {
	case b.tree != nil:
		return int32(b.tree.Towards(uint(out.router), k.From, k.To))
	case b.only != nil:
		return int32(b.onlyWay(topology.Router(out.router), o, k))
	}
	return none
}

// place returns the cycle from which an empty FIFO has room for a header, a
// credit after B-1 flits before the last packet's tail left it.
func (b *Routers) place(c *vcState, at Channel) int64 {
	if b.own != nil {
		return c.left + b.closed.back + int64(b.own[at].Credit)
	}
	return c.left + b.closed.back
}

// injectHeader sends the next header of a node's source queue on its injection
// channel, if that is free and has a place.
func (b *Routers) injectHeader(c Channel, node topology.Node) {
	k := &b.vcs[c]
	if k.holder != none || k.state != idle || b.queues[node].count == 0 {
		return
	}
	turn := b.turn(node, k.freeAt)
	t := max(b.now, turn, b.place(k, c))
	p := b.newPacket(node, turn, t)
	goal := int32(b.packets[p].To)
	if b.mesh2D != nil {
		goal = int32(b.mesh2D[goal].Here)
	}
	b.closed.begin(p, &b.packets[p], b.timing.Buffer, c, goal)
	if b.waits != nil {
		b.closed.progress[p].job = b.waits.numbers[p]
	}
	k.holder, k.since = source, t
	b.sendHeader(k, c, p, &b.closed.progress[p], t)
}

// sendHeader sends the header of packet p on channel o, which does not lead to a
// node, in cycle t, and settles the tail where that can be done now.
func (b *Routers) sendHeader(out *vcState, o Channel, p int32, w *progress, t int64) {
	if out.state != idle {
		panic("router: a header was sent behind a packet")
	}
	delay := b.timing.Link
	if b.closed.times != nil {
		delay = b.remembered(p, w, o, t)
	}
	w.next++
	out.packet, out.state = p, routing
	if r := uint(out.router); r < uint(len(b.mesh2D)) {
		out.want = int32(b.mesh2D[r].Towards(Place(w.goal)))
	} else {
		out.want = b.onward(out, o, p)
	}
	out.ready = max(t+delay, out.left+1) + b.timing.Routing
	if w := &b.calendar; out.ready-b.now <= w.mask {
		w.header(out, o)
	} else {
		b.routed(out, o)
	}
	if w.next > w.steps {
		b.settle(p, w, w.steps, t)
	}
}

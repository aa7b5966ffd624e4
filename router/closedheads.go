package router

import "contend/router/topology"

// How the closed form sends headers.

// startAll sends the headers of the packets that were granted channels in this
// cycle, as soon as there is a place for them.
func (b *Routers) sendHeads() {
	list := b.newGrants
	if b.closed.inlineRouting {
		list = b.sendUnblockedHeads()
	}
	for _, o := range list {
		if o >= 0 {
			b.sendHeadOn(o)
			continue
		}
		out := &b.vcs[^o]
		w := &b.closed.progress[out.packet]
		b.settle(out.packet, w, w.steps, max(b.now, b.spaceAt(out, ^o)))
	}
	b.newGrants = b.newGrants[:0]
}

// startMost is startAll as most headers have it: they find a place, and when the tail of their
// packet is settled nothing follows. It returns the channels of the others, and the complements
// of those whose headers it has sent and whose tails are still to be settled. It calls nothing,
// so that little has to be kept in memory.
func (b *Routers) sendUnblockedHeads() []Channel {
	vcs, x, fresh, rest := b.vcs, b.closed, b.newGrants, 0
	if b.waits != nil {
		b.waits.reserve(len(fresh))
	}
	for _, o := range fresh {
		out := &vcs[uint32(o)]
		in := &vcs[uint32(out.holder)]
		p := in.packet
		t := max(b.now, out.tailLeft+x.spaceDelay)
		ready := max(t+b.timing.Link, out.tailLeft+1) + b.timing.Routing
		if out.flags&toNode|out.state != 0 || ready-b.now > b.calendar.mask {
			fresh[rest] = o
			rest++
			continue
		}
		w := &x.progress[uint32(p)]
		w.blocked += t - in.ready
		w.next++
		if k := b.waits; k != nil && t > in.ready {
			from, tail, n := max(k.reportedUntil[uint32(out.holder)], in.ready), out.freeAt-b.timing.Flit, k.next()
			n.From, n.Until, n.Tail, n.Resume, n.Held = from, t, tail, b.now, max(0, tail-from)
			n.Packet, n.For, n.Job, n.ForJob = w.job, out.job, k.jobs[w.job], k.jobs[out.job]
			n.Link = Link(o) // as tellSent
		}
		out.packet, out.state, out.ready = p, routing, ready
		if b.mesh2D != nil {
			out.outputVC = int32(b.mesh2D[uint32(out.router)].Output(Place(w.goal)))
		} else {
			out.outputVC = int32(b.tree.Output(uint(uint32(out.router)), 0, topology.Node(w.goal)))
		}
		b.calendar.scheduleHead(out, o)
		if w.next <= w.steps {
			continue
		}
		term := t - int64(uint32(w.steps))*x.tailAdvance
		if w.last < 0 {
			w.last = ^w.last
			b.releaseAt(&vcs[uint32(w.last)], Channel(w.last), w, term)
			continue
		}
		in = &vcs[uint32(w.last)]
		behind := &vcs[uint32(in.outputVC)]
		if behind.firstWaiting != none || behind.flags|in.flags != 0 {
			fresh[rest] = ^o
			rest++
			continue
		}
		w.last = in.outputVC
		b.releaseAt(behind, Channel(in.outputVC), w, term)
		in.packet, in.state, in.tailLeft = none, idle, behind.freeAt-b.timing.Flit
	}
	return fresh[:rest]
}

// startOne sends the header of the packet that was granted channel o.
func (b *Routers) sendHeadOn(o Channel) {
	x := b.closed
	out := &b.vcs[o]
	in := &b.vcs[out.holder]
	p := in.packet
	w := &x.progress[p]
	switch {
	case out.sink():
		b.addBlocked(o, w, b.now)
		if x.times != nil {
			b.recordHead(p, w, o, b.now)
		}
		w.next++
		for ahead := min(w.steps, w.next-1); ahead >= 0; ahead-- {
			if x.inlineRouting {
				ahead = b.settleQuietly(w, ahead)
			}
			b.settle(p, w, ahead, b.now)
			w = &x.progress[p]
		}
	case out.state != idle:
		out.flags |= late
	default:
		t := max(b.now, b.spaceAt(out, o))
		b.addBlocked(o, w, t)
		b.sendHead(out, o, p, w, t)
	}
}

// waitedUntil adds what the header of a packet has waited that is sent on channel o in a cycle.
func (b *Routers) addBlocked(o Channel, w *progress, cycle int64) {
	i := Channel(b.vcs[o].holder)
	w.blocked += cycle - b.vcs[i].ready
	if b.waits != nil && cycle > b.vcs[i].ready {
		b.reportSent(o, i, cycle)
	}
}

// onward returns the channel that the header of packet p takes, which came by channel o, or none
// where that is found later.
func (b *Routers) outputAfter(out *vcState, o Channel, p int32) int32 {
	k := &b.packets[p]
	switch {
	case b.tree != nil:
		return int32(b.tree.Output(uint(out.router), k.From, k.To))
	case b.outputVC != nil:
		return int32(b.outputVCOf(topology.Router(out.router), o, k))
	}
	return none
}

// place returns the cycle from which an empty FIFO has room for a header, a
// credit after B-1 flits before the last packet's tail left it.
func (b *Routers) spaceAt(c *vcState, at Channel) int64 {
	if b.linkTimings != nil {
		return c.tailLeft + b.closed.spaceDelay + int64(b.linkTimings[at].Credit)
	}
	return c.tailLeft + b.closed.spaceDelay
}

// injectHeader sends the next header of a node's source queue on its injection
// channel, if that is free and has a place.
func (b *Routers) injectHead(c Channel, node topology.Node) {
	k := &b.vcs[c]
	if k.holder != none || k.state != idle || b.queues[node].count == 0 {
		return
	}
	turn := b.turnOf(node, k.freeAt)
	t := max(b.now, turn, b.spaceAt(k, c))
	p := b.newPacket(node, turn, t)
	goal := int32(b.packets[p].To)
	if b.mesh2D != nil {
		goal = int32(b.mesh2D[goal].Here)
	}
	b.closed.add(p, &b.packets[p], b.timing.Buffer, c, goal)
	if b.waits != nil {
		b.closed.progress[p].job = b.waits.numbers[p]
	}
	k.holder, k.since = source, t
	b.sendHead(k, c, p, &b.closed.progress[p], t)
}

// sendHeader sends the header of packet p on channel o, which does not lead to a
// node, in cycle t, and settles the tail where that can be done now.
func (b *Routers) sendHead(out *vcState, o Channel, p int32, w *progress, t int64) {
	if out.state != idle {
		panic("router: a header was sent behind a packet")
	}
	delay := b.timing.Link
	if b.closed.times != nil {
		delay = b.recordHead(p, w, o, t)
	}
	w.next++
	out.packet, out.state = p, routing
	if r := uint(out.router); r < uint(len(b.mesh2D)) {
		out.outputVC = int32(b.mesh2D[r].Output(Place(w.goal)))
	} else {
		out.outputVC = b.outputAfter(out, o, p)
	}
	out.ready = max(t+delay, out.tailLeft+1) + b.timing.Routing
	if w := &b.calendar; out.ready-b.now <= w.mask {
		w.scheduleHead(out, o)
	} else {
		b.scheduleHead(out, o)
	}
	if w.next > w.steps {
		b.settle(p, w, w.steps, t)
	}
}

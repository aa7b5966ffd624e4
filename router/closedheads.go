package router

import "contend/router/topology"

// Heads in the closed form.

// sendUnblockedHeads sends the heads granted VCs in this cycle that find a place and whose tail, if
// it is settled, releases a channel for which no head waits. It calls nothing, so that its state
// stays in registers. It returns the VCs of the other heads, and the complements of the VCs of
// heads that it has sent and whose tails are still to be settled.
// BenchmarkUniform/16x16/flits=8/light/worm: 1.3 times as fast as sendHeadOn and settle.
func (b *Routers) sendUnblockedHeads() []Channel {
	vcs, x, list, rest := b.vcs, b.closed, b.newGrants, 0
	for _, o := range list {
		out := &vcs[uint32(o)]
		in := &vcs[uint32(out.holder)]
		p := in.packet
		t := max(b.now, out.tailLeft+x.spaceDelay)
		ready := max(t+b.timing.Link, out.tailLeft+1) + b.timing.Routing
		if out.flags&toNode|out.state != 0 || ready-b.now > b.calendar.mask {
			list[rest] = o
			rest++
			continue
		}
		w := &x.progress[uint32(p)]
		w.blocked += t - in.ready
		w.next++
		out.packet, out.state, out.ready = p, routing, ready
		out.outputVC = int32(b.mesh2D[uint32(out.router)].Output(Place(w.goal)))
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
			list[rest] = ^o
			rest++
			continue
		}
		w.last = in.outputVC
		b.releaseAt(behind, Channel(in.outputVC), w, term)
		in.packet, in.state, in.tailLeft = none, idle, behind.freeAt-b.timing.Flit
	}
	return list[:rest]
}

// sendHeadOn sends the head of the packet that was granted VC o.
func (b *Routers) sendHeadOn(o Channel) {
	x := b.closed
	out := &b.vcs[o]
	p := b.vcs[out.holder].packet
	w := &x.progress[p]
	switch {
	case out.sink():
		b.addBlocked(o, w, b.now)
		if x.times != nil {
			b.recordHead(p, w, o, b.now)
		}
		w.next++
		for ahead := min(w.steps, w.next-1); ahead >= 0; ahead-- {
			b.settle(p, w, ahead, b.now)
			w = &x.progress[p] // settle may have added packets
		}
	case out.state != idle:
		out.flags |= late
	default:
		t := max(b.now, b.spaceAt(out, o))
		b.addBlocked(o, w, t)
		b.sendHead(out, o, p, w, t)
	}
}

// addBlocked adds the wait of the head that holds VC o and is sent in a cycle.
func (b *Routers) addBlocked(o Channel, w *progress, cycle int64) {
	i := Channel(b.vcs[o].holder)
	w.blocked += cycle - b.vcs[i].ready
	if b.waits != nil && cycle > b.vcs[i].ready {
		b.reportSent(o, i, cycle)
	}
}

// spaceAt returns the cycle from which the empty FIFO of VC c has a place for a head: a credit
// delay after B-1 flits before the last packet's tail left it.
func (b *Routers) spaceAt(v *vcState, c Channel) int64 {
	if b.linkTimings != nil {
		return v.tailLeft + b.closed.spaceDelay + int64(b.linkTimings[c].Credit)
	}
	return v.tailLeft + b.closed.spaceDelay
}

// injectHead sends the next head of a node's source queue on its injection VC, if that is free and
// has a place.
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

// sendHead sends the head of packet p on VC o, which does not lead to a node, in cycle t. It
// schedules route computation behind it, and settles the tail if the head is far enough ahead.
func (b *Routers) sendHead(out *vcState, o Channel, p int32, w *progress, t int64) {
	if out.state != idle {
		panic("router: a head was sent behind a packet")
	}
	delay := b.timing.Link
	if b.closed.times != nil {
		delay = b.recordHead(p, w, o, t)
	}
	w.next++
	out.packet, out.state = p, routing
	if b.mesh2D != nil {
		out.outputVC = int32(b.mesh2D[uint32(out.router)].Output(Place(w.goal)))
	} else if b.outputVC != nil {
		b.setOutputVC(out, o, &b.packets[p])
	}
	out.ready = max(t+delay, out.tailLeft+1) + b.timing.Routing
	b.scheduleHead(out, o)
	if w.next > w.steps {
		b.settle(p, w, w.steps, t)
	}
}

package router

import (
	"math/bits"
	"slices"

	"contend/router/topology"
)

// Frozen is a part of the network whose clock stands: links, the nodes that inject on them, and
// their packets, which use no other links. Its VCs, packets and queues stay where they are, since
// nothing else uses them. Its events are here and not in the calendar, the wheels and the lists
// that the routers work off.
type Frozen struct {
	// Nodes inject on the links.
	Nodes   []topology.Node
	links   []Link
	at      int64     // cycle in which the clock stands
	packets []int32   // in flight
	events  []event   // of the calendar
	waiting []Channel // heads in the queues of routers
	entries []Entry
	// Of the cycle-driven engine: events of its wheels, and what was in its lists.
	wheels                 [4][]event
	allocating             []allocation
	sendable, sendingPorts []int32
}

// Freeze stops the clock of some links. It is called between two calls of Advance. Packets on the
// links and in the source queues of the nodes that inject on them use no other links. The network
// is Settled, and it has one part and no WaitRecorder.
func (b *Routers) Freeze(links []Link) *Frozen {
	if b.divided != nil || b.waits != nil || !b.Settled() {
		panic("router: these routers cannot be frozen")
	}
	if b.frozen == nil {
		b.frozen = make([]*Frozen, b.w.Links())
	}
	f := &Frozen{at: b.now, links: slices.Clone(links)}
	for _, l := range links { // whose nodes may inject on other links too
		if b.w.kind[l] == Injection {
			at := b.w.link(b.w.injection[b.w.other[l]])
			for i := range Link(b.w.InjectionPorts) {
				f.links = append(f.links, at+i)
			}
		}
	}
	slices.Sort(f.links)
	f.links = slices.Compact(f.links)
	for _, l := range f.links {
		b.frozen[l] = f
		if n := topology.Node(b.w.other[l]); b.w.kind[l] == Injection &&
			b.w.injection[n] == b.w.firstVC(l) {
			f.Nodes = append(f.Nodes, n)
		}
	}
	b.takePackets(f)
	b.takeWaiting(f)
	b.takeEvents(f)
	if b.buffers != nil {
		b.engine.(*cycleEngine).take(f)
	}
	return f
}

// FreezeRest stops the clock of all links that are not frozen.
func (b *Routers) FreezeRest() *Frozen {
	var rest []Link
	for l := range Link(b.w.Links()) {
		if b.frozen == nil || b.frozen[l] == nil {
			rest = append(rest, l)
		}
	}
	f := b.Freeze(rest)
	clear(b.calendar.busy)
	return f
}

// SetNow sets the clock. All links are frozen.
func (b *Routers) SetNow(cycle int64) { b.now = cycle }

// Thaw lets a part of the network go on from the state in which it was frozen, now: as if the
// cycles since then had not passed for it.
func (b *Routers) Thaw(f *Frozen) {
	by := b.now - f.at
	b.delayLinks(f, by)
	b.delayPackets(f.packets, by)
	for i := range f.entries {
		f.entries[i].Cycle += by
		b.entries.Push(f.entries[i])
	}
	for _, l := range f.links {
		b.frozen[l] = nil
	}
	b.inFlight += len(f.packets)
	b.returnWaiting(f)
	for _, e := range f.events {
		e.cycle += by
		switch {
		case e.kind == headRouted:
			b.scheduleHead(&b.vcs[e.id], Channel(e.id))
		case e.kind == headsServed && b.offered != nil:
			b.scheduleVA(e.id, e.cycle)
		default:
			b.calendar.schedule(b.now, e)
		}
	}
	if b.buffers != nil {
		b.engine.(*cycleEngine).giveBack(f, by)
	}
	b.calendar.slotOf(b.now)
}

// requireNoneFrozen panics if a part of the network stands still.
func (b *Routers) requireNoneFrozen() {
	if slices.ContainsFunc(b.frozen, func(f *Frozen) bool { return f != nil }) {
		panic("router: a change of links, or a loss, while a part of the network stands still")
	}
}

// PartOf returns the frozen part that has a link, or nil.
func (b *Routers) PartOf(l Link) *Frozen { return b.frozen[l] }

// stands reports whether the clock of the FIFO of a channel stands: its packets use no link whose
// clock runs.
func (b *Routers) stands(c Channel) bool { return b.frozen != nil && b.frozen[b.w.link(c)] != nil }

// partOf returns the frozen part to which the source queue of a node belongs, or nil.
func (b *Routers) partOf(node topology.Node) *Frozen {
	return b.frozen[b.w.link(b.w.injection[node])]
}

// takePackets takes the frozen packets from those in flight, and their entries.
func (b *Routers) takePackets(f *Frozen) {
	unused := make([]bool, len(b.packets))
	for _, p := range b.freePacket {
		unused[p] = true
	}
	for p := range b.packets {
		if !unused[p] && b.partOf(b.packets[p].From) == f {
			f.packets = append(f.packets, int32(p))
		}
	}
	b.inFlight -= len(f.packets)
	if b.entries == nil {
		return
	}
	list := b.entries.Heap
	b.entries.Heap = nil
	for _, e := range list {
		if b.partOf(e.Node) == f {
			f.entries = append(f.entries, e)
		} else {
			b.entries.Push(e)
		}
	}
}

// takeWaiting takes the frozen heads from the queues of routers, in which other heads wait too.
func (b *Routers) takeWaiting(f *Frozen) {
	for _, l := range f.links {
		if x := b.openLinks; x != nil && b.w.kind[l] != Injection {
			k := &x.links[l] // see findOpen
			x.routers[k.router].others &^= 1 << k.port
			x.routers[k.router].escapes &^= 1 << k.port
		}
		for c := b.w.firstVC(l); b.offered != nil && c < b.w.firstVC(l)+b.w.VCs(l); c++ {
			v := &b.vcs[c]
			if v.state != waitingVC {
				continue
			}
			q, before := &b.requests[v.router], int32(none)
			at := &q.first
			for *at != int32(c) {
				before, at = *at, &b.vcs[*at].next
			}
			if *at = v.next; v.next == none {
				q.last = before
			}
			f.waiting = append(f.waiting, c)
			if q.servedAt < never {
				f.events = append(f.events, event{q.servedAt, v.router, headsServed})
			}
			if b.openLinks != nil && b.wanted(c).entered && b.wanted(c).arrived == 0 {
				b.removeArriving(int32(c))
			}
		}
	}
}

// returnWaiting returns frozen heads to the queues of routers.
func (b *Routers) returnWaiting(f *Frozen) {
	x := b.openLinks
	for _, c := range f.waiting {
		v := &b.vcs[c]
		r := v.router
		q := &b.requests[r]
		if b.insertWaiting(&q.first, c); v.next == none {
			q.last = int32(c)
		}
		if x == nil {
			continue
		}
		w, k := b.wanted(c), &x.routers[r]
		if w.entered && w.arrived == 0 {
			w.next, k.arriving = k.arriving, int32(c)
		}
		if w.listed {
			k.others |= w.others
			k.escapes |= w.escapes
		}
		for i := q.first; b.vcs[q.first].next != none && i != none; i = b.vcs[i].next {
			b.enterWaiting(Channel(i))
		}
	}
}

// takeEvents takes the frozen events from the calendar.
func (b *Routers) takeEvents(f *Frozen) {
	w := &b.calendar
	for i, word := range w.busy {
		for ; word != 0; word &= word - 1 {
			at := int64(i)<<6 | int64(bits.TrailingZeros64(word))
			b.takeSlot(f, at, b.now+(at-b.now)&w.mask)
		}
	}
	list := w.later
	w.later = nil
	for _, e := range list {
		if !b.take(f, e) {
			w.later.Push(e)
		}
	}
}

// takeSlot takes the frozen events of a cycle from its slot of the calendar.
func (b *Routers) takeSlot(f *Frozen, slot, cycle int64) {
	w := &b.calendar
	s := &w.slots[slot]
	for at := &s.heads; *at != none; {
		if v := &b.vcs[*at]; b.take(f, event{cycle, *at, headRouted}) {
			*at = v.next
		} else {
			at = &v.next
		}
	}
	taken := func(kind uint8) func(int32) bool {
		return func(id int32) bool { return b.take(f, event{cycle, id, kind}) }
	}
	s.tails = slices.DeleteFunc(s.tails, taken(tailArrives))
	s.vaQueues = slices.DeleteFunc(s.vaQueues, taken(headsServed))
	s.links = slices.DeleteFunc(s.links, taken(linkServed))
	s.ready = slices.DeleteFunc(s.ready, taken(headReady))
	w.nodes[slot] = slices.DeleteFunc(w.nodes[slot], func(n topology.Node) bool {
		return b.take(f, event{cycle, int32(n), nodeRested})
	})
}

// take takes an event if it is frozen, and reports whether the calendar has to drop it.
func (b *Routers) take(f *Frozen, e event) bool {
	l := Link(e.id)
	switch {
	case e.kind == tailArrives:
		l = b.w.link(b.w.ejection[b.packets[e.id].To])
	case e.kind == nodeRested:
		l = b.w.link(b.w.injection[e.id])
	case e.kind == headsServed && b.offered != nil: // takeWaiting has those of frozen heads
		q := &b.requests[e.id]
		if q.first == none {
			q.servedAt = never
		}
		return q.first == none
	case e.kind == headsServed && b.vcSets != nil:
	case e.kind == linkServed && b.byPacket != nil && e.id >= 0:
	case e.kind == linkServed && b.byPacket != nil:
		l = b.w.link(Channel(^e.id))
	default:
		l = b.w.link(Channel(e.id))
	}
	if b.frozen[l] == f {
		f.events = append(f.events, e)
	}
	return b.frozen[l] == f
}

// take takes what is frozen from the wheels and lists of the engine.
func (e *cycleEngine) take(f *Frozen) {
	x := e.x
	for i, w := range x.wheels() {
		for ahead := range w.mask + 1 {
			if len(w.slots) == 0 {
				break
			}
			list := w.at(e.now + ahead)
			rest := list.take()
			for _, s := range rest {
				if l := x.linkIn(i, s); e.frozen[l] == f {
					f.wheels[i] = append(f.wheels[i], event{cycle: e.now + ahead, id: s})
				} else {
					list.list[list.n] = s
					list.n++
				}
			}
		}
	}
	e.allocating = slices.DeleteFunc(e.allocating, func(k allocation) bool {
		frozen := e.frozen[x.link(int32(k.in))] == f
		if frozen {
			f.allocating = append(f.allocating, k)
		}
		return frozen
	})
	x.sendable = slices.DeleteFunc(x.sendable, func(s int32) bool {
		frozen := e.frozen[x.link(s)] == f
		if frozen {
			f.sendable = append(f.sendable, s)
		}
		return frozen
	})
	x.sendingPorts = slices.DeleteFunc(x.sendingPorts, func(port int32) bool {
		frozen := e.partOf(topology.Node(int(port)/e.w.InjectionPorts)) == f
		if frozen {
			f.sendingPorts = append(f.sendingPorts, port)
		}
		return frozen
	})
	for _, l := range f.links {
		for s := x.slot(l); s < x.slot(l+1); s++ {
			x.in[s>>6].occupied &^= bit(s) // so that no port nominates it
		}
	}
}

// giveBack returns what was frozen to the wheels and lists of the engine, later by some cycles.
func (e *cycleEngine) giveBack(f *Frozen, by int64) {
	x := e.x
	for i, w := range x.wheels() {
		for _, k := range f.wheels[i] {
			e.calendar.slotOf(k.cycle + by)
			w.add(k.cycle+by, k.id)
		}
	}
	for _, k := range f.allocating {
		k.cycle += by
		e.calendar.slotOf(k.cycle)
		e.allocating = append(e.allocating, k)
	}
	slices.SortStableFunc(e.allocating, func(a, b allocation) int { return int(a.cycle - b.cycle) })
	x.sendable = append(x.sendable, f.sendable...)
	for _, port := range f.sendingPorts {
		e.calendar.slotOf(max(e.now, e.injecting[port].free))
		x.sendingPorts = append(x.sendingPorts, port)
	}
	for _, l := range f.links {
		for s := x.slot(l); s < x.slot(l+1) && !x.singleVC; s++ {
			if x.fifos[s].occupancy > 0 {
				x.in[s>>6].occupied |= bit(s)
			}
			x.activate(s)
		}
	}
}

// wheels returns the wheels of the engine.
func (x *buffers) wheels() [4]*wheel {
	return [...]*wheel{&x.arrivals, &x.credits, &x.bodies, &x.linkReleases}
}

// linkIn returns the link of an entry of a wheel.
func (x *buffers) linkIn(wheel int, id int32) Link {
	switch {
	case wheel < 3:
		return x.link(id)
	case id < 0: // the complement of an input port
		return Link(^id / (x.wordPorts >> (6 - x.shift)))
	}
	return Link(id)
}

// delay moves some times. never stays.
func delay(by int64, times ...*int64) {
	for _, t := range times {
		if *t < never {
			*t += by
		}
	}
}

// delayLinks moves the times of frozen links and nodes.
func (b *Routers) delayLinks(f *Frozen, by int64) {
	for _, l := range f.links {
		if b.vcSets != nil {
			delay(by, &b.requests[l].servedAt)
		}
		if b.buffers != nil && b.buffers.linkFreeAt != nil {
			delay(by, &b.buffers.linkFreeAt[l])
		}
		if b.byPacket != nil {
			b.delayPacketLink(l, by)
		}
		for c := b.w.firstVC(l); c < b.w.firstVC(l)+b.w.VCs(l); c++ {
			v := &b.vcs[c]
			delay(by, &v.ready, &v.freeAt, &v.since, &v.tailLeft)
			if b.channels != nil {
				ch := &b.channels[c]
				delay(by, &b.linkFreeAt[c], &ch.lastSent)
				b.trains.delay(&ch.flits, by)
				b.trains.delay(&ch.places, by)
			}
		}
	}
	for _, n := range f.Nodes {
		q := &b.queues[n]
		delay(by, &q.next)
		for i := range q.count {
			delay(by, &q.ring[int(q.head+i)&(len(q.ring)-1)].created)
		}
		if b.restsUntil != nil {
			delay(by, &b.restsUntil[n])
		}
		if b.injecting != nil {
			for i := range b.ports(n) {
				delay(by, &b.ports(n)[i].free, &b.ports(n)[i].next)
			}
		}
	}
}

// delayPacketLink moves the times of a link in the packet engine.
func (b *Routers) delayPacketLink(l Link, by int64) {
	x := b.byPacket
	k := &x.links[l]
	delay(by, &k.freeAt, &k.wakesAt, &k.soonest, &k.emptiesAt)
	if b.openLinks != nil {
		b.openLinks.links[l].closed = 0
	}
	if x.ports != nil {
		delay(by, &k.port.sentAt)
		for i := range x.ports.untilOf(l) {
			delay(by, &x.ports.untilOf(l)[i])
		}
	}
	for c := b.w.firstVC(l); c < b.w.firstVC(l)+b.w.VCs(l); c++ {
		v := &x.vcs[c]
		delay(by, &v.tailAt, &v.sendableAt)
		for i := v.oldest; i >= 0; i = x.hops[i].next {
			delay(by, &x.hops[i].arrives, &x.hops[i].leaves)
		}
	}
}

// delayPackets moves the times of some packets.
func (b *Routers) delayPackets(list []int32, by int64) {
	for _, p := range list {
		k, n := &b.packets[p], &b.notes[p]
		delay(by, &k.Created, &k.Injected, &n.turn, &n.comes, &n.tailComes)
		if x := b.closed; x != nil && x.times != nil {
			for i := range x.mask + 1 {
				delay(by, &x.times[p*(x.mask+1)+i])
			}
		}
	}
}

// delay moves the times of a queue.
func (x *trains) delay(q *runs, by int64) {
	for i := range q.count {
		delay(by, &x.at(q, i).at)
	}
}

// removeArriving removes a head from the list of those that had not arrived completely.
func (b *Routers) removeArriving(head int32) {
	at := &b.openLinks.routers[b.vcs[head].router].arriving
	for *at != head {
		at = &b.wanted(Channel(*at)).next
	}
	*at = b.wanted(Channel(head)).next
}

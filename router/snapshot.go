package router

import (
	"cmp"
	"math/bits"
	"slices"
)

// Snapshot is the state of a network at a moment, as numbers. Two snapshots of the same links are
// equal only if the same events follow both, shifted by the cycles between them. Times count from
// the moment on; all times so long past that no event depends on them are equal. Packets and
// messages are named by the order in which they were sent, so names do not depend on where the
// network stores them, or on traffic on other links. Measurements are not included.
type Snapshot struct {
	// Words has the state; callers may append to it.
	Words []int64
	// Messages are the numbers of messages of several packets, in the order of their names.
	Messages []int32
	names    []int32 // by number of a message: its name, or 0
	packets  []int   // where Words has the number of a packet
	tails    []event // scratch
	words    []int32 // scratch
}

// Reset empties the snapshot for a moment.
func (s *Snapshot) Reset() {
	for _, m := range s.Messages {
		s.names[m] = 0
	}
	s.Words, s.Messages, s.tails, s.packets = s.Words[:0], s.Messages[:0], s.tails[:0], s.packets[:0]
}

// AppendNumber appends the number of a packet, which the order of the packet replaces when
// Routers.Snapshot is called.
func (s *Snapshot) AppendNumber(number int64) {
	s.packets = append(s.packets, len(s.Words))
	s.Words = append(s.Words, number)
}

// namePackets replaces the numbers of packets by their order.
func (s *Snapshot) namePackets() {
	slices.SortFunc(s.packets, func(i, j int) int { return cmp.Compare(s.Words[i], s.Words[j]) })
	name, last := int64(0), int64(none)
	for _, i := range s.packets {
		if s.Words[i] != last {
			name, last = name+1, s.Words[i]
		}
		s.Words[i] = name
	}
}

// Name returns the name of a message of several packets, and 0 for one of a single packet.
func (s *Snapshot) Name(m int32) int32 {
	if m == none {
		return 0
	}
	for int(m) >= len(s.names) {
		s.names = append(s.names, 0)
	}
	if s.names[m] == 0 {
		s.Messages = append(s.Messages, m)
		s.names[m] = int32(len(s.Messages))
	}
	return s.names[m]
}

// pair returns a word with two numbers.
func pair(a, b int32) int64 { return int64(a)<<32 | int64(uint32(b)) }

// long replaces times so long past that no event depends on them.
const long = -never

// Comparable reports whether Snapshot covers the whole state. It does not with several parts,
// because it lacks their mailboxes; nor with several injection ports, or pointers of matchers; nor,
// in the packet engine, with escape channels; nor, in the cycle-driven engine, heads
// that are being granted VCs and, where links of several flit times send packets whole, the flits to
// come. It does not cover the draws of a routing either: the caller must know whether it draws.
func (b *Routers) Comparable() bool {
	x := b.buffers
	return b.divided == nil && b.w.InjectionPorts == 1 && b.matching == nil &&
		b.openLinks == nil && (x == nil || b.timing.Allocation == 0 &&
		!b.timing.NodesReturnCredits && !b.timing.AtomicVCs && !x.whole && !x.matchesPorts)
}

// Snapshot appends the state of links and of the packets of jobs to s. Packets of these jobs use
// these links only, and packets of other jobs use none of them. Both lists have the same order in
// all snapshots; links ascend.
func (b *Routers) Snapshot(s *Snapshot, links []Link, jobs []int32) {
	for _, l := range links {
		c := b.w.firstVC(l)
		switch {
		case b.closed != nil:
			b.appendClosed(s, c)
		case b.buffers != nil:
			b.appendPointers(s, l)
			for vc := range b.w.VCs(l) {
				b.appendBuffered(s, c+vc)
			}
		case b.byPacket != nil:
			b.appendPackets(s, l)
		default:
			b.appendWorm(s, c)
		}
		if b.w.kind[l] == Injection {
			b.appendSource(s, c)
		}
	}
	if x := b.buffers; x != nil {
		for i, w := range x.wheels() {
			if len(w.slots) > 0 {
				s.wheel(x, i, w, links, b.now)
			}
		}
	}
	b.appendTails(s, jobs)
	b.appendEntries(s, jobs)
	s.namePackets()
}

// appendClosed appends the state of a channel in the closed form.
func (b *Routers) appendClosed(s *Snapshot, c Channel) {
	k, left := &b.vcs[c], long
	if b.spaceAt(k, c) > b.now || k.tailLeft >= b.now {
		left = k.tailLeft - b.now // a head may have to wait for a place
	}
	free := max(0, k.freeAt-b.now)
	if k.state == idle && k.holder == none && left == long && free == 0 && b.lastPortOf(c) == none {
		return
	}
	b.appendHold(s, c, free)
	s.Words = append(s.Words, left)
	if k.flags&late != 0 {
		s.Words = append(s.Words, k.since-b.now)
	}
}

// appendHold appends the holder of a channel, when it is free, and the packet at the front of its
// FIFO.
func (b *Routers) appendHold(s *Snapshot, c Channel, free int64) {
	k := &b.vcs[c]
	head := int64(c)<<8 | int64(k.state)<<1
	if k.flags&late != 0 {
		head |= 1
	}
	s.Words = append(s.Words, head, pair(k.holder, b.lastPortOf(c)), free)
	if k.state == idle {
		return
	}
	b.appendPacket(s, k.packet)
	if k.state == active {
		s.Words = append(s.Words, int64(k.outputVC))
		return
	}
	s.Words = append(s.Words, k.ready-b.now)
	if k.state == waitingVC {
		b.appendWait(s, c)
	}
}

// lastPortOf returns the input port that got a channel last, or none if the arbiter does not depend
// on it.
func (b *Routers) lastPortOf(c Channel) int32 {
	if b.lastPort == nil {
		return none
	}
	return b.lastPort[c]
}

// appendWait appends the VCs for which the head at the front of FIFO c waits.
func (b *Routers) appendWait(s *Snapshot, c Channel) {
	k := &b.vcs[c]
	s.Words = append(s.Words, int64(k.outputVC))
	if b.queuePerVC {
		return
	}
	grant := b.requests[b.queueOf(c)].servedAt
	if grant != never {
		grant -= b.now
	}
	s.Words = append(s.Words, grant)
	if b.vcSets != nil {
		s.Words = append(s.Words, int64(b.vcSet(c)))
		return
	}
	s.Words = append(s.Words, int64(b.offered[c]))
	for n, o := range b.offers(c) {
		word := int64(o) << 1
		if b.escaping != nil && b.isEscape(c, n, o) {
			word |= 1
		}
		s.Words = append(s.Words, word)
	}
}

// appendPacket appends the state of packet p.
func (b *Routers) appendPacket(s *Snapshot, p int32) {
	k := &b.packets[p]
	s.AppendNumber(b.notes[p].number)
	s.Words = append(s.Words, pair(int32(k.From), int32(k.To)), pair(k.Length, k.Job),
		pair(s.Name(k.Message), b.notes[p].user))
	if b.marker != nil && b.marker.marked[p] {
		s.Words = append(s.Words, none)
	}
	if !b.stateless {
		h := &b.heads[p]
		s.Words = append(s.Words, pair(int32(h.Phase), int32(h.Via)))
	}
	x := b.closed
	if x == nil {
		return
	}
	w := &x.progress[p]
	s.Words = append(s.Words, pair(w.last, w.next))
	if x.times != nil { // those that settle the tail
		for i := max(0, w.next-w.steps); i < w.next; i++ {
			s.Words = append(s.Words, x.times[p*(x.mask+1)+i&x.mask]-b.now)
		}
	}
	if x.creditSums != nil {
		y := &x.creditSums[p]
		s.Words = append(s.Words, y.sent, y.last, y.settled)
	}
}

// appendSource appends the packet that a node injects on channel c, and its source queue.
func (b *Routers) appendSource(s *Snapshot, c Channel) {
	node := b.node(c)
	q, cur := &b.queues[node], injecting{packet: none}
	if b.injecting != nil {
		cur = b.injecting[node]
	}
	rest := b.afterRest(node, b.now) - b.now
	s.Words = append(s.Words, pair(q.count, min(cur.packet, 0)), max(0, q.next-b.now), rest,
		int64(cur.vc))
	if cur.packet != none {
		b.appendPacket(s, cur.packet)
		s.Words = append(s.Words, int64(cur.flitsSent))
	}
	for i := range q.count {
		e := &q.ring[int(q.head+i)&(len(q.ring)-1)]
		s.AppendNumber(e.number)
		s.Words = append(s.Words, pair(e.flits, int32(e.to)), pair(e.job, e.user),
			int64(s.Name(e.message)))
	}
}

// appendTails appends the tails of jobs on their way to nodes, with their times.
func (b *Routers) appendTails(s *Snapshot, jobs []int32) {
	w := &b.calendar
	for i, word := range w.busy {
		for ; word != 0; word &= word - 1 {
			at := int64(i)<<6 | int64(bits.TrailingZeros64(word))
			for _, p := range w.slots[at].tails {
				s.tails = append(s.tails, event{cycle: (at - b.now) & w.mask, id: p})
			}
		}
	}
	for _, e := range w.later {
		if e.kind == tailArrives {
			s.tails = append(s.tails, event{cycle: e.cycle - b.now, id: e.id})
		}
	}
	s.tails = slices.DeleteFunc(s.tails, func(e event) bool {
		return !slices.Contains(jobs, b.packets[e.id].Job)
	})
	slices.SortFunc(s.tails, func(x, y event) int {
		return cmp.Or(cmp.Compare(x.cycle, y.cycle),
			cmp.Compare(b.notes[x.id].number, b.notes[y.id].number))
	})
	s.Words = append(s.Words, int64(len(s.tails)))
	for _, e := range s.tails {
		s.Words = append(s.Words, e.cycle)
		b.appendPacket(s, e.id)
	}
}

// appendEntries appends the entries of packets of jobs that are known ahead of their time.
func (b *Routers) appendEntries(s *Snapshot, jobs []int32) {
	if b.entries == nil {
		return
	}
	list := slices.DeleteFunc(slices.Clone(b.entries.Heap), func(e Entry) bool {
		return !slices.Contains(jobs, e.Job)
	})
	slices.SortFunc(list, func(x, y Entry) int {
		return cmp.Or(cmp.Compare(x.Cycle, y.Cycle), cmp.Compare(x.Number, y.Number))
	})
	s.Words = append(s.Words, int64(len(list)))
	for _, e := range list {
		s.AppendNumber(e.Number)
		s.Words = append(s.Words, e.Cycle-b.now, pair(int32(e.Node), e.User))
	}
}

// appendBuffered appends the state of a channel in the cycle-driven engine, without flits and
// credits on links.
func (b *Routers) appendBuffered(s *Snapshot, c Channel) {
	x, k := b.buffers, &b.vcs[c]
	f, l := &x.fifos[c], b.w.link(c)
	free, link, next := max(0, k.freeAt-b.now), int64(0), never
	if x.linkFreeAt != nil {
		link = max(0, x.linkFreeAt[l]-b.now)
	}
	if b.w.kind[l] == Injection {
		cur := &b.injecting[b.node(c)]
		link = max(0, cur.free-b.now)
		if next = cur.next; next != never {
			next -= b.now
		}
	}
	if k.state == idle && k.holder == none && f.lastPacket == none && free == 0 && link == 0 &&
		next == never && b.lastPortOf(c) == none && f.credits == b.timing.Buffer {
		return
	}
	b.appendHold(s, c, free)
	s.Words = append(s.Words, pair(f.occupancy, f.credits), int64(f.flitsLeft), link, next)
	for p := k.packet; p != f.lastPacket; {
		p = b.notes[p].after
		b.appendPacket(s, p)
	}
}

// appendPointers appends the state of a link that its VCs share in the cycle-driven engine.
func (b *Routers) appendPointers(s *Snapshot, l Link) {
	x := b.buffers
	if x.portBudget != nil {
		s.Words = append(s.Words, int64(x.portBudget[l]))
	}
	if !x.singleVC {
		at := x.slot(l)
		ahead := x.in[at>>6].atOrAfterPointer >> (at & 63) & (1<<(1<<x.shift) - 1)
		s.Words = append(s.Words, int64(ahead), int64(x.switches.sellers[l].next))
	}
	b.appendSelector(s, l)
}

// appendSelector appends the pointers by which heads choose VCs of a link.
func (b *Routers) appendSelector(s *Snapshot, l Link) {
	if b.selector != nil {
		at := b.w.firstVC(l)
		for _, p := range b.selector.pointers[at : at+b.w.VCs(l)] {
			s.Words = append(s.Words, int64(p))
		}
	}
}

// appendPackets appends the state of a link in the packet engine. Credits follow from the packets
// in FIFOs, and from those that have left of which some have not returned.
func (b *Routers) appendPackets(s *Snapshot, l Link) {
	x := b.byPacket
	k, lead := &x.links[l], b.w.firstVC(l)
	since := func(t int64) int64 { return max(t-b.now, -1-int64(k.credit)) }
	free, wakes := max(0, k.freeAt-b.now), never
	if k.wakesAt < never {
		wakes = k.wakesAt - b.now
	}
	s.Words = append(s.Words, int64(l), free, wakes, pair(int32(k.lastVC), int32(k.pending)))
	if free > 0 {
		s.Words = append(s.Words, pair(k.from, x.hops[k.hop].length))
	}
	if k.awaited {
		s.Words = append(s.Words, none)
	}
	if p := x.ports; p != nil {
		s.Words = append(s.Words, int64(k.port.pointer))
		for _, t := range p.untilOf(l) {
			s.Words = append(s.Words, max(0, t-b.now))
		}
	}
	b.appendSelector(s, l)
	for c := lead; c < lead+b.w.VCs(l); c++ {
		v, out := &x.vcs[c], &b.vcs[c]
		b.appendHold(s, c, max(0, out.freeAt-b.now))
		if k.pending>>(c-lead)&1 != 0 {
			room := never
			if v.sendableAt < never {
				room = max(0, v.sendableAt-b.now)
			}
			s.Words = append(s.Words, room, max(out.since-b.now, -b.timing.Allocation))
		}
		s.Words = append(s.Words, since(v.tailAt))
		left := v.front != v.oldest
		for i := v.oldest; i != none; i = x.hops[i].next {
			h := &x.hops[i]
			left = left && i != v.front
			if left && h.leaves+int64(h.length-1)*int64(h.pace)+int64(k.credit) <= b.now {
				continue
			}
			came := max(h.arrives-b.now, -int64(h.length*k.flit+k.delay))
			s.Words = append(s.Words, pair(h.length, h.pace), came)
			if left {
				s.Words = append(s.Words, h.leaves-b.now)
			} else {
				b.appendPacket(s, h.packet)
			}
		}
	}
}

// wheel appends the events of a wheel on links, cycle by cycle.
func (s *Snapshot) wheel(x *buffers, number int, w *wheel, links []Link, now int64) {
	for ahead := range w.mask + 1 {
		s.words = s.words[:0]
		for _, slot := range w.at(now + ahead).peek() {
			if _, ok := slices.BinarySearch(links, x.linkIn(number, slot)); ok {
				s.words = append(s.words, slot)
			}
		}
		slices.Sort(s.words)
		for _, slot := range s.words {
			s.Words = append(s.Words, pair(int32(ahead), slot))
		}
	}
}

// appendWorm appends the state of a channel in the worm engine.
func (b *Routers) appendWorm(s *Snapshot, c Channel) {
	k, ch := &b.vcs[c], &b.channels[c]
	free, link := max(0, k.freeAt-b.now), max(0, b.linkFreeAt[c]-b.now)
	if ch.injects {
		link = max(0, b.injecting[b.node(c)].free-b.now)
	}
	late := b.now - b.credit(c) // credits of places freed before have returned
	if k.state == idle && k.holder == none && ch.occupancy == 0 && free == 0 && link == 0 &&
		b.lastPortOf(c) == none && ch.lastSent < late {
		return
	}
	b.appendHold(s, c, free)
	s.Words = append(s.Words, pair(ch.holder, ch.outputVC),
		pair(int32(ch.occupancy), ch.flitsLeft), link)
	packet, left := ch.packet, max(ch.flitsLeft, -ch.flitsLeft)
	b.trains.each(&ch.flits, func(t int64) {
		s.Words = append(s.Words, t-b.now)
		if left == 0 {
			packet = b.notes[packet].after
			left = b.packets[packet].Length
			b.appendPacket(s, packet)
		}
		left--
	})
	b.trains.each(&ch.places, func(t int64) {
		if t -= b.now; t < late-b.now {
			t = long
		}
		s.Words = append(s.Words, t)
	})
}

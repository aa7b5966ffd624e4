package router

import "slices"

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

// wheel appends the flits or credits on the way on links, cycle by cycle.
func (s *Snapshot) wheel(x *buffers, w *wheel, links []Link, now int64) {
	for ahead := range w.mask + 1 {
		s.words = s.words[:0]
		for _, slot := range w.at(now + ahead).peek() {
			if _, ok := slices.BinarySearch(links, x.link(slot)); ok {
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

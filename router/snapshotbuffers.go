package router

// bufferState appends the state of a channel in the engines that know of each flit.
func (b *Routers) bufferState(s *Snapshot, c Channel) {
	k, ch := &b.vcs[c], &b.channels[c]
	line := b.lineOf(c)
	free, link, next := max(0, k.freeAt-b.now), max(0, line.free-b.now), line.next
	if k.state == idle && k.holder == none && ch.count == 0 && free == 0 && link == 0 &&
		next == never && b.inTurn(c) == none && !b.leftLately(c) {
		return
	}
	if next != never {
		next -= b.now
	}
	b.holdState(s, c, free)
	s.Words = append(s.Words, pair(ch.holder, ch.out), pair(int32(ch.count), ch.left), link, next)
	packet, left := ch.packet, max(ch.left, -ch.left)
	for i := range b.timing.Buffer {
		if b.times != nil {
			s.Words = append(s.Words, b.placeState(c, ch, i))
		}
		if i >= int32(ch.count) {
			continue
		}
		if left == 0 {
			packet = b.notes[packet].after
			left = b.packets[packet].Length
			b.packetState(s, packet)
		}
		left--
	}
}

// lineOf returns what is known of the line of channel c, of whichever engine.
func (b *Routers) lineOf(c Channel) line {
	switch {
	case b.channels[c].injects:
		cur := &b.injecting[b.node(c)]
		return line{cur.free, cur.next}
	case b.lines == nil:
		return line{next: never}
	}
	return b.lines[b.w.link[c]]
}

// placeState returns when the flit i places behind the oldest one of a FIFO came, or one left.
func (b *Routers) placeState(c Channel, ch *channel, i int32) int64 {
	t := b.times[int32(c)*b.timing.Buffer+wrapped(int32(ch.head)+i, b.timing.Buffer)] - b.now
	if i >= int32(ch.count) && t < -b.credit(c) {
		return long
	}
	return t
}

// leftLately reports whether a flit has left the FIFO of channel c so lately that its sender may
// not know.
func (b *Routers) leftLately(c Channel) bool {
	if b.times == nil {
		return false
	}
	for _, t := range b.times[int(c)*int(b.timing.Buffer):][:b.timing.Buffer] {
		if t >= b.now-b.credit(c) {
			return true
		}
	}
	return false
}

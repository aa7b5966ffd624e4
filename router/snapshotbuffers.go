package router

// bufferState appends the state of a channel in the engines that know of each flit.
func (b *Routers) bufferState(s *Snapshot, c Channel) {
	k, ch := &b.vcs[c], &b.channels[c]
	free, link := max(0, k.freeAt-b.now), max(0, ch.free-b.now)
	if k.state == idle && k.holder == none && ch.count == 0 && free == 0 && link == 0 &&
		ch.next == never && b.inTurn(c) == none && !b.leftLately(c) {
		return
	}
	next := ch.next
	if next != never {
		next -= b.now
	}
	b.holdState(s, c, free)
	s.Words = append(s.Words, pair(ch.holder, ch.out), pair(ch.count, ch.gone), link, next)
	packet, index := ch.packet, ch.gone
	for i := range b.timing.Buffer {
		at := int32(c)*b.timing.Buffer + wrapped(ch.head+i, b.timing.Buffer)
		t := b.times[at]
		if i >= ch.count { // a place that a flit has left
			if t = t - b.now; t < -b.credit(c) {
				t = long
			}
			s.Words = append(s.Words, t)
			continue
		}
		if s.Words = append(s.Words, t-b.now); index == b.packets[packet].Length {
			packet, index = b.owners[at], 0
			b.packetState(s, packet)
		}
		index++
	}
}

// leftLately reports whether a flit has left the FIFO of channel c so lately that its sender may
// not know.
func (b *Routers) leftLately(c Channel) bool {
	for _, t := range b.times[int(c)*int(b.timing.Buffer):][:b.timing.Buffer] {
		if t >= b.now-b.credit(c) {
			return true
		}
	}
	return false
}

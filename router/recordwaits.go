package router

// Wait is a part of the time that a ready header waited to be sent on a link, [From, Until), and
// the packet that it waited for. The waits of a header on a link follow each other and sum to what
// the header adds to Packet.Blocked.
type Wait struct {
	From, Until int64
	// Held is the part of the wait that counts in Usage: the cycles in which the packet held the
	// virtual channel. In the others its flits were on the link or in the buffer behind it.
	Held int64
	// Behind is the cycle up to which the header could go no sooner than that packet did.
	Behind int64
	// Packet waited, by its place among those on their way, number and job.
	Packet WaitingPacket
	// For is the packet that it waited for. Its place is none where there is no such packet: the
	// header waited for its turn on a link that several virtual channels share.
	For WaitingPacket
	// Tail is the cycle in which the tail of the packet For was sent on the channel.
	Tail int64
	// Arrived tells that another packet has the place of the packet For.
	Arrived bool
	// Link is the link.
	Link Link
}

// WaitingPacket names a packet that waits, or that others wait for. The place is another packet's
// once the packet has arrived; the number is its own.
type WaitingPacket struct {
	Place, Job int32
	Number     int64
}

// Nobody reports whether there is no such packet.
func (p *WaitingPacket) Nobody() bool { return p.Place == none }

// WaitRecorder is told of each Wait, of those of one header in order of time. The Wait is valid
// during the call.
type WaitRecorder interface{ Waited(w *Wait) }

// waits is what is remembered to tell a WaitRecorder of waits.
type waits struct {
	to      WaitRecorder
	told    []int64         // of each FIFO, up to when the waits of the header at its head are told
	before  []WaitingPacket // of each channel, the packet that has left it last
	crowded []bool          // of each channel, whether it had no room for the header that got it last
	wait    Wait            // scratch
}

// RecordWaits tells r of all waits, from now on. It is called before the first packet.
func (b *Routers) RecordWaits(r WaitRecorder) {
	n := len(b.vcs)
	b.waits = &waits{to: r, told: make([]int64, n), before: make([]WaitingPacket, n),
		crowded: make([]bool, n)}
	for c := range b.waits.before {
		b.waits.before[c].Place = none
	}
	if b.closed != nil {
		b.closed.usual = false // startMost tells nobody
	}
}

// left notes that the tail of packet p has been sent on channel o.
func (w *waits) left(o Channel, p int32, k *Packet) {
	w.before[o] = WaitingPacket{p, k.Job, k.Number}
}

// tell tells of the wait of the header at the head of FIFO i for channel o up to a cycle.
func (b *Routers) tell(o, i Channel, until, held, behind int64, by WaitingPacket) {
	w, p := b.waits, b.vcs[i].packet
	from := max(w.told[i], b.vcs[i].ready)
	w.told[i] = until
	if from >= until {
		return
	}
	k := &b.packets[p]
	w.wait = Wait{From: from, Until: until, Held: held, Behind: behind,
		Packet: WaitingPacket{p, k.Job, k.Number}, For: by,
		Tail: b.vcs[o].freeAt - b.flitTime(o), Link: b.w.link(o),
		Arrived: by.Place != none && b.packets[by.Place].Number != by.Number}
	w.to.Waited(&w.wait)
}

// tellHeld tells of a wait for the packet that held channel o, which is granted now. So many
// cycles of it are counted in Usage.
func (b *Routers) tellHeld(o, i Channel, held int64) {
	b.tell(o, i, b.now, max(0, held), b.vcs[o].freeAt-b.flitTime(o), b.waits.before[o])
}

// tellSent tells of what is left of a wait: the header at the head of FIFO i is sent on channel o
// in a cycle. It has waited behind the flits of the packet that had the channel before if there
// was no room when it got the channel, and for that packet if it took the channel in the end.
// Otherwise it has waited for its turn on the link.
func (b *Routers) tellSent(o, i Channel, cycle int64) {
	w := b.waits
	by, tail := w.before[o], b.vcs[o].freeAt-b.flitTime(o)
	switch from := max(w.told[i], b.vcs[i].ready); {
	case b.w.VirtualChannels == 1 || w.crowded[o]:
		tail = cycle
	case tail < from:
		by = WaitingPacket{Place: none}
	}
	b.tell(o, i, cycle, 0, tail, by)
}

// PlaceOf returns the place that one of the packets that the last Advance returned had among those
// on their way.
func (b *Routers) PlaceOf(arrival int) int32 { return b.arrived[arrival] }

// WaitsToldUntil returns a cycle up to which the WaitRecorder knows all waits.
func (b *Routers) WaitsToldUntil() int64 {
	known := b.now
	for i := range b.vcs {
		if v := &b.vcs[i]; v.state == waitingVC || v.state == active {
			known = min(known, max(v.ready, b.waits.told[i]))
		}
	}
	return known
}

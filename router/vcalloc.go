package router

import (
	"slices"
)

// VC allocation (VA): each head gets a free output VC of those that its route offers. The head at
// the front of FIFO c is called head c.

// requestQueue holds the heads with a choice of VCs that wait at one router or for one link.
type requestQueue struct {
	first    int32  // of the list of heads, in the order in which they are served
	last     int32  // the last one if it still waits in the list
	offered  uint32 // with vcSets: VCs that are the first of those offered to a head, and maybe others
	servedAt int64  // cycle in which VC allocation serves the queue next, or never
}

// serveEach serves the queues of some VCs or, where heads have a choice, of some links or routers.
func (b *Routers) serveEach(ids []int32) {
	if b.queuePerVC {
		for _, o := range ids {
			b.serveVC(Channel(o))
		}
		return
	}
	if b.byPacket != nil && b.vcSets != nil && b.matching == nil {
		packetEngine{b, b.byPacket}.serveLinks(ids)
		return
	}
	for _, id := range ids {
		q := &b.requests[id]
		if q.servedAt != b.now {
			continue // it has been served
		}
		q.servedAt = never
		if b.knowsHeld && q.isAlone(b) {
			if o := b.pickAlone(q.first, id); o != none {
				b.grantAlone(q, Channel(o))
			}
		} else {
			b.allocate(q)
		}
	}
}

// isAlone reports whether one head waits in the queue, and may take VCs of one link.
func (q *requestQueue) isAlone(b *Routers) bool {
	return b.vcSets != nil && q.first != none && b.vcs[q.first].next == none
}

// pickAlone returns the VC that head i, alone in a queue of a link or of a group, takes now, or
// none if none is free. For one head FirstCome and RoundRobin agree.
func (b *Routers) pickAlone(i, queue int32) int32 {
	l := b.linkFor(i, queue)
	if l == none {
		return none
	}
	set := b.freeVCs(l, b.vcSet(Channel(i)))
	if set == 0 {
		if !b.knowsHeld {
			b.rescheduleVA(Channel(i))
		}
		return none
	}
	if b.selector != nil {
		offered := Channel(b.vcs[i].outputVC)
		if b.linkGroups != nil {
			offered = b.w.firstVC(l)
		}
		if set&(set-1) != 0 {
			set = b.preferredVCs(l, set, offered)
		}
		b.selector.pointers[offered] = uint8(first(set) + 1)
	}
	return int32(b.w.firstVC(l)) + int32(first(set))
}

// grantAlone grants VC o to the only head of a queue.
func (b *Routers) grantAlone(q *requestQueue, o Channel) {
	i := q.first
	in := &b.vcs[i]
	if in.ready < b.now {
		b.chargeWait(o, Channel(i))
	}
	q.first = none
	if b.lastPort != nil {
		b.lastPort[o] = int32(b.w.link(Channel(i)))
	}
	out := &b.vcs[o]
	out.since, out.holder = b.now, i
	in.state, in.outputVC = active, int32(o)
	b.engine.granted(o, Channel(i))
}

// requestVC requests output VC o, its only one, for head c. A free VC for which no head waits is
// granted at once. Otherwise head c waits; if no packet holds the VC, the first head to wait
// schedules VC allocation for the cycle in which the VC may be granted again.
func (b *Routers) requestVC(o, c Channel) {
	out := &b.vcs[o]
	b.vcs[c].outputVC = int32(o)
	switch {
	case out.holder == none && out.firstWaiting == none:
		if out.freeAt <= b.now {
			b.grantVC(o, c)
			return
		}
		b.calendar.schedule(b.now, event{out.freeAt, int32(o), headsServed})
	case out.holder > int32(c) && out.since == b.now && b.vcs[out.holder].ready == b.now:
		// A head of this cycle holds it and comes after this one.
		before := Channel(out.holder)
		b.insertWaiting(&out.firstWaiting, before)
		b.assign(o, c)
		b.engine.handOver(o, before, c)
		return
	}
	b.insertWaiting(&out.firstWaiting, c)
}

// enqueue enters head c in its queue and schedules VC allocation for the queue in this cycle.
func (b *Routers) enqueue(c Channel) {
	id := b.queueOf(c)
	b.enterQueue(&b.requests[id], id, c)
	b.scheduleVA(id, b.now)
}

// enterQueue enters head c in a queue.
func (b *Routers) enterQueue(q *requestQueue, id int32, c Channel) {
	v, at := &b.vcs[c], &q.first
	if q.first == none {
		q.offered = 0
	} else if k := &b.vcs[q.last]; k.ready < v.ready && k.next == none && k.state == waitingVC &&
		b.queueOf(Channel(q.last)) == id {
		at = &k.next
	}
	q.offered |= b.bitOf(Channel(v.outputVC))
	if b.insertWaiting(at, c); v.next == none {
		q.last = int32(c)
	}
}

// bitOf returns the bit of VC o in a set of VCs of its link.
func (b *Routers) bitOf(o Channel) uint32 { return 1 << ((o - b.firstVCOfLink(o)) & 31) }

// queueOf returns the queue of head c: that of its output link, or of its router if it has several.
func (b *Routers) queueOf(c Channel) int32 {
	if b.vcSets != nil {
		return b.queueOfLink(b.w.link(Channel(b.vcs[c].outputVC)))
	}
	return b.vcs[c].router
}

// insertWaiting inserts head c in a list of waiting heads, which is in the order of the cycles in
// which they were ready, and then of their VCs.
func (b *Routers) insertWaiting(at *int32, c Channel) {
	v := &b.vcs[c]
	v.state = waitingVC
	for *at != none && (b.vcs[*at].ready < v.ready ||
		b.vcs[*at].ready == v.ready && *at < int32(c)) {
		at = &b.vcs[*at].next
	}
	v.next, *at = *at, int32(c)
}

// serveVC grants VC o to the first head that waits for it.
func (b *Routers) serveVC(o Channel) {
	out := &b.vcs[o]
	i := Channel(out.firstWaiting)
	for j := out.firstWaiting; j != none; j = b.vcs[j].next {
		b.chargeWait(o, Channel(j))
	}
	out.firstWaiting = b.vcs[i].next
	b.grantVC(o, i)
}

// allocate grants free VCs to the heads of a queue, by the arbiter of the timing.
func (b *Routers) allocate(q *requestQueue) {
	switch {
	case b.matching != nil:
		b.allocateMatched(q)
	case b.lastPort != nil:
		b.allocateRoundRobin(q)
	default:
		b.allocateInOrder(q)
	}
	if b.openLinks != nil && q.first != none {
		b.enterWaiting(Channel(q.first))
	}
}

// allocateInOrder grants free VCs to the heads of a queue in the order in which they came.
func (b *Routers) allocateInOrder(q *requestQueue) {
	passing := b.beginPass(q)
	for at := &q.first; *at != none && (!passing || b.anyOpen(q)); {
		i, o := *at, int32(none)
		if !passing || b.mayTake(Channel(i)) {
			o = b.pickVC(Channel(i))
		}
		if o == none && b.nothingFree(Channel(i)) {
			return
		}
		if o == none {
			at = &b.vcs[i].next
			continue
		}
		*at = b.vcs[i].next
		b.grantWaiting(q, Channel(o), Channel(i))
	}
	if passing {
		b.endPass(q)
	}
}

// nothingFree reports whether the packet engine has no free VC on the link, or the group of links,
// of head i, which found none. It schedules VC allocation for the cycle in which one may be free.
func (b *Routers) nothingFree(i Channel) bool {
	if b.byPacket == nil || b.vcSets == nil {
		return false
	}
	l := b.w.link(Channel(b.vcs[i].outputVC))
	if b.linkGroups != nil {
		return true // see linkFor
	}
	k := &b.byPacket.links[l]
	if ^k.heldAt(b.now)&(1<<b.w.VCs(l)-1) != 0 {
		return false
	}
	if k.freeAt > b.now {
		b.scheduleVA(b.queueOfLink(l), k.freeAt)
	}
	return true
}

// firstFree returns the first free VC of those offered to head i, or none. It also schedules VC
// allocation for the cycles from which VCs that no packet holds may be granted again.
func (b *Routers) firstFree(i Channel, offered []Channel) int32 {
	for _, o := range offered {
		out := &b.vcs[o]
		switch {
		case out.holder != none || !b.drained(o):
		case out.freeAt > b.now:
			b.scheduleVA(b.queueOf(i), out.freeAt)
		default:
			return int32(o)
		}
	}
	return none
}

// grantWaiting grants VC o to head i, which has just left its queue.
func (b *Routers) grantWaiting(q *requestQueue, o, i Channel) {
	if b.vcs[i].ready < b.now {
		b.chargeWait(o, i)
	}
	if b.vcSets == nil || q.offered&b.bitOf(o) != 0 {
		for j := q.first; j != none; j = b.vcs[j].next {
			b.chargeWait(o, Channel(j))
		}
	}
	if b.selector != nil {
		b.advancePointer(o, i)
	}
	if b.openLinks != nil {
		b.leaveQueue(o, i)
	}
	b.leavePlace(i)
	b.grantVC(o, i)
}

// grantVC grants VC o to head i from now on.
func (b *Routers) grantVC(o, i Channel) {
	b.vcs[o].since = b.now
	b.assign(o, i)
	b.engine.granted(o, i)
}

// assign makes the packet of head i the holder of VC o.
func (b *Routers) assign(o, i Channel) {
	in := &b.vcs[i]
	in.state, in.outputVC = active, int32(o)
	b.vcs[o].holder = int32(i)
}

// release releases VC o, on which the packet at the front of FIFO i sent its tail in cycle t.
func (b *Routers) release(o, i Channel, t int64) {
	v, p := &b.vcs[o], b.vcs[i].packet
	if v.sink() {
		b.calendar.schedule(b.now, event{t + b.delay(o), p, tailArrives})
	}
	k := &b.packets[p]
	v.holder, v.freeAt, v.job = none, t+b.flitTime(o), k.Job
	if b.waits != nil {
		v.job = b.waits.numbers[p]
	}
	u := &b.loads[b.w.link(o)]
	u.flits += int64(k.Length)
	u.held += v.freeAt - v.since
	if v.firstWaiting != none || !b.queuePerVC {
		b.serveWaiting(v, o, i)
	}
}

// serveWaiting schedules VC allocation for the heads that wait for VC o, which the packet of FIFO i
// has just released.
func (b *Routers) serveWaiting(out *vcState, o, i Channel) {
	if b.queuePerVC {
		if out.firstWaiting != none {
			b.calendar.schedule(b.now, event{out.freeAt, int32(o), headsServed})
		}
	} else if id := b.queueOf(i); b.requests[id].first != none {
		b.scheduleVA(id, out.freeAt)
	}
}

// chargeWait charges the cycles in which head i waited while the previous packet held VC o to the
// job of that packet. Each grant of the VC calls it before the grant's cycle is noted, so the wait
// of one head can be charged to several packets in turn.
func (b *Routers) chargeWait(o, i Channel) {
	k, in := &b.vcs[o], &b.vcs[i]
	// A head with a choice waits for all its VCs; the first stands for them.
	if in.outputVC != int32(o) {
		return
	}
	tail := k.freeAt - b.flitTime(o)
	cycles := tail - max(k.since, in.ready)
	job := k.job
	if b.waits != nil {
		job = b.reportHeld(o, i, cycles)
	}
	if cycles <= 0 {
		return
	}
	u := &b.waited[b.w.link(o)]
	if p := &b.packets[in.packet]; p.Job == job {
		u[0] += cycles
	} else {
		u[1] += cycles
		p.Foreign += cycles
	}
}

// VCSelect is the rule by which a head takes one of several free VCs of a link. The routing chooses
// the link: see Routers.pickLink.
type VCSelect uint8

// The selections. Only SelectFirst depends on the order in which routing lists the VCs of a link.
const (
	// SelectMostCredits takes the VC with the most credits: the flits that could be sent on it in this
	// cycle if it alone had the link. Among equals it takes the one that SelectRoundRobin would take.
	SelectMostCredits VCSelect = iota
	// SelectRoundRobin takes the first VC at or after a pointer, which then moves past it. BookSim 2
	// does so too (Jiang et al. 2013, "A detailed and flexible cycle-accurate Network-on-Chip
	// simulator", ISPASS), but only among those with a credit where VC allocation is piggybacked on
	// that of the switch.
	SelectRoundRobin
	// SelectFirst takes the first VC that routing lists. Packets of one flit then nearly all use one
	// VC, which is free again before the next head requests it.
	SelectFirst
)

// Names are the names of the constants in a study, in their order.
func (VCSelect) Names() []string {
	return []string{"most-credits", "round-robin", "first"}
}

// selector is the state of VCSelect, nil if heads have no choice or take the first VC.
type selector struct {
	policy VCSelect
	// pointers[c] is the round-robin pointer, a VC of its link, for heads to which c is the first VC
	// offered on that link. So each class of VCs has a pointer. With one pointer a link, two classes
	// granted alternately would move it past each other's VCs, and all packets would use the first
	// of each.
	pointers []uint8
	held     []uint8 // scratch of pickLink by link, 0 between calls
}

// newSelector returns the state of VCSelect, nil if a head never chooses among VCs.
func newSelector(w *Wiring, x Traits, t Timing) *selector {
	if w.VirtualChannels == 1 || x.Choices == 1 || t.VCSelect == SelectFirst ||
		t.Arbiter == Matching {
		return nil
	}
	return &selector{policy: t.VCSelect, pointers: make([]uint8, w.Channels()),
		held: make([]uint8, w.Links())}
}

// pickVC returns the VC that head i takes now, or none if none is free.
func (b *Routers) pickVC(i Channel) int32 {
	if b.vcSets != nil {
		want := Channel(b.vcs[i].outputVC)
		l := b.w.link(want)
		if b.linkGroups != nil {
			if l = b.linkFor(int32(i), b.queueOfLink(l)); l == none {
				return none
			}
			want = b.w.firstVC(l)
		}
		o := b.pickOnLink(l, b.vcSet(Channel(i)), want)
		if o == none && !b.knowsHeld {
			b.rescheduleVA(i)
		}
		return o
	}
	offered := b.offers(i)
	if b.escaping != nil {
		if b.openLinks != nil && b.selector != nil && b.escapesLast &&
			(b.escapeVCs > 0 || b.wantsOf(i).inRuns) {
			if l := b.w.link(offered[0]); b.escapeVCs > 0 && b.w.kind[l] == Ejection {
				b.scratch, b.usableTo = append(b.scratch[:0], offered[0]), int32(i) // for advancePointer
				if o := b.pickOnLink(l, b.vcSetOf(offered, l), offered[0]); o != none {
					return o
				}
				return b.firstFree(i, offered)
			}
			if o, found := b.pickInRuns(i); found {
				return o
			}
			offered = b.usableToEscape(i)
		} else {
			offered = b.usable(i)
		}
	}
	if b.selector == nil || len(offered) == 1 {
		return b.firstFree(i, offered)
	}
	l := b.pickLink(offered)
	if l == none {
		return b.firstFree(i, offered) // it schedules VC allocation
	}
	return b.pickOnLink(Link(l), b.vcSetOf(offered, Link(l)), b.firstOnLink(Link(l), offered))
}

// firstOnLink returns the first VC of a list that belongs to link l, of which there must be one.
func (b *Routers) firstOnLink(l Link, list []Channel) Channel {
	return list[slices.IndexFunc(list, func(o Channel) bool { return b.w.link(o) == l })]
}

// rescheduleVA schedules VC allocation for the cycles in which released VCs that head i may take
// become free.
func (b *Routers) rescheduleVA(i Channel) {
	lead := b.firstVCOfLink(Channel(b.vcs[i].outputVC))
	if x := b.byPacket; x != nil {
		if k := &x.links[b.w.link(lead)]; k.freeAt > b.now && b.vcSet(Channel(i))>>(k.lastVC&31)&1 != 0 {
			b.scheduleVA(b.queueOf(i), k.freeAt)
		}
		return
	}
	for set := b.vcSet(Channel(i)); set != 0; set &= set - 1 {
		if out := &b.vcs[lead+Channel(first(set))]; out.holder == none && out.freeAt > b.now {
			b.scheduleVA(b.queueOf(i), out.freeAt)
		}
	}
}

// firstVCOfLink returns the first VC of the link of VC c.
func (b *Routers) firstVCOfLink(c Channel) Channel { return b.w.firstVC(b.w.link(c)) }

// offers returns the VCs that head i may take.
func (b *Routers) offers(i Channel) []Channel {
	at := b.firstOffer(i)
	return b.choices[at : at+int(b.offered[i])]
}

// pickLink returns the link to take of a list of VCs, or none if no VC is free. Each VC that is not
// free strikes out the first entry of its link; the first entry left decides. So if routing lists a
// link's VCs together the first link with a free VC is taken, and if it lists the first VC of each
// link, then the second, the link with the most free VCs is taken: an idle one before a shared one.
func (b *Routers) pickLink(offered []Channel) int32 {
	w, held, free := b.w, b.selector.held, false
	for _, o := range offered {
		if b.isFree(o) {
			free = true
		} else {
			held[w.link(o)]++
		}
	}
	found := int32(none)
	for _, o := range offered {
		if l := w.link(o); held[l] > 0 {
			held[l]--
		} else if free && found == none {
			found = int32(l)
		}
	}
	return found
}

// isFree reports whether VC o can be granted now.
func (b *Routers) isFree(o Channel) bool {
	if b.byPacket != nil {
		k, vc := b.vcOf(o)
		return k.heldAt(b.now)>>(vc&31)&1 == 0
	}
	out := &b.vcs[o]
	return out.holder == none && out.freeAt <= b.now && b.drained(o)
}

// freeVCs returns the VCs of a set, of link l, that can be granted now.
func (b *Routers) freeVCs(l Link, set uint64) uint64 {
	if x := b.buffers; b.knowsHeld {
		s := x.slot(l)
		return set &^ (x.held[s>>6] >> (s & 63))
	}
	if x := b.byPacket; x != nil {
		return set &^ x.links[l].heldAt(b.now)
	}
	free := set
	for ; set != 0; set &= set - 1 {
		if !b.isFree(b.w.firstVC(l) + Channel(first(set))) {
			free &^= set & -set
		}
	}
	return free
}

// pickOnLink returns the free VC of a set, of link l, that a head takes, or none. offered is the
// first VC offered to the head.
func (b *Routers) pickOnLink(l Link, set uint64, offered Channel) int32 {
	set = b.freeVCs(l, set)
	if set == 0 {
		return none
	}
	if set&(set-1) != 0 && b.selector != nil {
		set = b.preferredVCs(l, set, offered)
	}
	return int32(b.w.firstVC(l)) + int32(first(set))
}

// preferredVCs returns a set of VCs of link l of which the first is the one to take: those with the
// most credits if VCSelect says so, then those at or after the pointer.
func (b *Routers) preferredVCs(l Link, set uint64, offered Channel) uint64 {
	s := b.selector
	if s.policy == SelectMostCredits {
		set = b.maxCredits(b.w.firstVC(l), set)
	}
	// A pointer past the last VC points to the first.
	if later := set &^ (1<<s.pointers[offered] - 1); later != 0 {
		set = later
	}
	return set
}

// credits returns the credits of VC o. It does not matter when in a cycle it is called: nothing is
// sent in this cycle yet on a VC that may be granted, and credits of flits that leave now arrive
// later.
func (b *Routers) credits(o Channel) int32 {
	if b.byPacket != nil {
		return b.packetCredits(o)
	}
	return b.buffers.fifos[o].credits
}

// maxCredits returns those VCs of set that have the most credits. lead is the first of their link.
func (b *Routers) maxCredits(lead Channel, set uint64) (best uint64) {
	if x := b.byPacket; x != nil {
		k := &x.links[b.w.link(lead)]
		k.settle(b.now)
		for unsure := uint64(k.unsure) & set; unsure != 0; unsure &= unsure - 1 {
			b.packetCredits(lead + Channel(first(unsure)))
		}
		if empty := set &^ uint64(k.filled); empty != 0 {
			return empty // they have as many as a FIFO has places
		}
	}
	most := int32(-1)
	for ; set != 0; set &= set - 1 {
		switch n := b.credits(lead + Channel(first(set))); {
		case n > most:
			most, best = n, set&-set
		case n == most:
			best |= set & -set
		}
	}
	return best
}

// advancePointer moves the pointer by which head i chose past VC o, which it is granted.
func (b *Routers) advancePointer(o, i Channel) {
	l, by := b.w.link(o), Channel(b.vcs[i].outputVC)
	switch {
	case b.linkGroups != nil:
		by = b.w.firstVC(l)
	case b.vcSets == nil:
		offered := b.offers(i)
		switch {
		case b.escaping == nil:
		case b.usableTo == int32(i): // pickVC has just filled scratch
			offered = b.scratch
		default:
			offered = b.usable(i)
		}
		by = b.firstOnLink(l, offered)
	}
	b.selector.pointers[by] = uint8(o + 1 - b.w.firstVC(l)) // see preferredVCs
}

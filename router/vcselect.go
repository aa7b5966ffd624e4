package router

import "slices"

// VCSelect is the rule by which a head takes one of several free VCs of a link. The routing chooses
// the link: see Routers.pickLink.
type VCSelect uint8

// The selections. Only SelectFirst depends on the order in which routing lists the VCs of a link.
const (
	// SelectMostCredits takes the VC with the most credits: the flits that could be sent on it in
	// this cycle if it alone had the link. Of several with as many it takes the one that
	// SelectRoundRobin would take.
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

// selector is the state of VCSelect, nil if there is nothing to choose or the first is taken.
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
		want := b.vcs[i].outputVC
		o := b.pickOnLink(b.w.link(Channel(want)), b.vcSets[i], Channel(want))
		if o == none && !b.knowsHeld {
			b.rescheduleVA(i)
		}
		return o
	}
	offered := b.offers(i)
	if b.escapes != nil {
		offered = b.usable(i)
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

// rescheduleVA schedules VC allocation for the cycles in which VCs become free that head i may take
// and nobody holds.
func (b *Routers) rescheduleVA(i Channel) {
	lead := b.firstVCOfLink(Channel(b.vcs[i].outputVC))
	for set := b.vcSets[i]; set != 0; set &= set - 1 {
		if out := &b.vcs[lead+Channel(first(set))]; out.holder == none && out.freeAt > b.now {
			b.scheduleVA(b.queueOf(i), out.freeAt)
		}
	}
}

// firstVCOfLink returns the first VC of the link of VC c.
func (b *Routers) firstVCOfLink(c Channel) Channel { return b.w.firstVC(b.w.link(c)) }

// offers returns the VCs that head i may take.
func (b *Routers) offers(i Channel) []Channel {
	at := int(i) * b.stride
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
	out := &b.vcs[o]
	return out.holder == none && out.freeAt <= b.now && b.drained(o)
}

// freeVCs returns the VCs of a set, of link l, that can be granted now.
func (b *Routers) freeVCs(l Link, set uint64) uint64 {
	if x := b.buffers; b.knowsHeld {
		s := x.slot(l)
		return set &^ (x.held[s>>6] >> (s & 63))
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
		set = b.buffers.maxCredits(b.buffers.slot(l), set)
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
func (b *Routers) credits(o Channel) int32 { return b.buffers.fifos[o].credits }

// advancePointer moves the pointer by which head i chose past VC o, which it is granted.
func (b *Routers) advancePointer(o, i Channel) {
	l, by := b.w.link(o), Channel(b.vcs[i].outputVC)
	if b.vcSets == nil {
		offered := b.offers(i)
		switch {
		case b.escapes == nil:
		case b.usableTo == int32(i): // pickVC has just filled scratch
			offered = b.scratch
		default:
			offered = b.usable(i)
		}
		by = b.firstOnLink(l, offered)
	}
	b.selector.pointers[by] = uint8(o + 1 - b.w.firstVC(l)) // see preferredVCs
}

package router

import "math/bits"

// VCSelect says which of several free virtual channels of a link a header takes.
// It does not say which link: that is routing's choice, see Routers.output.
type VCSelect uint8

// The ways to choose. Only SelectFirst depends on the order in which routing
// lists the virtual channels of a link.
const (
	// SelectMostCredits takes the one with most credits: the flits that could be
	// sent on it in this cycle if it alone had the link. Of several with as many it
	// takes the one SelectRoundRobin would take.
	SelectMostCredits VCSelect = iota
	// SelectRoundRobin takes the first at or after a pointer, which then moves to
	// the one after it. BookSim 2 does so too (Jiang et al. 2013, "A detailed and
	// flexible cycle-accurate Network-on-Chip simulator", ISPASS), but only among
	// those with a credit where VC allocation is piggybacked on that of the switch.
	SelectRoundRobin
	// SelectFirst takes the first that routing lists. Packets of one flit then
	// nearly all use one virtual channel, which is free again before the next
	// header asks.
	SelectFirst
)

// selector is the state of the choice of virtual channels, nil where there is
// nothing to choose or the first is taken.
type selector struct {
	policy VCSelect
	// pointers[c] is the virtual channel of its link at which the search in turn
	// begins, for headers to which c is the first offered on that link. So each
	// class of virtual channels has a pointer of its own: were there one a link,
	// two classes granted alternately would move it past each other's, and all
	// packets would use the first of each.
	pointers []uint8
	held     []uint8 // scratch, of each link, 0 between calls: see output
}

func newSelector(w *Wiring, x Traits, t Timing) *selector {
	if w.VirtualChannels == 1 || x.Choices == 1 || t.VCSelect == SelectFirst ||
		t.Arbiter == Matching {
		return nil
	}
	return &selector{policy: t.VCSelect, pointers: make([]uint8, w.Channels()),
		held: make([]uint8, w.Links())}
}

// pick returns the channel header i takes now, or none where none is free.
func (b *Routers) pickVC(i Channel) int32 {
	if b.vcSets != nil {
		want := b.vcs[i].outputVC
		o := b.pickOnLink(b.w.link(Channel(want)), b.vcSets[i], Channel(want))
		if o == none && (b.buffers == nil || b.buffers.linkFreeAt != nil) {
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
		return b.firstFree(i, offered) // has the queue looked at again
	}
	return b.pickOnLink(Link(l), b.vcSetOf(offered, Link(l)), b.firstOnLink(Link(l), offered))
}

// firstOn returns the first of some channels that is of link l.
func (b *Routers) firstOnLink(l Link, some []Channel) Channel {
	for _, o := range some {
		if b.w.link(o) == l {
			return o
		}
	}
	return none
}

// lookAgain has the queue of header i looked at again when a channel that it may take is free that
// nobody holds any more.
func (b *Routers) rescheduleVA(i Channel) {
	lead := b.firstVCOfLink(Channel(b.vcs[i].outputVC))
	for set := b.vcSets[i]; set != 0; set &= set - 1 {
		if out := &b.vcs[lead+Channel(first(set))]; out.holder == none {
			b.scheduleVA(b.queueOf(i), out.freeAt)
		}
	}
}

// lead returns the first virtual channel of the link of channel c.
func (b *Routers) firstVCOfLink(c Channel) Channel { return b.w.firstVC(b.w.link(c)) }

// offers returns the channels header i may take.
func (b *Routers) offers(i Channel) []Channel {
	at := int(i) * b.stride
	return b.choices[at : at+int(b.offered[i])]
}

// output returns the link that is taken of those offered, or none where no
// channel is free. Each channel that is not free uses up the first place of its
// link in routing's list; the first place left decides. So where routing lists a
// link's channels together, the first link with a free one is taken, and where
// it lists the first channel of each link, then the second, the link with the
// most free ones is, an idle one before a shared one.
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

// isFree reports whether channel o can be granted now.
func (b *Routers) isFree(o Channel) bool {
	out := &b.vcs[o]
	return out.holder == none && out.freeAt <= b.now
}

// freeOf returns those of the virtual channels of link l of a set that can be granted now.
func (b *Routers) freeVCs(l Link, set uint64) uint64 {
	if x := b.buffers; x != nil && x.linkFreeAt == nil {
		s := x.slot(l) // who releases a channel in one cycle can be followed in the next
		return set &^ (x.out[s>>6].allocated >> (s & 63))
	}
	free := set
	for ; set != 0; set &= set - 1 {
		if !b.isFree(b.w.firstVC(l) + Channel(first(set))) {
			free &^= set & -set
		}
	}
	return free
}

// best returns the free one of the virtual channels of link l in a set that a header takes, or
// none: that with most credits, of those or of all the first at or after the pointer, which is that
// of the first channel offered.
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

// selected returns a set of virtual channels of link l of which the first is the one to take.
func (b *Routers) preferredVCs(l Link, set uint64, offered Channel) uint64 {
	s := b.selector
	if s.policy == SelectMostCredits {
		set = b.buffers.maxCredits(b.buffers.slot(l), set)
	}
	// A pointer past the last virtual channel is at the first.
	if later := set &^ (1<<s.pointers[offered] - 1); later != 0 {
		set = later
	}
	return set
}

// credits returns how many flits could be sent on channel o in this cycle as far
// as rule 3 goes: the places of its FIFO that are empty, but for those a flit has
// left too recently for the sender to know. A channel that may be granted has
// nothing sent on it in this cycle yet, and what leaves its FIFO in this cycle
// counts later, so it does not matter when in a cycle this is asked.
func (b *Routers) credits(o Channel) int32 { return b.buffers.fifos[o].credits }

// turnPast moves the pointer by which header i, which is granted channel o, chose.
func (b *Routers) advancePointer(o, i Channel) {
	l, by := b.w.link(o), Channel(b.vcs[i].outputVC)
	if b.vcSets == nil {
		offered := b.offers(i)
		switch {
		case b.escapes == nil:
		case b.usableTo == int32(i): // pick has just asked
			offered = b.scratch
		default:
			offered = b.usable(i)
		}
		by = b.firstOnLink(l, offered)
	}
	b.selector.pointers[by] = uint8(o + 1 - b.w.firstVC(l)) // see selected
}

// drawStep parts the arguments of scramble.
const drawStep = 0x9e3779b97f4a7c15

// Draw returns a number from 0 to n-1 for a packet at a place. It is a hash (the
// finalizer of Steele, Lea and Flood's SplitMix64, OOPSLA 2014) and no stream: so
// it does not depend on which of two headers of a cycle, or which engine, asks
// first, and a header that asks again gets the same number.
func Draw(seed uint64, packet, place int64, n int32) int32 {
	h := scramble(scramble(seed+uint64(packet)*drawStep) + uint64(place)*drawStep)
	k, _ := bits.Mul64(h, uint64(n))
	return int32(k)
}

// Identity returns the identity of the n-th part of a whole that has one, from 0: of a process of a
// job, or of the first packet of a message of a process, from which the others are numbered on. It
// is a hash, so that two parts of a machine share one by chance only, and at least 0.
func Identity(whole uint64, n int64) int64 {
	return int64(scramble(scramble(whole)+uint64(n)*drawStep) >> 2)
}

// DrawFlow returns a number from 0 to n-1 for the flow of a packet at a place, as Draw does: the
// same for all packets with one source, destination and flow.
func DrawFlow(seed uint64, h *Header, place int64, n int32) int32 {
	pair := int64(h.Source)<<32 | int64(uint32(h.Destination))
	return Draw(scramble(seed)+uint64(pair)*0xd1342543de82ef95, int64(h.Flow), place, n)
}

func scramble(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

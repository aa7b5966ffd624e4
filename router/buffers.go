package router

import "math/bits"

// inputWord holds one bit for each VC of a word: the state of its FIFO and of the packet at the
// front of the FIFO. Input arbitration reads nothing else.
type inputWord struct {
	occupied  uint64 // the FIFO has a flit
	hasCredit uint64 // the packet holds an output VC, which has credits for its next flit
	// the head of the packet is in the FIFO or on its way there: it has not been sent on
	headAtFront uint64
	// the VC is at or after the round-robin pointer of its input port; no bits: the pointer is at
	// the first VC
	atOrAfterPointer uint64
}

// fifo is the rest of a VC's state in the cycle-driven engine: half a cache line.
type fifo struct {
	outputVC int32 // output VC that the packet at the front holds
	upstream int32 // slot of the FIFO whose packet holds this VC, or a slot that no VC has
	// flits of the packet at the front still to be sent on; negative until its head has been sent
	flitsLeft    int32
	lastPacket   int32 // packet that entered last, of those in the FIFO, or none
	occupancy    int32 // flits in the FIFO
	queuedFlits  int32 // flits in the FIFO or on the link to it
	credits      int32 // free places known to the sender
	buffersFlits int32 // 1; 0 if the VC ends at a node that takes each flit at once
}

// buffers is the state of the cycle-driven engine: FIFOs, credits, and the flits and credits on
// links.
type buffers struct {
	fields
	in   []inputWord
	held []uint64 // a bit for each VC: a packet at a router holds it
	// a bit for each VC: the packet holds an output VC, whose link can carry a flit in this cycle; nil
	// if a flit takes one cycle
	linkFree   []uint64
	sent       []uint64 // a bit for each VC: it sends in this cycle; nil unless passLast needs it
	fifos      []fifo   // by slot, which is the number of the VC
	unusedSlot int32    // a slot that no VC has
	nodeSlot   int32    // another one, the upstream of VCs on which a node waits to send a head

	arrivals wheel // slots of the FIFOs at which a flit arrives
	credits  wheel // slots of the VCs whose sender receives a credit
	// links that become free, and, as complements, input ports that may send one more flit, or
	// packet; empty if links are free in each cycle
	linkReleases wheel
	// cycle from which each link is free for another flit, or packet; nil if it is in each cycle
	linkFreeAt []int64
	// flits, or packets, that each input port may still send; nil if it never runs out
	portBudget []uint8
	speedup    int32 // flits that an input port may send in a flit time, or packets; 0: no limit
	// With PacketsHoldLinks: FIFOs whose packet has a body flit to send, and flit times that links
	// get behind the packets under way, or 0.
	bodies       wheel
	laterFlit    []int32
	switches     *matcher // of links that leave a router and, with matchesPorts, input ports
	matchesPorts bool     // links and input ports offer themselves to each other: see matchPorts
	portsOffer   bool     // the input ports offer themselves; otherwise the links do
	speculator   *speculator
	headsLast    uint64     // goesLast if heads yield at all ports and outputs, else 0
	wordPorts    int32      // input ports of the crossbar at which the VCs of a word end
	portInWord   [64]uint16 // by slot of a word: which of these ports has it
	portVCs      [64]uint64 // the slots of that port, if its pointer moves past each VC that sends

	// A byte for each input word, 1 if it may have VCs that can send. They are bytes and not bits, so
	// that a store need not wait for the store before it.
	active []uint8

	// Scratch of a cycle.
	nominatingWords   []int32  // words with nominees of ports that may send several flits
	nominees          slotList // FIFOs that input ports nominate
	coming            slotList // VCs of routers on which flits are sent
	left              slotList // FIFOs that flits have left
	headsAndTails     []int32  // FIFOs that sent a head or a tail
	sendable, scratch []int32  // see sendSingleVC
	sendingPorts      []int32  // injection ports with a packet under way

	// Modes: see setModes and newCycleEngine.
	rules           Rules // those that act
	cutThrough      bool  // heads need credits for their whole packet
	whole           bool  // links send packets whole: see busyLinks
	storeAndForward bool  // heads wait for their tails
	countsQueued    bool  // queuedFlits is kept, which View.Queued reads
	singleVC        bool  // one VC a link: see sendSingleVC
	unitDelay       bool  // flits and credits arrive in the next cycle: see traverseUnitDelay
}

// newBuffers returns empty FIFOs, with all credits at the senders.
func newBuffers(w *Wiring, t *Timing) *buffers {
	x := &buffers{fields: newFields(w.shift)}
	words := (w.Channels()+1)/64 + 1 // the last bits are those of nodeSlot and unusedSlot
	n := 64 * words
	x.in, x.held, x.fifos = make([]inputWord, words), make([]uint64, words), make([]fifo, n)
	x.unusedSlot, x.nodeSlot = int32(n-1), int32(n-2)
	x.active = make([]uint8, (words+7)&^7)
	for s := range x.fifos {
		x.fifos[s] = fifo{upstream: x.unusedSlot, lastPacket: none, credits: t.Buffer, buffersFlits: 1}
	}
	for s := range w.Channels() {
		if w.kind[w.link(Channel(s))] == Ejection && !t.NodesReturnCredits {
			x.fifos[s].buffersFlits = 0
		}
	}
	x.setModes(w, t)
	return x
}

// setModes sets the modes that follow from the timing, and makes the state that they need.
func (x *buffers) setModes(w *Wiring, t *Timing) {
	slowest := t.slowest()
	back := int64(slowest.Credit)
	if t.NodesReturnCredits {
		back += int64(slowest.Delay) // see deliverToNodes
	}
	x.arrivals, x.credits = newWheel(int64(slowest.Delay)), newWheel(back)
	x.rules = t.Rules
	x.rules.HeadersYield = t.HeadersYield && t.InputSpeedup > 0
	x.whole = t.PacketsHoldLinks && (w.shift > 0 || t.Links != nil) // else they always do
	x.cutThrough = t.Switching == VirtualCutThrough
	x.storeAndForward = t.Switching == StoreAndForward
	x.speedup = t.InputSpeedup
	if w.VirtualChannels == 1 {
		x.speedup, x.rules.HeadersYield = 0, false // no port has anything to choose from
	}
	ports, sellers, takers := 1, w.Links(), 0
	if x.matchesPorts = x.speedup > 0 && t.SwitchAllocator != InputFirst; x.matchesPorts {
		ports = int(x.speedup)
		takers = w.Links() * ports
	}
	if x.portsOffer = x.matchesPorts && t.SwitchAllocator == SeparableInputFirst; x.portsOffer {
		sellers, takers = takers, sellers
	}
	if x.matchesPorts && t.SwitchAllocator != ISLIP {
		x.headsLast = goesLast
	}
	x.setPorts(int32(ports))
	if x.speedup > 1 && !x.matchesPorts {
		x.sent = make([]uint64, len(x.in))
	}
	x.speculator = newSpeculator(t, x)
	x.switches = newMatcher(sellers, takers)
	if !x.matchesPorts {
		for l := range x.switches.sellers {
			x.switches.sellers[l].next = x.slot(Link(l)) + 1 // as if the first VC had sent
		}
	}
	if slowest.Flit == 1 && !x.whole {
		return
	}
	if x.whole {
		x.bodies, x.laterFlit = newWheel(int64(slowest.Flit)), make([]int32, w.Links())
	}
	x.linkReleases, x.linkFreeAt = newWheel(int64(slowest.Flit)), make([]int64, w.Links())
	x.linkFree = make([]uint64, len(x.in))
	if x.speedup > 0 {
		x.portBudget = make([]uint8, w.Links()*ports)
		for l := range x.portBudget {
			x.portBudget[l] = uint8(int(x.speedup) / ports)
		}
	}
}

// setPorts gives each link a number of input ports of the crossbar, and assigns the link's VCs to
// these ports in turn.
func (x *buffers) setPorts(ports int32) {
	x.wordPorts = 64 >> x.shift * ports
	for s := range int32(64) {
		vc := s & int32(x.span)
		x.portInWord[s] = uint16(int32(x.link(s))*ports + vc%ports)
	}
	if x.speedup != 1 && !x.matchesPorts {
		return // see passLast
	}
	for s, port := range x.portInWord {
		for t := range x.portInWord {
			if x.portInWord[t] == port {
				x.portVCs[s] |= 1 << t
			}
		}
	}
}

// port returns the input port of the crossbar that sends from a slot.
func (x *buffers) port(slot int32) int32 {
	return slot>>6*x.wordPorts + int32(x.portInWord[slot&63])
}

// activate marks the word of a slot for input arbitration.
func (x *buffers) activate(slot int32) { x.active[slot>>6] = 1 }

// isHead reports whether the head of the packet at the front of a FIFO has not been sent on.
func (x *buffers) isHead(slot int32) bool { return x.in[slot>>6].headAtFront>>(slot&63)&1 != 0 }

// hasCreditsFor reports whether the sender of a VC has credits for n flits.
func (x *buffers) hasCreditsFor(slot, n int32) bool {
	f := &x.fifos[slot]
	return f.credits >= n || f.buffersFlits == 0
}

// creditsNeeded returns the credits that the packet at the front of a FIFO needs to send its next
// flit.
func (x *buffers) creditsNeeded(f *fifo) int32 {
	if x.cutThrough && f.flitsLeft < 0 {
		return -f.flitsLeft
	}
	return 1
}

// The cycle-driven engine keeps the state that it reads in each cycle as bits in words of 64, one
// bit for each VC. A VC's slot is its number. The slots of a link begin at a multiple of a power of
// two, which is at most 64, so each word is divided into fields of equal size, one for each link.
// An operation that each port needs, such as the first bit at or after a pointer, is done for all
// fields of a word at once.

// fields describes the fields of a word.
type fields struct {
	low, high uint64 // the lowest bits of all fields, the highest bits of all fields
	span      uint8  // distance between the lowest and the highest bit of a field
	shift     uint8  // a link's first slot is its number shifted by shift
}

// newFields returns fields of 1 << shift bits.
func newFields(shift uint8) fields {
	x := fields{span: 1<<shift - 1, shift: shift}
	for at := 0; at < 64; at += 1 << shift {
		x.low |= 1 << at
	}
	x.high = x.low << x.span
	return x
}

// slot returns the first slot of link l.
func (x *fields) slot(l Link) int32 { return int32(l) << (x.shift & 31) }

// link returns the link of a slot.
func (x *fields) link(slot int32) Link { return Link(slot >> (x.shift & 31)) }

// fieldsOf returns all bits of the fields in which a set has bits. No sum carries into the next
// field.
func (x *fields) fieldsOf(set uint64) uint64 {
	marked := ((set &^ x.high) + ^x.high | set) & x.high
	return marked | (marked - marked>>(x.span&63))
}

// firstAtOrAfter returns, in each field of a set, the first bit that is in ahead, or if there is
// none the first bit.
func (x *fields) firstAtOrAfter(set, ahead uint64) uint64 {
	later := set & ahead
	set = later | set&^x.fieldsOf(later)
	return set &^ ((set | x.high) - x.low)
}

// pointersPast returns ahead with the pointers moved: a field with a bit in sent now has the bits
// above that bit.
func (x *fields) pointersPast(ahead, sent uint64) uint64 {
	all := x.fieldsOf(sent)
	return ahead&^all | all&^(sent|(sent-all&x.low))
}

// lastAtOrAfter returns, in each field of a set, the last bit in the order of firstAtOrAfter: the
// last that is not in ahead, or if there is none the last.
func (x *fields) lastAtOrAfter(set, ahead uint64) uint64 {
	wrapped := set &^ ahead
	set = wrapped | set&^x.fieldsOf(wrapped)
	for {
		above := set &^ x.firstAtOrAfter(set, 0)
		if above == 0 {
			return set
		}
		set = above | set&^x.fieldsOf(above)
	}
}

// bit returns the bit of a slot in its word.
func bit(slot int32) uint64 { return 1 << (slot & 63) }

// first returns the index of the first bit of a set.
func first(set uint64) int { return bits.TrailingZeros64(set) }

// slotList is a list of slots: list[:n].
type slotList struct {
	list []int32
	n    int
}

// reserve makes room for n more slots, and for those that appendBits writes beyond them.
func (s *slotList) reserve(n int) {
	if s.n+n+bitsPerStep > len(s.list) {
		s.list = append(s.list, make([]int32, len(s.list)+n+64)...)
	}
}

// add appends a slot.
func (s *slotList) add(slot int32) {
	s.reserve(1)
	s.list[s.n] = slot
	s.n++
}

// append appends a list of slots.
func (s *slotList) append(list []int32) {
	s.reserve(len(list))
	s.n += copy(s.list[s.n:], list)
}

// bitsPerStep is the number of bits that appendBits writes in a step. Most sets take one step,
// which the processor predicts. It could not predict a loop over single bits.
const bitsPerStep = 4

// appendBits appends the slots of a set of a word.
func (s *slotList) appendBits(at int, set uint64) {
	base, n := int32(at)<<6, bits.OnesCount64(set)
	s.reserve(n)
	for k := 0; ; k += bitsPerStep {
		to := (*[bitsPerStep]int32)(s.list[s.n+k:])
		to[0] = base + int32(first(set))
		set &= set - 1
		to[1] = base + int32(first(set))
		set &= set - 1
		to[2] = base + int32(first(set))
		set &= set - 1
		to[3] = base + int32(first(set))
		if set &= set - 1; set == 0 {
			break
		}
	}
	s.n += n
}

// appendRanked appends the slots of a set of a word, each with a rank before it: 2 if it is in low,
// and 1 more if it is in behind. See matcher.
func (s *slotList) appendRanked(at int, set, low, behind uint64) {
	base, n := int32(at)<<6, bits.OnesCount64(set)
	s.reserve(n)
	for k := 0; ; k += bitsPerStep {
		to := (*[bitsPerStep]int32)(s.list[s.n+k:])
		to[0] = base + ranked(set, low, behind)
		set &= set - 1
		to[1] = base + ranked(set, low, behind)
		set &= set - 1
		to[2] = base + ranked(set, low, behind)
		set &= set - 1
		to[3] = base + ranked(set, low, behind)
		if set &= set - 1; set == 0 {
			break
		}
	}
	s.n += n
}

// ranked returns the index of the first bit of a set with its rank.
func ranked(set, low, behind uint64) int32 {
	i := first(set) & 63
	return int32(i) | int32(low>>i&1<<1|behind>>i&1)<<numberBits
}

// peek returns the slots.
func (s *slotList) peek() []int32 { return s.list[:s.n] }

// take returns the slots and empties the list.
func (s *slotList) take() []int32 {
	n := s.n
	s.n = 0
	return s.list[:n]
}

// wheel is a timing wheel of slots.
type wheel struct {
	slots []slotList // the list of cycle t is slots[t & mask]
	mask  int64
}

// newWheel returns a wheel for the next ahead cycles.
func newWheel(ahead int64) wheel {
	n := int64(1) << bits.Len64(uint64(ahead))
	return wheel{make([]slotList, n), n - 1}
}

// at returns the slots of a cycle.
func (w *wheel) at(cycle int64) *slotList { return &w.slots[cycle&w.mask] }

// add enters a slot in a cycle.
func (w *wheel) add(cycle int64, slot int32) {
	s := &w.slots[cycle&w.mask]
	if s.n >= len(s.list) {
		s.reserve(64)
	}
	s.list[s.n] = slot
	s.n++
}

package router

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
	// flits of the packet at the front that have not been sent on; negative until its head is
	flitsLeft    int32
	lastPacket   int32 // packet that entered last, of those in the FIFO, or none
	occupancy    int32 // flits in the FIFO
	queuedFlits  int32 // flits in the FIFO or on the link to it
	credits      int32 // free places that the sender knows of
	buffersFlits int32 // 1; 0 if the VC ends at a node that takes each flit at once
}

// buffers is the state of the cycle-driven engine: FIFOs, credits, and what is on the links.
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
	// links that become free, and, as complements, input ports that may send one more flit; empty
	// if a flit takes one cycle
	linkReleases wheel
	linkFreeAt   []int64  // cycle from which each link is free; nil if a flit takes one cycle
	portBudget   []uint8  // flits that each input port may still send; nil if it never runs out
	speedup      int32    // flits that an input port may send in a flit time; 0: no limit
	switches     *matcher // of links that leave a router and, with matchesPorts, input ports
	matchesPorts bool     // links and input ports offer themselves to each other: see matchPorts
	portsOffer   bool     // the input ports offer themselves, else the links
	speculator   *speculator
	headsLast    uint64     // goesLast if heads yield at all ports and outputs, else 0
	wordPorts    int32      // input ports of the crossbar at which the VCs of a word end
	portInWord   [64]uint16 // by slot of a word: which of these ports has it
	portVCs      [64]uint64 // the slots of that port, if its pointer moves past each VC that sends

	// A byte for each input word, 1 if it may have VCs that can send. A store has not to wait for the
	// one before, as it would if they were bits.
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
	headsYield      bool // heads yield to other flits of their input port
	packetsHold     bool // links go on with a packet under way
	cutThrough      bool // heads need credits for their whole packet
	storeAndForward bool // heads wait for their tails
	countsQueued    bool // queuedFlits is kept, which View.Queued reads
	singleVC        bool // one VC a link: see sendSingleVC
	unitDelay       bool // flits and credits arrive in the next cycle: see traverseUnitDelay
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
	x.headsYield = t.HeadersYield && t.InputSpeedup > 0
	x.packetsHold = t.PacketsHoldLinks && t.InputSpeedup == 0
	x.cutThrough = t.Switching == VirtualCutThrough
	x.storeAndForward = t.Switching == StoreAndForward
	x.speedup = t.InputSpeedup
	if w.VirtualChannels == 1 {
		x.speedup, x.headsYield = 0, false // no port has anything to choose from
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
	if slowest.Flit == 1 {
		return
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

// setPorts ends each link at a number of input ports of the crossbar, to which its VCs belong in
// turn.
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

// maxCredits returns the VCs of a set with the most credits, of a link whose first slot is given.
func (x *buffers) maxCredits(slot int32, set uint64) (best uint64) {
	most := int32(-1)
	for ; set != 0; set &= set - 1 {
		switch n := x.fifos[slot+int32(first(set))].credits; {
		case n > most:
			most, best = n, set&-set
		case n == most:
			best |= set & -set
		}
	}
	return best
}

package router

// inputWord is what there is to know of the FIFOs of a word: of their first flits, and of the
// packets that these belong to.
type inputWord struct {
	occupied         uint64 // FIFOs with a flit in them
	hasCredit        uint64 // those whose packet holds a channel that has room for its next flit
	linkFree         uint64 // those whose packet holds a channel whose link is free to carry a flit
	headAtFront      uint64 // those at whose head is a packet whose header has not been sent on
	atOrAfterPointer uint64 // those from the pointers of their ports on; none: all are
	sent             uint64 // those that have sent in this cycle
}

// outputWord is what there is to know of the channels of a word, on their sending sides.
type outputWord struct {
	requested        uint64 // those that nominees want in this cycle
	atOrAfterPointer uint64 // those after the ones that sent last
	allocated        uint64 // those that a packet holds, of those that do not come from a node
}

// fifo is what the cycle-driven engine knows of a virtual channel beside its bits: of its sender,
// and of the FIFO at its other end. Half a cache line.
type fifo struct {
	outputVC     int32 // slot of the channel that the packet at the head of the FIFO holds
	upstream     int32 // slot of the FIFO whose packet holds this channel, or a spare one
	flitsLeft    int32 // flits of the packet at the head not sent on; their negative until its header is
	lastPacket   int32 // the packet that came last, of those in the FIFO, or none
	occupancy    int32 // flits that have come to the FIFO and not left it
	queuedFlits  int32 // flits that were sent to it and have not left it
	credits      int32 // its places that the sender knows to be free
	buffersFlits int32 // 1, or 0 where the channel ends at a node, where no flits are kept
}

// buffers is the state of the cycle-driven engine: FIFOs, credits, and what is on the links.
type buffers struct {
	fields
	in         []inputWord
	out        []outputWord
	fifos      []fifo // by slot, which is the number of the channel
	unusedSlot int32  // a slot that no channel has

	arrivals wheel // FIFOs to which a flit comes
	credits  wheel // channels to which a credit comes back
	// links that carry the next flit, as their numbers, or as those below 0 ports that may send one
	// more; and until when links are busy. Nil where a flit takes a cycle.
	linkReleases wheel
	linkFreeAt   []int64
	portBudget   []uint8 // flits that each input port may still send; nil where it never runs out
	speedup      int32
	islip        *islip   // nil where input ports nominate
	ports        int32    // of the crossbar that a link ends at
	portVCs      []uint64 // of a word: the slots of each of them

	// A bit a word: those with FIFOs that may send, where words are many, and with channels that
	// nominees want. Few words are all gone through.
	activeInputs, activeOutputs []uint64
	scanAllWords                bool
	// In one cycle: words from which ports nominate, FIFOs that are nominated, channels that send,
	// and FIFOs that send a header or a tail.
	nominatingWords                                      []int32
	nominees, senders                                    slotList
	headsAndTails                                        []int32
	sendable, sendableScratch                            []int32 // see sendLone
	sendingPorts                                         []int32 // injection ports with a packet under way that may send
	equalDelays, headsYield, cutThrough, storeAndForward bool    // see timed
	countsQueued                                         bool    // counts are kept: see view.Queued
	singleVC                                             bool    // see sendLone
	unitDelay                                            bool    // what is sent now is known everywhere in the next cycle
}

// fewWords is how many words are gone through in each cycle.
const maxScannedWords = 256

func newBuffers(w *Wiring, t *Timing) *buffers {
	x := &buffers{fields: newFields(w.shift)}
	words := w.Channels()/64 + 1 // the last bit is nobody's
	n := 64 * words
	x.scanAllWords = words <= maxScannedWords
	x.in, x.out, x.fifos = make([]inputWord, words), make([]outputWord, words), make([]fifo, n)
	x.unusedSlot = int32(n - 1)
	x.activeInputs, x.activeOutputs = make([]uint64, words/64+1), make([]uint64, words/64+1)
	for k := range x.out {
		x.out[k].atOrAfterPointer = ^x.low // as if the first had sent
	}
	for s := range x.fifos {
		x.fifos[s] = fifo{upstream: x.unusedSlot, lastPacket: none, credits: t.Buffer, buffersFlits: 1}
	}
	for s := range w.Channels() {
		if w.kind[w.link(Channel(s))] == Ejection {
			x.fifos[s].buffersFlits = 0
		}
	}
	x.setModes(w, t)
	return x
}

// timed makes what depends on how long things take.
func (x *buffers) setModes(w *Wiring, t *Timing) {
	slowest := t.slowest()
	x.arrivals, x.credits = newWheel(int64(slowest.Delay)), newWheel(int64(slowest.Credit))
	x.equalDelays = t.Links == nil                      // all links take the same times
	x.headsYield = t.HeadersYield && t.InputSpeedup > 0 // headers yield to other flits
	x.cutThrough = t.Switching == VirtualCutThrough
	x.storeAndForward = t.Switching == StoreAndForward
	x.speedup = t.InputSpeedup
	if w.VirtualChannels == 1 {
		x.speedup, x.headsYield = 0, false // no port has anything to choose from
	}
	x.ports = 1
	if x.speedup > 0 && t.SwitchAllocator == ISLIP {
		x.splitPorts(w)
	}
	if slowest.Flit == 1 {
		return
	}
	x.linkReleases, x.linkFreeAt = newWheel(int64(slowest.Flit)), make([]int64, w.Links())
	if x.speedup > 0 {
		x.portBudget = make([]uint8, w.Links()*int(x.ports))
		for l := range x.portBudget {
			x.portBudget[l] = uint8(x.speedup / x.ports)
		}
	}
}

// divide has each link end at as many input ports of the crossbar as a port may send flits, where
// outputs offer themselves. Its virtual channels belong to them in turn.
func (x *buffers) splitPorts(w *Wiring) {
	x.ports = x.speedup
	x.islip = newISLIP(w, int(x.ports))
	x.portVCs = make([]uint64, x.ports)
	for s := range int32(64) {
		x.portVCs[x.port(s)%x.ports] |= bit(s)
	}
}

// port returns the input port of the crossbar that sends from a slot.
func (x *buffers) port(slot int32) int32 {
	if x.ports == 1 {
		return int32(x.link(slot))
	}
	return int32(x.link(slot))*x.ports + slot&int32(x.span)%x.ports
}

// mark notes that a FIFO of a word may send.
func (x *buffers) activate(slot int32) { x.activeInputs[slot>>12] |= 1 << (slot >> 6 & 63) }

// roomFor reports whether the sender of a channel, whose slot is given, knows of room for so many
// flits.
func (x *buffers) hasCreditsFor(slot, need int32) bool {
	f := &x.fifos[slot]
	return f.credits >= need || f.buffersFlits == 0
}

// mostCredits returns those of the virtual channels of a link, whose first slot is given, that have
// most credits of a set.
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

package router

import "slices"

// inputWord is what there is to know of the FIFOs of a word: of their first flits, and of the
// packets that these belong to.
type inputWord struct {
	some  uint64 // FIFOs with a flit in them
	room  uint64 // those whose packet holds a channel that has room for its next flit
	open  uint64 // those whose packet holds a channel whose link is free to carry a flit
	heads uint64 // those at whose head is a packet whose header has not been sent on
	ahead uint64 // those from the pointers of their ports on; none: all are
	sent  uint64 // those that have sent in this cycle
}

// outputWord is what there is to know of the channels of a word, on their sending sides.
type outputWord struct {
	asked uint64 // those that nominees want in this cycle
	ahead uint64 // those after the ones that sent last
	room  uint64 // those with room in the FIFO at the other end, as far as the sender knows
	held  uint64 // those that a packet holds, of those that do not come from a node
	keeps uint64 // those that end at a router, where flits are kept
	nodes uint64 // those that come from a node
	busy  uint64 // those of them on which a packet is under way whose next flit the node may send
}

// fifo is what the cycle-driven engine knows of a virtual channel beside its bits, by slot.
type fifo struct {
	wants int32 // slot of the channel that the packet at the head of the FIFO holds
	// slot of the FIFO whose packet holds this channel, or a spare one; of a channel from a node
	// the injection port
	behind int32
	last   int32 // the packet that came last, of those in the FIFO, or none
}

// buffers is the state of the cycle-driven engine: FIFOs, credits, and what is on the links.
type buffers struct {
	fields
	in       []inputWord
	out      []outputWord
	fifos    []fifo
	channel  []Channel // by slot
	slots    []int32   // by channel
	spare    int32     // a slot that no channel has
	here     counters  // flits that have come to each FIFO and not left it
	left     counters  // flits of the packet at its head that have not been sent on
	toInject counters  // flits of the packet under way from a node on each channel, still to be sent
	credits  counters  // places of the FIFO at the other end that the sender knows to be free
	counts   counters  // flits that were sent to each FIFO and have not left it; see View.Queued

	arrivals wheel // flits that come to FIFOs
	returns  wheel // credits that come back
	reopened wheel // links that carry the next flit; nil where a flit takes a cycle
	carries  []int64
	budget   []uint8 // flits that each input port may still send; nil where it never runs out
	speedup  int32

	// A bit a word: those with FIFOs that may send, with channels that nominees want, and with
	// nodes that have packets under way.
	active, asked, injects []uint64
	// In one cycle: words from which ports nominate, FIFOs that are nominated, channels that send,
	// and FIFOs that send a header or a tail.
	nominated                       []int32
	nominees, senders, heads, tails slotList

	classes []linkClass // of links with the same times, word by word
	class   []int32     // of each word the first of its classes; one more at the end
	yield   bool        // headers yield to other flits
	cut     bool        // virtual cut-through
}

// linkClass are the channels of a word whose links take the same times.
type linkClass struct {
	set           uint64
	delay, credit int64
}

func newBuffers(w *Wiring, t *Timing, most int32, counted bool) *buffers {
	x := &buffers{fields: newFields(max(w.VirtualChannels, w.NodeVirtualChannels))}
	words := int(x.slot(Link(w.Links())))/64 + 1 // the last bit is nobody's
	n := 64 * words
	x.in, x.out, x.fifos = make([]inputWord, words), make([]outputWord, words), make([]fifo, n)
	x.channel, x.slots, x.spare = make([]Channel, n), make([]int32, w.Channels()), int32(n-1)
	x.here, x.credits = newCounters(words, t.Buffer), newCounters(words, t.Buffer)
	x.credits.fill(t.Buffer)
	x.left, x.toInject = newCounters(words, most), newCounters(words, most)
	if counted {
		x.counts = newCounters(words, t.Buffer)
	}
	x.active, x.asked = make([]uint64, words/64+1), make([]uint64, words/64+1)
	x.injects = make([]uint64, words/64+1)
	for k := range x.out {
		x.out[k].ahead, x.out[k].room = ^x.low, ^uint64(0) // as if the first had sent
	}
	for s := range x.fifos {
		x.fifos[s] = fifo{behind: x.spare, last: none}
	}
	for c := range x.slots {
		l := w.link[c]
		s := x.slot(l) + int32(Channel(c)-w.first[l])
		x.slots[c], x.channel[s] = s, Channel(c)
		switch bit := uint64(1) << (s & 63); w.kind[l] {
		case Injection:
			x.out[s>>6].nodes |= bit
			fallthrough
		case Network:
			x.out[s>>6].keeps |= bit
		}
	}
	x.timed(w, t)
	return x
}

// timed makes what depends on how long things take.
func (x *buffers) timed(w *Wiring, t *Timing) {
	slowest := t.slowest()
	x.arrivals, x.returns = newWheel(int64(slowest.Delay)), newWheel(int64(slowest.Credit))
	x.yield = t.HeadersYield && t.InputSpeedup > 0
	x.cut = t.Switching == VirtualCutThrough
	for at := range x.in {
		x.class = append(x.class, int32(len(x.classes)))
		x.classify(w, t, int32(at))
	}
	x.class = append(x.class, int32(len(x.classes)))
	x.speedup = t.InputSpeedup
	if w.VirtualChannels == 1 {
		x.speedup, x.yield = 0, false // no port has anything to choose from
	}
	if slowest.Flit == 1 {
		return
	}
	x.reopened, x.carries = newWheel(int64(slowest.Flit)), make([]int64, w.Links())
	if x.speedup > 0 {
		x.budget = make([]uint8, w.Links())
		for l := range x.budget {
			x.budget[l] = uint8(x.speedup)
		}
	}
}

// classify appends the classes of a word.
func (x *buffers) classify(w *Wiring, t *Timing, at int32) {
	from := len(x.classes)
	for s := at << 6; s < (at+1)<<6; s++ {
		l := x.link(s)
		if int(l) >= w.Links() {
			continue
		}
		k := t.on(l)
		class := linkClass{1 << (s & 63), int64(k.Delay), int64(k.Credit)}
		i := slices.IndexFunc(x.classes[from:], func(y linkClass) bool {
			return y.delay == class.delay && y.credit == class.credit
		})
		if i < 0 {
			x.classes = append(x.classes, class)
		} else {
			x.classes[from+i].set |= class.set
		}
	}
}

// classesOf returns the classes of a word.
func (x *buffers) classesOf(at int) []linkClass { return x.classes[x.class[at]:x.class[at+1]] }

// mark notes that a FIFO of a word may send.
func (x *buffers) mark(at int32) { x.active[at>>6] |= 1 << (at & 63) }

// is reports whether a slot is in a set of its word.
func is(set uint64, slot int32) bool { return set>>(slot&63)&1 != 0 }

// roomFor reports whether the sender of a channel, whose slot is given, knows of room for so many
// flits.
func (x *buffers) roomFor(slot, need int32) bool {
	if need == 1 || !is(x.out[slot>>6].keeps, slot) {
		return is(x.out[slot>>6].room, slot)
	}
	return x.credits.get(slot) >= need
}

// take takes a credit from each channel of a set. A FIFO whose packet holds a channel without
// credits has no room ahead.
func (x *buffers) take(at int, set uint64) {
	empty := x.credits.sub(at, set)
	x.out[at].room &^= empty
	for empty &^= x.out[at].nodes; empty != 0; empty &= empty - 1 {
		s := x.fifos[at<<6+first(empty)].behind
		x.in[s>>6].room &^= 1 << (s & 63)
	}
}

// mostCredits returns those of the virtual channels of a link, whose first slot is given, that have
// most credits of a set.
func (x *buffers) mostCredits(slot int32, set uint64) uint64 {
	planes := x.credits.of(int(slot >> 6))
	for k := len(planes) - 1; k >= 0; k-- {
		if more := set & (planes[k] >> (slot & 63)); more != 0 {
			set = more
		}
	}
	return set
}
